//! The two streams: values and notices to standard output, warnings and errors to standard error, in the order in which
//! they happen.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use pcore::session::Interrupt;
use pcore::session::settings::ColorChoice;

use super::show::Palette;

/// Where everything is written.
pub(crate) struct Output {
    out: BufWriter<Stdout>,
    /// A terminal shows each line at once; elsewhere whole blocks are written.
    out_is_terminal: bool,
    /// The colours of standard output.
    pub(crate) palette: Palette,
    /// The colours of standard error.
    pub(crate) error_palette: Palette,
}

impl Output {
    /// The streams of the process, coloured as `color` and the environment say.
    pub(crate) fn new(color: ColorChoice) -> Output {
        let stdout = io::stdout();
        let out_is_terminal = stdout.is_terminal();
        Output {
            out: BufWriter::with_capacity(1 << 16, stdout),
            out_is_terminal,
            palette: palette(color, out_is_terminal),
            error_palette: palette(color, io::stderr().is_terminal()),
        }
    }

    /// Colours from now on as `color` and the environment say.
    pub(crate) fn color(&mut self, color: ColorChoice) {
        self.palette = palette(color, self.out_is_terminal);
        self.error_palette = palette(color, io::stderr().is_terminal());
    }

    /// Writes a line to standard output.
    pub(crate) fn say(&mut self, line: &str) -> io::Result<()> {
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")?;
        if self.out_is_terminal { self.out.flush() } else { Ok(()) }
    }

    /// Writes a line to standard output, or as much of it as is written when the user interrupts.
    pub(crate) fn say_until(&mut self, line: &str, interrupt: &Interrupt) -> io::Result<()> {
        /// What a slow terminal shows within a few milliseconds.
        const CHUNK_BYTES: usize = 1 << 12;
        for chunk in line.as_bytes().chunks(CHUNK_BYTES) {
            if interrupt.is_raised() {
                break;
            }
            self.out.write_all(chunk)?;
            self.out.flush()?;
        }
        self.say("")
    }

    /// Writes a line to standard error, after everything that was said before.
    pub(crate) fn report(&mut self, line: &str) -> io::Result<()> {
        self.out.flush()?;
        let mut stderr = io::stderr().lock();
        stderr.write_all(line.as_bytes())?;
        stderr.write_all(b"\n")
    }

    /// Reports what has no place in a program: a missing file, a wrong request.
    pub(crate) fn complain(&mut self, message: &str) -> io::Result<()> {
        let line = format!("{} {message}", self.error_palette.error("error:"));
        self.report(&line)
    }

    /// Ends the line on a terminal where the user has left in the middle of one.
    pub(crate) fn end_line(&mut self) -> io::Result<()> {
        if self.out_is_terminal { self.say("") } else { Ok(()) }
    }

    /// Writes out what is still held back.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// `NO_COLOR` and `CLICOLOR_FORCE` speak when the command line does not.
fn palette(color: ColorChoice, is_terminal: bool) -> Palette {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    let coloured = match color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) => false,
        ColorChoice::Auto => {
            set("CLICOLOR_FORCE") || (is_terminal && std::env::var_os("TERM").is_none_or(|term| term != "dumb"))
        }
    };
    if coloured { Palette::Coloured } else { Palette::Plain }
}
