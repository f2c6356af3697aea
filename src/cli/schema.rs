//! `pcore schema`: types and parameters as JSON Schema.

use pcore::check::{schema as schema_of, schema_of_keys};
use pcore::session::Strictness;
use pcore::text::Source;

use super::arguments::Common;
use super::output::Output;
use super::{Ending, Outcome};

pub(super) fn schema(name: &str, common: &Common, output: &mut Output) -> Ending {
    let mut session = common.session();
    session.strictness = Strictness::Error;
    let is_name = name.split("::").all(|part| part.starts_with(|letter: char| letter.is_ascii_lowercase()));
    let schema = if is_name {
        let classes = session.classes_of_module(name);
        let names = if classes.is_empty() || name.contains("::") { vec![name.to_owned()] } else { classes };
        let mut keys = Vec::new();
        for class in &names {
            let found = session.keys_of_class(class)?;
            keys.extend(found.ok_or_else(|| format!("there is neither a class nor a module {class}"))?);
        }
        schema_of_keys(keys)
    } else {
        schema_of(&session.type_of_text(&Source::new("type", name))?)
    };
    output.say_json(&format!("{schema:#}"))?;
    Ok(Outcome::Fine)
}
