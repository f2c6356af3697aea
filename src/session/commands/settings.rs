//! The commands about the session itself and its data: `:set`, `:data`, `:lookup`.

use super::{Answer, CommandGroup, Console, Listener, Reply, Source, data, format_columns};
use crate::data::{Format, read};
use crate::session::settings::{self, EnumSetting as _, Setting};
use crate::wording::pluralize;
use crate::{functions, types};

pub(super) static COMMANDS: CommandGroup = commands! {
    "the session":
        "set" [Optional(Setting)] "all settings; change one":
            "`:set` lists all settings, `:set width` shows one, `:set width 100` changes it. Permanent settings go in \
            ~/.config/pcore/config.toml: width = 100. `:set facts.os.family RedHat` sets a fact. The file init.pp in the same directory runs first."
            "set width 100" => change_setting;
        "data" [Optional(Node)] "the hierarchy of the data":
            "Lists the levels of hiera.yaml with their files. `node=NAME` sets $trusted, `facts=FILE` sets the facts in a \
            YAML or JSON file; `:set facts.os.family RedHat` sets one fact."
            "data node=web1" => data::show_data_hierarchy;
        "lookup" [Required(Key)] "where a value comes from":
            "Looks up a key, and shows each place that has a value for it, how they are merged and converted, and the \
            result."
            "lookup ntp::servers" => data::explain_lookup;
};

fn change_setting(session: &mut Console, argument: &str, _: &mut Listener<'_>) -> Answer {
    let (name, value) = argument.split_once([' ', '\t', '=']).unwrap_or((argument, ""));
    if name.is_empty() {
        return Ok(Reply::Text(list_settings(session)));
    }
    if value.is_empty() {
        let row = settings::find_setting(name).map_err(Reply::Refused)?;
        return Ok(Reply::Text(describe_setting(row, session)));
    }
    if let Some(fact) = name.strip_prefix("facts.") {
        let read = read(Format::Yaml, &Source::new("fact", value.trim()));
        session.set_fact(fact, read.map_or_else(|_| value.trim().into(), |document| document.value));
        return Ok(Reply::Done);
    }
    let value = value.trim_start_matches([' ', '\t', '=']);
    session.change_setting(name, value).map(|()| Reply::Done).map_err(Reply::Refused)
}

fn list_settings(session: &Console) -> String {
    let shown = |row: &Setting| format!("{:8} {:8}", row.name, row.value(session));
    let rows: Vec<_> = settings::TABLE.iter().map(|row| (shown(row), row.summary)).collect();
    let file = session.settings_file.iter().map(|path| format!("\nto keep a setting, write it to {path}"));
    format_columns(&rows) + &file.collect::<String>()
}

pub(super) fn describe_setting(row: &Setting, session: &Console) -> String {
    let Setting { name, summary, values, .. } = row;
    let (value, values, default) = (row.value(session), values.describe(), row.default_value());
    format!("{name} = {value}\n  {summary}\n  {values} [default: {default}]")
}

pub(super) fn session_info(session: &Console) -> String {
    let mut modules = session.modules();
    modules.sort_unstable();
    let loaded: Vec<&str> = session.loaded_files.keys().map(String::as_str).collect();
    let or_none = |list: String| if list.is_empty() { "none".to_owned() } else { list };
    let changed = settings::TABLE.iter().filter(|row| row.value(session) != row.default_value());
    let changed: Vec<String> = changed.map(|row| format!("{} = {}", row.name, row.value(session))).collect();
    let own = [
        (session.user_variables().count(), "variable"),
        (session.aliases().len(), "alias"),
        (session.functions().len(), "function"),
    ];
    let results = pluralize(session.entries.result_count, "result");
    let built_in = functions::TABLE.iter().map(|family| family.len()).sum();
    let built_in = [(types::TABLE.len(), "type"), (built_in, "function")];
    let rows = [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("strict", session.strictness.word().to_owned()),
        ("modules", or_none(modules.join(", "))),
        ("loaded", or_none(loaded.join(", "))),
        ("yours", format_counts(&own)),
        ("built in", format_counts(&built_in)),
        ("entries", format!("{}, with {results}", session.entries.entry_count)),
        ("settings", if changed.is_empty() { "as usual".to_owned() } else { changed.join(", ") }),
    ];
    let file = session.settings_file.iter().map(|path| ("file", path.clone()));
    format_columns(&rows.into_iter().chain(file).collect::<Vec<_>>())
}

/// Formats counts of things: `2 variables, 1 alias`.
fn format_counts(counts: &[(usize, &str)]) -> String {
    counts.iter().map(|(count, thing)| pluralize(*count, thing)).collect::<Vec<_>>().join(", ")
}
