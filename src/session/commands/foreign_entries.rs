//! Recognizes entries in the syntax of other languages and programs by patterns, with advice on what to write instead.

use std::sync::LazyLock;

use regex::Regex;

use super::{RunTest, likely_meant::variable_names};
use crate::regexp::compile_constant;
use crate::session::foreign_calls;
use crate::session::foreign_lambdas::{add_dollar_signs, translate_lambdas};
use crate::session::foreign_types::{MAX_LENGTH, puppet_type_name, translate_list};

macro_rules! forms {
    ($($form:literal => $advice:literal)+) => { &[$(($form, $advice)),+] };
}

/// Patterns of entries that fail, each with advice. In the advice, `$1` is a group of the pattern, `$type` and `$inner`
/// are Puppet's names for the types in the groups of these names, `$count` and `$listed` the length of the group `list`
/// and the type of one of its elements, and `$$` is a dollar sign. Groups `name` and `same` must be equal.
const FAILING_ENTRY_ADVICE: &[(&str, &str)] = forms! {
    r"\b(Enum|Variant)\[\s*(.+?)\s+(?:or|and)\s+(.+?)\s*\]" => "write `$1[$2, $3]`"
    r"\bBoolean\[\s*['\x22]?(\w+)['\x22]?\s*,\s*['\x22]?(\w+)['\x22]?\s*\]" => "`Boolean` alone accepts true and false; for two words, write `Enum['$1', '$2']`"
    r"^(\{.*\}|\$\w+)\s*(?://|\|)\s*(\{.*\}|\$\w+)$" => "to merge hashes, write `$1 + $2`"
    r"^\{\s*\.\.\.\s*(\{.*?\}|\$\w+)\s*,\s*(.+?)\s*\}$" => "to merge hashes, write `$1 + {$2}`"
    r"\bdefined\(\s*(\$\w+)\s*\)" => "`defined` is given the name in quotes: `defined('$1')`"
    r"^([A-Z][\w:]*(?:\[.*\])?)\s*\|\s*(?:undef|undefined|null|nil|None)$" => "for a value or undef, write `Optional[$1]`"
    r"^([A-Z]\w*)\.([A-Z]\w*)$" => "names are joined with `::`: write `$1::$2`"
    r"\bPattern\[\s*['\x22]([^'\x22/]*)['\x22]([imx]+)\s*\]" => "options go into the expression: `Pattern[/(?$2)$1/]`"
    r"(?i)^(?:n?var)?char\((\d+)\)\s+not\s+null$" => "only an Optional type accepts undef; write `String[0, $1]`"
    r"(?i)^(?<type>[a-z]\w*)\s+not\s+null$" => "only an Optional type accepts undef; write `$type`"
    r"^(?:readonly|const|final|static|public|private|volatile|mut)\s+(?<type>[a-z]\w*)\[\]$" => "write `Array[$type]`"
    r"^([^A-Z].*)\[(\d+)\.\.(-\d+)\]$" => "write a position and a length: `$1[$2, $3]`"
    r"^(.+)\.([a-z]\w*)\s*(\|[^|]*\|)\s*([^{\s=-].*)$" => "put the body of a lambda in braces: `$1.$2 $3 { $4 }`"
    r"^(.+?)\s*(?:\?\?|\?:)\s*(.+)$" => "for a value in place of undef, write `$1.lest || { $2 }`"
    r"^(['\x22][^'\x22]*%[^'\x22]*['\x22])\s*%\s*[\[(]?(.+?)[\])]?$" => "write `sprintf($1, $2)`"
    r"^(\$\w+)\[(['\x22].*?['\x22])\]\s*=\s*(.+)$" => "values do not change; for another hash, write `$$new = $1 + {$2 => $3}`"
    r"^(.+)\.title(?:ize|case)?(?:\(\))?$" => "write `$1.split(' ').map |$$word| { $$word.capitalize }.join(' ')`"
    r"\b(?:Tuple|Array)\[\s*([A-Z]\w*(?:\[[^\[\]]*\])?)\s*,?\s*(?:\.\.\.|\*)\s*\]" => "for any number of elements, write `Array[$1]`"
    r"\bTuple\[(?<list>[^.*+]+?)\s*(?:,\s*\.\.\.|\+)\s*\]" => "for more of the last type, write `Tuple[$list, $count, default]`"
    r"\bTuple\[(?<list>.+?),\s*(?:\*\s*([A-Z]\w*(?:\[[^\[\]]*\])?)|([A-Z]\w*(?:\[[^\[\]]*\])?)\s*(?:\*|\.\.\.))\s*\]" => "for more of the last type, write `Tuple[$list, $2$3, $count, default]`"
    r"\b(Array|Hash|Collection|String|Integer|Float)\[\s*(.+?,\s*)?\{?\s*['\x22]?(?i:min|from|ge|at_?least)\w*['\x22]?\s*(?:=>?|:)\s*(-?[\d.]*\d)(?:(,\s*)['\x22]?(?i:max|to|le|at_?most)\w*['\x22]?\s*(?:=>?|:)\s*(-?[\d.]*\d))?\s*\}?\s*\]" => "parameters of types have no names: `$1[$2$3$4$5]`"
    r"\b(Array|Hash|Collection|String|Integer|Float)\[\s*(.+?,\s*)?\{?\s*['\x22]?(?i:max|to|le\b|lte|at_?most)\w*['\x22]?\s*(?:=>?|:)\s*(-?[\d.]*\d)\s*\}?\s*\]" => "parameters of types have no names: `$1[${2}default, $3]`"
    r"\b(Array|Hash|Collection|String|Integer|Float)\[\s*(.+?,\s*)?\{?\s*['\x22]?(?i:len|size|count|exactly)\w*['\x22]?\s*(?:=>?|:)\s*(\d+)\s*\}?\s*\]" => "parameters of types have no names: `$1[$2$3, $3]`"
    r"\b(NotUndef|Sensitive|Type|Iterable|Iterator)\[(?:\s*Optional\[)?\s*([A-Z]\w*)\]?\s*,\s*(-?\d[\d\s,-]*)\]" => "a size belongs to the inner type: `$1[$2[$3]]`"
    r"\bEnum\[\s*['\x22]?([A-Za-z])['\x22]?\s*\.\.\.?\s*['\x22]?([A-Za-z])['\x22]?\s*\]" => "for a range of letters, write `Pattern[/\\A[$1-$2]\\z/]`"
    r"\bStruct\[\{(.*?)(\w+)\s*=>\s*([A-Z]\w*(?:\[[^\[\]]*\])?)\s*(?:\bdefault\b\s*(?:=>?|:)?|=|\|\||\?\?)\s*[^,{}]+?\s*(,.*)?\}\]" => "a Struct has no defaults; for a key that may be missing, write `Struct[{${1}Optional[$2] => $3$4}]`"
    r"^(\$\w+\s*=\s*)?regsubst\((.+?,\s*/(?:[^/\\]|\\.)+/)g\s*,\s*(.+?)\s*\)$" => "`regsubst` replaces all with `'G'`: write `${1}regsubst($2, $3, 'G')`"
    r"^((?:[^/]*[\[({,~=]\s*)?/(?:[^/\\]|\\.)+/)([guy]+)(\W.*)?$" => "a match is found anywhere; leave out `$2`: `$1$3`"
    r"^(?s)((?:if|unless|elsif|while)\b.*?)\s+(and|or|&&|\|\|)\s*(\{.*)$" => "a condition is missing before the `{`; for one alone, write `$1 $3`"
    r"^(class|define)\s+([\w:]+)\s*\{\s*((?:[A-Z][\w:]*(?:\[[^{}$]*\])?\s+)?\$\w+(?:\s*=\s*[^,{}\s]+)?(?:\s*,\s*(?:[A-Z][\w:]*(?:\[[^{}$]*\])?\s+)?\$\w+(?:\s*=\s*[^,{}\s]+)?)*)\s*,?\s*\}$" => "parameters go in parentheses: `$1 $2($3) { }`"
    r"^([a-z]\w*)\s*(\|[^|]*\|\s*\{.*\})\s*(\[.*\]|\{.*\}|\$\w+)$" => "a function has its arguments before the lambda: `$3.$1 $2`"
    r"^(?:(?:int|uint|number)\s*&\s*)?>=\s*(-?\d+)\s*(?:&&?|and|,)\s*<=\s*(-?\d+)$" => "for a range, write `Integer[$1, $2]`"
    r"^\$(?<name>\w+)\s*=\s*(.+?)\s+if\s*\(?\s*\$(?<same>\w+)\s*={2,3}\s*(?:undef|nil|null|none|''|\x22\x22)\s*\)?$" => "a variable is assigned once; for a value in place of undef, write `$$my_$1 = getvar('$1', $2)`"
    r"^\$(?<name>\w+)\s*=\s*(.+?)\s+(if|unless)\s+([^${}]*\$(?<same>\w+)\b[^{}]*?)$" => "a variable is assigned once; write `$$my_$1 = $3 $4 { $2 } else { $$$1 }`"
    r"^((?:if|unless)\s+|\$\w+\s*=\s*)?(-?[$\w.]+(?:\[[^\]]*\])*)\s*([<>]=?)\s*(-?[$\w.]+(?:\[[^\]]*\])*)\s*([<>]=?)\s*(-?[$\w.]+)(\s*\{.*)?$" => "compare twice: `$1$2 $3 $4 and $4 $5 $6$7`"
    r"^((?:if|unless)\s+)?(\$\w+|-?\d+)\s+in\s+[\[(]?(-?\d+)\.\.\.?(-?\d+)[\])]?(\s*\{.*)?$" => "a range is a type: `$1$2 =~ Integer[$3, $4]$5`"
    r"[{,\s](-?\d+)\.\.\.?(-?\d+)\s*(?::|=>)" => "a range is a type: `Integer[$1, $2]`"
    r"^([^A-Z].*)\[(\d+)(?::|\.\.(?:-1)?)\]$" => "write a position and a length: `$1[$2, -1]`"
    r"^([^A-Z].*)\[0?:(\d+)\]$" => "write a position and a length: `$1[0, $2]`"
    r"^([^A-Z].*)\[(\d+)\.\.(\d+)\]$" => "write a position and a length: `$1[$2, $3 - $2 + 1]`"
    r"^['\x22]([^'\x22$\\]*)['\x22]\s*(?:\+\+?|\.\.?|&|<<)\s*\$(\w+)$" => "no operator joins strings; write `\"$1$${$2}\"`"
    r"^(?:join\(\s*(['\x22][^'\x22]*['\x22])\s*,\s*|(['\x22][^'\x22]*['\x22])\.join\(\s*)(.+?)\s*\)$" => "the array comes first: `join($3, $1$2)`"
    r"(\$\w+)->[\[{]?['\x22]?([a-z]\w*)(?:[^\w(]|$)" => "to read an entry, write `$1['$2']`"
    r"^lookup\(\s*([^,()]+),\s*(\{?)\s*['\x22]?default['\x22]?\s*(?:=>?|:)\s*(.+)\)$" => "did you mean `default_value`? write `lookup($1, ${2}default_value => $3)`"
    r"^(.*(?:[=!]~\s*|\bPattern\[\s*))['\x22]\*(\.[\w.]+)['\x22](\s*\]?.*)$" => "for strings with this ending, write `$1/\\$2\\z/$3`"
    r"^(.+?)\s*([=!]~)\s*['\x22]\*([\w.-]+)\*?['\x22]$" => "the string is a regular expression; for a part, write `$1 $2 /$3/`"
    r"^(?:irb\([^)]*\)[:\d]*[>*]|\[\d+\] pry\([^)]*\)>|\d+:>>|>>>|In \[\d+\]:|\w+[=-][>#]|(?:mysql|sqlite|psql)>|\$>?|%|>)\s+(.+)"
        => "leave out the prompt of the other program: `$1`"
    r"^(.+?)\s*([=!]~)\s*(?:m|qr)?/((?:[^/\\]|\\.)+)/g*([imx]+)g*$" => "options go into the expression: `$1 $2 /(?$4)$3/`"
    r"^(.+?)\s*([=!]~)\s*(?:m|qr)/((?:[^/\\]|\\.)+)/$" => "write a regular expression in slashes alone: `$1 $2 /$3/`"
    r"^[^'\x22]*'([^'\n]*[A-Za-z])'((?:s|t|re|ll|ve|d|m)\b[^'\n]*)'\W*$" => "write a string with an apostrophe in double quotes: `\"$1'$2\"`"
    r"^(if|unless)\s+([^{]+?)\s+then\s+(.+?)\s+else\s+(.+?);?(?:\s+(?:end|fi))?$" => "write `$1 $2 { $3 } else { $4 }`"
    r"^(if|unless)\s+([^{]+?)\s+then\s+(.+?);?(?:\s+(?:end|fi))?$" => "write `$1 $2 { $3 }`"
    r"^(\$\w+\s*=\s*)?([^{};=]+?)\s+if\s+(.+?)\s+else\s+(.+)$" => "write `${1}if $3 { $2 } else { $4 }`"
    r"^\[(.+?)\s+for\s+(\w+)\s+in\s+(.+?)\s+if\s+(.+)\]$" => "write `$3.filter |$2| { $4 }.map |$2| { $1 }`"
    r"^\[(.+?)\s+for\s+(\w+)\s+in\s+(.+)\]$" => "write `$3.map |$2| { $1 }`"
    r"^(?:pub\s+)?(?:def|fn|func|fun)\s+(\w+)\s*\(([\w\s,=]*)\)\s*(?:[:={]|->\s*\w+\s*[:{])?\s*(?:return\s+)?([^;{}]+?);?\s*(?:\}|\send)?$"
        => "write `function $1($2) { $3 }`"
    r"^\(?(\d+)\.\.(\d+)\)?\.([a-z]+\W.*)$" => "write `Integer[$1, $2].$3`"
    r"\b(Integer|Float|String|Array)\[\s*(?:<=|,|\.\.[.=]?|:)\s*(-?[\d.]*\d)\s*\]" => "for an open end, write `$1[default, $2]`"
    r"\b(Integer|Float|String)\[\s*(?:>=\s*(-?[\d.]*\d)|(-?[\d.]*\d)\s*(?:\.\.[.=]?|:|,\s*(?:\*|∞|(?i:inf\w*|max|nil|none|null))))\s*\]" => "for an open end, write `$1[$2$3, default]`"
    r"^(.*\bPattern\[)\s*(?:r['\x22]([^'\x22/]*)['\x22]\s*|([\^.\\(\[][^'\x22/]*|[^'\x22/\[\]]*[$+*]))\]$" => "write a regular expression in slashes: `$1/$2$3/]`"
    r"^/((?:[^/\\]|\\.)+)/([imx]+)\s*([=!]~)\s*(.+)$" => "options go into the expression, behind the string: `$4 $3 /(?$2)$1/`"
    r"^(/(?:[^/\\]|\\.)+/)(?:\.(?:test|match\??|exec)\((.*)\)|\s*=~\s*(['\x22$].*))$" => "the string is on the left: `$2$3 =~ $1`"
    r"^\{*-?\s*\$?([a-z]\w*)\s*[|.]\s*default\s*[(:]?\s*([^(){}]+?)(?:,\s*true)?\)?\s*-?\}*$" => "write `getvar('$1', $2)`"
    r"^\{\{-?\s*\$?([a-z]\w*)\s*\|\s*([a-z]\w*(?:\(.*\))?)\s*-?\}\}$" => "write `$$$1.$2`"
    r"^\{\{-?\s*[$.]?([a-z]\w*)\.(\w+)\s*-?\}\}$" => "write `$$$1['$2']`"
    r"^('[^']*'|\x22[^\x22]*\x22|[$\[][^|]*?)\s*\|\s*([a-z]\w*(?:\(.*\))?)$" => "call a function with a dot: `$1.$2`"
    r"^-\s+['\x22]?([A-Za-z][\w .-]*?)['\x22]?$" => "this is YAML; a list is `['$1']`"
    r"^(.+?)\s*=~\s*s/([^/]+)/([^/]*)/$" => "strings do not change: `regsubst($1, /$2/, '$3')` returns another"
    r"^(.+?)\s*=~\s*(?:s|tr|y)/([^/]+)/([^/]*)/" => "strings do not change: `regsubst($1, /$2/, '$3', 'G')` returns another"
    r"^(.+)\.(?:strptime|to_date|to_time)\((.*)\)$" => "write `Timestamp($1, $2)`"
    r"(\$\w+)\.(?:push|append|add)\((.*)\)$" => "values do not change: write `$$more = $1 << $2`"
    r#"^f(['"])([^{}]*)\{([^{}'"]*)\}([^{}]*)['"]$"# => "leave out the `f`: `\"$2$${$3}$4\"`"
    r"^type\s+\w+\s*[<\[]\s*\w+\s*[>\]]\s*=" => "an alias has no parameters: write one for each type, as in `type Names = Array[String]`"
    r"\bInteger\[\s*[iu](?:8|16|32|64)\s*\]" => "write the range, as in `Integer[0, 255]`"
    r"^(?:dir|help|methods|functions)\(([A-Z]\w*)\)$" => "`:functions $1` lists the functions for it"
    r"\bsort(?:ed)?\(\s*(.+?)\s*,\s*reverse\s*=\s*(?i:true)\s*\)" => "write `Array(reverse_each(sort($1)))`"
    r"\bCallable\[\s*(\[[^\[\]]*\])\s*(?:->|=>|>>)\s*([A-Z]\w*)\s*\]" => "write `Callable[$1, $2]`"
    r"^(\w+)\((.+),\s*(\|[^|]*\|\s*\{.*\})\s*\)$" => "a lambda follows its call: `$1($2) $3`"
    r"\bEnum\[(.*),\s*ignore_case\s*=>\s*true\s*\]" => "write `Enum[$1, true]`"
    r"^\w+\s*\{\s*('[^']*'(?:\s*,\s*'[^']*')+)\s*:" => "several titles are an array: `[$1]`"
    r"\b[Ff]ile\[(/[\w./-]*)\]" => "quote the title: `File['$1']`"
    r#"\$"[^"]*\{(\w+)\}[^"]*"$"# => "leave out the `$$` before the quote; in a string, a variable is `$${$1}`"
    r"^type\s+(\S+)\s*=\s*([A-Z][\w:]*)\((.*)\)$" => "put the parameters of a type in brackets: `type $1 = $2[$3]`"
    r"\bOptional\[\s*([A-Z]\w*(?:\[[^\]]*\])?)\s*,\s*['\x22\d]" => "a default value follows the name of its parameter: `function f($1 $$x = 'a') { … }`"
    r"^([A-Z]\w*)\?\s+\$(\w+)\s*=" => "a parameter that may be left out is `function f(Optional[$1] $$$2 = undef) { … }`"
    r"\bEnum\[((?:\s*,?\s*(?:Any|Array|Boolean|Float|Hash|Integer|Numeric|String|Undef)\b)+)\s*\]" => "for one of several types, write `Variant[$1]`"
    r"\bEnum\[\s*([A-Z]\w*)\s*,\s*([A-Z]\w*)\s*\]" => "the values of an Enum are strings: `Enum['$1', '$2']`"
    r"\b(?:Enum|Variant)\[(?<list>[^\[\]]+(?:\[[^\[\]]*\][^\[\]]*)*)\]" => "for one of these, write `$listed`"
    r"<\|[^|]*=>[^|]*\|>" => "a collector compares with `==`, not with `=>`"
    r"^(?:class|define|function)\s.*[(,]\s*\$\w+\s*:?\s+[A-Z]" => "the type of a parameter comes before its name"
    r"<%-?\s*(if|unless)\b\s*([^{}%]*?)\s*-?%>" => "a template contains Puppet code: `<% $1 $2 { %>…<% } %>`"
    r#"^(?:variable|output|module|provider)\s+"(\w+)"\s*\{"# => "this is HCL; a variable is assigned as `$$$1 = 80`"
    r"\bHash\[\s*\{?\s*([A-Z]\w*)\s*(?:=>|:)\s*([A-Z]\w*)\s*\}?\s*\]" => "write `Hash[$1, $2]`"
    r"\bCallable\[(\[[^\[\]]*\]),\s*([A-Z]\w*),\s*[^\[\]]+\]$" => "the second parameter is the type of the result: `Callable[$1, $2]`"
    r"<%-?\s*for\s+(\w+)\s+in\s+[$@]?(\w+)" => "a template contains Puppet code: `<% $$$2.each |$$$1| { %>…<% } %>`"
    r"<%-?\s*(?:end|endif|endfor|endforeach)\b" => "a template contains Puppet code: `<% } %>` ends a block"
    r"^for\s+(\w+)\s+in\s+range\((\d+)\)" => "call a function: `Integer[0, $2 - 1].each |$$$1| { notice($$$1) }`"
    r"^case\s+([^{]+?)\s*\{\s*when\s" => "leave out `when`: `case $1 { 1: { 'one' } default: { 'other' } }`"
    r"^type\s+(\S+)\s*=\s*([A-Z][\w:]*(?:\[.*\])?)(?:,|\s+or)\s+([A-Z][\w:]*(?:\[.*\])?)$"
        => "for one of several types, write `type $1 = Variant[$2, $3]`"
    r"^lookup\(\s*([^,()]+),\s*(?:value_)?type\s*(?:=>|[:=])\s*(.+)\)$" => "write `lookup($1, $2)`"
    r"^lookup\(\s*([^,()]+),\s*(merge|default_value)\s*(?::|=[^>])\s*(.+)\)$" => "write `lookup($1, {'$2' => $3})`"
    r"\bvec!\[(.*)\]|^\[\]\w+\{(.*)\}$" => "write a list as `[$1$2]`"
    r"^(\w+)\s*:=\s*\[\]\w+\{(.*)\}$" => "write `$$$1 = [$2]`"
    r"^if\s+\w+(?:\s*,\s*\w+)?\s*:=" => "assign before the condition: `$$x = 5`"
    r"^(\w+)\s*=\s*\{\s*['\x22]?(\w+)['\x22]?\s*:\s*([^{}:,]+)\}$" => "write `$$$1 = {'$2' => $3}`"
    r"\$~\[(\d)\]" => "group $1 of the last match is `$$$1`"
    r"^\s*(?:ensure|owner|group|mode|require|notify|before|subscribe|content|source|command|enable|provider)\s*=>\s*(.+?),?$"
        => "an attribute is part of a resource; here, type its value alone: `$1`"
    r"^\.[\w.]*\[\]" => "to read each entry, write `$$data.map |$$x| { $$x['name'] }`"
    r"\bSemVer\([^)]*\)\s*[<>]=?\s*(['\x22][^'\x22]*['\x22])$" => "make a version of both: `SemVer($1)`"
    r"^type\s+(\S+)\s*=\s*(-?\d+)\s*\.\.\s*(-?\d+)$" => "write `type $1 = Integer[$2, $3]`"
    r"\$\{(?:facts|trusted)\.\w+" => "read one key after the other: `$${facts['os']['family']}`"
    r"\bString\[\s*['\x22]?\[?((?:\w-\w)+)\]?['\x22]?\s*\]" => "write `Pattern[/\\A[$1]+\\z/]`"
    r"^\\\s*\w+\s*->|^\(\s*\w*(?:\s*,\s*\w+)*\s*\)\s*=>|\(\s*(?:lambda\b|function\s*\()|^(?:foldl|foldr|fold|reduce|map|filter)\s+\("
        => "a lambda follows a call: `[1, 2].map |$$x| { $$x + 1 }`"
    r"^(?:[\\.]\pL\w*\+?(?:\s+[^|]|$)|[a-z]+[!?]$|%[a-z]{2}|[A-Z][a-z]+-[A-Z][a-z])"
        => "commands start with a colon: `:help` lists them"
    r#"^([\d'"\[{][^:]*?)\s*::?\s*([A-Z]\w*(?:\[.*\])?)$"# => "to test a type, write `$1 =~ $2`"
    r"(?:=~|=)\s*\|\s*\$" => "lambdas are not values: one follows a call, as in `[1, 2].map |$$x| { $$x + 1 }`"
    r"(?:=~\s*|\[)/[^/\s]*/[\w.]+/" => r"a slash in a regular expression is written `\/`"
    r"\b(Optional|Array|Hash|Variant|NotUndef|Sensitive|Type|Iterable|Tuple|Struct)\(\s*([A-Z]\w*(?:\[[^\[\]]*\])?(?:,\s*[A-Z]\w*(?:\[[^\[\]]*\])?)*)\s*\)|(?:\b(Enum|Pattern)|=~ *(Integer|Float|String))\((.*)\)|(?:=~\s*([A-Z]\w*)|\b(Struct))\s*(\{.*\})$"
        => "put the parameters of a type in brackets: `$1$3$4$6$7[$2$5$8]`"
    r"^\d{1,3}(?:,\d{3})+\b" => "write digits without separators: `1000`"
    r"^(.+)\.(?:inject|reduce|fold)\(\s*(?:\d+\s*,\s*)?&?:([-+*])\)$" => "write `$1.reduce |$$sum, $$x| { $$sum $2 $$x }`"
    r"\bCallable\[\s*\(?(.*?)\)?\s*->\s*(.*?)\s*\]" => "write `Callable[[$1], $2]`"
    r"^set\s+(\w+)(?:\s*=\s*|\s+)(\S+)$" => "did you mean `:set $1 $2`?"
    r"(?i)^\$\{(\w+)\s*:?[-=](.*)\}$" => "for a value in place of undef, write `getvar('$1', '$2')`"
    r#"(?:^|[=(,] *)<<[-~]?['"]?([A-Za-z]\w*)|^@['"](\w+)['"]?$"# => "write a heredoc as `@($1$2)`; `| $1$2` ends it"
    r"^(?:(?:if|while|elif)\s+\[+|\[\[|\[\s+-[a-z])\s|^\[\s.*\s-[a-z]{2}\s"
        => "write conditions without brackets: `$$x == 'a'`, `$$x =~ /^a/`, `$$x.empty`"
    r#"^[$@]+"(.*)""# => "strings in double quotes are interpolated: `\"port $${port}\"`"
    r"\barray\(|^(?:map\[\w+\]|\[\]|struct)[\w.]*\{|^new\s*(?:[A-Z]\w*\s*)?\{"
        => "write `[1, 2]` for an array, and `{'a' => 1}` for a hash"
    r"@\{|%\{?\$" => "a variable has one sign, whatever it holds: `$$ports`; `*$$ports` passes its elements"
    r"^(?:let|const|var|local)\s*[\[({]\s*(\w+)\s*,\s*(\w+)\s*[\])}]\s*=|^\$?(\w+)\s*,\s*\$?(\w+)\s*:?="
        => "to assign several variables, write `[$$$1$3, $$$2$4] = [1, 2]`"
    r#"^(['"][^'"]*['"])\s*%\s*\S"# => "write `sprintf('%s:%d', 'web', 80)`"
    r"^(?:try|except|catch|finally|rescue|begin)\b"
        => "Puppet has no exceptions; test a value first: `if '42' =~ /^\\d+$$/ { Integer('42') } else { 0 }`"
    r"(?i)^case\s+when\b" => "write `if 1 == 2 { 'a' } else { 'b' }`"
    r"^([^{};]+?)\s+(if|unless)\s+([^{}]+)$" => "write `$2 $3 { $1 }`"
    r"^([^?{}]+?)\s*\?\s*([^?:{}]+?)\s*:\s*([^?:{}]+)$" => "write `if $1 { $2 } else { $3 }`"
    r"^(?:.*;)?\s*(\S+)\s*\?\s*([^{}]+=>[^{}]+)$" => "put the options in braces: `$1 ? { $2 }`"
    r"^[(\[]?(-?\d+)\.\.\.?(-?\d+)[)\]]?(?:\.to_?(?:a|array|list)(?:\(\))?|\s+as\s+(?:array|list))?$" => "write `Array(Integer[$1, $2])`"
    r"^(.+?)\s*\|\|\s*('[^']*'|\x22[^\x22]*\x22|\d+)$" => "for a value in place of undef, write `$1.lest || { $2 }`"
    r"^['\x22]([^'\x22$\\]*[A-Za-z][^'\x22$\\]*)['\x22]\s*(?:\+\+?|\.\.?|&|<<)\s*(?:['\x22]([^'\x22$\\]*)['\x22]|(\d+))$"
        => "no operator joins strings; write `\"$1$2$3\"`"
    r"^(?:\w+\()?\s*(['\x22][^'\x22]*['\x22])\s*%\s*[(\[](.*?)[)\]]\)?$" => "write `sprintf($1, $2)`"
    r"^case\s+[^{]+\swhen\b" => "write `case $$x { Integer: { 'number' } default: { 'other' } }`"
    r"^(?:public|private|protected|static|abstract|namespace|using|@Override)\b"
        => "define a function with `function double(Integer $$n) { $$n * 2 }`, a type with `type Port = Integer[1, 65535]`"
    r"(?:^|[({\[,>]\s*):([a-z_]\w*)(?:[^\w:]|$)" => "a symbol is a string: `'$1'`"
    r"^(\S+?)\?(?:->|\.)(\w+)$" => "write `$1.then |$$x| { $$x.$2 }`; an entry that may be missing is `$1.dig('$2')`"
    r"\?->|\?\.\w" => "`$$hash.dig('a', 'b')` is undef where a key is missing"
    r#"^(?:print|println)\(f?(["'].*["'])\);?$"# => "write `notice($1)`"
    r"=~\s*Array\[([A-Z]\w*,\s*[A-Z]\w*)\]$" => "for mixed elements, write `Array[Variant[$1]]`; for one of each, `Tuple[$1]`"
    r"^'[^']*\$\{[^'}]*'" => "variables are only replaced in double quotes: `\"$${facts['os']['name']}\"`"
    r"\bSemVerRange\[(.*)\]" => "versions in a range are of the type `SemVer[$1]`"
    r"\b(?:Time|Date)\w*\.(?:now|today|utcnow)|^(?:time|now|date|today)\(\)$" => "`Timestamp()` is the current time"
    r"\\\d" => "the first group of the last match is `$$1`"
    r"\b(?:MAX_VALUE|MIN_VALUE|MAX_INT|INT_MAX|maxint|maxsize|MAX_SAFE_INTEGER|Infinity|NaN)\b"
        => "an Integer is at most 9223372036854775807; the open end of a range is `default`"
    r"\b(?:Not|Exclude|Except|Without)\[" => "no type excludes another; test with `!~`, as in `5 !~ String`"
    r"^[^A-Z].*=~\s*(\{.*=>.*\})$" => "the type of a hash with these keys is `Struct[$1]`"
    r"^(.+)\[::-1\]$" => "write `Array(reverse_each($1))`"
    r"^(.+)\[::(\d+)\]$" => "write `Array(step($1, $2))`"
    r"\b(Integer|Float|String|Array|Hash)\[\s*(?:(?:min|from|ge)\w*\s*(?:=>?|:)\s*)?(-?[\d.]*\d)\s*(?:,\s*(?:max|to|le)\w*\s*(?:=>?|:)|:|;|\.\.[.=]?)\s*(-?\d[\d.]*)\s*\]" => "write two values with a comma: `$1[$2, $3]`"
    r"^(.+)\[(\d+):(\d+)\]$" => "write a position and a length: `$1[$2, $3 - $2]`"
    r"\[-?\d*:-?\d*(?::-?\d*)?\]" => "write a position and a length: `$$array[0, 2]`"
    r#"\bString\[\s*['"]?(?:pattern|regexp?|format|matches)\b.*?['"/](\S+?)['"/]\s*\]"# => "write `Pattern[/$1/]`"
    r#"^[(\[](?:[a-z]\w*|[A-Z]\w*)[)\]]\s*['"$\d]"# => "to convert a value, call its type: `Integer('5')`"
    r#"^(['"].*['"])\s*(?:\*|x)\s*(\d+)$"# => "no operator repeats; write `(Integer[1, $2].map |$$n| { $1 }).join`"
    r"^(\[.*\])\s*(?:\*|x)\s*(\d+)$" => "no operator repeats; write `(Integer[1, $2].map |$$n| { $1 }).flatten`"
    r"^\d+\.?\s*(?:(?i:[kmgt]i?b)|m?s|[mhd])$" => "numbers have no units: `10 * 1024`, or `Timespan(90)` in seconds"
    r"^(?:'[^']*'|\x22[^\x22]*\x22|[$\[.]\S*)\s*\|\s*[a-z]\w*(?:\(.*\))?(?:\s*\|\s*[a-z].*)?$" => "call a function with a dot, as in `'abc'.upcase`"
    r"^(?:var|local|each|self|this)\.(\w+)$|\$\{(?:var|local|each|self|this|data)\.(\w+)\}[^\x22]*\x22" => "a variable is `$$$1$2`, and a part of a hash `$$hash['$1$2']`"
    r"^\$(?:facts|trusted)\[|^\x22[^\x22]*\$\{(?:facts|trusted)\[.*\x22$" => "`$$facts` shows the facts that are set, and `:set facts.os.family RedHat` sets one"
    r"\b(?:dict|hash|Hash|object|Map)\(\s*(\w+)\s*=\s*([^=>~,()][^,()]*)" => "write a hash: `{'$1' => $2}`"
    r"\b(Hash|Array|Integer|Float)\[(\[.*\]|\{.*\}|'-?\d[^']*')\]$" => "to convert a value, call its type: `$1($2)`"
    r"^round\(\s*([^,()]+?)\s*,\s*(\d+)\s*\)$|^(.+)\.round\(\s*(\d+)\s*\)$"
        => "`round` makes an Integer; write `sprintf('%.$2${4}f', $1$3)`"
    r"\bHash\[\s*([A-Z]\w*)\s*\]" => "write the types of keys and of values: `Hash[String, $1]`"
    r"^([\w$]+) *(?:\*\*|\^) *(\d+)$"
        => "powers have no operator: `Integer[1, $2].reduce(1) |$$power, $$n| { $$power * $1 }`"
    r#"\b(?:epp|template)\((\s*['"][^'"]*(?:<%|\{).*)$"# => "`epp` is for a file; for a string, write `inline_epp($1`"
    r"\bTimespan\(['\x22][\d.]+\s*[a-z]"
        => "name the parts: `Timespan({'hours' => 1, 'minutes' => 30})`; a string is `'1-12:30:00'`"
    r"^(?:pub\s+)?(?:fn|func|fun|def)\s+(\w+)\s*\(.*\w\s*:\s*\w.*\)"
        => "define a function with `function $1(Integer $$n) { $$n * 2 }`: a type comes before its parameter"
    r"^\w+\s*\{\s*(/[\w./-]+):" => "quote the title: `'$1'`"
    r"^(if|unless|while)\s+(.+?):\s*(.+)$" => "put the statements in braces: `$1 $2 { $3 }`"
    r"^(?:lookup\(([^,]+),\s*(['\x22][^'\x22]*['\x22])|hiera\w*\(([^,()]+),\s*([^()]+))\)$" => "write `lookup($1$3, {'default_value' => $2$4})`"
    r"^for\s+(\w+)\s+in\s+[^;{]+;\s*do\b" => "Puppet has no loops: call a function, `[80, 443].each |$$$1| { notice($$$1) }`"
    r"^~\s*\w|(?:\b[a-z\d]\w*|\))\s+&\s+[\w(]" => "there are no operators on bits; for conditions, write `!` and `and`"
    r"\?:\s*\S" => "for a value in place of undef, write `$$x.lest || { 5 }`"
    r"[\[{(].*\bfor\s+\w[\w\s,]*\s+in\b" => "write `[1, 2].map |$$x| { $$x * 2 }`; of pairs, `Hash(…)` makes a hash"
    r"^(\w+)\s*\{\s*(['\x22]?[\w:./-]+['\x22]?)\s*\}$" => "put a colon after the title: `$1 { $2: }`"
    r"^---|^%YAML" => "YAML is read from a file: `:load data.yaml`"
    r"\bassert_type\(\s*([^,]+?)\s*,\s*([A-Z][\w:\[\], ]*)\)" => "the type comes first: `assert_type($2, $1)`"
    r"\bSensitive\((.*)\)\.(?:value|reveal|get|expose)\b" => "write `Sensitive($1).unwrap`"
    r"\bsprintf\(([^,]+),\s*(\[.*\])\)" => "each value is an argument of its own: `sprintf($1, *$2)`"
    r"^facts(\[.*\])$" => "a variable has a dollar sign: `$$facts$1`"
    r"^--?h(?:elp)?$" => "`:help` lists the commands"
    r"^--?(?:[vV]|version|verbose|debug|strict|facts|data|modulepath|config|noop|test|quiet|environment)\b"
        => "options follow the program in a shell, as in `pcore --version`; here, `:help` lists the commands"
    r#"^([A-Z][\w:]*\[['"$].*?\])\s*(?:=>|-->|==>|>>)\s*([A-Z][\w:]*\[.*\])$"# => "to order resources, write `$1 -> $2`"
    r"\binline_epp\(\s*\x22[^\x22]*<%[^\x22]*\$(\w+)"
        => "write the template in single quotes: in double quotes, `$$$1` is replaced before it is read"
    r"<%[=-]?\s*@(\w+)" => "this is ERB; in EPP, a variable is `$$$1`"
    r"\b(?:inline_)?template\(" => "ERB is not rendered, but EPP is: `inline_epp('port <%= $$port %>', {port => 80})`"
    r"^\{\{" => "a variable of a template, `{{ port }}`, is `$$port` here"
    r"\s--\s" => "a comment starts with `#`"
    r"^_\s*[-+*/.\[]|[-+*/(]\s*_\)?$" => "the last result is `$$_`"
};

/// Patterns of entries that have a value, each with advice on what may surprise about the value.
const VALID_ENTRY_ADVICE: &[(&str, &str)] = forms! {
    r"\bproperties\W+(\w+)['\x22]?:\W+type['\x22]?:\W+(?<type>\w+)" => "for a type, write `Struct[{Optional[$1] => $type}]`"
    r"\bminLength['\x22]?:\s*(\d+)" => "for a type, write `String[$1]`"
    r"\A\W*type['\x22]?:\W+(?<type>string|integer|number|boolean|array|object|null)\b" => "for a type, write `$type`"
    r"\bStruct\[\{\s*(?:[^{}]*?,\s*)?['\x22]?(\w+)['\x22]?\s*=>\s*['\x22](?<type>(?i:string|str|text|integer|int|number|numeric|float|boolean|bool|array|hash|any))['\x22]" => "a type has no quotes: `Struct[{$1 => $type}]`"
    r"\bStruct\[\{\s*(?:[^{}]*?,\s*)?['\x22]?(\w+)['\x22]?\s*=>\s*(?<list>['\x22][^'\x22]*['\x22]|\d+|true|false)" => "a key has a type, such as `Integer`; for this value alone, write `Struct[{$1 => $listed}]`"
    r"\bStruct\[\{\s*(?:[^{}]*?,\s*)?['\x22]?(\w+)['\x22]?\s*=>\s*[\[{]" => "a key has a type, and is required unless it is in `Optional`: `Struct[{name => String, Optional[port] => Integer}]`"
    r"^0[0-7]+(?:\s*[-+*/].*)?$" => "a leading 0 makes the number octal; a file mode is a string: `'0644'`"
    r#"^\((?<type>[A-Za-z]\w*)\)\s*(['"\w].*)$"# => "to convert a value, write `$type($2)`"
    r"^\$facts\[['\x22](\w+)\.(\w+)['\x22]\]" => "read one key after the other: `$$facts['$1']['$2']`"
    r"\d\s+(?:second|minute|hour|day|week)s?$" => "a duration is `Timespan({'days' => 1})`"
    r#"\bsplit\(.*,\s*['"]([.|^$*+?])['"]\)"# => "this is a regular expression; for the character, write `'[$1]'`"
    r"^regsubst\(.*,\s*['\x22][^'\x22]*\$\d" => r"in the replacement, the first group is `\1`"
    r"^regsubst\([^,]+,[^,]+,[^,]+\)$" => "only the first match is replaced; with `'G'` at the end, all are"
    r"=~\s*['\x22]([\w-]*\w)\*['\x22]$" => "the string is a regular expression; for strings with this beginning, write `/\\A$1/`"
    r"\bor\s+['\x22\d]" => "`or` gives true or false; for a value in place of undef, write `$$x.lest || { 5 }`"
    r"\{\{\s*([a-z]\w*)\s*\}\}" => "`{{ $1 }}` is not replaced; write `\"$${$1}\"`"
    r"\{\{.*\}\}" => "`{{ … }}` is not replaced; write `\"$${name}\"`"
    r"(?s)@\(\s*(\w+)\s*\).*\$\{" => "variables are only replaced if the tag is in double quotes: `@(\"$1\")`"
    r#"^"(?:.*[^{])?\$(\w+)(\[[^\]"]*\])"# => "only the variable is replaced; for an element, write `$${$1$2}`"
    r"^(['\x22\d\[]\S*)\s*\?\s*\{\s*(?:true|false)\s*=>" => "an option is compared with the value; write `if $1 { 'a' } else { 'b' }`"
    r"^(?:if|unless)\s+(versioncmp\([^()]*\))\s*\{" => "-1, 0 and 1 count as true; write `$1 > 0`"
    r"^[^'\x22]*;\s*//" => "a comment starts with `#`"
    r"^[^'\x22]*'[^'\n<]*\$\{[^'}]*\}|^'[^'\n]*\$(?:\{|[a-z])" => "variables are only replaced in double quotes: `\"$${name}\"`"
    r"^(?:if|unless)\s+(?:''|\x22\x22|0|\[\]|\{\})\s*\{" => "only `false` and `undef` count as false"
    r"\{.*=>.*\}\.(?:map|each|filter|any|all)\s*\|\s*\$v(?:al|alue)?\s*,\s*\$k(?:ey)?\s*\|" => "the key comes first: `|$$key, $$value|`"
    r"^\[.*\]\s*\+\s*\{" => "a hash is added as pairs; `<<` appends it as one element"
    r#"^"(?:.*[^{])?\$(\w+)\.((?:up|down)case|capitalize|length|size|strip|join|keys|values|empty)\b"# => "only the variable is replaced; for a call, write `$${$$$1.$2}`"
    r#"^"(?:.*[^{])?\$(\w+)\.([a-z_]\w*)"# => "only the variable is replaced; an entry is `$$$1['$2']`, in a string `$${$1['$2']}`"
    r"^type\((.*)\)\s*[!=]=\s*['\x22]?(?<type>[A-Za-z][^\s'\x22]*)['\x22]?$" => "`type` is the narrowest type; to test, write `$1 =~ $type`"
    r"^(['\x22\d][^=]*?)\s*==\s*(?:(/.*/)|(?<type>[A-Z]\w*)(\[.*\])?)$" => "to match, write `$1 =~ ${2}$type$4`"
    r"^\$\w+\s*=\s*((?i:null|nil|none))$" => "`$1` is a string here; for no value, write `undef`"
    r"^(\[.*\])\s*<<\s*(\[.*\])$" => "`<<` appends one element; to join arrays, write `$1 + $2`"
    r"\.each\s*\|[^|]*\|\s*\{\s*(?:\$\w+\s*[-+*/][^(){}]*|\x22[^\x22]*\x22|\[[^\[\]()]*\]|\$\w+\.\w+)\s*\}$" => "`each` returns its array; to collect results, call `map`"
    r"^([A-Z][\w\[\], ]*) or ([A-Z].*)$" => "a type is true; for one of several types, write `Variant[$1, $2]`"
    r"%\{\s*(?:::)?(facts|trusted)\.(\w+)\.(\w+)\s*\}" => "`%{…}` is for Hiera data; in Puppet code, a fact is `$${$1['$2']['$3']}`"
    r"^['\x22][^'\x22\n]*%\{" => "`%{…}` is for Hiera data; in Puppet code, a fact is `\"$${facts['os']['family']}\"`"
    r"^-?\d+\s*/\s*-?\d+$" => "an Integer by an Integer is an Integer; write one as `2.0` for a Float"
    r"^'(\d+(?:\.\d+)+)' *([<>]=?) *'(\d+(?:\.\d+)+)'$" => "this compares letters; write `SemVer('$1') $2 SemVer('$3')`"
    r"(?:^|=\s*)\[\s*['\x22\w]+\s*=>" => "this is an array with a hash in it; a hash alone is in braces: `{'a' => 1}`"
    r"^Integer\('0[0-7]+'\)$" => "a leading 0 means octal; for a decimal number, pass 10 as the second argument"
    r"\bSensitive\([^)]*\)\s*[!=]=\s*[^S\s]" => "a Sensitive never equals what is in it; compare `$$secret.unwrap`"
    r"\bURI\('[^':]+'\)" => "without a scheme, such as `https://`, all of it is a path"
    r#"^".*\$\(.*""# => "`$$(…)` is not run; a value is interpolated as `$${name}`"
    r"^Array\('[^']*'\)$" => "a string becomes an Array of its letters; with `true` as the second argument, of itself"
    r"\d\.\d+\b[^']*'%[-+ 0#]*\d*\.\d+d'" => "`%d` drops the fraction; `%.2f` keeps two digits of it"
    r"^'[^'\n$]*\\[tnrse][^'\n]*'$" => "escapes such as `\\n` have a meaning in double quotes only"
    r"^(.+?)\s+not\s+in\s+(.+)$" => "write `!($1 in $2)`"
    r"^!\s*([^\s(]\S*)\s+(=~|in)\s+(.+)$" => "`!` applies to `$1` alone; write `!($1 $2 $3)`"
    r"^\x22[^\x22]*(?:#|[^$])\{\$(\w+)\}" => "in a string, write `$${$1}`"
    r"^([A-Z][\w:]*(?:\[.*\])?)\s*=~\s*((?:String|Integer|Float|Numeric|Boolean|Array|Hash|Scalar|Data|Collection|Undef|Enum|Pattern|Struct|Tuple)(?:\[.*\])?)$"
        => "to compare types, write `$1 <= $2`"
    r"^\x22[^\x22]*\$(\w+\s*[-+*/]\s*\d+)" => "only the variable is replaced; for a calculation, write `$${$$$1}`"
    r#"['"]\s*=~\s*Regexp\[(/.*/)\]$"# => "`Regexp` is for regular expressions; for strings, write `Pattern[$1]`"
    r"\bmatch\(\s*['\x22]/(.*)/['\x22]\s*,\s*(.*)\)$" => "the string comes first: `match($2, /$1/)`"
    r"\bsplit\(\s*(['\x22][^'\x22\w]{1,2}['\x22])\s*,\s*(['\x22$].*)\)$" => "the string comes first: `split($2, $1)`"
    r"^type\s+(\S+)\s*=\s*(\{.*=>.*\})$" => "for a hash with these keys, write `type $1 = Struct[$2]`"
    r"['\x22](\w+)\?['\x22]\s*=>" => "the `?` is part of the key; for a key that may be missing, write `Optional[$1]`"
    r"^[\x22']\$\d[\x22']$" => "`$$1` is the first group of the last match, if there was one"
    r"\bdig\(.*['\x22]\w+\.\w" => "each key is an argument: `dig($$x, 'a', 'b')`; `get($$x, 'a.b')` follows a path"
    r"^#(?:!|(?:include|define|import|ifn?def|pragma)\b)" => "a comment starts with `#`: the line does nothing"
    r"\binline_epp\(\s*['\x22].*<%=?\s*([a-z]\w*)\s*-?%>.*\)$"
        => "`$1` is a string here; a variable is `$$$1`, in single quotes: `inline_epp('<%= $$$1 %>', {$1 => 'a'})`"
    r#"^".*\$(?:\d|\{\d+\}).*"$"# => "`$$` and a digit is a group of the last match; for the character, write `\\$$`"
};

/// Patterns of entries, failed or not, each with advice.
const ANY_ENTRY_ADVICE: &[(&str, &str)] = forms! {
    r"^(?:describe|display|list|show)\s+(?:(?:all|me|my|the)\s+)*(types|functions|aliases|history|examples|data|set)" => "did you mean `:$1`?"
    r"^(?:describe|display|list|show)\s+(?:(?:all|me|my|the)\s+)*var" => "did you mean `:vars`?"
    r"^(?:about|version)$" => "did you mean `:info`?"
    r"^facts$" => "did you mean `$$facts`?"
    r"^(?:clear|cls)$" => "Ctrl-L clears the screen, `:reset` forgets what was defined"
    r"^whereami$" => "`:info` and `:vars` show the session"
    r"^(?:bye|ctrl-[cd]|logout|q|stop)$" => "Ctrl-D or `:quit` ends the session"
    r"^(?:back|undo)$" => "`:unset NAME` removes a definition"
    r"^(?:describe|explain|doc|man)(?:\s+|\()\s*([A-Z]\w*)\)?$" => "did you mean `:help $1`?"
    r"(?i)^(?:how|what|why|can|could|does|do|is|are)\s(?:[\w'’]+,?\s+)*?(?<type>struct|tuple|enum|hash|array|pattern|variant|optional|integer|string|boolean|float|callable)s?(?:[\s,]+[\w'’]+)*\s*[?!.]*$" => "`?$type` explains it; `:help` lists the commands"
    r"(?i)^what(?:'s|\s+(?:is|are|does))\s+(?:an?\s+|the\s+)?(\w+)(?:\s+mean)?\s*[?!.]*$" => "`?$1` explains it"
    r"(?i)^(?:(?:how|what|why|where|who|can|could|does|do|is|are|please|hello|hi|hey|tell|give|i|which)\s+[\w'’]+|(?:make|create|define|write|explain|convert|find|sort|add|remove|check|loop)\s+(?:an?|the|my|all|every|each|over|through))(?:[\s,]+[\w'’]+)+\s*[?!.]*$"
        => "type code here, as in `5 =~ Integer`; `:help` lists the commands, and `?Integer` explains a word"
    r"\bPattern\[\s*/((?:[^/\\]|\\.)+)/\s*,?\s*['\x22]?([imx]+)['\x22]?\s*\]" => "options go into the expression: `Pattern[/(?$2)$1/]`"
    r"^typeof[\s(]+(.+?)\)?\s*={2,3}\s*['\x22](?<type>\w+)['\x22]$" => "write `$1 =~ $type`"
    r"^([A-Z]\w*\[.*\])\s*=~\s*(\{.*\}|\[.*\]|\d\S*|['\x22][^'\x22]*['\x22])$" => "the value is on the left: `$2 =~ $1`"
    r"^\d{4}-\d{2}-\d{2}$" => "a date is written as a string: `Timestamp('$0')`"
    r"^(?:(?:puppet\s+(?:apply|parser\s+validate)|pcore|cat|head|less|more|tail)\s+)?([\w./~-]+\.pp)$" => "`:load $1` runs the file"
    r"^(?:cd|dir|env|ll|ls|ps|pwd|whoami)$|^(?:sudo|apt|apt-get|yum|dnf|brew|vi|vim|nano|emacs|rm|mkdir|cp|mv|curl|wget|git|docker|kubectl|ssh|chmod|test|systemctl|gem|bundle|npm|pip|pip3|python|python3|ruby|bash|bolt|r10k|pdk|facter|cat|head|tail|less|grep|sed|awk|cd|ls)\s+[-/.~|\w]|^[a-z][^|]*\s\|\s*(?:grep|wc|sort|awk|sed|head|tail|xargs|jq)\b"
        => "commands of a shell are not run here; `:help` lists those of the prompt"
    r"(?i)^select\s.+\sfrom\s+(types|functions|facts|vars)\b" => "this is SQL; `:$1` lists them"
    r"(?i)^select\s.+\sfrom\b"
        => "this is SQL; a list is filtered with `[1, 2].filter |$$x| { $$x > 1 }`"
    r"(?i)^(?:insert\s+into|update\s+\w+\s+set|delete\s+from|drop\s+table|show\s+tables)\b" => "this is SQL, which is not read here"
    r"(?i)^create\s+table\b" => "this is SQL; the type of a record is `Struct[{name => String, age => Integer}]`"
    r"(?i)^(?:cast\(\s*)?(.+?)\s+as\s+(?<type>\w+)\s*\)?$" => "to convert a value, call its type: `$type($1)`"
    r#"^['"]([^'"]*)#\{(\d+)\}([^'"]*)['"]$"# => "`#{…}` is not interpolated; write `\"$1$2$3\"`"
    r#"^['"][^'"]*#\{[@$]*([^{}]*)\}"# => "`#{…}` is not interpolated; in a string, write `$${$1}`"
    r"=~\s*['\x22](/.+/)['\x22]$" => "the slashes are part of the string; a regular expression has no quotes: `$1`"
    r"^new\s+(?<type>\w+)\((.*)$" => "values are made without `new`: write `$type($2`"
    r"^(.+[=!]~\s*)(?<type>[a-z]\w*)(\[.*\])$" => "the name of a type has a capital: write `${1}$type$3`"
    r"^(.*[=!]~\s*)?(?<type>[A-Z]\w*)\s+(?:of\s+)?(?<inner>[A-Z]\w*)(\[.*\])?$"
        => "put the parameters in brackets: `${1}$type[$inner$4]`"
    r"^(.*[=!]~\s*)?([A-Z]\w*)\s+(\[.*\])$" => "write the parameters right behind the type: `$1$2$3`"
    r"^([A-Z]\w*(?:\[.*\])?)\s+\$\w+\s*=" => "variables have no types: write `$$x = assert_type($1, …)`"
    r"^[A-Z]\w*(?:\[.*\])?\s*[<>]=?\s*[a-z\d$'\x22-][^>]*$" => "this compares two types; a range is `Integer[1, default]`"
    r"^(Integer|Float)\(\s*(-?\d+)\s*,\s*(-?\d+)\s*\)$" => "this converts a value; for a range, write `$1[$2, $3]`"
    r"^([A-Z][a-z]\w*)(?:\.new\b.*|\(.*\))$"
        => "there are no values of this type; `type $1 = Object[{attributes => {name => String}}]` defines one"
    r"(?i)^('[^']*'|\x22[^\x22]*\x22|\$\S+)\s+i?like\s+['\x22]%([a-z\d -]+)%['\x22]$" => "write `$1 =~ /$2/`"
    r"(?i)^('[^']*'|\x22[^\x22]*\x22|\$\S+)\s+i?like\s+['\x22]([a-z\d -]+)%['\x22]$" => "write `$1 =~ /\\A$2/`"
    r"(?i)^('[^']*'|\x22[^\x22]*\x22|\$\S+)\s+i?like\s+['\x22]%([a-z\d -]+)['\x22]$" => "write `$1 =~ /$2\\z/`"
    r"(?i)^(?:'[^']*'|\x22[^\x22]*\x22|[\w$\[\].]+)\s+(?:not\s+)?i?like\s+['\x22]" => "in a regular expression, `%` is `.*`, and `_` is `.`: `'abc' =~ /\\Aab.*\\z/`"
    r"%\{\s*(?:lookup|hiera|alias|literal)\(\s*(['\x22].*?['\x22])\s*\)\s*\}" => "`%{…}` is for Hiera data; in Puppet code, write `lookup($1)`"
    r"(?i)^(\$\S+|\d\S*|true|false|\[.*\]|'[^']*'|\x22[^\x22]*\x22)\s+-is\s+\[?(?<type>[a-z]\w*)\]?$" => "`-is` is `=~`: write `$1 =~ $type`"
    r"(?i)^(\$\S+|\d\S*|true|false|\[.*\]|'[^']*'|\x22[^\x22]*\x22)\s+-(in|and|or)\s+(.+)$" => "operators have no hyphen: write `$1 $2 $3`"
    r"^((?:regsubst|split|match)\(\s*['\x22][^'\x22/]*['\x22]\s*,\s*|['\x22][^'\x22/]*['\x22]\.(?:regsubst|split|match)\(\s*)['\x22](/(?:[^'\x22/\\]|\\.)+/)['\x22](.*,\s*)['\x22]g['\x22]\)$" => "a regular expression has no quotes: `$1$2$3'G')`"
    r"^((?:regsubst|split|match)\(\s*['\x22][^'\x22/]*['\x22]\s*,\s*|['\x22][^'\x22/]*['\x22]\.(?:regsubst|split|match)\(\s*)['\x22](/(?:[^'\x22/\\]|\\.)+/)['\x22](.*)$" => "a regular expression has no quotes: `$1$2$3`"
    r#"['"\w)\]]\s+-?(?:eq|ne|lt|gt|le|ge)\s+['"\w$(\[]"# => "compare with operators: `-eq` is `==`, `-ne` is `!=`, `-lt` is `<`, `-gt` is `>`, `-le` is `<=`, and `-ge` is `>=`"
    r"^(?:pcore|puppet)\s" => "this is a command of a shell; here, type the code alone"
    r#"^(package|service|file|user|group|exec|cron|notify|mount)\s+(?:install\s+)?['"]?([\w./-]+)['"]?(?:\s+\w+)?$|^resource\s+"(\w+)"\s+"([^"]*)""#
        => "a resource is declared as `$1$3 { '$2$4': }`"
    r"^(?:require\s+['\x22]|(?:from|package|using)\s+\w|(?:import|use|load)\s+[^./=({|]*$)"
        => "Puppet imports nothing: the types and functions of modules are found by their names"
    r"^not\s+in\s+(.+)$" => "write `!(1 in $1)`"
    r"^(?:case|match|switch)\s+\(?([^\s(){]+)\)?\s*\{([^{}]*=>[^{}]*?),?\s*(?:_|else|default)\s*=>\s*([^,{}]*?),?\s*\}$"
        => "choose with a selector: `$1 ? {$2, default => $3 }`"
    r"^(?:match|switch|when)\s.*\{" => "choose with `case`: `case $$x { 1: { 'one' } default: { 'other' } }`"
    r"^\$?([a-z]\w*)\s+is\s+defined$|\$(\w+)\s+is\s+defined\b" => "write `defined('$$$1$2')`"
    r"^(\S+)\s+(?:is|is_?a|instanceof)\s+(?:an?\s+)?(?<type>[A-Za-z][\w:]*)(\[.*\])?$" => "to test a type, write `$1 =~ $type$3`"
    r"[,{}]\s*_\s*(?:=>|:)" => "write `default` for all other values"
    r"^(?:if|unless)\s+(\$\w+)\s*([!=]=)\s*(?:nil|null|None)\b" => "for no value, write `$1 $2 undef`"
    r"(?i)(\$\S+|\d+)\s+(?:is\s+not|isnot)\s+(?:undef|null|nil|none)\b" => "write `$1 != undef`"
    r"^(?:['\x22][^'\x22]*['\x22]|\S+)\s+is\s+not\s" => "write `!=`, or `!~` for types: `5 != undef`, `5 !~ String`"
    r"^((?:.*?\b(?:and|or|if|unless)\s+)?)not\b\s*(\S+|\([^()]*\))(\s*\{.*)?$" => "write `!` instead of `not`: `$1!$2$3`"
    r"^((?:.*?\b(?:and|or|if|unless)\s+)?)not\s+([^\s()]+\s*(?:[=!]=|[=!]~|[<>]=?|\bin\b)\s*(?:\[[^\[\]]*\]|\{[^{}]*\}|\S+))(\s*\{.*)?$" => "write `!` instead of `not`: `$1!($2)$3`"
    r"^(?:[^'\x22]|'[^']*'|\x22[^\x22]*\x22)*?(?:\b(?:if|unless|and|or)|[\[({,=>])\s*not\s+['\x22$\w(\[]" => "write `!` instead of `not`"
    r"(?i)(\$\S+|\d+)\s+is\s+(?:undef|null|nil|none)\b" => "write `$1 == undef`"
    r"(?:^|[\s\x22])\$\{?(?:HOME|PATH|USER|PWD|SHELL|HOSTNAME)\b(?:\W*$|\s*[^\s=])|^\$?ENV\b|\bprocess\.env\b|\bos\.environ\b|\bgetenv\("
        => "the environment is not read: assign a variable, `$$home = '/root'`; `$$facts` has what is known of a node"
};

type CompiledAdvice = Vec<(Regex, &'static str)>;

fn compile_patterns(rows: &'static [(&'static str, &'static str)]) -> CompiledAdvice {
    ANY_ENTRY_ADVICE.iter().chain(rows).map(|(form, advice)| (compile_constant(form), *advice)).collect()
}

/// Returns advice on an entry in the syntax of another language: on its failure if `has_failed`, else on its value.
/// Returns `None` if the advice contains code that repeats a part of the entry, and `can_run` is false for that code.
pub(in crate::session) fn advice_on_entry(entry: &str, has_failed: bool, can_run: RunTest<'_>) -> Option<String> {
    static FAILING_ENTRY_PATTERNS: LazyLock<CompiledAdvice> = LazyLock::new(|| compile_patterns(FAILING_ENTRY_ADVICE));
    static VALID_ENTRY_PATTERNS: LazyLock<CompiledAdvice> = LazyLock::new(|| compile_patterns(VALID_ENTRY_ADVICE));
    if entry.len() > MAX_LENGTH {
        return None;
    }
    let table = if has_failed { &FAILING_ENTRY_PATTERNS } else { &VALID_ENTRY_PATTERNS };
    table.iter().find_map(|(form, advice)| {
        let captures = form.captures(entry)?;
        let group = |name| captures.name(name).map(|found| found.as_str());
        (group("name") == group("same")).then_some(())?;
        if group("list").is_some() && can_run(&captures[0]) {
            return None;
        }
        let (count, listed) = group("list").map_or(Some((0, String::new())), translate_list)?;
        let mut advice = (*advice).to_owned();
        for name in ["type", "inner"] {
            if let Some(word) = group(name) {
                advice = advice.replace(&format!("${name}"), puppet_type_name(word)?);
            }
        }
        let expanded = |text: &str| {
            let mut expanded = String::new();
            captures.expand(&text.replace("$listed", &listed).replace("$count", &count.to_string()), &mut expanded);
            expanded
        };
        // The session may lack the data of a lookup, or a module.
        let is_program = |code: &&str| {
            !code.starts_with([':', '?', '@', '|'])
                && !["$${", "lookup("].iter().any(|start| code.starts_with(start))
                && !expanded(code).contains("::")
                && !code.contains('…')
        };
        let repeats_entry = |code: &&str| code.replace("$$", "").contains('$');
        let programs = advice.split('`').skip(1).step_by(2).filter(is_program).filter(repeats_entry);
        programs.map(expanded).try_fold(expanded(&advice), |advice, code| {
            let signed = translate_lambdas(&add_dollar_signs(&code, &variable_names(&code)));
            let called = foreign_calls::translate_calls(&signed).and_then(|(_, called)| called);
            // Code with an unknown variable also passes with an unknown function.
            let same = Some(code.clone()).filter(|code| !code.contains('$'));
            let mut candidates = [same, called, Some(code.clone()), Some(signed)].into_iter().flatten();
            Some(advice.replace(&code, &candidates.find(|code| can_run(code))?))
        })
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/session/commands/foreign_entries.rs"]
mod tests;
