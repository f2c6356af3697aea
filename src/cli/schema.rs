//! `pcore schema`: types and parameters as JSON Schema.

use pcore::check::{schema as schema_of, schema_of_keys};
use pcore::report::Severity;
use pcore::session::Strictness;
use pcore::text::Source;

use super::arguments::Common;
use super::output::Output;
use super::{Ending, Outcome};

pub(super) fn schema(name: &str, common: &Common, output: &mut Output) -> Ending {
    let mut session = common.session();
    session.strictness = Strictness::Error;
    let is_name = name.split("::").all(|part| part.starts_with(|letter: char| letter.is_ascii_lowercase()));
    let outcome = if is_name {
        let classes = session.classes_of_module(name);
        let names = if classes.is_empty() || name.contains("::") { vec![name.to_owned()] } else { classes };
        let mut keys = Vec::new();
        let mut failure = None;
        for class in &names {
            match session.keys_of_class(class) {
                Ok(Some(found)) => keys.extend(found),
                Ok(None) => {
                    output.complain(&format!("there is neither a class nor a module {class}"))?;
                    return Ok(Outcome::Failed);
                }
                Err(error) => failure = Some(error),
            }
        }
        failure.map_or_else(|| Ok(schema_of_keys(keys)), Err)
    } else {
        session.type_of_text(&Source::new("type", name)).map(|type_| schema_of(&type_))
    };
    match outcome {
        Ok(schema) => {
            output.say_json(&format!("{schema:#}"))?;
            Ok(Outcome::Fine)
        }
        Err(error) => {
            output.report_error(&error, Severity::Error)?;
            Ok(Outcome::Failed)
        }
    }
}
