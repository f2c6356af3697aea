//! The one public error: what went wrong, where, and what to write instead.
//!
//! Every area has a small enum of kinds that implements [`Kind`], most as a table of `errors!`. The code that knows
//! values and types creates an error without a location; the evaluator adds it with [`Error::at`].

use std::fmt::{self, Write};
use std::{any::Any, ops::Range, sync::Arc};

use crate::text::{Position, Source, Span};

pub(crate) trait Kind: fmt::Display {
    /// Puppet's issue code, a fact of the language: `NOT_NUMERIC`.
    fn code(&self) -> &'static str;

    /// Advice on what to write instead, if any.
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

/// The errors of an area, one row for each kind: `Name(field: Type) => code, message(…), help(…);`.
///
/// `message` and `help` are given what `format!` is given, and see the fields; `help { … }` is an `Option<String>`.
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

/// The issue code of what reached a limit on time, memory, size or depth.
pub const LIMIT: &str = "LIMIT";

/// What is shown instead of a secret.
pub(crate) const REDACTED: &str = "[redacted]";

pub(crate) fn is_inside(place: &Range<usize>, text: &str, words: &[String]) -> bool {
    let is_around = |(at, word): (usize, &str)| at <= place.start && place.end <= at + word.len();
    words.iter().any(|word| text.match_indices(&**word).any(is_around))
}

/// The text with something else at these places; `None` if there are none.
pub(crate) fn replaced(text: &str, places: &[Range<usize>], replacement: impl Fn(&str) -> String) -> Option<String> {
    let (mut replaced, mut rest) = (String::with_capacity(text.len()), 0);
    for place in places {
        replaced.push_str(&text[rest..place.start]);
        replaced.push_str(&replacement(&text[place.clone()]));
        rest = place.end;
    }
    replaced.push_str(&text[rest..]);
    (!places.is_empty()).then_some(replaced)
}

/// An error of a program, with everything needed to show it.
/// ```
/// let error = pcore::Session::default().eval("[1, 2].mapp |$n| { $n }").unwrap_err();
/// assert_eq!(error.code(), "UNKNOWN_FUNCTION");
/// assert_eq!(error.help(), ["did you mean map?"]);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Error(Box<Report>);

#[derive(Clone, Debug, Default)]
struct Report {
    code: &'static str,
    message: String,
    help: Vec<String>,
    source: Option<Arc<Source>>,
    span: Option<Span>,
    labels: Vec<Label>,
    unfinished: bool,
    /// The index and the name of the argument that caused the error.
    argument: Option<(usize, &'static str)>,
    /// The reasons as data; the type is private to another module.
    explanation: Option<Arc<dyn Any + Send + Sync>>,
}

/// A further location that matters, with a description.
#[derive(Clone, Debug)]
pub struct Label {
    source: Option<Arc<Source>>,
    /// The location in [`Label::source_text`].
    pub span: Span,
    /// The description, lower case, without a full stop.
    pub text: String,
}

impl Label {
    /// The source of the location.
    pub fn source_text(&self) -> Option<&Arc<Source>> {
        self.source.as_ref()
    }
}

/// The result of everything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

const MAX_MESSAGE_BYTES: usize = 64 << 10;

/// A message in the making, which keeps what fits.
struct Message(String);

impl fmt::Write for Message {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let room = (MAX_MESSAGE_BYTES + 1).saturating_sub(self.0.len());
        self.0.push_str(&piece[..piece.ceil_char_boundary(room)]);
        if piece.len() > room { Err(fmt::Error) } else { Ok(()) }
    }
}

fn shortened(mut message: String) -> String {
    if message.len() > MAX_MESSAGE_BYTES {
        message.truncate(message.floor_char_boundary(MAX_MESSAGE_BYTES));
        message.push('…');
    }
    message
}

/// A quotation of the user's code, shortened for a message.
pub(crate) fn quoted(text: &str) -> String {
    const MAX_BYTES: usize = 4 << 10;
    let end = text.floor_char_boundary(MAX_BYTES);
    format!("{}{}", &text[..end], if end < text.len() { "…" } else { "" })
}

impl Error {
    pub(crate) fn of_kind(kind: &impl Kind) -> Error {
        let mut message = Message(String::new());
        let _ = write!(message, "{kind}"); // What fits is enough.
        let mut error = Error::new(kind.code(), message.0);
        error.0.help.extend(kind.help().map(shortened));
        error
    }

    /// An error with the catch-all code.
    pub fn runtime(message: impl Into<String>) -> Error {
        Error::new(RUNTIME_ERROR, message)
    }

    /// An error without a location. Codes are words in capitals, as in Puppet: `TYPE_MISMATCH`.
    pub fn new(code: &'static str, message: impl Into<String>) -> Error {
        Error(Box::new(Report { code, message: shortened(message.into()), ..Report::default() }))
    }

    /// Sets the span unless one is set already: the innermost wins.
    pub fn at(mut self, span: Span) -> Error {
        self.0.span.get_or_insert(span);
        self
    }

    /// Sets the source, unless one is set already or the error has no span: then the call that failed gets a place later.
    pub fn in_source(mut self, source: &Arc<Source>) -> Error {
        if self.0.span.is_some() {
            self.0.source.get_or_insert_with(|| source.clone());
            for label in &mut self.0.labels {
                label.source.get_or_insert_with(|| source.clone());
            }
        }
        self
    }

    /// Puts a subject before the message.
    pub(crate) fn about(mut self, subject: &str) -> Error {
        self.0.message = shortened(format!("{subject} {}", self.0.message));
        self
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Error {
        self.0.help.push(shortened(help.into()));
        self
    }

    /// Advice that makes the rest unnecessary, and more lines of input too.
    pub(crate) fn with_help_instead(mut self, help: impl Into<String>) -> Error {
        self.0.help.clear();
        self.finished().with_help(help)
    }

    pub(crate) fn with_label(mut self, span: Span, text: impl Into<String>) -> Error {
        self.0.labels.push(Label { source: None, span, text: text.into() });
        self
    }

    pub(crate) fn with_label_in(mut self, source: &Arc<Source>, span: Span, text: impl Into<String>) -> Error {
        self.0.labels.push(Label { source: Some(source.clone()), span, text: text.into() });
        self
    }

    /// Marks an argument of the failed call, from 0, as the cause; the evaluator adds its location.
    pub(crate) fn about_argument(mut self, at: usize, name: &'static str) -> Error {
        self.0.argument = Some((at, name));
        self
    }

    /// The argument that caused the error, unless a label already points at it.
    pub(crate) fn argument(&self) -> Option<(usize, &'static str)> {
        self.0.argument.filter(|_| self.0.labels.is_empty())
    }

    pub(crate) fn with_explanation(mut self, explanation: Arc<dyn Any + Send + Sync>) -> Error {
        self.0.explanation = Some(explanation);
        self
    }

    /// The reasons as data, if they are of this type.
    pub(crate) fn explanation<T: 'static>(&self) -> Option<&T> {
        self.0.explanation.as_ref()?.downcast_ref()
    }

    pub(crate) fn with_code(mut self, code: &'static str) -> Error {
        self.0.code = code;
        self
    }

    /// Marks the error as an unexpected end of input.
    pub(crate) fn unfinished(mut self) -> Error {
        self.0.unfinished = true;
        self
    }

    /// Says that no further line of input would help.
    pub(crate) fn finished(mut self) -> Error {
        self.0.unfinished = false;
        self
    }

    /// Redacts the error. `redacted` and `hidden` return a string and a source without its secrets, or `None` if it has none.
    pub(crate) fn without(
        mut self,
        redacted: impl Fn(&str) -> Option<String>,
        public: &[String],
        hidden: impl Fn(&Arc<Source>) -> Option<Arc<Source>>,
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
            } else if let Some(shown) = hidden(source) {
                known.push((std::mem::replace(source, shown.clone()), shown));
            }
            let hides = |span: &Span| source.hides(*span) && !source.slice(*span).is_empty();
            parts.extend(span.filter(hides).map(|span| source.slice(span).to_owned()));
        }
        let redacted = |text: &str| {
            let whole = redacted(text);
            parts.iter().fold(whole, |whole, part| {
                let text = whole.as_deref().unwrap_or(text);
                let places = text.match_indices(&**part).map(|(at, part)| at..at + part.len());
                let places: Vec<_> = places.filter(|place| !is_inside(place, text, public)).collect();
                replaced(text, &places, |_| REDACTED.to_owned()).or(whole)
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

    /// Puppet's issue code: `NOT_NUMERIC`, `RUNTIME_ERROR`.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// The message, lower case, without a full stop.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Advice, one line each.
    pub fn help(&self) -> &[String] {
        &self.0.help
    }

    /// The source of the error.
    pub fn source_text(&self) -> Option<&Arc<Source>> {
        self.0.source.as_ref()
    }

    /// The location in [`Error::source_text`].
    pub fn span(&self) -> Option<Span> {
        self.0.span
    }

    /// Further locations with labels.
    pub fn labels(&self) -> &[Label] {
        &self.0.labels
    }

    /// Line and column of the location.
    pub fn position(&self) -> Option<Position> {
        Some(self.0.source.as_ref()?.position(self.0.span?.start as usize))
    }

    /// Whether more input could complete the program.
    pub fn is_unfinished(&self) -> bool {
        self.0.unfinished
    }
}

impl<K: Kind> From<K> for Error {
    fn from(kind: K) -> Error {
        Error::of_kind(&kind)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}
