//! Templates in embedded Puppet: `epp` from a file, `inline_epp` from a string.

use super::files::{file_not_found_error, find_module_file};
use super::{Call, Flow, TemplateVisibility};
use crate::files;
use crate::text::Source;
use crate::value::Value;

const EPP_EXTENSION: &str = ".epp";

functions! {
    /// renders an EPP template file: epp('module/name.epp', {name => value})
    "epp" [
        "(String $path, Hash[Pattern[/\\A\\w+\\z/], Any] $parameters = {}) >> Variant[String, Sensitive[String]]",
    ] {
        "epp('web/port.epp', {'port' => 80})" => "\"Listen 80\\n\"",
        "epp('web/port.epp', {'port' => 'http'})" => "error RUNTIME_ERROR",
        "epp('web/nowhere.epp')" => "error RUNTIME_ERROR",
    } => epp;
    /// renders an EPP template string: <% %> contains Puppet code, <%= %> inserts a value
    "inline_epp" [
        "(String $template, Hash[Pattern[/\\A\\w+\\z/], Any] $parameters = {}) >> Variant[String, Sensitive[String]]",
    ] {
        "inline_epp('<%= 1 + 1 %> x')" => "'2 x'",
        "inline_epp('<%= $x %>', {'x' => 5})" => "'5'",
        "inline_epp('<%- | Integer $x | -%> <%= $x %>', {'x' => 5})" => "'5'",
        "inline_epp('<%= 1 ')" => "error EPP_UNBALANCED_TAG",
    } => |call| {
        let Value::String(text) = call.argument(0)? else { return Ok(Value::Undef) };
        let (template, given) = (Source::new("inline_epp", &**text), call.arguments.get(1).and_then(Value::as_hash));
        call.runtime.render_template(&template, TemplateVisibility::Caller, given)
    };
}

/// Renders a template file; the template can use the variables of the session, but not those of the caller.
fn epp(call: &mut Call<'_>) -> Result<Value, Flow> {
    let Value::String(path) = call.argument(0)? else { return Ok(Value::Undef) };
    let name = if path.ends_with(EPP_EXTENSION) { path.to_string() } else { format!("{path}{EPP_EXTENSION}") };
    let file = find_module_file(call.runtime, "templates", &name)?.ok_or_else(|| file_not_found_error(&name))?;
    let text = files::read_file_text(&file, &format!("'{name}'"))?;
    let template = Source::new(file.display().to_string(), text);
    call.runtime.render_template(&template, TemplateVisibility::Session, call.arguments.get(1).and_then(Value::as_hash))
}
