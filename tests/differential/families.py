"""Families of random programs: a function takes a random generator and returns a program."""

STRINGS = ["''", "'a'", "'Abc'", "'x y'", "'10'", "'0x1F'", "'-7'", "'1.5e3'", "'a,b,,c'", "'2024-02-29'", "'k=v;k2=v2'", "'ÄÖ'"]
NUMBERS = ["0", "1", "-3", "42", "255", "1000000", "0.5", "-1.25", "3.0", "0x1F", "017"]
LITERALS = STRINGS + NUMBERS + ["true", "false", "undef", "default", "/a+/", "Integer", "[]", "{}", "[1, 'a']", "{a => 1}"]
TYPES = ["Integer", "String", "Numeric", "Any", "Scalar", "Data", "Integer[0, 5]", "String[2]", "Boolean", "Undef", "Float", "Enum['a', 'b']",
         "Pattern[/^[a-z]/]", "Array", "Hash", "Collection", "Default", "Regexp", "Type", "Callable", "Sensitive", "Iterable", "Tuple[Integer, String]"]


def literal(r, depth=2):
    if depth == 0 or r.random() < .55:
        return r.choice(LITERALS)
    if r.random() < .6:
        return "[" + ", ".join(literal(r, depth - 1) for _ in range(r.randrange(4))) + "]"
    keys = r.sample(["a", "b", "'c d'", "1", "undef", "[1]"], r.randrange(3))
    return "{" + ", ".join(f"{key} => {literal(r, depth - 1)}" for key in keys) + "}"


def type_(r, depth=2):
    """A type, with Variant, Optional and NotUndef inside of each other."""
    if depth == 0 or r.random() < .25:
        return r.choice(TYPES)
    part = lambda: type_(r, depth - 1)
    size = r.choice(["", "", ", 1", ", 0, 2", ", 2, 2"])
    return r.choice([
        lambda: f"Variant[{part()}, {part()}]", lambda: f"Optional[{part()}]", lambda: f"NotUndef[{part()}]",
        lambda: f"Array[{part()}{size}]", lambda: f"Hash[String, {part()}{size}]", lambda: f"Tuple[{part()}, {part()}{size}]",
        lambda: f"Struct[{{a => {part()}, Optional[b] => {part()}}}]", lambda: f"Type[{part()}]", lambda: f"Callable[[{part()}], {part()}]",
        lambda: f"Sensitive[{part()}]", lambda: f"Iterable[{part()}]",
    ])()


def templates(r):
    """EPP templates and heredocs: trimming, comments, blocks, parameters, interpolation, escapes, margins."""
    value = lambda: r.choice(["$n", "$list", "$h['a']", "$h", "$n + 1", "$list.map |$x| { $x * 2 }", "'q'", "\"<${n}>\"", "$h.keys", "undef", "[1, [2]]", "$list.size"])

    def pieces(depth):
        out = ""
        for _ in range(r.randrange(1, 5)):
            left, right = r.choice(["<%", "<%-"]), r.choice(["%>", "-%>"])
            text = r.choice(["a", " ", "\n", "  \n", "x\n", "<%% y %%>", "\\t", "'", '"', "$n", "é"])
            k = r.randrange(9 if depth else 5)
            if k < 2: out += text
            elif k < 4: out += f"<%= {value()} {right}"
            elif k == 4: out += f"<%# no {right}{text}"
            elif k == 5: out += f"{left} if {r.choice(['$n > 1', 'true', '$list =~ Array[Integer]', '$h[x]'])} {{ {right}{pieces(depth - 1)}{left} }} {r.choice(['', 'else { ' + right + pieces(depth - 1) + '<% } '])}{right}"
            elif k == 6: out += f"{left} $list.each |{r.choice(['$x', '$i, $x', 'Integer $x'])}| {{ {right}{pieces(depth - 1)}<%= $x {right}{left} }} {right}"
            elif k == 7: out += f"{left} $v{r.randrange(99)} = {value()} {right}"
            else: out += f"{left} case $n {{ 1: {{ {right}{pieces(depth - 1)}{left} }} default: {{ {right}{pieces(depth - 1)}{left} }} }} {right}"
        return out

    parameters = "<%- | Integer $n = 3, Array $list = [1, 2], Hash $h = {a => 1} | -%>\n"
    if r.random() < .6:
        given = r.choice(["", ", {}", ", {n => 7}", ", {'list' => [], 'h' => {x => 2}}", ", {n => 'no'}", ", {z => 1}"])
        return f"$t = @(EPP)\n{parameters}{pieces(2)}\n|- EPP\ninline_epp($t{given})"
    flags, quoted = r.choice(["", "/", "/t", "/n", "/$", "/tsrnL$u", "/L"]), r.random() < .7
    lines = [r.choice(["${n}", "$list", "${list[0]}", "${h['a']}", "${h}", "\\t", "\\n", "\\$n", "\\", "  ", "", "plain", "\\u00e9", "${list.map |$x| { \"(${x})\" }}", "'", '"', "| bar", "\\\\"]) +
             r.choice(["", "", " end", "\\"]) for _ in range(r.randrange(1, 5))]
    margin = r.choice(["", "  ", "    "])
    tag = '"END"' if quoted else "END"
    body = "\n".join(margin + line for line in lines)
    return f"$n = 3\n$list = [1, 'b']\n$h = {{a => {{b => 1}}}}\n$t = @({tag}{flags})\n{body}\n{margin}{r.choice(['|', '', '|-', '-', '| '])} END\n[$t, $t.length]"


def blocks(r):
    """Lambdas in lambdas and functions, with types, default values, a rest, and next, break and return."""
    names = ["x", "y", "z", "k", "v"]

    def parameters():
        out, chosen = [], r.sample(names, r.randrange(1, 4))
        optional = False
        for at, name in enumerate(chosen):
            kind = r.choice(["", "", "Integer ", "Any ", "String ", "Array ", "Optional[Integer] ", "Variant[Integer, Array] "])
            if at == len(chosen) - 1 and at and r.random() < .3:
                out.append(f"{r.choice(['', 'Integer ', 'Any '])}*${name}")
            elif optional or r.random() < .15:
                optional = True
                out.append(f"{kind}${name} = {r.choice(['1', 'undef', '[]', chr(39) + 'd' + chr(39), '$' + chosen[0] if at else '0'])}")
            else:
                out.append(f"{kind}${name}")
        return ", ".join(out), chosen

    def body(seen, depth):
        one = lambda: f"${r.choice(seen)}" if seen else literal(r, 1)
        jump = r.choice(["next", "break", "return"])
        lines = []
        if r.random() < .35: lines.append(f"if {one()} {r.choice(['==', '!=', '=~'])} {r.choice(['1', '2', chr(39) + 'a' + chr(39), 'Integer', 'Array'])} {{ {jump}({r.choice(['', one()]) if jump != 'break' else ''}) }}")
        if r.random() < .3: lines.append(f"notice({one()})")
        if depth and r.random() < .6: lines.append(call(seen, depth - 1))
        else: lines.append(r.choice([one(), f"[{one()}, {one()}]", f"\"${{{one()}}}\"", f"{one()} =~ Integer", f"{{k => {one()}}}", "undef"]))
        return "; ".join(lines)

    def call(seen, depth):
        told, own = parameters()
        function = r.choice(["map", "filter", "each", "all", "any", "index", "partition", "group_by", "flat_map", "reduce", "reduce(0)", "with", "then", "lest", "tree_each", "slice(2)", "step(2)", "sort", "unique", "max"])
        if function == "flat_map": function = "map"
        subject = r.choice(["[1, 2, 3]", "[[1, 2], [3, 4]]", "{a => 1, b => 2}", "'abc'", "3", "Integer[1, 3]", "[]", "undef", "['a', undef, 1]"] + [f"${name}" for name in seen])
        return f"{subject}.{function} |{told}| {{ {body(seen + own, depth)} }}"

    if r.random() < .5:
        told, own = parameters()
        result = r.choice(["", "", " >> Integer", " >> Any", " >> Optional[Array]", " >> Variant[String, Collection]"])
        given = ", ".join(literal(r, 1) for _ in range(r.randrange(len(own) + 2)))
        return f"function act({told}){result} {{ {body(own, 2)} }}\n$out = act({given})\n[$out, type($out, generalized)]"
    return f"$out = {call([], 2)}\n[$out]"


def objects(r):
    """Object types: attributes of all kinds, constants, functions, inheritance, equality, and how instances behave."""
    values = {"Integer": "5", "String": "'s'", "Optional[Integer]": "undef", "Array[Integer]": "[1, 2]", "Any": "{a => 1}", "Boolean": "true", "Enum['on', 'off']": "'on'"}

    def attribute(name):
        kind = r.choice(list(values))
        long = r.choice(["", "", f", value => {values[kind]}", ", kind => reference", f", kind => constant, value => {values[kind]}", ", kind => given_or_derived", ", final => true"] + [f", value => {r.choice(list(values.values()))}"] * (r.random() < .2))
        return (f"{name} => {{type => {kind}{long}}}" if long or r.random() < .3 else f"{name} => {kind}"), kind, long

    names = r.sample(["a", "b", "c", "d"], r.randrange(1, 4))
    made = [attribute(name) for name in names]
    features = ["attributes => {" + ", ".join(one[0] for one in made) + "}"]
    if r.random() < .3: features.append(f"equality => {r.choice(['[]', names[0], '[' + ', '.join(names) + ']'] + ['[q]'] * (r.random() < .1))}")
    if r.random() < .15: features.append(f"equality_include_type => {r.choice(['true', 'false'])}")
    if r.random() < .3: features.append("constants => {" + r.choice(["k => 1", "k => 'x', l => [1]"] + [f"{names[0]} => 1"] * (r.random() < .1)) + "}")
    if r.random() < .2: features.append("functions => {" + r.choice(["go => Callable[[], Integer]", "go => {type => Callable, final => true}"] + [f"{names[0]} => Callable"] * (r.random() < .1)) + "}")
    if r.random() < .2: features.append("type_parameters => {" + r.choice([f"{names[0]} => Any", "p => Integer", f"{names[-1]} => {{type => Any, value => 1}}"]) + "}")
    r.shuffle(features)
    lines = [f"type Base = Object[{{{', '.join(features)}}}]"]
    needed = [(name, kind) for name, (_, kind, long) in zip(names, made) if "value" not in long and "derived" not in long and "reference" not in long]
    wanted = ", ".join(values[kind] for _, kind in needed)
    hashed = ", ".join(f"{name} => {values[kind]}" for name, kind in needed)
    if r.random() < .5:
        extra = r.choice(["e => Integer", f"{names[0]} => {{type => {made[0][1]}, override => true}}", "e => {type => Integer, value => 2}"] + [f"{names[0]} => Integer"] * (r.random() < .1))
        lines.append(r.choice([f"type Sub = Object[{{parent => Base, attributes => {{{extra}}}}}]", f"type Sub = Base {{attributes => {{{extra}}}}}"]))
        lines.append(f"$s = Sub({r.choice([wanted, wanted + (', ' if wanted else '') + '3', '{' + hashed + '}', '{' + hashed + (', ' if hashed else '') + 'e => 3}'])})")
    lines.append(f"$o = Base({r.choice([wanted, wanted, '{' + hashed + '}'] + [literal(r, 1)] * (r.random() < .2))})")
    uses = [f"$o.{names[0]}", "$o", "type($o)", "type($o, generalized)", "Base", "$o == $o", f"$o == Base({wanted})", "$o =~ Base", "String($o)", "\"${o}\"", "{$o => 1}[$o]", "$o.k",
            "[$o].unique", "$o in [$o]", "Init[Base]", "$o =~ RichData", f"$o.get('{names[0]}')", f"getvar('o.{names[-1]}')", "assert_type(Base, $o)", "$o ? { Base => 'is', default => 'not' }", f"$o['{names[0]}']", "Base =~ Type[Object]", "$o.convert_to(Hash)", "[$o].flatten", "$o + 1", f"$o.then |$q| {{ $q.{names[0]} }}"]
    if len(lines) == 4: uses += ["$s", "$s =~ Base", "$s == $o", "Sub <= Base", "Base < Sub", "type($s)", f"$s.{names[0]}", "Sub", "type([$o, $s])", "type([$o, $s], reduced)"] * 2
    return "\n".join(lines) + f"\n[{', '.join(r.choice(uses) for _ in range(r.randrange(1, 4)))}]"


def conversions(r):
    """new and convert_to with radix, formats and other arguments; dates; scanf, split, match; data by path."""
    number = r.choice(["'0b101'", "'0x1F'", "'017'", "'zz'", "' 7 '", "'+5'", "'- 5'", "'1_000'", "'1e2'", "'0o7'", "''", "'8'", "'-0x1f'", "'1.'", "'.5'", "'1.5'", "true", "undef", "7", "-7.9", "[1]", "{from => '11', radix => 2}", "{from => '11'}", "Timespan(90)", "default"])
    radix = r.choice(["", ", 2", ", 8", ", 10", ", 16", ", default", ", 16, true", ", default, true", ", 3", ", '16'", ", undef"])
    directive = r.choice("dxXobBcspeEfgGaAhTtyYDi")
    layout = f"%{r.choice(['', '#', '+', ' ', '0', '-', '<', '[', '('])}{r.choice(['', '5', '12', '.2', '8.3'])}{directive}"
    date = "".join(r.choice(["%Y", "%y", "%m", "%d", "%e", "%H", "%I", "%l", "%M", "%S", "%L", "%N", "%3N", "%j", "%p", "%P", "%a", "%A", "%b", "%B", "%Z", "%z", "%:z", "%s", "%u", "%w", "%F", "%T", "%D", "%R", "%c", "%-d", "%_m", "%^a", "%010Y", "%%", "%C", "%U", "%V", "%G"]) + r.choice(["", "-", " ", ":"]) for _ in range(r.randrange(1, 5)))
    span = "".join(r.choice(["%D", "%H", "%M", "%S", "%L", "%N", "%-H", "%_D", "%3D", "%%"]) + r.choice(["", "-", ":", " "]) for _ in range(r.randrange(1, 4)))
    data = r.choice(["{a => {b => [1, {c => 2}]}}", "[[1, 2], {x => undef}]", "{'a.b' => 1, a => 'str'}", "undef", "5"])
    path = r.choice(["a", "a.b", "a.b.0", "a.b.1.c", "a.b.-1", "0", "0.1", "'a.b'", "a.x.y", "1.x", "", "a..b", "b"])
    pattern = r.choice(["/(\\d+)-(\\d+)/", "/[aeiou]/", "/(?<n>.)b/", "/^$/", "/\\s*,\\s*/", "/(a)|(b)/", "','", "'.'", "''", "'[a-'", "Regexp['b']", "Pattern[/a/]", "String"])
    text = r.choice(STRINGS)
    value = literal(r)
    kind = r.choice(["Integer", "Float", "Numeric", "Boolean", "String", "Array", "Hash", "Tuple", "Struct", "Timespan", "Timestamp", "SemVer", "SemVerRange", "Binary", "URI", "Regexp", "Sensitive", "Type", "Optional[Integer]", "NotUndef[String]", "Integer[0, 9]", "Array[Integer]", "Hash[String, Integer]", "Enum['a']", "Variant[Integer, String]", "Init[Integer]"])
    return r.choice([
        f"[Integer({number}{radix})]", f"[Numeric({number}{r.choice(['', ', true', ', false'])}), {number}.convert_to(Integer{radix})]", f"Float({number}{r.choice(['', ', true'])})",
        f"String({value}, '{layout}')", f"String({value}, {{{r.choice(['Any', 'Array', 'Integer', 'String', 'Hash', 'Numeric', 'Scalar'])} => '{layout}'}})", f"sprintf('{layout}|{r.choice(['', '%s', '%-5s|', '%2$s', '%<a>d'])}', {r.choice(NUMBERS)}, {value})",
        f"{kind}({value})", f"{value}.convert_to({kind})", f"{kind}.new({value}, {literal(r, 1)})",
        f"Timestamp({r.choice(['0', '86399.5', '1709210096', '-1'])}).strftime('{date}'{r.choice(['', ', ' + chr(39) + 'UTC' + chr(39), ', ' + chr(39) + '+02:00' + chr(39), ', ' + chr(39) + 'current' + chr(39)])})",
        f"Timespan({r.choice(['0', '90061.5', '-3661', '59'])}).strftime('{span}')", f"Timespan({r.choice(['01:02:03', '1-2', '90', '10:5', '3 4 5'])!r}, '{span}')", f"Timestamp({text}, '{date}')",
        f"scanf({text}, '{r.choice(['%d', '%i-%i', '%s %s', '%x', '%f', '%3c', '%[a-z]%d', '%d-%d-%d', 'k=%s'])}')", f"[{text}.split({pattern})]", f"[{text}.match({pattern}), {text}.regsubst({pattern}, '<\\\\0\\\\1>', {r.choice(['undef', chr(39) + 'G' + chr(39), chr(39) + 'GI' + chr(39), chr(39) + 'Z' + chr(39)])})]", f"[{text}] .match({pattern})",
        f"$d = {data}\n[$d.get({path!r}, 'none'), getvar('d.{path}', 0), $d.dig({r.choice(['a', '0', chr(39) + 'a' + chr(39), 'a, b', '0, 1', 'x'])})]", f"$d = {data}\n$d.get({path!r}).then |$x| {{ [$x, type($x)] }}.lest || {{ 'nothing' }}", f"$d = {data}\n$d.get({path!r}) |$e| {{ $e.issue_code }}",
        f"Deferred('{r.choice(['upcase', 'nope', '$x', 'sprintf'])}', [{literal(r, 1)}])", f"versioncmp({text}, {r.choice(STRINGS)})", f"[{text}.camelcase, {text}.capitalize, {text}.strip, {text}.chomp, {text}.chop, {text}.length]", f"Hash({value}{r.choice(['', ', ' + chr(39) + 'tree' + chr(39), ', ' + chr(39) + 'hash_tree' + chr(39)])})", f"Array({value}{r.choice(['', ', true', ', false'])})", f"Binary({text}{r.choice(['', ', ' + chr(39) + '%s' + chr(39), ', ' + chr(39) + '%b' + chr(39), ', ' + chr(39) + '%B' + chr(39), ', ' + chr(39) + '%u' + chr(39)])})",
    ])


def aliases(r):
    """Aliases of Variant, Optional and NotUndef inside of each other, recursive ones, and what types say of them."""
    recursive = r.choice(["", "type R = Variant[Integer, Array[R]]\n", "type R = Hash[String, Variant[Scalar, R]]\n", "type R = Optional[Array[R, 1]]\n", "type R = Struct[{v => Integer, Optional[n] => R}]\n"])
    other = "R" if recursive else type_(r, 1)
    lines = f"{recursive}type A = {type_(r)}\ntype B = {r.choice(['Optional[A]', 'NotUndef[A]', 'Variant[A, ' + other + ']', 'Array[A]', 'Variant[Undef, A]', 'Type[A]', other])}\n"
    uses = [f"{literal(r)} =~ A", f"{literal(r)} =~ B", "A <= B", "B <= A", "A == B", "A", "B", "type(B)", "\"${B}\"", "type([A, B], reduced)", f"{literal(r)} ? {{ A => 1, B => 2, default => 3 }}", f"assert_type(B, {literal(r)})", "Optional[B]", "Variant[A, B]",
            f"type({literal(r)}, generalized) <= A", f"A <= {type_(r, 1)}", f"{type_(r, 1)} <= B", f"B.new({literal(r, 1)})", "type([A, A])", f"[{literal(r)}] =~ Array[A]", f"{literal(r)} =~ {other}", "A in [B, A]", "String(B, '%#p')", "Type(String(B))", f"type([{literal(r)}, {literal(r)}], {r.choice(['reduced', 'generalized', 'detailed'])})"]
    if r.random() < .2:
        return f"{lines}function f(B $x, A *$rest) {{ [$x, $rest] }}\nf({literal(r)}, {literal(r)})"
    return f"{lines}[{', '.join(r.choice(uses) for _ in range(r.randrange(1, 4)))}]"


FAMILIES = {"templates": templates, "blocks": blocks, "objects": objects, "conversions": conversions, "aliases": aliases}
