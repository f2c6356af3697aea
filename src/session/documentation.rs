//! The documentation of a definition in its comment, as Puppet Strings reads it: `@summary`, `@param`, `@example`, `@return`.
//!
//! Source: Puppet reference, "Puppet Strings style guide".

/// The documentation comment in front of a definition, split into its tags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Documentation {
    /// The name and the text of each tag. The text before the first tag has the name `""`.
    tags: Vec<(String, String)>,
}

impl Documentation {
    /// Parses the last comment above `line`, which is counted from 1. Code between the comment and `line` is skipped.
    pub fn parse_before_line(text: &str, line: usize) -> Documentation {
        let lines: Vec<&str> = text.lines().take(line.saturating_sub(1)).collect();
        let is_comment = |line: &&&str| line.trim_start().starts_with('#');
        // The first parameter is behind the name, which is behind the comment.
        let code = lines.iter().rev().take_while(|line| !is_comment(line)).count();
        let end = lines.len() - code;
        let before = lines.get(..end).unwrap_or_default();
        let start = end - before.iter().rev().take_while(is_comment).count();
        let mut tags = vec![(String::new(), String::new())];
        for line in before.iter().skip(start) {
            let line = line.trim_start().trim_start_matches('#');
            let line = line.strip_prefix(' ').unwrap_or(line);
            if let Some(tag) = line.strip_prefix('@') {
                let (name, rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
                tags.push((name.to_owned(), rest.trim().to_owned()));
            } else if let Some((_, text)) = tags.last_mut() {
                let separator = if text.is_empty() { "" } else { "\n" };
                text.extend([separator, line.strip_prefix("  ").unwrap_or(line).trim_end()]);
            }
        }
        Documentation { tags }
    }

    fn texts_of_tag(&self, name: &str) -> impl Iterator<Item = &str> {
        self.tags.iter().filter(move |(tag, _)| tag == name).map(|(_, text)| text.trim())
    }

    /// Whether the comment has the tag `@api private`.
    pub fn is_private(&self) -> bool {
        self.texts_of_tag("api").any(|text| text == "private")
    }

    /// Returns the text of `@summary` or, without that tag, the first line of the comment; `None` if it is empty.
    pub fn summary(&self) -> Option<String> {
        let said =
            self.texts_of_tag("summary").next().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        let first = || self.texts_of_tag("").next()?.lines().next().map(str::to_owned);
        said.or_else(first).filter(|text| !text.is_empty())
    }

    /// Returns the description of the parameter `name` in its `@param` tag.
    pub fn parameter_description(&self, name: &str) -> Option<String> {
        self.parameters().into_iter().find(|(found, _)| found == name).map(|(_, text)| text)
    }

    /// Returns the names of the documented parameters with their descriptions.
    pub fn parameters(&self) -> Vec<(String, String)> {
        let parameters = self.texts_of_tag("param").filter_map(|text| {
            // A type in brackets may be in front.
            let text = text.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(text, |(_, rest)| rest);
            let mut words = text.split_whitespace();
            Some((words.next()?.to_owned(), words.collect::<Vec<_>>().join(" ")))
        });
        parameters.collect()
    }

    /// Returns the text of each `@example` tag.
    pub fn examples(&self) -> impl Iterator<Item = &str> {
        self.texts_of_tag("example")
    }
}
