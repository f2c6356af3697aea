//! The program in a pseudo-terminal: keys go in, the screen comes out.
//!
//! Nothing here waits for a fixed time. A screen is compared until it is as it should be; only when it is not for
//! [`PATIENCE`], the test fails and shows both.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};
use std::{fs, thread};

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use vt100::{Color, Parser};

/// How long a busy machine may take for one step.
const PATIENCE: Duration = Duration::from_mins(1);

/// A folder of its own for what a test's prompts leave behind.
pub(crate) struct Home(PathBuf);

impl Home {
    pub(crate) fn new(name: &str) -> Home {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terminal").join(name);
        // What an earlier run has left.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Home(path)
    }

    pub(crate) fn history(&self) -> PathBuf {
        self.0.join("state/pcore/history")
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

/// What a terminal is like.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) rows: u16,
    pub(crate) columns: u16,
    /// Variables of the environment.
    pub(crate) environment: &'static [(&'static str, &'static str)],
    /// Arguments of the program.
    pub(crate) arguments: &'static [&'static str],
}

/// A terminal as most have it.
pub(crate) const USUAL: Kind = Kind { rows: 24, columns: 80, environment: &[], arguments: &[] };

/// A running prompt.
pub(crate) struct Terminal {
    pty: Arc<Pty>,
    child: Child,
    /// The screen, and whether it was ever coloured.
    screen: Arc<(Mutex<(Parser, bool)>, Condvar)>,
}

impl Terminal {
    /// Starts the prompt and waits until it can be typed at; the screen is empty but for the prompt.
    pub(crate) fn start(home: &Home, kind: Kind) -> Terminal {
        let mut terminal = Terminal::open(home, kind);
        terminal.wait(|screen| screen.contents().trim_end().ends_with("\n>>"));
        terminal.keys("\x0c");
        terminal.shows(&[">>"]);
        terminal
    }

    /// Starts the prompt.
    pub(crate) fn open(home: &Home, kind: Kind) -> Terminal {
        Terminal::run(Path::new(env!("CARGO_BIN_EXE_pcore")), home, kind)
    }

    /// Starts a program.
    pub(crate) fn run(program: &Path, home: &Home, kind: Kind) -> Terminal {
        let (pty, pts) = open().unwrap();
        pty.resize(Size::new(kind.rows, kind.columns)).unwrap();
        let child = Command::new(program)
            .args(kind.arguments)
            .current_dir(home.path())
            .env_clear()
            .env("TERM", "xterm-256color")
            .env("HOME", home.path())
            .env("XDG_STATE_HOME", home.path().join("state"))
            .env("XDG_CONFIG_HOME", home.path().join("config"))
            .envs(kind.environment.iter().copied())
            .spawn(pts)
            .unwrap();
        let pty = Arc::new(pty);
        let screen = Arc::new((Mutex::new((parser(kind.rows, kind.columns), false)), Condvar::new()));
        let (reader, seen) = (pty.clone(), screen.clone());
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The program has left when there is nothing more to read.
            while let Ok(length @ 1..) = (&*reader).read(&mut bytes) {
                let mut screen = seen.0.lock().unwrap();
                screen.0.process(&bytes[..length]);
                screen.1 |= is_coloured(screen.0.screen());
                drop(screen);
                seen.1.notify_all();
            }
        });
        Terminal { pty, child, screen }
    }

    /// Presses keys.
    pub(crate) fn keys(&mut self, keys: &str) {
        self.bytes(keys.as_bytes());
    }

    /// Sends what no keyboard would.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        (&*self.pty).write_all(bytes).unwrap();
    }

    /// Types a text as people do: a key is pressed when the one before has been shown.
    pub(crate) fn types(&mut self, text: &str) {
        for key in text.chars() {
            let before = self.position();
            self.keys(&key.to_string());
            self.wait(|screen| screen.cursor_position() != before);
            // Longer than any terminal takes from one pasted key to the next.
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Pastes a text as terminals do that tell so.
    pub(crate) fn pastes(&mut self, text: &str) {
        self.keys(&format!("\x1b[200~{text}\x1b[201~"));
    }

    /// Makes the window larger or smaller; its lines are wrapped anew, as most terminals do. The cursor has to be behind
    /// all text.
    pub(crate) fn resize(&mut self, rows: u16, columns: u16) {
        let mut screen = self.screen.0.lock().unwrap();
        let wrapped = lines(screen.0.screen());
        screen.0 = parser(rows, columns);
        screen.0.process(wrapped.as_bytes());
        drop(screen);
        self.pty.resize(Size::new(rows, columns)).unwrap();
    }

    /// Waits until these are the rows of the screen, from its top, without blanks at their ends.
    #[track_caller]
    pub(crate) fn shows(&self, rows: &[&str]) {
        if !self.waits(|screen| shown(screen) == rows) {
            let screen = self.rows();
            assert_eq!(screen.join("\n"), rows.join("\n"));
        }
    }

    /// Waits until the screen is as `expected`.
    #[track_caller]
    pub(crate) fn wait(&self, expected: impl Fn(&vt100::Screen) -> bool) {
        assert!(self.waits(expected), "the screen stays like this:\n{}", self.rows().join("\n"));
    }

    fn waits(&self, expected: impl Fn(&vt100::Screen) -> bool) -> bool {
        let until = Instant::now() + PATIENCE;
        let mut parser = self.screen.0.lock().unwrap();
        while !expected(parser.0.screen()) {
            let Some(left) = until.checked_duration_since(Instant::now()) else { return false };
            parser = self.screen.1.wait_timeout(parser, left).unwrap().0;
        }
        true
    }

    /// The rows of the screen, without blanks at their ends.
    pub(crate) fn rows(&self) -> Vec<String> {
        shown(self.screen.0.lock().unwrap().0.screen())
    }

    /// Whether anything was ever shown in another colour, bold, dim or underlined.
    pub(crate) fn was_coloured(&self) -> bool {
        self.screen.0.lock().unwrap().1
    }

    /// Row and column of the cursor, from 0.
    pub(crate) fn position(&self) -> (u16, u16) {
        self.screen.0.lock().unwrap().0.screen().cursor_position()
    }

    /// The pieces of a row that look alike, with how they look; blanks at its end are left out.
    pub(crate) fn looks(&self, row: u16) -> Vec<(String, String)> {
        let parser = self.screen.0.lock().unwrap();
        let screen = parser.0.screen();
        let mut pieces: Vec<(String, String)> = Vec::new();
        for column in 0..u16::MAX {
            let Some(cell) = screen.cell(row, column) else { break };
            let mut look = match cell.fgcolor() {
                Color::Default => String::new(),
                Color::Idx(number) => ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
                    .get(usize::from(number))
                    .map_or_else(|| format!("colour {number}"), |name| (*name).to_owned()),
                Color::Rgb(..) => "of its own".to_owned(),
            };
            for (is_so, name) in [(cell.bold(), " bold"), (cell.dim(), " dim"), (cell.underline(), " underlined")] {
                look.push_str(if is_so { name } else { "" });
            }
            let text = if cell.has_contents() { cell.contents() } else { " " };
            match pieces.last_mut() {
                Some((piece, same)) if *same == look || text == " " => piece.push_str(text),
                _ => pieces.push((text.to_owned(), look)),
            }
        }
        if let Some((last, _)) = pieces.last_mut() {
            last.truncate(last.trim_end().len());
        }
        pieces
    }

    /// The number of the process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the program has ended; its exit code.
    pub(crate) fn ends(mut self) -> i32 {
        self.child.wait().unwrap().code().unwrap()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_coloured(screen: &vt100::Screen) -> bool {
    let (rows, columns) = screen.size();
    (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column))).any(|(row, column)| {
        let cell = screen.cell(row, column).unwrap();
        cell.fgcolor() != Color::Default || cell.bold() || cell.dim() || cell.underline()
    })
}

fn parser(rows: u16, columns: u16) -> Parser {
    Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 0)
}

/// The text up to the cursor; a line that was wrapped is one.
fn lines(screen: &vt100::Screen) -> String {
    let (_, columns) = screen.size();
    let (last, column) = screen.cursor_position();
    let rows = screen.rows(0, columns.get()).zip(0..=last);
    let text = rows.map(|(text, row)| match row {
        _ if screen.row_wrapped(row) => text,
        _ if row == last => format!("{text:width$}", width = usize::from(column)),
        _ => text.trim_end().to_owned() + "\r\n",
    });
    text.collect()
}

/// The rows down to the last that is not empty.
fn shown(screen: &vt100::Screen) -> Vec<String> {
    let (_, columns) = screen.size();
    let mut rows: Vec<String> = screen.rows(0, columns.get()).map(|row| row.trim_end().to_owned()).collect();
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    rows
}
