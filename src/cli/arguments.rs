//! The command line: one declaration that parsing, `--help` and completion read.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use pcore::data::{self, Format};
use pcore::session::settings::ColorChoice;
use pcore::session::{Session, Strictness};
use pcore::types::Type;
use pcore::value::{Hash, Value};

use super::input;
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
  pcore --facts facts.yaml -e '$facts[os][family]'
  pcore check data manifests                 a module's data and parameters against their types
  pcore test transcripts                     run golden transcripts

Exit status: 0 fine; 1 an error was reported or a transcript differs; 2 wrong usage; 130 interrupted.";

const TEST_EXAMPLES: &str = "\
Examples:
  pcore test transcripts                     run all transcripts of a folder
  pcore test --bless README.md               keep what is answered

Exit status: 0 all as written; 1 something differs; 2 wrong usage.";

const PARSE_EXAMPLES: &str = "\
Examples:
  pcore parse manifests/*.pp                 say what is wrong, and nothing else
  echo '1 + 2' | pcore parse --pn -

Exit status: 0 no file has an error; 1 one has, or cannot be read; 2 wrong usage.";

const BATCH_EXAMPLES: &str = "\
Examples:
  echo '{\"id\": 1, \"code\": \"1 + 1\"}' | pcore batch
  echo '{\"parse\": \"1 + 1\"}' | pcore batch
  echo '{\"code\": \"$x\", \"preamble\": \"$x = 1\", \"strict\": \"error\"}' | pcore batch

Exit status: 0, whatever the answers are.";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  pcore completions bash > ~/.local/share/bash-completion/completions/pcore
  pcore completions fish > ~/.config/fish/completions/pcore.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  pcore man | man -l -
  pcore man check > pcore-check.1";

const CHECK_EXAMPLES: &str = "\
Examples:
  pcore check data                           Hiera's data against the classes of the module path
  pcore check manifests types functions      the defaults of all parameters, and all type aliases
  pcore check --type 'Hash[String, Stdlib::Port]' ports.yaml
  pcore check --json data | jq 'select(.ok | not)'

Exit status: 0 all fits; 1 something does not fit, or cannot be read; 2 wrong usage.";

/// What holds for every way to run.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// What is an error: `error` is as Puppet 8; otherwise `warning`
    #[arg(long, global = true, value_enum, value_name = "LEVEL")]
    strict: Option<Strict>,
    /// Folders whose subfolders are modules, whose types and functions can be named; without it, those of the module or
    /// environment that the working directory is
    #[arg(long, global = true, value_name = "DIR:DIR", value_parser = folders, value_hint = ValueHint::DirPath)]
    modulepath: Option<Folders>,
    /// Facts in YAML or JSON, for `$facts` and the variables of their names
    #[arg(long, global = true, value_name = "FILE", value_parser = entries, value_hint = ValueHint::FilePath)]
    facts: Option<Entries>,
    /// Data in YAML or JSON that `lookup` finds; may be repeated, the first goes before the others
    #[arg(long, global = true, value_name = "FILE", value_parser = entries, value_hint = ValueHint::FilePath)]
    data: Vec<Entries>,
    /// Looked for when it is first asked for.
    #[arg(skip)]
    project: OnceLock<Project>,
    /// When to colour; otherwise `auto`
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    color: Option<Color>,
}

/// The hash that a file in YAML or JSON holds.
#[derive(Clone, Debug)]
struct Entries(Hash);

fn entries(path: &str) -> Result<Entries, String> {
    let path = Path::new(path);
    let Some(format) = Format::of_path(path) else {
        return Err("expected a file whose name ends in .yaml, .yml or .json".to_owned());
    };
    let document = data::read(format, &input::file(path)?).map_err(|error| match error.position() {
        Some(position) => format!("line {}, column {}: {error}", position.line, position.column),
        None => error.to_string(),
    })?;
    match document.value {
        Value::Hash(entries) => Ok(Entries(entries)),
        Value::Undef => Ok(Entries(Hash::default())),
        other => Err(format!("expected a hash, got a value of type {}", Type::of(&other))),
    }
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
        if let Some(facts) = &self.facts {
            session.set_facts(&facts.0);
        }
        session.set_data(self.data.iter().map(|data| data.0.clone()).collect());
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
    pub(crate) fn color(&self) -> ColorChoice {
        self.color.map_or_else(ColorChoice::default, ColorChoice::from)
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
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Evaluate CODE; may be repeated, before all files
    #[arg(short, long, value_name = "CODE", allow_hyphen_values = true)]
    pub(crate) execute: Vec<String>,
    /// Start the prompt with them: each CODE is entered, each FILE is loaded
    #[arg(short, long, conflicts_with_all = ["json", "format", "exit_status", "time"])]
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
    ///
    /// In such a block, lines with `>> ` and `.. ` are input; what follows up to the next prompt is the exact output.
    /// Differences are shown.
    #[command(after_help = TEST_EXAMPLES)]
    Test {
        /// Rewrite the transcripts with what was answered; refused when CI is set
        #[arg(long)]
        bless: bool,
        /// Markdown files, and folders that are searched for them
        #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
        paths: Vec<PathBuf>,
    },
    /// Check the syntax of files, or print their trees
    #[command(after_help = PARSE_EXAMPLES)]
    Parse {
        /// Print the tree in Puppet Extended S-Expression Notation
        #[arg(long, conflicts_with = "json")]
        pn: bool,
        /// Print the same tree as JSON, a line for each file: a list is {"^": […]}, a map {"#": […]} with keys and
        /// values in turn, undef null; names and keys are strings
        #[arg(long)]
        json: bool,
        /// Files, templates where the name ends in `.epp`; `-` is standard input
        #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
        files: Vec<PathBuf>,
    },
    /// Check data against a type, or a module against itself
    ///
    /// With --type, the value of each file is checked. Without it, a key like `apache::port` in the data is checked
    /// against the parameter `port` of the class `apache`, as Hiera would give it; and of Puppet files the type aliases
    /// and the default values of all parameters are.
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// What each file should be: any type, also an alias of a module
        #[arg(short, long = "type", visible_alias = "alias", value_name = "TYPE")]
        type_: Option<String>,
        /// Print one JSON object for each file instead of messages
        #[arg(long)]
        json: bool,
        /// Files in YAML, JSON or Puppet, and folders that are searched for them; `-` is YAML on standard input
        #[arg(required = true, value_name = "DATA", value_hint = ValueHint::AnyPath)]
        paths: Vec<PathBuf>,
    },
    /// Answer requests: JSON Lines in, JSON Lines out
    ///
    /// A request is an object with `code` to evaluate or `parse` to parse. It may have an `id`, which comes back, `strict`,
    /// which goes before --strict, `preamble`, a program to run before `code`, and `json`, true for a tree as data. Each runs in a session of its own, for
    /// at most five seconds.
    #[command(after_help = BATCH_EXAMPLES)]
    Batch,
    /// Print completions for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, in the format of `man`
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// The command to print the page of, instead of that of the whole program
        command: Option<String>,
    },
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

impl From<Color> for ColorChoice {
    fn from(color: Color) -> ColorChoice {
        match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
    }
}
