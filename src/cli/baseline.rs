//! The baseline of `pcore check`: a file with the known findings of old code, so that only new ones are reported.
//!
//! The file is a JSON array of objects with `file`, `rule`, `message` and `count`. It has no line numbers: code moves.

use std::{collections::BTreeMap, io, path::Path};

use pcore::check::Finding;
use serde_json::{Value as Json, json};

use super::input;
use super::storage::{self, AllowedReaders};

#[derive(Debug, Default)]
pub(super) struct Baseline {
    counts: BTreeMap<[String; 3], u64>,
    /// The number of findings that were not reported because they are recorded.
    pub(super) hidden_count: usize,
}

fn key_of_finding(path: &Path, finding: &Finding) -> [String; 3] {
    [path.display().to_string(), finding.error.code().to_owned(), finding.error.message().to_owned()]
}

impl Baseline {
    pub(super) fn read(file: &Path) -> Result<Baseline, String> {
        let entries = serde_json::from_str(input::read_source(file)?.text());
        let entries: Vec<Json> = entries.map_err(|error| format!("{} is not a baseline: {error}", file.display()))?;
        let entries = entries.iter().filter_map(|entry| {
            let field = |name: &str| entry.get(name)?.as_str().map(str::to_owned);
            Some(([field("file")?, field("rule")?, field("message")?], entry.get("count")?.as_u64()?))
        });
        Ok(Baseline { counts: entries.collect(), hidden_count: 0 })
    }

    pub(super) fn write(&self, file: &Path) -> io::Result<()> {
        let entries = self.counts.iter().map(
            |([file, rule, message], count)| json!({ "file": file, "rule": rule, "message": message, "count": count }),
        );
        let text = format!("{:#}\n", entries.collect::<Json>());
        storage::replace_file(file, text.as_bytes(), AllowedReaders::AsBefore)
    }

    pub(super) fn record_finding(&mut self, path: &Path, finding: &Finding) {
        *self.counts.entry(key_of_finding(path, finding)).or_default() += 1;
    }

    /// Returns whether the baseline has `finding`, and removes one occurrence of it: a further one counts as new.
    pub(super) fn take_known_finding(&mut self, path: &Path, finding: &Finding) -> bool {
        let known = self.counts.get_mut(&key_of_finding(path, finding)).filter(|count| **count > 0);
        let Some(count) = known else { return false };
        *count -= 1;
        self.hidden_count += 1;
        true
    }

    pub(super) fn finding_count(&self) -> usize {
        usize::try_from(self.counts.values().sum::<u64>()).unwrap_or(usize::MAX)
    }
}
