//! Words of other languages, and what Puppet calls the same thing. Every error, `:doc` and completion read this one table.

#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The words of other languages, separated by spaces, without underscores. Upper and lower case are the same.
    pub others: &'static str,
    /// Puppet's word or notation.
    pub puppet: &'static str,
    /// What to write, as a clause: ``write `Hash`, as in `Hash[String, Integer]` ``
    pub advice: &'static str,
    /// A program with it, run by the tests.
    pub example: &'static str,
    pub kind: Kind,
    /// How a function is called, and the same in Puppet: `@` is the receiver or the first argument, `@1` the argument behind it,
    /// `@t` the same as a type, `@r` its text in a regular expression, `@p` the parameters of the block, `@s` the same the other
    /// way round, `@b` its body.
    pub calls: &'static [(With, &'static str)],
}

/// What a call has besides its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    Arguments(usize),
    /// A block behind so many arguments.
    Block(usize),
}

const A0: With = With::Arguments(0);
const A1: With = With::Arguments(1);
const A2: With = With::Arguments(2);
const B0: With = With::Block(0);
const B1: With = With::Block(1);

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
    ($($kind:ident { $($others:literal => $puppet:literal $example:literal $([$($with:ident $call:literal),*])?)+ })+) => {
        &[$($(Word {
            others: $others,
            puppet: $puppet,
            advice: concat!("write `", $puppet, "`, as in `", $example, "`"),
            example: $example,
            kind: Kind::$kind,
            calls: &[$($(($with, $call)),*)?],
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

/// The row of a word of one of the kinds, the first kinds first.
pub fn word(text: &str, kinds: &[Kind]) -> Option<&'static Word> {
    let text = text.replace('_', "");
    let is_meant = |word: &&Word| word.others.split(' ').any(|other| other.eq_ignore_ascii_case(&text));
    kinds.iter().find_map(|kind| TABLE.iter().filter(|word| word.kind == *kind).find(is_meant))
}

/// The advice on a bare word in place of a value.
pub fn on_bare_word(text: &str) -> String {
    let foreign = word(text, &[Kind::Value]).map(|row| row.advice.to_owned());
    format!("`{text}` is a string; {}", foreign.unwrap_or_else(|| format!("a variable is `${text}`")))
}

/// The row of a function of another language, whose name may end in a mark: `include` for `include?`.
pub fn function(name: &str) -> Option<&'static Word> {
    let name = name.replace('_', "");
    let is_meant = |word: &&Word| word.others.split(' ').any(|other| other.trim_end_matches('?') == name);
    TABLE.iter().filter(|word| word.kind == Kind::Function).find(is_meant)
}

#[cfg(test)]
#[path = "../tests/unit/dictionary.rs"]
mod tests;
