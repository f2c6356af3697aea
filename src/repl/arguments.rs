//! The command line: one declaration that parsing, `--help` and completion read.

use std::env;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::{Args, Parser, Subcommand, ValueEnum};
use pcore::session::settings::When;
use pcore::session::{Session, Strictness};

use super::project::Project;

/// The Puppet type system: a prompt, a snippet runner and a library.
///
/// Without FILE and -e: the prompt, or the program on standard input when that is no terminal.
#[derive(Debug, Parser)]
#[command(name = "pcore", version, subcommand_precedence_over_arg = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) run: Run,
    #[command(flatten)]
    pub(crate) common: Common,
}

const EXAMPLES: &str = "\
Examples:
  pcore                                      start the prompt
  pcore -e \"'80' =~ Variant[Integer, String]\"
  pcore --strict error types.pp              run a snippet file as Puppet 8 would
  echo '[1, 2].map |$x| { $x * 2 }' | pcore
  pcore --exit-status -e '5 =~ Integer[10]' || echo 'does not fit'
  pcore test transcripts                     run golden transcripts

Exit status: 0 fine; 1 an error was reported or a transcript differs; 2 wrong usage; 130 interrupted.";

/// What holds for every way to run.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// What is an error: `error` is as Puppet 8; otherwise `warning`
    #[arg(long, global = true, value_enum, value_name = "LEVEL")]
    strict: Option<Strict>,
    /// Folders whose subfolders are modules, whose types and functions can be named; without it, those of the module or
    /// environment that the working directory is
    #[arg(long, global = true, value_name = "DIR:DIR", value_parser = folders)]
    modulepath: Option<Folders>,
    /// Looked for when it is first asked for.
    #[arg(skip)]
    project: OnceLock<Project>,
    /// When to colour; otherwise `auto`
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    color: Option<Color>,
}

/// A list of folders as one argument, separated as in `PATH`.
#[derive(Clone, Debug)]
pub(crate) struct Folders(Vec<PathBuf>);

fn folders(list: &str) -> Result<Folders, String> {
    let folders: Vec<PathBuf> = env::split_paths(list).filter(|folder| !folder.as_os_str().is_empty()).collect();
    match folders.iter().find(|folder| !folder.is_dir()) {
        Some(missing) => Err(format!("`{}` is not a folder", missing.display())),
        None => Ok(Folders(folders)),
    }
}

impl Common {
    /// A new session with these settings.
    pub(crate) fn session(&self) -> Session {
        let mut session = Session::default();
        self.apply(&mut session);
        self.project().open_to(&mut session);
        session
    }

    /// Sets what the command line says, whatever was set before.
    pub(crate) fn apply(&self, session: &mut Session) {
        if let Some(strict) = self.strict {
            session.strictness = strict.into();
        }
        if let Some(color) = self.color {
            session.settings.color = color.into();
        }
    }

    /// How strict it is where nothing else says so.
    pub(crate) fn strictness(&self) -> Strictness {
        self.strict.map_or_else(Strictness::default, Strictness::from)
    }

    /// When to colour where nothing else says so.
    pub(crate) fn color(&self) -> When {
        self.color.map_or_else(When::default, When::from)
    }

    /// The modules that programs can name.
    fn project(&self) -> &Project {
        self.project.get_or_init(|| match &self.modulepath {
            Some(folders) => Project::of_path(folders.0.clone()),
            None => env::current_dir().map_or_else(|_| Project::default(), |here| Project::of_directory(&here)),
        })
    }

    /// The modules in a few words; nothing when there are none.
    pub(crate) fn modules(&self) -> Option<String> {
        self.project().summary(&env::current_dir().unwrap_or_default())
    }
}

/// Running snippets. What is set here makes no sense together with a command.
#[derive(Debug, Default, PartialEq, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Run {
    /// Snippet files; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Evaluate CODE; may be repeated, before all files
    #[arg(short, long, value_name = "CODE", allow_hyphen_values = true)]
    pub(crate) execute: Vec<String>,
    /// Stay at the prompt afterwards
    #[arg(short, long)]
    pub(crate) interactive: bool,
    /// Print one JSON object for each program instead of values and messages
    #[arg(long)]
    pub(crate) json: bool,
    /// Print values in this format of `String.new`
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    /// Exit with 1 when the last value is false or undef
    #[arg(long)]
    pub(crate) exit_status: bool,
    /// Say how long each program took
    #[arg(long)]
    pub(crate) time: bool,
    /// Start the prompt without the user's settings and start file
    #[arg(long)]
    pub(crate) no_config: bool,
    /// Print no values, only what the programs say
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// What else the program does.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run golden transcripts: the `pcore` blocks of Markdown files
    Test {
        /// Rewrite the transcripts with what was answered; refused when CI is set
        #[arg(long)]
        bless: bool,
        /// Markdown files, and folders that are searched for them
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Check the syntax of files, or print their trees
    Parse {
        /// Print the tree in Puppet Extended S-Expression Notation
        #[arg(long, conflicts_with = "json")]
        pn: bool,
        /// Print the same tree as JSON, a line for each file: a list (a b) is {"^": ["a", "b"]}, a map {:a 1} is
        /// {"#": ["a", 1]}, undef null; names and keys are strings
        #[arg(long)]
        json: bool,
        /// Files, templates where the name ends in `.epp`; `-` is standard input
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Answer requests, JSON Lines in and out: {"id": 1, "code": "1 + 1"} or {"id": 2, "parse": "1 + 1"}, with
    /// "json": true for a tree as data
    Batch,
}

/// `--strict`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Strict {
    /// Take what the specification takes, silently
    Off,
    /// Take it, with a warning
    Warning,
    /// Refuse what Puppet 8 refuses
    Error,
}

impl From<Strict> for Strictness {
    fn from(strict: Strict) -> Strictness {
        match strict {
            Strict::Off => Strictness::Off,
            Strict::Warning => Strictness::Warning,
            Strict::Error => Strictness::Error,
        }
    }
}

/// `--color`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl From<Color> for When {
    fn from(color: Color) -> When {
        match color {
            Color::Auto => When::Auto,
            Color::Always => When::Always,
            Color::Never => When::Never,
        }
    }
}
