//! Colours, log messages and errors for the terminal.

use owo_colors::OwoColorize;
use pcore::error::Error;
use pcore::functions::Level;
use pcore::report::{self, Options, Severity};
use pcore::syntax::tokens::Kind;
use pcore::wording::printable;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Palette {
    Plain,
    /// The 16 standard colours.
    Coloured,
}

impl Palette {
    pub(crate) fn error(self, text: &str) -> String {
        self.paint(text, |text| text.bright_red().bold().to_string())
    }

    pub(crate) fn warning(self, text: &str) -> String {
        self.paint(text, |text| text.yellow().bold().to_string())
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint(text, |text| text.dimmed().to_string())
    }

    /// Highlights the active parameter; the others are dimmed.
    pub(crate) fn current(self, text: &str) -> String {
        self.paint(text, |text| text.dimmed().underline().to_string())
    }

    /// The prompt and other markers.
    pub(crate) fn mark(self, text: &str) -> String {
        self.paint(text, |text| text.green().bold().to_string())
    }

    pub(crate) fn diff_line(self, line: &str) -> String {
        match line.as_bytes().first() {
            Some(b'+') => self.paint(line, |line| line.green().to_string()),
            Some(b'-') => self.paint(line, |line| line.red().to_string()),
            Some(b'@') => self.dim(line),
            _ => line.to_owned(),
        }
    }

    pub(crate) fn code(self, kind: Kind, text: &str) -> String {
        match kind {
            Kind::Comment => self.dim(text),
            Kind::Keyword => self.paint(text, |text| text.magenta().to_string()),
            Kind::Reference => self.paint(text, |text| text.cyan().to_string()),
            Kind::Variable => self.paint(text, |text| text.blue().to_string()),
            Kind::Number => self.paint(text, |text| text.yellow().to_string()),
            Kind::String => self.paint(text, |text| text.green().to_string()),
            Kind::Regexp => self.paint(text, |text| text.bright_yellow().to_string()),
            _ => text.to_owned(),
        }
    }

    pub(crate) fn unknown(self, text: &str) -> String {
        self.paint(text, |text| text.red().underline().to_string())
    }

    /// A bracket of the pair at the cursor.
    pub(crate) fn pair(self, text: &str) -> String {
        self.paint(text, |text| text.bold().underline().to_string())
    }

    fn paint(self, text: &str, coloured: impl Fn(&str) -> String) -> String {
        match self {
            _ if text.is_empty() => String::new(),
            Palette::Plain => text.to_owned(),
            Palette::Coloured => coloured(&printable(text)),
        }
    }
}

/// `Notice: x`
pub(crate) fn log(level: Level, text: &str, palette: Palette) -> String {
    let (label, paint): (_, fn(Palette, &str) -> String) = match level {
        Level::Debug => ("Debug:", Palette::dim),
        Level::Info => ("Info:", Palette::dim),
        Level::Notice => ("Notice:", Palette::mark),
        Level::Warning => ("Warning:", Palette::warning),
        Level::Err => ("Error:", Palette::error),
        Level::Alert => ("Alert:", Palette::error),
        Level::Emerg => ("Emergency:", Palette::error),
        Level::Crit => ("Critical:", Palette::error),
    };
    format!("{} {}", paint(palette, label), printable(text))
}

pub(crate) fn error(error: &Error, severity: Severity, palette: Palette) -> String {
    report::render(error, severity, Options { is_coloured: palette == Palette::Coloured, ..Options::default() })
}
