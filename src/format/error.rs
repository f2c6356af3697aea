//! Errors in the formats of `String.new` and `sprintf`.

use crate::error::{LIMIT, RUNTIME_ERROR, errors};
use crate::limits::{self, Limit};

errors! {
    #[derive(Debug)]
    pub(super) enum FormatError {
        /// `String(1, 'd')`
        NoDirective(format: String) => RUNTIME_ERROR,
            message(
                "'{format}' is not a format: \
                 expected a percent sign, flags, width, precision after a point, and one letter"
            ),
            help("for instance '%d', '%-10s', '%#x', '%.2f', '%(a'");
        /// `String(1, '%++d')`
        RepeatedFlag { flag: char, format: String } => RUNTIME_ERROR,
            message("duplicate flag '{flag}' in the format '{format}'");
        /// `String([1], '%[<a')`
        TwoDelimiters(format: String) => RUNTIME_ERROR,
            message("the format '{format}' has more than one pair of delimiters");
        /// `String(1, '%99999999999d')`
        TooWide(format: String) => LIMIT,
            message("the width or precision of '{format}' is greater than {}", limits::current_limit(Limit::String));
        /// `String(1, '%q')`
        UnknownLetter { letter: char, type_name: &'static str, letters: String } => RUNTIME_ERROR,
            message("{type_name} has no format %{letter}: valid letters:{}", letters.replace("", " ").trim_end()),
            help {
                matches!(*type_name, "Array" | "Hash").then(|| format!(
                    "set formats of elements by type: {{{type_name} => {{format => '%s', \
                     string_formats => {{Integer => '%{letter}'}}}}}}"
                ))
            };
        /// `String(1, '%(d')`
        Delimiters { letter: char, type_name: &'static str } => RUNTIME_ERROR,
            message("only arrays and hashes have delimiters: the format %{letter} of {type_name} accepts none");
        /// `String(Binary([200]), '%s')`
        NotUtf8 => RUNTIME_ERROR,
            message("the bytes are not valid UTF-8"), help("'%#s' writes such bytes as \\xHH, '%B' as base64");
        /// `String(-1, '%c')`
        NoCharacter(number: String) => RUNTIME_ERROR, message("{number} is not the code point of a character");
        /// `String(1, 5)`
        NoFormats { got: String } => RUNTIME_ERROR,
            message("expected a format such as '%x', default, or a hash from types to formats, got {got}");
        /// `String(1, {'x' => '%d'})`
        NoTypeOfFormat { got: String } => RUNTIME_ERROR,
            message("expected a type as the key of a format, got {got}"),
            help("write types without quotes: {{Integer => '%x'}}");
        /// `String([1], {Array => {'separator' => ';'}})`
        MissingFormat => RUNTIME_ERROR,
            message("the format hash needs the key 'format'"), help("add 'format' => '%a', or '%h' for a hash");
        /// `String([1], {Array => {'format' => '%a', 'seperator' => ';'}})`
        UnknownKey { key: String } => RUNTIME_ERROR, message(
            "unknown key {key} in a format: expected 'format', 'separator', 'separator2' or 'string_formats'"
        );
        /// `String([1], {Array => {'format' => '%a', 'separator' => 1}})`
        WrongValue { key: &'static str, expected: &'static str, got: String } => RUNTIME_ERROR,
            message("expected {expected} for '{key}', got {got}");
        /// `sprintf('%s %s', 1)`
        TooFewArguments { needed: usize, given: usize } => RUNTIME_ERROR,
            message("the format needs at least {needed} arguments, got {given}");
        /// `sprintf('%z', 1)`, `sprintf('%')`
        NoSuchDirective(directive: String) => RUNTIME_ERROR, message("'{directive}' is not a directive of sprintf");
        /// `sprintf('%1$s %s', 1)`
        MixedArguments(format: String) => RUNTIME_ERROR,
            message("'{format}' mixes arguments in order, by number and by name: use only one of these");
        /// `sprintf('%<a>d', 1)`
        NoHash { name: String } => RUNTIME_ERROR,
            message("the directive refers to '{name}': expected one hash as the only argument");
        /// `sprintf('%<a>d', {'b' => 1})`
        UnknownName { name: String } => RUNTIME_ERROR, message("the hash has no key '{name}'");
        /// `sprintf('%d', 'x')`
        NoNumber { directive: char, got: String } => RUNTIME_ERROR,
            message("%{directive} expects a number, got {got}");
    }
}
