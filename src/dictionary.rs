//! Words of other languages, and what Puppet calls the same thing. Every error, `:doc` and completion read this one table.

#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The words of other languages, separated by spaces. Upper and lower case are the same.
    pub others: &'static str,
    /// Puppet's word or notation.
    pub puppet: &'static str,
    /// What to write, as a clause: ``write `Hash`, as in `Hash[String, Integer]` ``
    pub advice: &'static str,
    /// A program with it, run by the tests.
    pub example: &'static str,
    pub kind: Kind,
}

/// Where a word is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Type,
    /// A value that has a word of its own.
    Value,
    Function,
    /// A word of the grammar, or an operator.
    Keyword,
}

macro_rules! words {
    ($($kind:ident { $($others:literal => $puppet:literal $example:literal)+ })+) => {
        &[$($(Word {
            others: $others,
            puppet: $puppet,
            advice: concat!("write `", $puppet, "`, as in `", $example, "`"),
            example: $example,
            kind: Kind::$kind,
        },)+)+]
    };
}

/// All words. Where two rows have the same word, the kind tells them apart.
pub static TABLE: &[Word] = words! {
    Type {
        "str text varchar char txt" => "String" "'a' =~ String[1, 10]"
        "int i32 i64 u8 u16 u32 u64 uint8 uint16 uint32 uint64 int8 int16 byte usize long short bigint int32 int64 uint" => "Integer" "5 =~ Integer[1, 10]"
        "double real decimal f32 f64 float64" => "Float" "1.5 =~ Float[0.0, 2.0]"
        "num number" => "Numeric" "5 =~ Numeric"
        "bool flag" => "Boolean" "true =~ Boolean"
        "list vec vector slice sequence seq arr" => "Array" "[1, 2] =~ Array[Integer]"
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
        "yes on" => "true" "true =~ Boolean"
        "no off" => "false" "false =~ Boolean"
        "true" => "true" "true =~ Boolean"
        "infinity inf" => "default" "5 =~ Integer[1, default]"
        "some just ok" => "5" "5 =~ Optional[Integer]"
        "false" => "false" "false =~ Boolean"
    }
    Function {
        "len size_of strlen" => "length" "'abc'.length"
        "typeof class getclass kind_of gettype type_name" => "type" "type(5)"
        "is_a is_a? isinstance instance_of instance_of? kind_of? isa is" => "=~" "5 =~ Integer"
        "puts print println say log echo console write writeln" => "notice" "notice('hello')"
        "raise throw die panic abort" => "fail" "if 1 > 2 { fail('no port') }"
        "assert ensure validate expect check" => "assert_type" "assert_type(Integer, 5)"
        "gsub sub replace replaceall replace_all" => "regsubst" "regsubst('abc', 'b', 'x', 'G')"
        "to_i toint parseint atoi int" => "Integer" "Integer('5')"
        "to_f tofloat parsefloat float" => "Float" "Float('1.5')"
        "to_s tostring str string inspect repr" => "String" "String(5)"
        "to_b tobool bool parsebool" => "Boolean" "Boolean('true')"
        "to_a toarray list" => "Array" "Array({'a' => 1})"
        "to_h tohash dict" => "Hash" "Hash([['a', 1]])"
        "substr substring mid" => "[position, length]" "'abc'[0, 2]"
        "contains includes include? includes? has member? in_array" => "in" "'a' in ['a', 'b']"
        "haskey key? containskey contains_key" => "in" "'a' in {'a' => 1}"
        "start_with? startswith starts_with beginswith" => "=~" "'abc' =~ /\\Aab/"
        "end_with? endswith ends_with" => "=~" "'abc' =~ /bc\\z/"
        "match? matches test grepl" => "=~" "'abc' =~ /b/"
        "push append add" => "<<" "[1, 2] << 3"
        "update extend assign" => "+" "{'a' => 1} + {'b' => 2}"
        "select where find_all" => "filter" "[1, 2].filter |$x| { $x > 1 }"
        "collect" => "map" "[1, 2].map |$x| { $x * 2 }"
        "foreach for_each each_pair" => "each" "[1, 2].each |$x| { notice($x) }"
        "inject fold foldl accumulate" => "reduce" "[1, 2].reduce |$sum, $x| { $sum + $x }"
        "sum" => "reduce" "[1, 2].reduce(0) |$sum, $x| { $sum + $x }"
        "find detect first" => "[0]" "[1, 2][0]"
        "fetch getkey get_in at nth" => "get" "{'a' => 1}.get('a')"
        "last" => "[-1]" "[1, 2][-1]"
        "empty? isempty is_empty blank" => "empty" "[].empty"
        "nil? is_null isnull is_none defined? isset undef?" => "=~" "undef =~ Undef"
        "sorted sort_by orderby" => "sort" "[3, 1].sort"
        "uniq distinct dedup toset" => "unique" "[1, 1].unique"
        "toupper upper uppercase to_upper touppercase" => "upcase" "'a'.upcase"
        "tolower lower lowercase to_lower tolowercase" => "downcase" "'A'.downcase"
        "trim" => "strip" "' a '.strip"
        "implode" => "join" "['a', 'b'].join(',')"
        "explode" => "split" "'a,b'.split(',')"
        "format string_format printf" => "sprintf" "sprintf('%03d', 5)"
        "items entries pairs" => "Array" "Array({'a' => 1})"
        "between" => "=~" "5 =~ Integer[1, 10]"
        "tonumber to_number todouble" => "Numeric" "Numeric('1.5')"
        "tolist" => "Array" "Array({'a' => 1})"
        "regex regexmatch regexp_match preg_match" => "=~" "'abc' =~ /b/"
        "parse loads fromjson json_decode jsondecode" => "parsejson" "parsejson('[1, 2]')"
        "dumps stringify tojson json_encode jsonencode" => "to_json" "to_json([1, 2])"
        "zero?" => "==" "5 == 0"
        "even? odd?" => "%" "4 % 2 == 0"
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

/// The row of a word of one of the kinds, the first kinds first.
pub fn word(text: &str, kinds: &[Kind]) -> Option<&'static Word> {
    let is_meant = |word: &&Word| word.others.split(' ').any(|other| other.eq_ignore_ascii_case(text));
    kinds.iter().find_map(|kind| TABLE.iter().filter(|word| word.kind == *kind).find(is_meant))
}

#[cfg(test)]
#[path = "../tests/unit/dictionary.rs"]
mod tests;
