//! Templates in embedded Puppet: trees, texts, scopes, errors. Observed of Puppet 7.23, unless a comment says otherwise.

use std::fs;
use std::path::PathBuf;

use pcore::error::Error;
use pcore::format;
use pcore::session::{Session, Strictness};
use pcore::syntax::parse_template;
use pcore::syntax::pn::to_pn;
use pcore::syntax::printer::print;
use pcore::text::Source;
use pcore::value::Value;

/// `EPP_UNBALANCED_TAG 1:6`
fn place_of(error: &Error) -> String {
    let position = error.position().unwrap();
    format!("{} {}:{}", error.code(), position.line, position.column)
}

/// The tree of a template in PN, without what is the same in all, or the error and its place.
fn tree(template: &str) -> String {
    match parse_template(&Source::new("test.epp", template)) {
        Ok(tree) => to_pn(&tree),
        Err(error) => place_of(&error),
    }
}

/// The tree of what a template is printed as.
fn reread(template: &str) -> String {
    parse_template(&Source::new("test.epp", template)).map_or_else(|error| place_of(&error), |read| tree(&print(&read)))
}

fn evaluate(code: &str) -> Result<Value, Error> {
    Session::new(Strictness::Error).evaluate(&Source::new("test", code), &mut |_| {})
}

/// The `%p` text of the answer, or the error and its place.
fn answer(code: &str) -> String {
    evaluate(code).map_or_else(|error| place_of(&error), |value| format::program_text(&value))
}

/// What a template without parameters renders.
fn rendered(template: &str) -> String {
    answer(&format!("inline_epp({})", format::program_text(&template.into())))
}

#[track_caller]
fn all(ask: impl Fn(&str) -> String, cases: &[(&str, &str)]) {
    for (question, expected) in cases {
        assert_eq!(ask(question), *expected, "{question}");
    }
}

#[test]
fn texts_and_tags_make_a_tree() {
    all(
        tree,
        &[
            ("", "(lambda {:body [(epp)]})"),
            ("---\nplain", r#"(lambda {:body [(epp (render-s "---\nplain"))]})"#),
            ("a <%= 1 %> b", r#"(lambda {:body [(epp (render-s "a ") (render 1) (render-s " b"))]})"#),
            ("a <% %> b", r#"(lambda {:body [(epp (render-s "a ") (render-s " b"))]})"#),
            ("a %> b", r#"(lambda {:body [(epp (render-s "a %> b"))]})"#),
            ("<%= '%%>' %>", r#"(lambda {:body [(epp (render "%%>"))]})"#),
            ("a <%= 5 % 2 %>", r#"(lambda {:body [(epp (render-s "a ") (render (% 5 2)))]})"#),
            ("<% $x = 1 %><% + 2 %>", r#"(lambda {:body [(epp (= (var "x") (+ 1 2)))]})"#),
            (
                "<% if true { %>a<% } %><% else { %>b<% } %>",
                r#"(lambda {:body [(epp (if {:test true :then [(render-s "a")] :else [(render-s "b")]}))]})"#,
            ),
            (
                "<% [1].each |$x| { %>t <%= $x %><% } -%>\n\nx",
                r#"(lambda {:body [(epp (call-method {:functor (. (array 1) (qn "each")) :args [] :block (lambda {:params {:x {}} :body [(render-s "t ") (render (var "x"))]})}) (render-s "\nx"))]})"#,
            ),
            (
                "<% $a = @(E)\nfoo %> <%= x\n| E\n-%>\n<%= $a %>",
                r#"(lambda {:body [(epp (= (var "a") (heredoc {:text "foo %> <%= x\n"})) (render (var "a")))]})"#,
            ),
            (
                "a<% $x = /%>/ %>b",
                r#"(lambda {:body [(epp (render-s "a") (= (var "x") (regexp "%>")) (render-s "b"))]})"#,
            ),
        ],
    );
}

#[test]
fn a_printed_template_reads_back() {
    let templates = [
        "",
        "a\n<%= 1 %> b",
        "<%% a %%> <%%= <%%%> %%%> <",
        "<%- | Integer $x, $y = 1 | -%>\nx",
        "<%- || -%>",
        "<% [1].each |$x| { %>\n t <%= $x %> <% if $x { %>a<% } else { %>b<% } } -%>\n\nx",
        "<% $a = @(E)\nfoo %> <%= x\n| E\n-%>\n<%= $a %>",
    ];
    for template in templates {
        assert_eq!(reread(template), tree(template), "{template}");
    }
}

#[test]
fn parameters_stand_in_the_first_tag() {
    let with_x = r#"(lambda {:params {:x {}} :body [(epp (render-s "x"))]})"#;
    all(
        tree,
        &[
            ("<%- | $x | -%>\nx", with_x),
            (" <%-| $x |-%>\nx", with_x),
            ("<%# c %><%- | $x | -%>\nx", with_x),
            ("<%- || -%>\nx", r#"(lambda {:body [(epp (render-s "x"))]})"#),
            (
                "<% | Integer[1] $x, $y = 3, | %>",
                r#"(lambda {:params {:x {:type (access (qr "Integer") 1)} :y {:value 3}} :body [(epp)]})"#,
            ),
            ("a <%- | $x | -%>", "SYNTAX_ERROR 1:7"),
            ("\n<%- | $x | -%>\nx", "SYNTAX_ERROR 2:5"),
            ("<% | $a | %>x<% | $b | %>", "SYNTAX_ERROR 1:17"),
        ],
    );
}

#[test]
fn hyphens_trim_blanks_before_and_a_line_end_after() {
    all(
        rendered,
        &[
            ("a \n  <%- $x = 1 -%>  \n b", r#""a \n b""#),
            ("a \t <%- $x = 1 %> \n b", r#""a \n b""#),
            ("a <%= 1 -%> \t\r\n\r\nb", r#""a 1\r\nb""#),
            ("a <%= 1 -%>  c\nb", r#""a 1c\nb""#),
            ("a\u{a0}<%- $x = 1 -%>\u{a0}b", "'a\u{a0}\u{a0}b'"),
            ("a\u{b}<%- $x = 1 -%>\u{b}b", r#""a\u{B}\u{B}b""#),
            ("x <%--%> y", "'xy'"),
            ("x <%=- 1 %>", "'x -1'"),
            ("<% if true { %>x<% } %>\n <%- if true { -%>\n y\n <%- } -%>\nz", r#""x\n y\nz""#),
        ],
    );
}

#[test]
fn comments_and_escapes_belong_to_the_text() {
    all(
        rendered,
        &[
            ("a\n<%# comment %>\nb", r#""a\n\nb""#),
            ("a\n  <%# comment -%>\nb", r#""a\n  b""#),
            ("a\n  <%#- comment -%>\nb", r#""a\nb""#),
            ("a <%# x %%> <% y %> b", "'a  b'"),
            ("a <%# c %> <%- $x = 1 %>c", "'ac'"),
            ("a <%% b %%> c", "'a <% b %> c'"),
            ("a<%%%>b<%%= 1 %>", "'a<%%>b<%= 1 %>'"),
        ],
    );
}

#[test]
fn unclosed_tags_and_misplaced_code_are_errors_of_the_template() {
    all(
        tree,
        &[
            ("<%= 1", "EPP_UNBALANCED_TAG 1:6"),
            ("<% 1", "EPP_UNBALANCED_TAG 1:5"),
            ("a <%= 1 # hello %> b", "EPP_UNBALANCED_TAG 1:21"),
            ("a <%# x", "EPP_UNBALANCED_COMMENT 1:5"),
            ("a <%= %> b", "SYNTAX_ERROR 1:7"),
            ("a <%= 1; 2 %> b", "SYNTAX_ERROR 1:8"),
            ("a <%= 1 2 %> b", "SYNTAX_ERROR 1:9"),
            ("a <%= $x = 1 %> b", "SYNTAX_ERROR 1:10"),
            ("<%= [1].each |$x| { %>t<% } %>u", "SYNTAX_ERROR 1:21"),
            ("<% if true { %>a<% } %> <% else { %>b<% } %>", "SYNTAX_ERROR 1:28"),
            ("<% case 1 { %>\n<% 1: { %>a<% } } %>", "SYNTAX_ERROR 1:13"),
            ("<% } %>x", "SYNTAX_ERROR 1:4"),
            ("<% if true { %>x", "SYNTAX_ERROR 1:17"),
            // Puppet takes the text for an operand, and fails when it runs.
            ("a <% 5 - %> b", "SYNTAX_ERROR 1:10"),
        ],
    );
}

#[test]
fn values_are_rendered_as_in_a_string() {
    all(
        rendered,
        &[
            ("<%= undef %>b<%= true %><%= [1, [undef, 'x']] %><%= {a => undef} %>", "'btrue[1, [, x]]{a => }'"),
            ("<%= Integer[1] %><%= /x/ %><%= default %><%= 1.5 %>", "'Integer[1]/x/default1.5'"),
            ("<% $x = [1, 2].map |$y| { %>t<% $y } %><%= $x %>", "'tt[1, 2]'"),
            ("a<% [1, 2].each |$x| { next() %>y<% } %>x", "'ax'"),
            ("<% [1, 2, 3].each |$x| { if $x == 2 { break() } %><%= $x %><% } %>e", "'1e'"),
            ("<% if 'a' =~ /(a)/ { %><%= $1 %><% } %>", "'a'"),
            ("<%= Sensitive('a') %>b", "Sensitive [value redacted]"),
        ],
    );
    assert_eq!(answer("inline_epp('<%= Sensitive(\"a\") %>b').unwrap"), "'ab'");
}

#[test]
fn an_inline_template_sees_what_its_caller_sees() {
    all(
        answer,
        &[
            ("$v = 5  inline_epp('<%= $v %><%= $x %>', {x => 1})", "'51'"),
            ("$v = 5  inline_epp('<%- | $x | -%><%= $v %>', {x => 1})", "'5'"),
            ("[1].map |$y| { inline_epp('<%= $y %>') }", "['1']"),
            ("[1].map |$y| { inline_epp('<%= $y %>', {y => 3}) }", "['3']"),
            ("function f($q) { inline_epp('<%= $q %>') } f(2)", "'2'"),
            ("$q = 1 with(2) |$q| { inline_epp('<%= $q %><%= $::q %>') }", "'21'"),
            ("with(2) |$q| { inline_epp('<% with(3) |$r| { %><%= $q + $r %><% $q = 7 } %>') }", "'5'"),
            ("'abc' =~ /b/  inline_epp('<%= $0 %>')", "'b'"),
            ("$v = 5  inline_epp('<% $v = 6 %><%= $v %>')", "'6'"),
            ("inline_epp('<% $w = 6 %><%= $w %>')  inline_epp('<% $w = 7 %><%= $w %>')", "'7'"),
            ("inline_epp('<% $w = 6 %>')  $w", "UNKNOWN_VARIABLE 1:29"),
            ("inline_epp('<% $x = 6 %>', {x => 1})", "ILLEGAL_REASSIGNMENT 1:4"),
            ("inline_epp('<% \"a\" =~ /a/ %>')  $0", "undef"),
            ("$x = 1 inline_epp('<%= inline_epp(\"<%= \\$x %\\u{3e}\") %>|')", "'1|'"),
            ("function f() { $q = inline_epp('a<% return(7) %>x') \"got ${q}\" } [f(), 1]", "['got 7', 1]"),
        ],
    );
}

#[test]
fn parameters_are_checked_by_name_and_type() {
    all(
        answer,
        &[
            ("inline_epp('<%- | Integer $x, $y = $x + 1 | -%><%= $x + $y %>', {x => 1})", "'3'"),
            ("inline_epp('<%- | $x = 3 | -%>[<%= $x %>]', {x => undef})", "'[3]'"),
            ("inline_epp('<%- | $x | -%>[<%= $x %>]', {x => undef})", "'[]'"),
            ("\n  inline_epp('<%- | Integer $x | -%>', {x => 'a'})", "RUNTIME_ERROR 2:3"),
            ("\n  inline_epp('<%- | Integer $x | -%>', {x => 1, y => 2})", "RUNTIME_ERROR 2:3"),
            ("\n  inline_epp('<%- | Optional[Integer] $x | -%>')", "MISSING_REQUIRED_PARAMETER 2:3"),
            ("inline_epp('x', {'a-b' => 1})", "RUNTIME_ERROR 1:1"),
            ("inline_epp('x', {'0' => 1})", "ILLEGAL_NUMERIC_ASSIGNMENT 1:1"),
            ("inline_epp('x', {facts => 1})", "ILLEGAL_RESERVED_ASSIGNMENT 1:1"),
            ("inline_epp('<% | $a, $a | %>')", "DUPLICATE_PARAMETER 1:10"),
            ("inline_epp('<% | *$a | %>')", "CAPTURES_REST_NOT_SUPPORTED 1:7"),
        ],
    );
    let error = evaluate("inline_epp('<%- | Integer $port | -%>', {prot => 1})").unwrap_err();
    assert_eq!(error.message(), "the template has no parameter $prot");
    assert_eq!(error.help(), ["did you mean $port?"]);
}

#[test]
fn errors_point_into_the_template() {
    let error = evaluate("$a = [\n  inline_epp(\"a\\n <%= 1 + 'x' %>\")]").unwrap_err();
    assert_eq!(error.source_text().unwrap().name(), "inline_epp");
    assert_eq!(place_of(&error), "NOT_NUMERIC 2:10");
    all(
        rendered,
        &[
            ("é\n <%= $nosuch %>", "UNKNOWN_VARIABLE 2:6"),
            ("é<%= nosuch() %>", "UNKNOWN_FUNCTION 1:6"),
            ("<% function f() { 1 } %>x", "NOT_ABSOLUTE_TOP_LEVEL 1:4"),
            ("a<% 'x' %>b", "IDEM_EXPRESSION_NOT_LAST 1:5"),
        ],
    );
}

/// A module `m` with templates, gone when the test is over.
struct Module(PathBuf);

impl Module {
    fn new(name: &str, templates: &[(&str, &str)]) -> Module {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(path.join("m/templates")).unwrap();
        for (file, text) in templates {
            fs::write(path.join("m/templates").join(file), text).unwrap();
        }
        Module(path)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn a_template_file_sees_the_variables_of_the_session_alone() {
    let templates =
        [("v.epp", "<%= $v %>"), ("zero.epp", "<%= $0 %>|"), ("bare", "x"), ("bad.epp", "\n<%= nosuch() %>")];
    let module = Module::new("epp-files", &templates);
    let ask = |code: &str| {
        let mut session = Session::new(Strictness::Error);
        session.set_modules(vec![module.0.clone()], None);
        let result = session.evaluate(&Source::new("test", code), &mut |_| {});
        result.map_or_else(|error| place_of(&error), |value| format::program_text(&value))
    };
    all(
        ask,
        &[
            ("$v = 1  epp('m/v.epp')", "'1'"),
            ("$v = 1  epp('m/v', {x => 1})", "'1'"),
            ("[1].map |$v| { epp('m/v.epp') }", "UNKNOWN_VARIABLE 1:5"),
            ("[1].map |$v| { epp('m/v.epp', {v => 2}) }", "['2']"),
            ("'abc' =~ /b/  epp('m/zero.epp')", "'|'"),
            ("epp('m/bad.epp')", "UNKNOWN_FUNCTION 2:5"),
            ("epp('m/bare')", "RUNTIME_ERROR 1:1"),
            ("epp('nosuch/x.epp')", "RUNTIME_ERROR 1:1"),
        ],
    );
    let full = module.0.join("m/templates/v");
    assert_eq!(ask(&format!("$v = 1 epp('{}')", full.display())), "'1'");
}
