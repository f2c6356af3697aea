//! The two streams: values and notices on standard output, warnings and errors on standard error, in order.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use super::{ColorChoice, Error, Severity};
use pcore::session::Interrupt;
use pcore::session::settings::Theme;
use pcore::wording::{printable, printable_json};

use super::show::{self, COLOUR, Palette};

pub(crate) struct Output {
    out: BufWriter<Stdout>,
    /// On a terminal each line is flushed.
    pub(crate) is_terminal: bool,
    pub(crate) palette: Palette,
    pub(crate) error_palette: Palette,
}

impl Output {
    /// The streams of the process, coloured according to `color` and the environment.
    pub(crate) fn new(color: ColorChoice) -> Output {
        let stdout = io::stdout();
        let (is_terminal, palette) = (stdout.is_terminal(), Palette::Plain);
        let out = BufWriter::with_capacity(1 << 16, stdout);
        let mut output = Output { out, is_terminal, palette, error_palette: palette };
        output.choose_colors(color, Theme::Auto);
        output
    }

    /// Turns colours on or off, by the settings `color` and `theme` and by the environment (`NO_COLOR`, `TERM` …).
    pub(crate) fn choose_colors(&mut self, color: ColorChoice, theme: Theme) {
        self.palette = palette(color, theme, self.is_terminal);
        self.error_palette = palette(color, theme, io::stderr().is_terminal());
    }

    /// Writes a line for human readers to standard output.
    pub(crate) fn say(&mut self, line: &str) -> io::Result<()> {
        self.say_raw(&printable(line))
    }

    /// Writes a line that already contains our own colour codes to standard output.
    pub(crate) fn say_styled(&mut self, line: &str) -> io::Result<()> {
        self.say_raw(&without_control_codes(line, self.palette))
    }

    pub(crate) fn say_json(&mut self, json: &str) -> io::Result<()> {
        self.say_raw(&printable_json(json))
    }

    /// Writes a line for other programs to standard output unchanged.
    pub(crate) fn say_raw(&mut self, line: &str) -> io::Result<()> {
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")?;
        if self.is_terminal { self.out.flush() } else { Ok(()) }
    }

    /// Writes a line to standard output; stops when the user interrupts.
    pub(crate) fn say_until(&mut self, line: &str, interrupt: &Interrupt) -> io::Result<()> {
        /// A slow terminal prints this many bytes within a few milliseconds.
        const CHUNK_BYTES: usize = 1 << 12;
        for chunk in without_control_codes(line, self.palette).as_bytes().chunks(CHUNK_BYTES) {
            if interrupt.is_raised() {
                break;
            }
            self.out.write_all(chunk)?;
            self.out.flush()?;
        }
        self.say("")
    }

    /// Writes a line to standard error, after flushing standard output, and even if that fails.
    pub(crate) fn report(&mut self, line: &str) -> io::Result<()> {
        let flushed = self.out.flush();
        let mut stderr = io::stderr().lock();
        stderr.write_all(without_control_codes(line, self.error_palette).as_bytes())?;
        stderr.write_all(b"\n")?;
        flushed
    }

    pub(crate) fn report_error(&mut self, error: &Error, severity: Severity) -> io::Result<()> {
        self.report(&show::error(error, severity, self.error_palette))
    }

    /// Reports an error without a location: a missing file, an invalid request.
    pub(crate) fn complain(&mut self, message: &str) -> io::Result<()> {
        let label = self.error_palette.paint(show::ERROR, "error:");
        self.report(&format!("{label} {}", printable(message)))
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The line with all control characters replaced, except for the colour codes of `palette`.
fn without_control_codes(line: &str, palette: Palette) -> Cow<'_, str> {
    if palette == Palette::Plain || !line.contains(COLOUR) {
        return printable(line);
    }
    let mut pieces = line.split(COLOUR);
    let mut shown = printable(pieces.next().unwrap_or_default()).into_owned();
    for piece in pieces {
        let parameters = piece.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
        match piece.get(parameters..).and_then(|rest| rest.strip_prefix('m')) {
            Some(rest) => {
                shown.push_str(COLOUR);
                shown.push_str(&palette.colours(&piece[..parameters]));
                shown.push('m');
                shown.push_str(&printable(rest));
            }
            None => shown.push_str(&printable(&format!("{COLOUR}{piece}"))),
        }
    }
    Cow::Owned(shown)
}

/// Without a choice on the command line, `NO_COLOR`, `FORCE_COLOR` and `CLICOLOR_FORCE` decide. In `COLORFGBG`, as in `0;15`,
/// terminals name the background last: 7 and 15 are white.
fn palette(color: ColorChoice, theme: Theme, is_terminal: bool) -> Palette {
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
    let is_light = match theme {
        Theme::Auto => std::env::var("COLORFGBG").is_ok_and(is_white),
        theme => theme == Theme::Light,
    };
    match (coloured, is_light) {
        (false, _) => Palette::Plain,
        (true, false) => Palette::Coloured,
        (true, true) => Palette::OnLight,
    }
}
