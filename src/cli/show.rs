//! Colours, log messages and errors for the terminal.

use anstyle::{AnsiColor, Style};
use pcore::error::Error;
use pcore::functions::Level;
use pcore::report::{self, Options, Severity};
use pcore::syntax::tokens::Kind;
use pcore::wording::printable;

pub(crate) const ERROR: Style = AnsiColor::BrightRed.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
/// The active parameter among dimmed ones.
pub(crate) const CURRENT: Style = Style::new().dimmed().underline();
/// The prompt and other markers.
pub(crate) const MARK: Style = AnsiColor::Green.on_default().bold();
pub(crate) const UNKNOWN: Style = AnsiColor::Red.on_default().underline();
pub(crate) const PAIR: Style = Style::new().bold().underline();

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Palette {
    Plain,
    /// The 16 standard colours.
    Coloured,
}

impl Palette {
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        if self == Palette::Plain || style.is_plain() || text.is_empty() {
            return text.to_owned();
        }
        format!("{style}{}{style:#}", printable(text))
    }
}

pub(crate) fn style_of_token(kind: Kind) -> Style {
    let color = match kind {
        Kind::Comment => return DIM,
        Kind::Keyword => AnsiColor::Magenta,
        Kind::Reference => AnsiColor::Cyan,
        Kind::Variable => AnsiColor::Blue,
        Kind::Number => AnsiColor::Yellow,
        Kind::String => AnsiColor::Green,
        Kind::Regexp => AnsiColor::BrightYellow,
        _ => return Style::new(),
    };
    color.on_default()
}

pub(crate) fn style_of_diff_line(line: &str) -> Style {
    match line.as_bytes().first() {
        Some(b'+') => AnsiColor::Green.on_default(),
        Some(b'-') => AnsiColor::Red.on_default(),
        Some(b'@') => DIM,
        _ => Style::new(),
    }
}

/// `Notice: x`
pub(crate) fn log(level: Level, text: &str, palette: Palette) -> String {
    let (label, style) = match level {
        Level::Debug => ("Debug:", DIM),
        Level::Info => ("Info:", DIM),
        Level::Notice => ("Notice:", MARK),
        Level::Warning => ("Warning:", WARNING),
        Level::Err => ("Error:", ERROR),
        Level::Alert => ("Alert:", ERROR),
        Level::Emerg => ("Emergency:", ERROR),
        Level::Crit => ("Critical:", ERROR),
    };
    format!("{} {}", palette.paint(style, label), printable(text))
}

pub(crate) fn error(error: &Error, severity: Severity, palette: Palette) -> String {
    report::render(error, severity, Options { is_coloured: palette == Palette::Coloured, ..Options::default() })
}
