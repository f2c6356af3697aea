//! `/text/`: Ruby's regular expressions.

/// A regular expression. Two are identical when their texts are.
#[derive(Debug)]
pub struct Regexp {
    text: Box<str>,
}

impl Regexp {
    /// Between the slashes.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Regexp {
    fn eq(&self, other: &Regexp) -> bool {
        self.text == other.text
    }
}

impl Eq for Regexp {}

impl std::hash::Hash for Regexp {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}
