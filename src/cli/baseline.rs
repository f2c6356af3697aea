//! A baseline: findings of old code that are known, so that only new ones are shown.
//!
//! It is a JSON array of objects with `file`, `rule`, `message` and `count`. Lines are left out, so that code can move.

use std::{collections::BTreeMap, io, path::Path};

use pcore::check::Finding;
use serde_json::{Value as Json, json};

use super::input;
use super::storage::{self, Readers};

#[derive(Debug, Default)]
pub(super) struct Baseline {
    counts: BTreeMap<[String; 3], u64>,
    /// The number of findings that matched a recorded one.
    pub(super) taken: usize,
}

fn baseline_key(path: &Path, finding: &Finding) -> [String; 3] {
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
        Ok(Baseline { counts: entries.collect(), taken: 0 })
    }

    pub(super) fn write(&self, file: &Path) -> io::Result<()> {
        let counts = self.counts.iter();
        let entries = counts.map(
            |([file, rule, message], count)| json!({ "file": file, "rule": rule, "message": message, "count": count }),
        );
        let text = format!("{:#}\n", entries.collect::<Json>());
        storage::replace(file, text.as_bytes(), Readers::AsBefore)
    }

    pub(super) fn add(&mut self, path: &Path, finding: &Finding) {
        *self.counts.entry(baseline_key(path, finding)).or_default() += 1;
    }

    /// Whether a finding is known. Each recorded occurrence is used up by one finding.
    pub(super) fn use_up(&mut self, path: &Path, finding: &Finding) -> bool {
        let known = self.counts.get_mut(&baseline_key(path, finding)).filter(|count| **count > 0);
        let Some(count) = known else { return false };
        *count -= 1;
        self.taken += 1;
        true
    }

    pub(super) fn len(&self) -> usize {
        usize::try_from(self.counts.values().sum::<u64>()).unwrap_or(usize::MAX)
    }
}
