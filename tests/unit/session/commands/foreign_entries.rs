//! Tests of `session::commands::foreign_entries`, of which it is a module.

use super::*;
use crate::Session;

#[test]
#[expect(clippy::too_many_lines, reason = "a table of entries")]
fn what_failed_is_known_by_its_form() {
    for (entry, part) in [
        ("irb(main):001:0> 1 + 1", "`1 + 1`"),
        ("Enum['tcp' or 'udp']", "`Enum['tcp', 'udp']`"),
        ("type Age = Integer[0..150]", "`Integer[0, 150]`"),
        ("'%05.2f'.format(3.14159)", "`sprintf('%05.2f', 3.14159)`"),
        ("{'a' => 1} << {'b' => 2}", "`{'a' => 1} + {'b' => 2}`"),
        ("include 'a' if $facts['x']", "`if $facts['x'] { include 'a' }`"),
        ("$count += 1", "`$new_count = $count + 1`"),
        ("$x = 5; $x++", "`$new_x = $x + 1`"),
        ("re.match('^a', 'abc')", "`'abc' =~ /^a/`"),
        ("types.nullOr types.str", "`Optional[String]`"),
        ("types.attrsOf types.int", "`Hash[String, Integer]`"),
        ("types.listOf types.int", "`Array[Integer]`"),
        ("exec('apt-get update')", "`exec { 'apt-get update': }`"),
        ("type Pair<A, B> = Tuple[A, B]", "no parameters"),
        ("Boolean[yes, no]", "`Enum['yes', 'no']`"),
        ("{'a' => 1} // {'b' => 2}", "`{'a' => 1} + {'b' => 2}`"),
        ("{...{'a' => 1}, 'b' => 2}", "`{'a' => 1} + {'b' => 2}`"),
        ("!defined($port)", "`defined('$port')`"),
        ("Stdlib::Absolutepath | undef", "`Optional[Stdlib::Absolutepath]`"),
        ("Stdlib.Port", "`Stdlib::Port`"),
        (r#"Pattern["\.conf$"i]"#, r"`Pattern[/(?i)\.conf$/]`"),
        ("VARCHAR(255) NOT NULL", "`String[0, 255]`"),
        ("INT NOT NULL", "`Integer`"),
        ("readonly string[]", "`Array[String]`"),
        ("'hello'[1..-2]", "`'hello'[1, -2]`"),
        ("[1, 2].each |$x| notice($x)", "`[1, 2].each |$x| { notice($x) }`"),
        ("1 ?? 2", "`1.lest || { 2 }`"),
        ("'total: %d' % 5", "`sprintf('total: %d', 5)`"),
        ("$cfg['port'] = 80", "`$new = $cfg + {'port' => 80}`"),
        ("type Port = Integer[min=1, max=65535]", "`Integer[1, 65535]`"),
        ("type Box[T] = Struct[{value => T}]", "no parameters"),
        ("5 =~ Enum[String, Integer]", "`Variant[String, Integer]`"),
        ("5 =~ Integer[u8]", "`Integer[0, 255]`"),
        ("dir(String)", "`:functions String`"),
        ("sort([3, 1, 2], reverse=True)", "`Array(reverse_each(sort([3, 1, 2])))`"),
        ("Callable[[String, Integer] => Boolean]", "`Callable[[String, Integer], Boolean]`"),
        ("filter([1, 2], |$x| { $x > 1 })", "`filter([1, 2]) |$x| { $x > 1 }`"),
        ("Enum['red', 'green', ignore_case => true]", "`Enum['red', 'green', true]`"),
        ("package { 'git', 'vim': ensure => installed }", "`['git', 'vim']`"),
        ("file[/etc/motd] -> Service['sshd']", "`File['/etc/motd']`"),
        ("inline_epp('<% if true { %>a<% end %>')", "`<% } %>`"),
        ("type Port = Integer(1, 65535)", "`type Port = Integer[1, 65535]`"),
        ("'a.conf' =~ Pattern['*.conf']", r"`'a.conf' =~ Pattern[/\.conf\z/]`"),
        ("$a = $\"port {port}\"", "`${port}`"),
        ("Optional[String, 'none']", "`function f(String $x = 'a') { … }`"),
        ("String? $x = undef", "`function f(Optional[String] $x = undef) { … }`"),
        ("Hash[String: Integer]", "`Hash[String, Integer]`"),
        ("Enum[Present, Absent]", "`Enum['Present', 'Absent']`"),
        ("Host <<| tag => 'web' |>>", "`==`"),
        ("class web($port Integer = 80) { }", "before its name"),
        ("inline_epp('<% if $x %>yes<% end %>')", "`<% if $x { %>…<% } %>`"),
        ("variable \"port\" { type = number }", "`$port = 80`"),
        ("f'port {80 + 1}'", "`\"port ${80 + 1}\"`"),
        ("'abc' =~ Pattern[r'^[a-z]+$']", "`'abc' =~ Pattern[/^[a-z]+$/]`"),
        ("Hash[{String => Integer}]", "`Hash[String, Integer]`"),
        ("Callable[[String, Integer], Boolean, String]", "`Callable[[String, Integer], Boolean]`"),
        ("inline_epp('<% for x in items %>a<% endfor %>')", "`<% $items.each |$x| { %>…<% } %>`"),
        ("type A = Enum['a', 'b'], Boolean", "`type A = Variant[Enum['a', 'b'], Boolean]`"),
        ("type A = String or Integer", "`type A = Variant[String, Integer]`"),
        ("lookup('a', type => Integer)", "`lookup('a', Integer)`"),
        ("lookup('a', merge: 'deep')", "`lookup('a', {'merge' => 'deep'})`"),
        ("let v = vec![1, 2];", "`[1, 2]`"),
        ("v := []int{1, 2}", "`$v = [1, 2]`"),
        ("if v, err := f(); err != nil { 1 }", "`$x = 5`"),
        ("x = {'a': 1}", "`$x = {'a' => 1}`"),
        ("not (true)", "`!(true)`"),
        ("'a' =~ /(a)/ && $~[1]", "`$1`"),
        ("  mode => '0644',", "`'0644'`"),
        ("[1, 2].inject(:+)", "`[1, 2].reduce |$sum, $x| { $sum + $x }`"),
        ("typeof 5 === 'number'", "`5 =~ Numeric`"),
        ("Pattern[/a/, 'i'] =~ 'A'", "`Pattern[/(?i)a/]`"),
        ("'WEB' =~ m/web/i", "`'WEB' =~ /(?i)web/`"),
        ("$s =~ s/a/b/g", "regsubst"),
        ("SELECT name FROM types", "SQL"),
        ("how do I check a number", "`:help`"),
        ("ls -la /etc", "shell"),
        ("a, b = 1, 2", "`[$a, $b] = [1, 2]`"),
        ("<<EOF\nhello\nEOF", "`@(EOF)`"),
        ("{:host => 'web'}", "`'host'`"),
        ("5 =~ Not[String]", "`!~`"),
        ("5 =~ integer[1, 10]", "`5 =~ Integer[1, 10]`"),
        ("{port => 80} =~ {port => Integer}", "`Struct[{port => Integer}]`"),
        ("$x->name", "`$x['name']`"),
        ("_ + 1", "`$_`"),
        ("String[pattern => '^a+$']", "`Pattern[/^a+$/]`"),
        ("(int)'5'", "`Integer('5')`"),
        ("$a, $b = [1, 2]", "`[$a, $b] = [1, 2]`"),
        ("$x | upcase", "`$x.upcase`"),
        ("5 : Integer", "`5 =~ Integer`"),
        ("Callable[String -> Integer]", "`Callable[[String], Integer]`"),
        ("set strict=error", "`:set strict error`"),
        ("if $x is not undef { 1 }", "`$x != undef`"),
        ("notify { 'hello' }", "`notify { 'hello': }`"),
        ("file { /tmp/foo: ensure => file }", "`'/tmp/foo'`"),
        ("if $x > 3: 'big'", "`if $x > 3 { 'big' }`"),
        ("lookup('a', 'b')", "`lookup('a', {'default_value' => 'b'})`"),
        ("puppet apply site.pp", "`:load site.pp`"),
        ("Integer['5']", "`Integer('5')`"),
        ("round(3.14159, 2)", "`sprintf('%.2f', 3.14159)`"),
        ("CAST('12' AS INTEGER)", "`Integer('12')`"),
        ("[1, 2, 3][::2]", "`Array(step([1, 2, 3], 2))`"),
        ("'a' if 1 > 2", "`if 1 > 2 { 'a' }`"),
        ("$x = <<~EOF", "`@(EOF)`"),
        ("File['/a'] => Service['b']", "`File['/a'] -> Service['b']`"),
        ("inline_epp(\"a <%= $n %>\", {n => 1})", "single quotes"),
        ("inline_epp('<%= @n %>')", "`$n`"),
        ("template('a/b.erb')", "`inline_epp("),
        ("--facts a.yaml", "in a shell"),
        (".users[].name", "`$data.map |$x| { $x['name'] }`"),
        ("Foo.new(name => 'a')", "`type Foo = Object["),
        ("if [ -z \"$x\" ]; then", "`$x.empty`"),
        ("type Port = 1..65535", "`type Port = Integer[1, 65535]`"),
        ("hiera('a', [1])", "`lookup('a', {'default_value' => [1]})`"),
        ("String[a-z]", "`Pattern[/\\A[a-z]+\\z/]`"),
        ("SemVer('1.2.3') > '1.2.0'", "`SemVer('1.2.0')`"),
        ("Struct[{name => String}] =~ {name => 'a'}", "`{name => 'a'} =~ Struct[{name => String}]`"),
        ("'a,b;c' =~ s/,/;/", "`regsubst('a,b;c', /,/, ';')`"),
        ("'a,b;c' =~ s/,/;/g", "`regsubst('a,b;c', /,/, ';', 'G')`"),
        ("'2024-01-15'.strptime('%Y-%m-%d')", "`Timestamp('2024-01-15', '%Y-%m-%d')`"),
        ("$list.push(4)", "`$more = $list << 4`"),
        ("$port = 8080 unless $port", "`$my_port = unless $port { 8080 } else { $port }`"),
        ("Callable[(String, Integer) -> Boolean]", "`Callable[[String, Integer], Boolean]`"),
        ("5 =~ Integer[>= 0]", "`Integer[0, default]`"),
        ("5 =~ Integer[<= 10]", "`Integer[default, 10]`"),
        ("for i in range(5): notice(i)", "`Integer[0, 5 - 1].each |$i| { notice($i) }`"),
        ("case 5 { when Integer: 'int' else: 'other' }", "`case 5 { 1: { 'one' } default: { 'other' } }`"),
        ("resource \"file\" \"x\" { path = \"/tmp/x\" }", "`file { 'x': }`"),
        ("try { Integer('abc') } catch (e) { 0 }", "test a value first"),
        ("'abc'[1:2]", "`'abc'[1, 2 - 1]`"),
        ("if $x == nil { 1 }", "`$x == undef`"),
        ("2 ** 8", "`Integer[1, 8].reduce(1) |$power, $n| { $power * 2 }`"),
        ("'it's'", "`\"it's\"`"),
        ("if 1 > 2 then 'a' else 'b' end", "`if 1 > 2 { 'a' } else { 'b' }`"),
        ("unless true then 1 end", "`unless true { 1 }`"),
        ("1 if true else 2", "`if true { 1 } else { 2 }`"),
        ("$x = 1 if true else 2", "`$x = if true { 1 } else { 2 }`"),
        ("(1..5).to_a", "`Array(Integer[1, 5])`"),
        ("Integer[,10]", "`Integer[default, 10]`"),
        ("Integer[1..]", "`Integer[1, default]`"),
        ("Integer[10..20]", "`Integer[10, 20]`"),
        ("Pattern[^abc$]", "`Pattern[/^abc$/]`"),
        ("Pattern[/a/i]", "`Pattern[/(?i)a/]`"),
        ("/abc/i =~ 'ABC'", "`'ABC' =~ /(?i)abc/`"),
        ("/abc/.test('abc')", "`'abc' =~ /abc/`"),
        ("{{ foo | default('bar') }}", "`getvar('foo', 'bar')`"),
        ("{{ foo | upper }}", "`$foo.upcase`"),
        ("{{ item.name }}", "`$item['name']`"),
        ("'a' | upper | trim", "call a function with a dot"),
        ("\"${var.name}\"", "`$hash['name']`"),
        ("- a", "`['a']`"),
        ("cat foo.pp", "`:load foo.pp`"),
        ("SELECT * FROM types", "`:types`"),
        ("[ 5 -gt 3 ]", "`-gt` is `>`"),
        ("'a' LIKE 'a%'", r"`'a' =~ /\Aa/`"),
        ("'a' LIKE '%a'", r"`'a' =~ /a\z/`"),
        ("'a' LIKE '%a%'", "`'a' =~ /a/`"),
        ("name LIKE 'a_'", "`_` is `.`"),
        ("%{lookup('a')}", "`lookup('a')`"),
        ("case 5 { 1 => 'a', default => 'b' }", "`5 ? { 1 => 'a', default => 'b' }`"),
        ("5 instanceof String", "`5 =~ String`"),
        ("true and not false", "`true and !false`"),
        ("5 != '5' and not 1 == 2", "`5 != '5' and !(1 == 2)`"),
        ("[not true, 1]", "write `!`"),
        ("echo $HOME", "the environment is not read"),
        ("pcore check", "a command of a shell"),
    ] {
        let found = advice_on_entry(entry, true, &mut |_| true);
        assert!(found.as_ref().is_some_and(|found| found.contains(part)), "{entry}: {found:?}");
    }
    for entry in [
        "Integer[1,",
        "$x + 1",
        "foo(1)",
        "class a::b { }",
        "[1, 2].each |$_x| { $_x }",
        "package { 'a': ensure => b }",
        "'abc' =~ /[[:alpha:]/",
        "$x.name",
        "[1] << EOF",
        "[[1], 2",
        "$h.get('a').map",
        "Integer[1, 10] + foo(",
        "\"a | b",
        "path => '/usr/path'",
        "[1].map |$x| { $x",
    ] {
        assert_eq!(advice_on_entry(entry, true, &mut |_| true), None, "{entry}");
    }
}

#[test]
fn code_in_advice_is_translated_as_a_whole() {
    for (entry, part) in [
        ("[y + 1 for y in [1, 2] if y > 1]", "`[1, 2].filter |$y| { $y > 1 }.map |$y| { $y + 1 }`"),
        ("[x * 2 for x in range(3)]", "`Array(Integer[0, 3 - 1]).map |$x| { $x * 2 }`"),
        ("def f(a, b): return a + b", "`function f($a, $b) { $a + $b }`"),
        ("(1..5).each { |i| puts i }", "`Integer[1, 5].each |$i| { notice($i) }`"),
        ("'a' | upper", "`'a'.upcase`"),
        ("type Pair = Tuple[String, Integer, ...]", "`Tuple[String, Integer, 2, default]`"),
        ("Tuple[String, Integer*]", "`Tuple[String, Integer, 1, default]`"),
        ("Array[Integer*]", "`Array[Integer]`"),
        ("Array[String, minItems => 1]", "`Array[String, 1]`"),
        ("Array[String, min => 1, max => 3]", "`Array[String, 1, 3]`"),
        ("Integer[max: 10]", "`Integer[default, 10]`"),
        ("String[length => 5]", "`String[5, 5]`"),
        ("NotUndef[Optional[String], 1]", "`NotUndef[String[1]]`"),
        ("Enum['a'..'f']", r"`Pattern[/\A[a-f]\z/]`"),
        ("Enum[80, 443]", "`Variant[Integer[80, 80], Integer[443, 443]]`"),
        ("Variant['on', 'off', Integer[1, 5]]", "`Variant[Enum['on', 'off'], Integer[1, 5]]`"),
        ("Enum[true, 'a']", "`Variant[Enum['a'], Boolean[true]]`"),
        (
            "Struct[{host => String, port => Integer default 80}]",
            "`Struct[{host => String, Optional[port] => Integer}]`",
        ),
        ("regsubst('aa', /a/g, 'b')", "`regsubst('aa', /a/, 'b', 'G')`"),
        ("'aa' =~ /a/g", "`'aa' =~ /a/`"),
        ("'aa' =~ /A/gi", "`'aa' =~ /(?i)A/`"),
        ("if 1 == 1 and { 'same' }", "`if 1 == 1 { 'same' }`"),
        ("if true && { 1 }", "`if true { 1 }`"),
        ("class a { $x, Array[String] $y = [] }", "`class a($x, Array[String] $y = []) { }`"),
        ("map |$x| { $x * 2 } [1, 2]", "`[1, 2].map |$x| { $x * 2 }`"),
        ("int & >=1 & <=65535", "`Integer[1, 65535]`"),
        ("1 < 2 < 3", "`1 < 2 and 2 < 3`"),
        ("3 in 1..5", "`3 =~ Integer[1, 5]`"),
        ("case 3 { 1..5: 'low' }", "`Integer[1, 5]`"),
        ("0..9 as list", "`Array(Integer[0, 9])`"),
        ("'foo.conf' =~ '*.conf'", r"`'foo.conf' =~ /\.conf\z/`"),
        ("'foo' =~ '*o*'", "`'foo' =~ /o/`"),
        ("[10, 20][1:]", "`[10, 20][1, -1]`"),
        ("[10, 20][:1]", "`[10, 20][0, 1]`"),
        ("[10, 20][0..1]", "`[10, 20][0, 1 - 0 + 1]`"),
        ("'web-' . 'server'", "`\"web-server\"`"),
        ("', '.join(['a', 'b'])", "`join(['a', 'b'], ', ')`"),
        ("lookup('a', default => [])", "`lookup('a', default_value => [])`"),
        ("describe(Struct)", "`:help Struct`"),
        ("how do I make a struct key optional?", "`?Struct`"),
        ("5 -is [int]", "`5 =~ Integer`"),
        ("true -and false", "`true and false`"),
        ("regsubst('a-b', '/-/', '_', 'g')", "`regsubst('a-b', /-/, '_', 'G')`"),
        ("split('a,b', '/,/')", "`split('a,b', /,/)`"),
    ] {
        let found = advice_on_entry(entry, true, &mut |code| Session::default().eval(code).is_ok());
        assert!(found.as_ref().is_some_and(|found| found.contains(part)), "{entry}: {found:?}");
    }
}

#[test]
fn a_variable_is_not_assigned_by_a_condition_on_itself() {
    for (entry, part) in [
        ("$port = 8080 if $port == undef", "`$my_port = getvar('port', 8080)`"),
        ("$x = $x + 1 if $x > 5", "`$my_x = if $x > 5 { $x + 1 } else { $x }`"),
        ("$port = 8080 if $ssl == undef", "`if $ssl == undef { $port = 8080 }`"),
        ("'web' + $x", "`\"web${x}\"`"),
    ] {
        let found = advice_on_entry(entry, true, &mut |_| true);
        assert!(found.as_ref().is_some_and(|found| found.contains(part)), "{entry}: {found:?}");
    }
}

#[test]
fn lists_that_are_types_get_no_advice() {
    for entry in ["Enum['a','b'] + foo(", "Variant[Integer,String]('a')", "Enum['a', true]('b')"] {
        let mut can_run = |code: &str| Session::default().eval(code).is_ok();
        assert_eq!(advice_on_entry(entry, true, &mut can_run), None, "{entry}");
    }
}

#[test]
fn code_that_does_not_run_is_not_advised() {
    let entry = "$facts?.os";
    assert!(
        advice_on_entry(entry, true, &mut |_| true)
            .is_some_and(|advice| advice.contains("`$facts.then |$x| { $x.os }`"))
    );
    assert!(
        advice_on_entry(entry, true, &mut |_| false).is_some_and(|advice| advice.contains("`$hash.dig('a', 'b')`"))
    );
}

#[test]
fn a_value_that_may_surprise_is_explained() {
    for (entry, part) in [
        ("0644", "octal"),
        ("{'a' => 1}.map |$v, $k| { $v }", "`|$key, $value|`"),
        ("[1] + {'a' => 1}", "`<<`"),
        ("\"name: $name.upcase\"", "`${$name.upcase}`"),
        ("\"Hi $user.first_name\"", "`$user['first_name']`"),
        ("type(5) == 'Integer'", "`5 =~ Integer`"),
        ("@(END)\n${name}\n| END", "`@(\"END\")`"),
        ("Enum['a'] =~ String", "`Enum['a'] <= String`"),
        ("not 5 in [1, 2]", "`!(5 in [1, 2])`"),
        ("\"port #{8080}\"", "`\"port 8080\"`"),
        ("[1].each |$x| { \"$x is\" }", "call `map`"),
        ("(Integer) '80'", "`Integer('80')`"),
        ("port is defined", "`defined('$port')`"),
        ("split('10.0.0.1', '.')", "`'[.]'`"),
        ("\"first is $x[0]\"", "`${x[0]}`"),
        ("2024-01-15", "`Timestamp('2024-01-15')`"),
        ("'b' not in ['a']", "`!('b' in ['a'])`"),
        ("!5 =~ String", "`!(5 =~ String)`"),
        ("\"Hello {$n}\"", "`${n}`"),
        ("\"Total: $x + 1\"", "`${$x + 1}`"),
        ("split(',', 'a,b')", "`split('a,b', ',')`"),
        ("package 'nginx'", "`package { 'nginx': }`"),
        ("'{{ web_host }}.example.com'", "`\"${web_host}\"`"),
        ("'' ? { true => 'a', default => 'b' }", "`if '' { 'a' } else { 'b' }`"),
        ("8080; // the port", "starts with `#`"),
        ("notice('a is ${a}')", "in double quotes"),
        ("if '' { 1 }", "only `false` and `undef` count as false"),
        ("if versioncmp('1', '2') { 1 }", "`versioncmp('1', '2') > 0`"),
        ("#include <stdio.h>", "starts with `#`"),
        ("inline_epp('<%= name %>')", "`$name`"),
        ("'1.10.0' > '1.9.0'", "SemVer('1.10.0') > SemVer('1.9.0')"),
        ("ls", "shell"),
        ("bye", "`:quit`"),
        ("show me all functions", "`:functions`"),
        ("list variables", "`:vars`"),
        ("type: string", "`String`"),
        ("{\"minLength\": 3}", "`String[3]`"),
        ("Struct[{port => 'integer'}]", "`Struct[{port => Integer}]`"),
        ("Struct[{required => [name]}]", "required unless it is in `Optional`"),
        ("\"Hello #{facts['hostname']}\"", "`${facts['hostname']}`"),
        ("{\"properties\": {\"a\": {\"type\": \"string\"}}}", "`Struct[{Optional[a] => String}]`"),
    ] {
        let found = advice_on_entry(entry, false, &mut |_| true);
        assert!(found.as_ref().is_some_and(|found| found.contains(part)), "{entry}: {found:?}");
    }
    for entry in [
        "5",
        "'a'",
        "if '' == 'a' { 1 }",
        "$a =~ /b/ ? { true => 1 }",
        "'a;//b'",
        "[1, 2]",
        "true and false",
        "split('a,b', ',')",
        "$x ? { 1 => 2 }",
        "6.0 / 2",
        "!$x",
        "2024 - 1",
        "\"I like 'x'\"",
        "{'type' => 'string'}",
        "'not' == 'not'",
        "'$HOME'",
        "Struct[{a => Enum['b'], b => Array[String]}]",
        "regsubst('/usr/bin', '/usr/', '/opt/', 'G')",
        "split('/a/b/c', '/b/')",
        "'a -is b'",
    ] {
        assert_eq!(advice_on_entry(entry, false, &mut |_| true), None, "{entry}");
    }
}

#[test]
fn what_is_interpolated_right_gets_no_advice() {
    for entry in ["\"x ${$p.upcase}\"", "\"x ${$facts['os']['family']}\"", "\"x ${p}\""] {
        assert_eq!(advice_on_entry(entry, false, &mut |_| true), None, "{entry}");
    }
}
