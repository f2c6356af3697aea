//! Colours, log messages and errors for the terminal.

use std::borrow::Cow;

use owo_colors::{OwoColorize, Style};
use pcore::error::Error;
use pcore::functions::Level;
use pcore::report::{self, Options, Severity};
use pcore::syntax::tokens::Kind;
use pcore::wording::to_printable;

pub(crate) const ERROR_STYLE: Style = Style::new().bright_red().bold();
pub(crate) const WARNING_STYLE: Style = Style::new().yellow().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
/// The style of the active parameter in a hint, among dimmed ones.
pub(crate) const CURRENT: Style = Style::new().dimmed().underline();
/// The style of the prompt and of other markers.
pub(crate) const MARKER_STYLE: Style = Style::new().green().bold();
pub(crate) const UNKNOWN_NAME_STYLE: Style = Style::new().red().underline();
pub(crate) const BRACKET_PAIR_STYLE: Style = Style::new().bold().underline();

/// The start of an escape sequence that sets colours.
pub(crate) const COLOUR_START: &str = "\u{1b}[";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Palette {
    #[default]
    Plain,
    /// The 16 standard colours, with shades that suit a dark background in most terminals.
    Coloured,
    /// The standard colours, except that darker ones replace those that cannot be read on a light background.
    OnLight,
}

/// The codes of colours that are too bright for a light background, each with the code that replaces it.
const DARKER_COLOUR_CODES: [(&str, &str); 8] = [
    ("32", "38;5;28"),
    ("33", "38;5;130"),
    ("36", "38;5;30"),
    ("91", "38;5;160"),
    ("92", "38;5;28"),
    ("93", "38;5;166"),
    ("94", "38;5;25"),
    ("96", "38;5;30"),
];

impl Palette {
    pub(crate) fn paint_text(self, style: Style, text: &str) -> String {
        if self == Palette::Plain || style.is_plain() || text.is_empty() {
            return text.to_owned();
        }
        let painted = to_printable(text).style(style).to_string();
        match painted.strip_prefix(COLOUR_START).and_then(|painted| painted.split_once('m')) {
            Some((parameters, text)) => format!("{COLOUR_START}{}m{text}", self.darken_codes_on_light(parameters)),
            None => painted,
        }
    }

    /// Replaces the codes in an escape sequence, such as `1;32`, by those of this palette.
    pub(crate) fn darken_codes_on_light(self, parameters: &str) -> Cow<'_, str> {
        if self != Palette::OnLight {
            return parameters.into();
        }
        let darker =
            |one| DARKER_COLOUR_CODES.iter().find(|(bright, _)| *bright == one).map_or(one, |(_, darker)| *darker);
        parameters.split(';').map(darker).collect::<Vec<_>>().join(";").into()
    }
}

pub(crate) fn style_of_token(kind: Kind) -> Style {
    let plain = Style::new();
    match kind {
        Kind::Comment => DIM,
        Kind::Keyword => plain.magenta(),
        Kind::Reference => plain.cyan(),
        Kind::Variable => plain.blue(),
        Kind::Number => plain.yellow(),
        Kind::String => plain.green(),
        Kind::Regexp => plain.bright_yellow(),
        _ => plain,
    }
}

pub(crate) fn unified_diff(before: (&str, &str), after: (&str, &str)) -> String {
    let mut options = diffy::DiffOptions::new();
    options.set_original_filename(before.0.to_owned()).set_modified_filename(after.0.to_owned());
    let patch = options.create_patch(before.1, after.1);
    diffy::PatchFormatter::new().suppress_blank_empty(false).fmt_patch(&patch).to_string()
}

pub(crate) fn colour_diff(diff: &str, palette: Palette) -> String {
    let lines = diff.lines().map(|line| {
        let style = match line.as_bytes().first() {
            Some(b'+') => Style::new().green(),
            Some(b'-') => Style::new().red(),
            Some(b'@') => DIM,
            _ => Style::new(),
        };
        palette.paint_text(style, &to_printable(line))
    });
    lines.collect::<Vec<_>>().join("\n")
}

pub(crate) fn format_log_message(level: Level, text: &str, palette: Palette) -> String {
    let (label, style) = match level {
        Level::Debug => ("Debug:", DIM),
        Level::Info => ("Info:", DIM),
        Level::Notice => ("Notice:", MARKER_STYLE),
        Level::Warning => ("Warning:", WARNING_STYLE),
        Level::Err => ("Error:", ERROR_STYLE),
        Level::Alert => ("Alert:", ERROR_STYLE),
        Level::Emerg => ("Emergency:", ERROR_STYLE),
        Level::Crit => ("Critical:", ERROR_STYLE),
    };
    format!("{} {}", palette.paint_text(style, label), to_printable(text))
}

pub(crate) fn render_error(error: &Error, severity: Severity, palette: Palette) -> String {
    let is_coloured = palette != Palette::Plain;
    let columns = terminal_size::terminal_size().filter(|_| is_coloured).map(|(width, _)| width.0.into());
    report::render(error, severity, Options { is_coloured, columns, ..Options::default() })
}
