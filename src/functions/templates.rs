//! Templates in embedded Puppet: `epp` from a file, `inline_epp` from a text.

use super::files::{located, no_file};
use super::{Call, Exit, Function};
use crate::error::{Error, Result};
use crate::types::Example;
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "epp",
        summary: "the text of a template file, filled in: epp('module/name.epp', {name => value})",
        signatures: &["(String $path, Optional[Hash[Pattern[/\\A\\w+\\z/], Any]] $parameters = undef) >> String"],
        examples: &[Example { code: "epp('/dev/null')", answer: "error RUNTIME_ERROR" }],
        body: epp,
    },
    Function {
        name: "inline_epp",
        summary: "the text of a template, filled in: what is between <% and %> is Puppet code, <%= gives its value",
        signatures: &["(String $template, Optional[Hash[Pattern[/\\A\\w+\\z/], Any]] $parameters = undef) >> String"],
        examples: &[
            Example { code: "inline_epp('<%= 1 + 1 %> x')", answer: "'2 x'" },
            Example { code: "inline_epp('<%= $x %>', {'x' => 5})", answer: "'5'" },
            Example { code: "inline_epp('<%= 1 ')", answer: "error RUNTIME_ERROR" },
        ],
        body: |call| match &call.arguments[0] {
            Value::String(template) => filled_in(call, template),
            _ => Ok(Value::Undef),
        },
    },
];

fn epp(call: &mut Call<'_>) -> Result<Value, Exit> {
    let Value::String(path) = &call.arguments[0] else { return Ok(Value::Undef) };
    let file = located(call.runtime, "templates", path).or_else(|| {
        let with_extension = format!("{path}.epp");
        located(call.runtime, "templates", &with_extension)
    });
    let file = file.ok_or_else(|| no_file(path))?;
    match std::fs::read_to_string(&file) {
        Ok(template) => filled_in(call, &template),
        Err(error) => Err(Error::runtime(format!("cannot read the template '{path}': {error}")).into()),
    }
}

fn filled_in(call: &mut Call<'_>, template: &str) -> Result<Value, Exit> {
    let parameters = match call.arguments.get(1) {
        Some(Value::Hash(parameters)) => Some(parameters),
        _ => None,
    };
    Ok(call.runtime.fill_in(template, parameters)?.into())
}
