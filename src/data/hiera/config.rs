//! Reads the levels of a parsed `hiera.yaml`: the backend, options and file paths of each. Opens no files.
//!
//! Source: Puppet reference, "Hiera: Config file syntax (hiera.yaml v5)".

use crate::regexp::ConstantRegex;
use crate::value::{Hash, Value};

pub(crate) const BACKEND_KEYS: [&str; 4] = ["data_hash", "lookup_key", "data_dig", "hiera3_backend"];
pub(crate) const LOCATION_KEYS: [&str; 7] = ["path", "paths", "glob", "globs", "mapped_paths", "uri", "uris"];

pub(crate) struct HierarchyLevel<'d> {
    settings: Option<&'d Hash>,
    defaults: Option<&'d Hash>,
}

impl<'d> HierarchyLevel<'d> {
    pub(crate) fn levels_in_config(config: &'d Value, lists: &[&str]) -> Vec<HierarchyLevel<'d>> {
        let top = config.as_hash();
        let defaults = top.and_then(|top| top.get_str("defaults")?.as_hash());
        let levels = lists.iter().filter_map(|key| top?.get_str(key)?.as_array()).flat_map(|levels| levels.iter());
        levels.map(|level| HierarchyLevel { settings: level.as_hash(), defaults }).collect()
    }

    pub(crate) fn level_setting(&self, key: &str) -> Option<&'d Value> {
        self.settings?.get_str(key)
    }

    pub(crate) fn datadir(&self) -> Option<&'d str> {
        let given = self.level_setting("datadir").or_else(|| self.defaults?.get_str("datadir"));
        given.map_or(Some("data"), Value::as_str)
    }

    /// Returns the key and name of the backend that the level or the `defaults` set; `yaml_data` without `defaults`.
    pub(crate) fn backend(&self) -> Option<(&'static str, &'d str)> {
        let of = |hash: &'d Hash| BACKEND_KEYS.iter().find_map(|key| Some((*key, hash.get_str(key)?.as_str()?)));
        match (self.settings.and_then(of), self.defaults) {
            (Some(backend), _) => Some(backend),
            (None, Some(defaults)) => of(defaults),
            (None, None) => Some(("data_hash", "yaml_data")),
        }
    }

    pub(crate) fn backend_options(&self) -> Option<&'d Hash> {
        self.level_setting("options").or_else(|| self.defaults?.get_str("options"))?.as_hash()
    }

    pub(crate) fn path_key_and_paths(&self) -> Option<(&'static str, Vec<&'d str>)> {
        let (key, value) = LOCATION_KEYS.into_iter().find_map(|key| Some((key, self.level_setting(key)?)))?;
        let paths = match value {
            Value::String(path) => vec![&**path],
            Value::Array(paths) => paths.iter().map(Value::as_str).collect::<Option<_>>()?,
            _ => return None,
        };
        Some((key, paths))
    }
}

/// Returns a regular expression without anchors for the files that `path` may name. An interpolation (in a glob, also
/// brackets or braces that contain one) matches any string; a known one such as `%{environment}` matches no slash.
pub(crate) fn path_pattern(path: &str, is_glob: bool) -> String {
    static PATH_WILDCARD: ConstantRegex = ConstantRegex::new(r"%\{[^}]*\}|\*\*/|\*|\?|\{[^}]*\}|\[[^\]]*\]");
    let (mut expression, mut end) = (String::new(), 0);
    let path = path.trim_start_matches("./");
    for found in PATH_WILDCARD.find_iter(path).filter(|found| is_glob || found.as_str().starts_with('%')) {
        expression += &regex::escape(&path[end..found.start()]);
        expression += &match found.as_str() {
            "**/" => "(?:.*/)?".to_owned(),
            "*" => "[^/]*".to_owned(),
            "?" => "[^/]".to_owned(),
            interpolation if let Some(name) = interpolation.strip_prefix("%{") => {
                let name = name.trim_end_matches('}').trim_start_matches("::").trim_start_matches("facts.");
                match name.trim_start_matches("networking.").trim_start_matches("trusted.") {
                    // The host name without the domain. None of these has a slash, which is not allowed in certificate names.
                    "hostname" => "[^./]*".to_owned(),
                    "certname" | "domain" | "environment" | "fqdn" | "kernel" | "osfamily" | "os.name"
                    | "os.family" | "os.release.major" | "os.release.full" => "[^/]*".to_owned(),
                    _ => ".*".to_owned(),
                }
            }
            open if open.contains('%') => ".*".to_owned(),
            set if set.starts_with('[') => set.replacen("[!", "[^", 1),
            choice => {
                let choices = choice.trim_matches(['{', '}']).split(',').map(|choice| path_pattern(choice, true));
                ["(?:", &choices.collect::<Vec<_>>().join("|"), ")"].concat()
            }
        };
        end = found.end();
    }
    expression + &regex::escape(&path[end..])
}
