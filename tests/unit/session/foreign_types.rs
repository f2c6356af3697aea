use super::{translate_assignment, translate_type};

#[test]
fn types_of_other_languages_are_written_in_puppet() {
    for (entry, puppet) in [
        // SQL
        ("VARCHAR(255)", "String[0, 255]"),
        ("varchar[20]", "String[0, 20]"),
        // TypeScript
        ("string[]", "Array[String]"),
        ("Array<string>", "Array[String]"),
        ("string | number", "Variant[String, Numeric]"),
        ("string | null", "Optional[String]"),
        ("'a' | \"b\"", "Enum['a', 'b']"),
        ("Record<string, number>", "Hash[String, Numeric]"),
        ("Partial<Port>", "Struct[{Optional['key'] => Any}]"),
        ("(string | number)[]", "Array[Variant[String, Numeric]]"),
        ("{ name: string; age?: number }", "Struct[{name => String, Optional[age] => Numeric}]"),
        ("(x: number) => string", "Callable[[Numeric], String]"),
        ("type Port = number", "type Port = Numeric"),
        (
            "interface Site { name: string, age?: number }",
            "type Site = Struct[{name => String, Optional[age] => Numeric}]",
        ),
        ("enum Color { Red, Green = 2 }", "type Color = Enum['Red', 'Green']"),
        // Python
        ("list[int]", "Array[Integer]"),
        ("dict[str, list[int]]", "Hash[String, Array[Integer]]"),
        ("Callable[[int], str]", "Callable[[Integer], String]"),
        ("Union[int, str, None]", "Optional[Variant[Integer, String]]"),
        ("Literal['a', 'b']", "Enum['a', 'b']"),
        ("tuple[int, ...]", "Array[Integer]"),
        // Rust
        ("Vec<i32>", "Array[Integer]"),
        ("HashMap<String, Vec<u16>>", "Hash[String, Array[Integer[0, 65535]]]"),
        ("Option<String>", "Optional[String]"),
        ("Result<Integer, Error>", "Variant[Integer, Error]"),
        ("[u8; 4]", "Array[Integer[0, 255], 4, 4]"),
        ("(i32, &str)", "Tuple[Integer, String]"),
        ("struct Point { x: f64, pub y: f64 }", "type Point = Struct[{x => Float, y => Float}]"),
        ("fn(i32) -> String", "Callable[[Integer], String]"),
        // Go
        ("[]string", "Array[String]"),
        ("map[string][]int", "Hash[String, Array[Integer]]"),
        ("interface{}", "Any"),
        ("type Port struct { Name string; Number int }", "type Port = Struct[{'Name' => String, 'Number' => Integer}]"),
        // Terraform
        ("list(string)", "Array[String]"),
        ("map(number)", "Hash[String, Numeric]"),
        (
            "object({ name = string, port = optional(number, 80) })",
            "Struct[{name => String, Optional[port] => Numeric}]",
        ),
        ("tuple([string, bool])", "Tuple[String, Boolean]"),
        // others
        ("String?", "Optional[String]"),
        ("?string", "Optional[String]"),
    ] {
        assert_eq!(translate_type(entry).as_deref(), Some(puppet), "{entry}");
    }
}

#[test]
fn puppet_code_is_not_taken_for_another_language() {
    for entry in [
        "String",
        "string",
        "Array[String]",
        "Hash[String, Array[Integer]]",
        "Variant[A, B]",
        "$x[0]",
        "'a'",
        "[1, 2]",
        "[] .map |$x| { $x }",
        "{name => 'a'}",
        "length('a')",
        "type A = Integer",
        "Callable[[Integer], String]",
        "Integer(5)",
        "5",
        "foo[1]",
        "Struct[{a => Integer}]",
        "include(ntp)",
        "Enum['a', 'b']",
        "String[1, 10]",
        "{}",
        "[]",
        "f(5)",
        "double(2)",
        "1 | 2",
        "a.b",
    ] {
        assert_eq!(translate_type(entry), None, "{entry}");
    }
}

#[test]
fn assignments_of_other_languages_are_written_in_puppet() {
    for (entry, puppet) in [
        ("PORT=80", "$port = 80"),
        ("export NAME=web", "$my_name = 'web'"),
        ("let x: number = 5;", "$x = 5"),
        ("var port int = 80", "$port = 80"),
        ("int x = 5", "$x = 5"),
        ("List<Integer> xs = new ArrayList<>();", "$xs = []"),
        ("x := true", "$x = true"),
    ] {
        assert_eq!(translate_assignment(entry).as_deref(), Some(puppet), "{entry}");
    }
    for entry in
        ["$x = 5", "type Bad = 5", "x == 5", "if true = true { 1 }", "Port = Integer", "x =~ Integer", "a => 1"]
    {
        assert_eq!(translate_assignment(entry), None, "{entry}");
    }
}
