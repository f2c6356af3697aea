//! The output streams: values and notices on standard output, warnings and errors on standard error, in order.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use super::{ColorChoice, Error, Severity};
use pcore::session::Interrupt;
use pcore::session::settings::Theme;
use pcore::wording::{to_printable, to_printable_json};

use super::show::{self, COLOUR_START, Palette};

pub(crate) struct Output {
    stdout: BufWriter<Stdout>,
    /// Whether standard output is a terminal, where each line is flushed.
    pub(crate) is_terminal: bool,
    pub(crate) palette: Palette,
    pub(crate) stderr_palette: Palette,
}

impl Output {
    pub(crate) fn new(color: ColorChoice) -> Output {
        let stdout = io::stdout();
        let (is_terminal, palette) = (stdout.is_terminal(), Palette::Plain);
        let out = BufWriter::with_capacity(1 << 16, stdout);
        let mut output = Output { stdout: out, is_terminal, palette, stderr_palette: palette };
        output.choose_colors(color, Theme::Auto);
        output
    }

    pub(crate) fn choose_colors(&mut self, color: ColorChoice, theme: Theme) {
        self.palette = choose_palette(color, theme, self.is_terminal);
        self.stderr_palette = choose_palette(color, theme, io::stderr().is_terminal());
    }

    /// Writes `line` to standard output, with control characters replaced by printable ones.
    pub(crate) fn print_line(&mut self, line: &str) -> io::Result<()> {
        self.print_raw_line(&to_printable(line))
    }

    pub(crate) fn print_styled_line(&mut self, line: &str) -> io::Result<()> {
        self.print_raw_line(&sanitize_styled_line(line, self.palette))
    }

    pub(crate) fn print_json_line(&mut self, json: &str) -> io::Result<()> {
        self.print_raw_line(&to_printable_json(json))
    }

    /// Writes `line` to standard output unchanged, for other programs.
    pub(crate) fn print_raw_line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.stdout, "{line}")?;
        if self.is_terminal { self.stdout.flush() } else { Ok(()) }
    }

    pub(crate) fn print_until_interrupt(&mut self, line: &str, interrupt: &Interrupt) -> io::Result<()> {
        /// The number of bytes to print between two checks of `interrupt`: a few milliseconds on a slow terminal.
        const CHUNK_BYTES: usize = 1 << 12;
        for chunk in sanitize_styled_line(line, self.palette).as_bytes().chunks(CHUNK_BYTES) {
            if interrupt.is_raised() {
                break;
            }
            self.stdout.write_all(chunk)?;
            self.stdout.flush()?;
        }
        self.print_line("")
    }

    /// Flushes standard output, and writes `line` to standard error in colours, even if flushing fails.
    pub(crate) fn print_stderr_line(&mut self, line: &str) -> io::Result<()> {
        let flushed = self.stdout.flush();
        writeln!(io::stderr().lock(), "{}", sanitize_styled_line(line, self.stderr_palette))?;
        flushed
    }

    pub(crate) fn report_error(&mut self, error: &Error, severity: Severity) -> io::Result<()> {
        self.print_stderr_line(&show::render_error(error, severity, self.stderr_palette))
    }

    /// Prints `error: ` and `message` to standard error, for errors without a location such as a missing file.
    pub(crate) fn print_error_message(&mut self, message: &str) -> io::Result<()> {
        let label = self.stderr_palette.paint_text(show::ERROR_STYLE, "error:");
        self.print_stderr_line(&format!("{label} {}", to_printable(message)))
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

fn sanitize_styled_line(line: &str, palette: Palette) -> Cow<'_, str> {
    if palette == Palette::Plain || !line.contains(COLOUR_START) {
        return to_printable(line);
    }
    let mut pieces = line.split(COLOUR_START);
    let mut shown = to_printable(pieces.next().unwrap_or_default()).into_owned();
    for piece in pieces {
        let parameters = piece.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
        match piece.get(parameters..).and_then(|rest| rest.strip_prefix('m')) {
            Some(rest) => {
                let codes = palette.darken_codes_on_light(&piece[..parameters]);
                shown.extend([COLOUR_START, &codes, "m", &to_printable(rest)]);
            }
            None => shown.push_str(&to_printable(&format!("{COLOUR_START}{piece}"))),
        }
    }
    Cow::Owned(shown)
}

/// Returns the palette of a stream. For `Auto`, `NO_COLOR`, `FORCE_COLOR` and `CLICOLOR_FORCE` in the environment
/// decide before `is_terminal`. In `COLORFGBG`, as in `0;15`, terminals name the background last: 7 and 15 are white.
fn choose_palette(color: ColorChoice, theme: Theme, is_terminal: bool) -> Palette {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    let coloured = match color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) => false,
        ColorChoice::Auto => {
            set("FORCE_COLOR")
                || set("CLICOLOR_FORCE")
                || (is_terminal && std::env::var_os("TERM").is_none_or(|term| term != "dumb"))
        }
    };
    let is_white = |colours: String| colours.ends_with(";7") || colours.ends_with(";15");
    match theme {
        _ if !coloured => Palette::Plain,
        Theme::Light => Palette::OnLight,
        Theme::Auto if std::env::var("COLORFGBG").is_ok_and(is_white) => Palette::OnLight,
        Theme::Auto | Theme::Dark => Palette::Coloured,
    }
}
