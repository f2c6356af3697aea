//! The words of other languages with Puppet's words for the same things, as used in errors, `:doc` and completion.

#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The words of other languages, separated by spaces, without underscores. Case is ignored.
    pub others: &'static str,
    /// Puppet's word or notation.
    pub puppet: &'static str,
    /// Advice on what to write, as a clause: ``write `Hash`, as in `Hash[String, Integer]` ``
    pub advice: &'static str,
    /// An example program with Puppet's word, run by the tests.
    pub example: &'static str,
    pub kind: Kind,
    /// Forms of calls, each with a template for the same in Puppet. In the template, `@` is the receiver or first
    /// argument, `@1` and `@2` are the arguments after it, `@t` is `@1` as a type, `@r` is `@1` in a regexp,
    /// `@p` are the parameters of the block, `@s` are these in reverse order, and `@b` is the body of the block.
    pub call_templates: &'static [(CallForm, &'static str)],
}

/// The form of a call: the number of arguments besides the receiver, and whether there is a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallForm {
    Arguments(usize),
    /// A block after this number of arguments.
    Block(usize),
}

const A0: CallForm = CallForm::Arguments(0);
const A1: CallForm = CallForm::Arguments(1);
const A2: CallForm = CallForm::Arguments(2);
const B0: CallForm = CallForm::Block(0);
const B1: CallForm = CallForm::Block(1);

/// The kind of thing that a word names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Type,
    /// A value with its own keyword, such as `undef`.
    Value,
    Function,
    /// A keyword or an operator.
    Keyword,
}

macro_rules! words {
    ($($kind:ident { $($others:literal => $puppet:literal $example:literal $([$($with:ident $call:literal),*])?)+ })+) => {
        &[$($(Word {
            others: $others,
            puppet: $puppet,
            advice: concat!("write `", $puppet, "`, as in `", $example, "`"),
            example: $example,
            kind: Kind::$kind,
            call_templates: &[$($(($with, $call)),*)?],
        },)+)+]
    };
}

/// All words. If two rows contain the same word, their kinds differ.
pub static TABLE: &[Word] = words! {
    Type {
        "str text varchar char txt nvarchar nchar varchar2" => "String" "'a' =~ String[1, 10]"
        "int i32 i64 u8 u16 u32 u64 uint8 uint16 uint32 uint64 int8 int16 byte usize long short bigint int32 int64 uint" => "Integer" "5 =~ Integer[1, 10]"
        "double real decimal f32 f64 float64" => "Float" "1.5 =~ Float[0.0, 2.0]"
        "num number" => "Numeric" "5 =~ Numeric"
        "bool flag" => "Boolean" "true =~ Boolean"
        "list vec vector slice sequence seq arr arraylist" => "Array" "[1, 2] =~ Array[Integer]"
        "dict dictionary map hashmap record mapping associativearray" => "Hash" "{'a' => 1} =~ Hash[String, Integer]"
        "object obj schema typeddict dataclass interface shape" => "Struct" "{'port' => 80} =~ Struct[{port => Integer}]"
        "union oneof anyof either sum" => "Variant" "5 =~ Variant[Integer, String]"
        "maybe option nullable opt" => "Optional" "undef =~ Optional[Integer]"
        "literal choice choices symbol" => "Enum" "'a' =~ Enum['a', 'b']"
        "regex re" => "Pattern" "'abc' =~ Pattern[/b/]"
        "none null nil void nonetype nilclass undefined" => "Undef" "undef =~ Undef"
        "unknown mixed dynamic" => "Any" "5 =~ Any"
        "func function lambda closure proc" => "Callable" "Callable[[Integer], String]"
        "date datetime time" => "Timestamp" "Timestamp('2026-01-31') =~ Timestamp"
        "duration timedelta interval" => "Timespan" "Timespan('1-00:00:00') =~ Timespan"
        "bytes blob bytearray buffer" => "Binary" "Binary('aGk=') =~ Binary"
        "url" => "URI" "URI('http://example.com') =~ URI"
        "version" => "SemVer" "SemVer('1.2.3') =~ SemVer"
        "secret password" => "Sensitive" "Sensitive('a') =~ Sensitive[String]"
        "required nonnull notnull notnil" => "NotUndef" "5 =~ NotUndef"
        "set" => "Array" "unique([1, 1, 2])"
    }
    Value {
        "none null nil undefined" => "undef" "undef =~ Undef"
        "yes on true" => "true" "true =~ Boolean"
        "no off false" => "false" "false =~ Boolean"
        "infinity inf" => "default" "5 =~ Integer[1, default]"
        "some just ok" => "5" "5 =~ Optional[Integer]"
    }
    Function {
        "len sizeof strlen" => "length" "'abc'.length"
        "typeof class getclass gettype typename" => "type" "type(5)"
        "isa isa? isinstance instanceof instanceof? kindof? is" => "=~" "5 =~ Integer" [A1 "@ =~ @t"]
        "puts print println say log echo console write writeln" => "notice" "notice('hello')"
        "raise throw die panic abort" => "fail" "if 1 > 2 { fail('no port') }"
        "assert ensure validate expect check" => "assert_type" "assert_type(Integer, 5)"
        "gsub replace replaceall strreplace" => "regsubst" "regsubst('abc', 'b', 'x', 'G')" [A2 "regsubst(@, /@r/, @2, 'G')"]
        "sub replacefirst" => "regsubst" "regsubst('abc', 'b', 'x')" [A2 "regsubst(@, /@r/, @2)"]
        "toi toint tointeger parseint atoi int intval" => "Integer" "Integer('5')"
        "tof tofloat todecimal parsefloat atof float floatval" => "Float" "Float('1.5')"
        "tos tostring tostr str string inspect repr strval" => "String" "String(5)"
        "tob tobool toboolean bool boolean boolval parsebool" => "Boolean" "Boolean('true')"
        "toa toarray array list tolist items entries pairs chars" => "Array" "Array({'a' => 1})"
        "toh tohash todict tomap dict" => "Hash" "Hash([['a', 1]])"
        "substring" => "[position, length]" "'abc'[0, 2]" [A2 "@[@1, @2 - @1]"]
        "substr mid" => "[position, length]" "'abc'[0, 2]" [A2 "@[@1, @2]"]
        "contains includes include? includes? has member inarray hasvalue?" => "in" "'a' in ['a', 'b']" [A1 "@1 in @"]
        "haskey key? containskey keyexists" => "in" "'a' in {'a' => 1}" [A1 "@1 in @"]
        "startwith? startswith beginswith hasprefix" => "=~" "'abc' =~ /\\Aab/" [A1 "@ =~ /\\A@r/"]
        "endwith? endswith hassuffix" => "=~" "'abc' =~ /bc\\z/" [A1 "@ =~ /@r\\z/"]
        "match? matches test grepl regex regexmatch regexpmatch pregmatch" => "=~" "'abc' =~ /b/" [A1 "@ =~ /@r/"]
        "push append add" => "<<" "[1, 2] << 3" [A1 "@ << @1"]
        "pop" => "[0, -2]" "[1, 2, 3][0, -2]" [A0 "@[0, -2]"]
        "shift tail rest" => "[1, -1]" "[1, 2, 3][1, -1]" [A0 "@[1, -1]"]
        "update extend assign merge concat" => "+" "{'a' => 1} + {'b' => 2}" [A1 "@ + @1"]
        "remove delete" => "-" "[1, 2] - 2" [A1 "@ - @1"]
        "select where findall" => "filter" "[1, 2].filter |$x| { $x > 1 }" [B0 "@.filter |@p| { @b }"]
        "reject" => "filter" "[1, 2].filter |$x| { !($x > 1) }" [B0 "@.filter |@p| { !(@b) }"]
        "compact" => "filter" "[1, undef].filter |$x| { $x =~ NotUndef }" [A0 "@.filter |$x| { $x =~ NotUndef }"]
        "count" => "filter" "[1, 2].filter |$x| { $x > 1 }.length" [A1 "@.filter |$x| { $x == @1 }.length", B0 "@.filter |@p| { @b }.length"]
        "collect" => "map" "[1, 2].map |$x| { $x * 2 }" [B0 "@.map |@p| { @b }"]
        "flatmap collectconcat" => "map" "[1, 2].map |$x| { [$x, $x] }.flatten" [B0 "@.map |@p| { @b }.flatten"]
        "range" => "Integer" "Array(Integer[1, 10])" [A0 "Array(Integer[0, @ - 1])"]
        "iter intoiter stream" => "each" "[1, 2].each |$x| { notice($x) }" [A0 "@"]
        "foreach eachpair" => "each" "[1, 2].each |$x| { notice($x) }" [B0 "@.each |@p| { @b }"]
        "eachwithindex" => "each" "['a', 'b'].each |$index, $x| { notice($index, $x) }" [B0 "@.each |@s| { @b }"]
        "times upto" => "each" "Integer[1, 3].each |$n| { notice($n) }" [B0 "Integer[0, @ - 1].each |@p| { @b }", B1 "Integer[@, @1].each |@p| { @b }"]
        "inject fold foldl accumulate" => "reduce" "[1, 2].reduce |$sum, $x| { $sum + $x }" [B0 "@.reduce |@p| { @b }", B1 "@.reduce(@1) |@p| { @b }"]
        "sum" => "reduce" "[1, 2].reduce(0) |$sum, $x| { $sum + $x }" [A0 "@.reduce(0) |$sum, $x| { $sum + $x }"]
        "some any?" => "any" "[1, 2].any |$x| { $x > 1 }" [B0 "@.any |@p| { @b }"]
        "every all?" => "all" "[1, 2].all |$x| { $x > 0 }" [B0 "@.all |@p| { @b }"]
        "find detect" => "[0]" "[1, 2].filter |$x| { $x > 1 }[0]" [A1 "@1 in @", B0 "@.filter |@p| { @b }[0]"]
        "first head take" => "[0]" "[1, 2][0]" [A0 "@[0]", A1 "@[0, @1]"]
        "last takelast" => "[-1]" "[1, 2][-1]" [A0 "@[-1]", A1 "@[-@1, @1]"]
        "drop skip" => "[position, length]" "[1, 2, 3][2, -1]" [A1 "@[@1, -1]"]
        "fetch getkey getin at nth charat" => "get" "{'a' => 1}.get('a')" [A1 "@[@1]"]
        "indexof" => "index" "[1, 2].index |$x| { $x == 2 }" [A1 "@.index |$x| { $x == @1 }"]
        "empty? isempty blank isnullorempty isnullorwhitespace" => "empty" "[].empty"
        "isset defined?" => "defined" "defined('$x')" [A0 "defined('@')"]
        "nil? isnull isnone undef?" => "=~" "undef =~ Undef" [A0 "@ =~ Undef"]
        "sorted sortby orderby" => "sort" "[3, 1].sort"
        "uniq distinct dedup toset" => "unique" "[1, 1].unique"
        "toupper upper uppercase touppercase" => "upcase" "'a'.upcase"
        "tolower lower lowercase tolowercase" => "downcase" "'A'.downcase"
        "trim" => "strip" "' a '.strip"
        "implode" => "join" "['a', 'b'].join(',')"
        "explode" => "split" "'a,b'.split(',')"
        "format stringformat printf" => "sprintf" "sprintf('%03d', 5)"
        "tofixed toprecision" => "sprintf" "sprintf('%.2f', 1.234)" [A1 "sprintf('%.@1f', @)"]
        "between" => "=~" "5 =~ Integer[1, 10]" [A2 "@ =~ Integer[@1, @2]"]
        "clamp" => "sort" "[1, 5, 3].sort[1]" [A2 "[@1, @, @2].sort[1]"]
        "tonumber todouble" => "Numeric" "Numeric('1.5')"
        "parse loads fromjson jsondecode" => "parsejson" "parsejson('[1, 2]')" [A0 "parsejson(@)", A1 "@(@1)"]
        "dumps stringify tojson jsonencode" => "to_json" "to_json([1, 2])" [A0 "to_json(@)"]
        "safeload" => "parseyaml" "parseyaml('[1, 2]')" [A0 "parseyaml(@)"]
        "exist? exists isfile fileexists" => "find_file" "find_file('/etc/hosts')" [A0 "find_file(@)"]
        "equals eql? strcmp" => "==" "5 == 5" [A1 "@ == @1"]
        "zero?" => "==" "5 == 0" [A0 "@ == 0"]
        "positive?" => ">" "5 > 0" [A0 "@ > 0"]
        "negative?" => "<" "5 < 0" [A0 "@ < 0"]
        "even?" => "%" "4 % 2 == 0" [A0 "@ % 2 == 0"]
        "odd?" => "%" "4 % 2 == 1" [A0 "@ % 2 == 1"]
        "coalesce ifnull nvl" => "lest" "undef.lest || { 5 }"
    }
    Keyword {
        "is instanceof isa isa?" => "=~" "5 =~ Integer"
        "as" => "String" "String(5)"
        "not" => "!" "!true"
        "elif elseif" => "elsif" "if false { 1 } elsif true { 2 }"
        "switch match when cond" => "case" "case 5 { Integer: { 'number' } default: { 'other' } }"
        "for foreach while loop until do" => "each" "[1, 2].each |$x| { notice($x) }"
        "def fn fun func defun sub proc" => "function" "function double(Integer $n) { $n * 2 }"
        "lambda" => "|$x| { … }" "[1, 2].map |$x| { $x * 2 }"
        "alias typedef newtype interface struct enum" => "type" "type Port = Integer[1, 65535]"
        "let var const val my local auto" => "$name = …" "$x = 5"
        "typeof class" => "type" "type(5)"
        "new" => "Integer" "Integer('5')"
        "between" => "=~" "5 =~ Integer[1, 10]"
        "mod modulo rem" => "%" "10 % 3"
        "div" => "/" "7 / 2"
        "of" => "[…]" "[1] =~ Array[Integer]"
        "like matches" => "=~" "'abc' =~ /b/"
        "print puts echo println printf say" => "notice" "notice('hello')"
        "raise throw die" => "fail" "if 1 > 2 { fail('no port') }"
        "assert" => "assert_type" "assert_type(Integer, 5)"
    }
};

/// Returns the row of a foreign word that has one of `kinds`, which are searched in order. Ignores case.
pub fn find_word(text: &str, kinds: &[Kind]) -> Option<&'static Word> {
    let text = text.replace('_', "");
    let is_meant = |word: &&Word| word.others.split(' ').any(|other| other.eq_ignore_ascii_case(&text));
    kinds.iter().find_map(|kind| TABLE.iter().filter(|word| word.kind == *kind).find(is_meant))
}

/// Returns advice on a word without quotes that is used as a value: Puppet's word for it, or else the word with `$`.
pub fn bare_word_advice(text: &str) -> String {
    let foreign = find_word(text, &[Kind::Value]).map(|row| row.advice.to_owned());
    format!("`{text}` is a string; {}", foreign.unwrap_or_else(|| format!("a variable is `${text}`")))
}

/// Returns the row of a function of another language; case matters. `include` also finds `include?`.
pub fn find_foreign_function(name: &str) -> Option<&'static Word> {
    let name = name.replace('_', "");
    let is_meant = |word: &&Word| word.others.split(' ').any(|other| other.trim_end_matches('?') == name);
    TABLE.iter().filter(|word| word.kind == Kind::Function).find(is_meant)
}

#[cfg(test)]
#[path = "../tests/unit/dictionary.rs"]
mod tests;
