//! The error type of the library: what went wrong, where, and what to write instead.
//!
//! Every area of the code has an enum of its errors that implements [`Kind`], usually by the macro `errors!`. Code that
//! works on values and types creates an error without a location; the evaluator adds one with [`Error::at`].

use std::{any::Any, fmt, ops::Range, sync::Arc};

use crate::text::{Position, Source, Span};

pub(crate) trait Kind: fmt::Display {
    /// Returns Puppet's issue code, such as `NOT_NUMERIC`.
    fn code(&self) -> &'static str;

    fn help(&self) -> Option<String> {
        None
    }

    fn at(self, span: Span) -> Error
    where
        Self: Sized,
    {
        Error::from(self).at(span)
    }
}

/// Defines the error enum of an area, with a row for each variant: `Name(field: Type) => code, message(…), help(…);`.
///
/// `message` and `help` accept what `format!` accepts and can use the fields; `help { … }` is an `Option<String>`.
macro_rules! errors {
    ($(#[$about:meta])* $visibility:vis enum $name:ident {$(
        $(#[$example:meta])*
        $kind:ident $(($($item:ident: $item_type:ty),+))? $({ $($field:ident: $field_type:ty),+ $(,)? })?
            => $code:expr, message($($message:tt)+) $(, help $help:tt)?;
    )+}) => {
        $(#[$about])*
        $visibility enum $name {
            $($(#[$example])* $kind $(($($item_type),+))? $({ $($field: $field_type),+ })?,)+
        }

        #[allow(unused_variables, reason = "not every row needs all fields")]
        impl $crate::error::Kind for $name {
            fn code(&self) -> &'static str {
                match self {
                    $($name::$kind $(($($item),+))? $({ $($field),+ })? => $code,)+
                }
            }

            fn help(&self) -> Option<String> {
                match self {
                    $($name::$kind $(($($item),+))? $({ $($field),+ })? => $crate::error::errors!(@help $($help)?),)+
                }
            }
        }

        #[allow(unused_variables, reason = "not every row needs all fields")]
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $($name::$kind $(($($item),+))? $({ $($field),+ })? => write!(f, $($message)+),)+
                }
            }
        }
    };
    (@help) => { None };
    (@help ($($text:tt)+)) => { Some(std::fmt::format(format_args!($($text)+))) };
    (@help { $($optional:tt)+ }) => {{ $($optional)+ }};
}
pub(crate) use errors;

pub(crate) const RUNTIME_ERROR: &str = "RUNTIME_ERROR";

/// The issue code of an evaluation that reached a limit on time, memory, size or depth.
pub const LIMIT: &str = "LIMIT";

pub(crate) const REDACTED: &str = "[redacted]";

pub(crate) fn is_inside_word(place: &Range<usize>, text: &str, words: &[String]) -> bool {
    let is_around = |(at, word): (usize, &str)| at <= place.start && place.end <= at + word.len();
    words.iter().any(|word| text.match_indices(&**word).any(is_around))
}

/// Returns `text` with each of the byte ranges replaced, which must be in order and disjoint; `None` if there are none.
pub(crate) fn replace_ranges(
    text: &str,
    ranges: &[Range<usize>],
    replacement: impl Fn(&str) -> String,
) -> Option<String> {
    let (mut replaced, mut rest) = (String::with_capacity(text.len()), 0);
    for place in ranges {
        replaced.push_str(&text[rest..place.start]);
        replaced.push_str(&replacement(&text[place.clone()]));
        rest = place.end;
    }
    replaced.push_str(&text[rest..]);
    (!ranges.is_empty()).then_some(replaced)
}

/// An error in a program: its code, message, advice and location.
/// ```
/// let error = pcore::Session::default().eval("[1, 2].mapp |$n| { $n }").unwrap_err();
/// assert_eq!(error.code(), "UNKNOWN_FUNCTION");
/// assert_eq!(error.help(), ["did you mean map?"]);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Error(Box<ErrorData>);

#[derive(Clone, Debug, Default)]
struct ErrorData {
    code: &'static str,
    message: String,
    help: Vec<String>,
    source: Option<Arc<Source>>,
    span: Option<Span>,
    labels: Vec<Label>,
    is_unfinished: bool,
    /// The index, from 0, and the parameter name of the argument of a call that caused the error.
    causing_argument: Option<(usize, &'static str)>,
    /// Why a value does not match a type, as data; `dyn Any`, because this module must not depend on `explain`.
    explanation: Option<Arc<dyn Any + Send + Sync>>,
}

/// A further location of an error, with a description.
#[derive(Clone, Debug)]
pub struct Label {
    source: Option<Arc<Source>>,
    /// The location in [`Label::source_text`].
    pub span: Span,
    /// The description, lower case, without a full stop.
    pub text: String,
}

impl Label {
    /// Returns the source that contains the location.
    pub fn source_text(&self) -> Option<&Arc<Source>> {
        self.source.as_ref()
    }
}

/// The result of a function that fails with an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

const MAX_MESSAGE_BYTES: usize = 64 << 10;

fn shorten_message(mut message: String) -> String {
    if message.len() > MAX_MESSAGE_BYTES {
        message.truncate(message.floor_char_boundary(MAX_MESSAGE_BYTES));
        message.push('…');
    }
    message
}

pub(crate) fn shorten_user_text(text: &str) -> String {
    const MAX_USER_TEXT_BYTES: usize = 4 << 10;
    let end = text.floor_char_boundary(MAX_USER_TEXT_BYTES);
    format!("{}{}", &text[..end], if end < text.len() { "…" } else { "" })
}

impl Error {
    /// Returns an error with the code `RUNTIME_ERROR`, which Puppet uses if it has no other.
    pub fn runtime(message: impl Into<String>) -> Error {
        Error::new(RUNTIME_ERROR, message)
    }

    /// Returns an error without a location. The code is in capitals, as in Puppet: `TYPE_MISMATCH`.
    pub fn new(code: &'static str, message: impl Into<String>) -> Error {
        Error(Box::new(ErrorData { code, message: shorten_message(message.into()), ..ErrorData::default() }))
    }

    /// Sets the location unless the error has one already: the innermost call determines it.
    pub fn at(mut self, span: Span) -> Error {
        self.0.span.get_or_insert(span);
        self
    }

    /// Sets the source of the location and of each label, unless it is set. Does nothing to an error without location.
    pub fn in_source(mut self, source: &Arc<Source>) -> Error {
        if self.0.span.is_some() {
            self.0.source.get_or_insert_with(|| source.clone());
            for label in &mut self.0.labels {
                label.source.get_or_insert_with(|| source.clone());
            }
        }
        self
    }

    pub(crate) fn with_subject(mut self, subject: &str) -> Error {
        self.0.message = shorten_message(format!("{subject} {}", self.0.message));
        self
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Error {
        self.add_help(help);
        self
    }

    pub(crate) fn add_help(&mut self, help: impl Into<String>) {
        self.0.help.push(shorten_message(help.into()));
    }

    /// Replaces all advice, and marks the error as one that no further line of input resolves.
    pub(crate) fn with_help_instead(mut self, help: impl Into<String>) -> Error {
        self.0.help.clear();
        self.with_unfinished(false).with_help(help)
    }

    pub(crate) fn with_label(mut self, span: Span, text: impl Into<String>) -> Error {
        self.0.labels.push(Label { source: None, span, text: text.into() });
        self
    }

    pub(crate) fn with_label_in(mut self, source: &Arc<Source>, span: Span, text: impl Into<String>) -> Error {
        self.0.labels.push(Label { source: Some(source.clone()), span, text: text.into() });
        self
    }

    /// Records which argument of the failed call, counted from 0, is the cause; the evaluator adds its location.
    pub(crate) fn caused_by_argument(mut self, at: usize, name: &'static str) -> Error {
        self.0.causing_argument = Some((at, name));
        self
    }

    /// Returns the index and name of the argument that is the cause; `None` if a label already points at it.
    pub(crate) fn causing_argument(&self) -> Option<(usize, &'static str)> {
        self.0.causing_argument.filter(|_| self.0.labels.is_empty())
    }

    pub(crate) fn with_explanation(mut self, explanation: Arc<dyn Any + Send + Sync>) -> Error {
        self.0.explanation = Some(explanation);
        self
    }

    pub(crate) fn explanation<T: 'static>(&self) -> Option<&T> {
        self.0.explanation.as_ref()?.downcast_ref()
    }

    pub(crate) fn with_code(mut self, code: &'static str) -> Error {
        self.0.code = code;
        self
    }

    /// Sets whether the error is an unexpected end of input, which further lines may resolve.
    pub(crate) fn with_unfinished(mut self, is_unfinished: bool) -> Error {
        self.0.is_unfinished = is_unfinished;
        self
    }

    /// Removes secrets, but not from `public_words`. `redact_text` and `mask_source` return `None` if there are none.
    pub(crate) fn redact(
        mut self,
        redact_text: impl Fn(&str) -> Option<String>,
        public_words: &[String],
        mask_source: impl Fn(&Arc<Source>) -> Option<Arc<Source>>,
    ) -> Error {
        let report = &mut *self.0;
        let mut known: Vec<(Arc<Source>, Arc<Source>)> = Vec::new();
        // Parts of secrets that messages quote: `expected `,`, found `hunter2``.
        let mut parts: Vec<String> = Vec::new();
        let labels = report.labels.iter_mut().map(|label| (&mut label.source, Some(label.span)));
        for (source, span) in labels.chain([(&mut report.source, report.span)]) {
            let Some(source) = source else { continue };
            if let Some((_, shown)) = known.iter().find(|(before, _)| Arc::ptr_eq(before, source)) {
                *source = shown.clone();
            } else if let Some(shown) = mask_source(source) {
                known.push((std::mem::replace(source, shown.clone()), shown));
            }
            let hides = |span: &Span| source.is_masked(*span) && !source.slice(*span).is_empty();
            parts.extend(span.filter(hides).map(|span| source.slice(span).to_owned()));
        }
        let redacted = |text: &str| {
            let whole = redact_text(text);
            parts.iter().fold(whole, |whole, part| {
                let text = whole.as_deref().unwrap_or(text);
                let places = text.match_indices(&**part).map(|(at, part)| at..at + part.len());
                let places: Vec<_> = places.filter(|place| !is_inside_word(place, text, public_words)).collect();
                replace_ranges(text, &places, |_| REDACTED.to_owned()).or(whole)
            })
        };
        let texts = report.labels.iter_mut().map(|label| &mut label.text);
        let mut is_changed = !known.is_empty();
        for text in texts.chain(&mut report.help).chain([&mut report.message]) {
            if let Some(shown) = redacted(text) {
                *text = shown;
                is_changed = true;
            }
        }
        if is_changed {
            report.explanation = None;
        }
        self
    }

    /// Returns Puppet's issue code: `NOT_NUMERIC`, `RUNTIME_ERROR`.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// Returns the message, which is lower case and has no full stop.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the advice on what to write instead, one string for each suggestion.
    pub fn help(&self) -> &[String] {
        &self.0.help
    }

    /// Returns the source in which the error occurred.
    pub fn source_text(&self) -> Option<&Arc<Source>> {
        self.0.source.as_ref()
    }

    /// Returns the location in [`Error::source_text`].
    pub fn span(&self) -> Option<Span> {
        self.0.span
    }

    /// Returns further locations, each with a description.
    pub fn labels(&self) -> &[Label] {
        &self.0.labels
    }

    /// Returns the line and column of the location.
    pub fn position(&self) -> Option<Position> {
        Some(self.0.source.as_ref()?.position(self.0.span?.start as usize))
    }

    /// Whether more input could complete the program.
    pub fn is_unfinished(&self) -> bool {
        self.0.is_unfinished
    }
}

impl<K: Kind> From<K> for Error {
    fn from(kind: K) -> Error {
        let mut error = Error::new(kind.code(), kind.to_string());
        error.0.help.extend(kind.help().map(shorten_message));
        error
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}
