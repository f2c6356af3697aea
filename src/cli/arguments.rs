//! The command line: one declaration for parsing, `--help`, shell completions and man pages.

use std::path::{Path, PathBuf};
use std::{collections::BTreeMap, env, sync::OnceLock};

use clap::{ArgAction, ArgMatches, Args, CommandFactory, FromArgMatches as _, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use pcore::files::Permissions;
use pcore::limits::{Limit, Limits};
use pcore::session::settings::ColorChoice;
use pcore::session::{Console, Session, Strictness};
use pcore::value::Hash;

use super::diff::FORMATS as DIFF_FORMATS;
use super::findings::{FORMATS, ReportFormat as FindingsFormat};
use super::option_values::{
    Directories, TypeOptionParser, findings_format_parser, lint_help, parse_directories, parse_limit,
    parse_lint_rule_name, read_data_file, read_data_files, setting_parser,
};
use super::project::Project;

/// Puppet's type system: REPL, script runner and data checker
///
/// Without FILE or -e, starts the REPL, or runs the program on standard input if it is not a terminal.
#[derive(Debug, Parser)]
#[command(name = "pcore", version, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) run: RunOptions,
    #[command(flatten)]
    pub(crate) common: CommonOptions,
}

/// The subcommands that ignore global options, each with the ids of these options, which its help does not show.
const HIDDEN_OPTIONS: [(&[&str], &[&str]); 3] = [
    (&["parse"], &["strict", "modulepath", "facts", "node", "data", "restricted", "allow_read"]),
    (&["batch"], &["color", "restricted"]),
    (
        &["completions", "explain", "man"],
        &["strict", "modulepath", "facts", "node", "data", "restricted", "allow_read", "limit", "color"],
    ),
];

impl Arguments {
    pub(crate) fn parse_process_arguments() -> Result<Arguments, clap::Error> {
        let mut command = Arguments::command();
        // Handing the options of every command down to all subcommands takes a tenth of the start.
        if !env::args_os().any(|argument| command.find_subcommand(argument).is_some()) {
            command = command.mut_args(|arg| arg.global(false));
        }
        // Only help and errors need the whole declaration.
        let matches = command.try_get_matches();
        let matches = matches.or_else(|_| Arguments::command_definition().try_get_matches())?;
        let mut arguments = Arguments::from_arg_matches(&matches)?;
        arguments.run.collect_programs(&matches);
        Ok(arguments)
    }

    pub(crate) fn command_definition() -> clap::Command {
        let mut command = Arguments::command();
        // Makes the options of every command part of each subcommand.
        command.build();
        let command = command.mut_subcommands(|subcommand| {
            let hidden = HIDDEN_OPTIONS.iter().find(|(names, _)| names.contains(&subcommand.get_name()));
            let hidden = hidden.map_or(&[][..], |(_, options)| *options);
            subcommand.mut_args(|arg| if hidden.contains(&arg.get_id().as_str()) { arg.hide(true) } else { arg })
        });
        // The long form would not fit on a screen.
        command.mut_args(|arg| match arg.get_id().as_str() {
            "help" => arg.action(ArgAction::HelpShort).help("Print this help"),
            _ => arg,
        })
    }
}

const EXAMPLES: &str = "\
Examples:
  pcore                                      start the REPL
  pcore -e \"'80' =~ Variant[Integer, String]\"
  pcore --strict error types.pp              run a snippet file as Puppet 8 would
  pcore check                                check the module or control repository here

Exit status: 0 success; 1 an error was reported or a transcript differs; 2 invalid usage; 130 interrupted.";

#[derive(Debug, Default, Args)]
pub(crate) struct CommonOptions {
    /// How strictly to follow Puppet 8 [default: warning]
    #[arg(long, global = true, value_parser = setting_parser::<Strictness>(), value_name = "LEVEL")]
    pub(crate) strict: Option<Strictness>,
    /// Directories to search for modules [default: found from here upwards]
    #[arg(long, global = true, value_name = "DIR:DIR", value_parser = parse_directories, value_hint = ValueHint::DirPath)]
    modulepath: Option<Directories>,
    /// YAML or JSON file with facts, for `$facts` and top-level variables
    #[arg(long, global = true, value_name = "FILE", value_parser = read_data_file, value_hint = ValueHint::FilePath)]
    facts: Option<Hash>,
    /// Name of the node, for `$trusted`
    #[arg(long, global = true, value_name = "NAME")]
    node: Option<String>,
    /// File or directory with data for `lookup`, above hiera.yaml; may be repeated, first wins
    #[arg(long, global = true, value_name = "FILE", value_parser = read_data_files, value_hint = ValueHint::AnyPath)]
    pub(crate) data: Vec<(PathBuf, Vec<Hash>)>,
    /// Let programs read nothing but the files of modules
    #[arg(long, global = true)]
    pub(crate) restricted: bool,
    /// Let restricted programs and `batch` also read the files below DIR; may be repeated
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    allow_read: Vec<PathBuf>,
    /// Limit what programs may use up; may be repeated
    ///
    /// NAME is elements, string, output, source, memory, steps or time (in milliseconds); NUMBER may end in K, M or G.
    #[arg(long, global = true, value_name = "NAME=NUMBER", value_parser = parse_limit)]
    limit: Vec<(Limit, u64)>,
    /// The project around the working directory, which is searched for on first use.
    #[arg(skip)]
    project: OnceLock<Project>,
    /// When to use colors [default: auto]
    #[arg(long, global = true, value_parser = setting_parser::<ColorChoice>(), value_name = "WHEN")]
    pub(crate) color: Option<ColorChoice>,
}

impl CommonOptions {
    pub(crate) fn effective_limits(&self) -> Limits {
        self.override_limits(Limits::default())
    }

    pub(crate) fn override_limits(&self, usual: Limits) -> Limits {
        self.limit.iter().fold(usual, |limits, (limit, most)| limits.with(*limit, *most))
    }

    pub(crate) fn new_session(&self) -> Console {
        let permissions = if self.restricted {
            self.allow_read.iter().cloned().fold(Permissions::default(), Permissions::allow_read)
        } else {
            Permissions::allow_all()
        };
        let session = Session::builder().limits(self.effective_limits()).permissions(permissions).build();
        let mut session = Console::from(session);
        self.apply_strictness_and_color(&mut session);
        self.current_project().configure_session(&mut session);
        self.facts.iter().for_each(|facts| session.set_facts(facts));
        self.node.iter().for_each(|node| session.set_node(node));
        session.set_data(self.data.iter().flat_map(|(_, layers)| layers).cloned().collect());
        session
    }

    /// Sets the strictness and the colour choice of `session` to `--strict` and `--color`, if they are given.
    pub(crate) fn apply_strictness_and_color(&self, session: &mut Console) {
        if let Some(strict) = self.strict {
            session.strictness = strict;
        }
        if let Some(color) = self.color {
            session.settings.color = color;
        }
    }

    pub(crate) fn current_project(&self) -> &Project {
        self.project.get_or_init(|| self.override_module_path(Project::find_enclosing(&working_directory())))
    }

    fn override_module_path(&self, mut found: Project) -> Project {
        if let Some(directories) = &self.modulepath {
            found.path.clone_from(directories);
        }
        found
    }

    /// Makes the project that contains the first existing path in `paths` current. Keeps the project around the working
    /// directory if it contains this path, if no project contains it, or if `--modulepath` is given.
    pub(crate) fn switch_to_project_of(&self, paths: &[PathBuf]) {
        let path = paths.iter().find(|path| path.exists()).and_then(|path| path.canonicalize().ok());
        if let (None, Some(path)) = (&self.modulepath, path) {
            let (here, there) = (Project::find_enclosing(&working_directory()), Project::find_enclosing(&path));
            // It was not looked for before.
            let _ = self.project.set(if there.root.is_none() || here.contains_path(&path) { here } else { there });
        }
    }

    /// Makes the project that contains `directory` current. Returns the files and directories of the project to check.
    pub(crate) fn set_project_and_list_paths(&self, directory: &Path) -> Vec<PathBuf> {
        let found = Project::find_enclosing(&directory.canonicalize().unwrap_or_else(|_| directory.to_owned()));
        let contents = found.paths_to_check();
        // It was not looked for before.
        let _ = self.project.set(self.override_module_path(found));
        contents
    }
}

pub(crate) fn working_directory() -> PathBuf {
    env::current_dir().unwrap_or_default()
}

pub(crate) fn default_check_paths() -> Vec<PathBuf> {
    let here = working_directory();
    let shown = |path: PathBuf| match path.strip_prefix(&here) {
        Ok(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Ok(below) => below.to_owned(),
        Err(_) => path,
    };
    Project::find_enclosing(&here).paths_to_check().into_iter().map(shown).collect()
}

/// Options for running snippets, which cannot be combined with a subcommand.
#[derive(Debug, Default, PartialEq, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct RunOptions {
    /// Files to run; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Evaluate CODE; may be repeated, and mixed with FILEs
    #[arg(short, long, value_name = "CODE", allow_hyphen_values = true)]
    execute: Vec<String>,
    /// The `-e` codes and the files, in the order of the command line.
    #[arg(skip)]
    pub(crate) programs: Vec<ProgramArgument>,
    /// Start the REPL after evaluating each CODE and loading each FILE
    #[arg(short, long, conflicts_with_all = ["json", "format", "exit_status", "time"])]
    pub(crate) interactive: bool,
    /// Print one JSON object per program instead of values and messages
    #[arg(long)]
    pub(crate) json: bool,
    /// Print values as pp (Puppet code), json or yaml, or in a format of `String.new`
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    /// Exit with status 1 if the last value is false or undef, 5 after an error
    #[arg(long)]
    pub(crate) exit_status: bool,
    /// Print how long each program took
    #[arg(long)]
    pub(crate) time: bool,
    /// Start the REPL without reading config.toml and init.pp
    #[arg(long)]
    pub(crate) no_config: bool,
    /// Suppress values; print only what programs log
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ProgramArgument {
    /// `-e CODE`
    Code(String),
    File(PathBuf),
}

impl RunOptions {
    fn collect_programs(&mut self, matches: &ArgMatches) {
        let places = |name: &str| matches.indices_of(name).into_iter().flatten();
        let codes = places("execute").zip(self.execute.iter().cloned().map(ProgramArgument::Code));
        let files = places("files").zip(self.files.iter().cloned().map(ProgramArgument::File));
        self.programs = codes.chain(files).collect::<BTreeMap<_, _>>().into_values().collect();
    }
}

#[derive(Debug, Subcommand)]
#[command(defer = true)] // the options of a subcommand are declared when it is used
pub(crate) enum Command {
    /// Run executable transcripts: the `pcore` blocks of Markdown files
    ///
    /// In such a block, lines with `>> ` and `.. ` are input, and the lines up to the next prompt are the exact output.
    /// Differences are printed.
    #[command(after_help = "\
Examples:
  pcore test transcripts                     run all transcripts in a directory
  pcore test --bless README.md               update the recorded output

Tags after ```pcore, for one block:
  error                    an entry must report an error; in other blocks none may
  fresh                    a new session; otherwise a file is one session
  strict=off|warning|error how strictly to follow Puppet 8

Exit status: 0 all transcripts match; 1 at least one differs; 2 invalid usage.")]
    Test {
        /// Rewrite the transcripts with the actual output; refused if CI is set
        #[arg(long)]
        bless: bool,
        /// Markdown files, and directories to search for them [default: transcripts]
        #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath, default_value = "transcripts", hide_default_value = true)]
        paths: Vec<PathBuf>,
    },
    /// Check files as `puppet parser validate` does, or print their syntax trees
    #[command(after_help = "\
Examples:
  pcore parse manifests/*.pp                 report what `puppet parser validate` rejects
  echo '1 + 2' | pcore parse --pn -

Exit status: 0 no errors; 1 a rejected or an unreadable file; 2 invalid usage.")]
    Parse(ParseOptions),
    /// Validate modules and data
    ///
    /// Without arguments, checks the module, environment or control repository in the current directory or above it.
    /// In Puppet files and templates, type aliases, parameter defaults and bodies are checked against what is declared. In
    /// data, a key like `apache::port` is validated against the parameter `port` of class `apache`, after applying
    /// `lookup_options` and interpolation as Hiera would. With --type, validates the value in each file.
    ///
    /// The limit on time holds for the run, and is 40 seconds unless --limit says otherwise: each file may take an eighth of
    /// it. Files that were not checked because of this limit are reported.
    #[command(after_help = "\
Examples:
  pcore check                                check the project in this directory or above it
  pcore check data                           check Hiera data against the classes of all modules
  pcore check manifests types functions      check parameter defaults and type aliases
  pcore check --type 'Hash[String, Stdlib::Port]' ports.yaml
  pcore check --json data | jq 'select(.ok | not)'
  pcore check --fix --diff                   show what --fix would change

Exit status: 0 everything matches; 1 an error or an unreadable file; 2 invalid usage, or nothing could be checked.")]
    Check(CheckOptions),
    /// Print the type that an author would write for data
    ///
    /// All samples are merged: each file is one, or several if it is JSON Lines. Of Hiera data, the keys of a class
    /// become the types of its parameters.
    #[command(after_help = "\
Examples:
  pcore infer sites.yaml                     a type for the content of a file
  pcore infer --as Web::Site sites/*.json    write types/site.pp
  pcore infer data/common.yaml               types for the parameters of classes")]
    Infer {
        /// Write the type as an alias of this name to types/name.pp
        #[arg(long = "as", value_name = "NAME")]
        name: Option<String>,
        /// YAML, JSON, JSON Lines or Puppet files; `-` is YAML on standard input
        #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
        files: Vec<PathBuf>,
    },
    /// Print a type, or the parameters of classes, as JSON Schema 2020-12
    ///
    /// The schema of a class or module is that of Hiera data which sets its parameters; that of a project is for the data of
    /// all its classes, with `lookup_options` applied. What JSON Schema cannot say is named in `$comment`.
    #[command(after_help = "\
Examples:
  pcore schema 'Struct[{port => Integer[1, 65535]}]'
  pcore schema web::server > web-server.schema.json
  pcore schema --project > hiera.schema.json
  pcore schema --editor                      how editors use that file")]
    Schema(SchemaOptions),
    /// Compare two versions of a module: what breaks its users
    ///
    /// Lists the classes, defined types, functions, plans, type aliases and resource types that were added, removed or
    /// changed, and what metadata.json no longer supports. `!` marks what breaks users, if possible with a value that is
    /// not accepted any more. The last line says which part of the version has to grow, and whether it did. Types of other
    /// modules are looked up on the module path.
    #[command(after_help = "\
Examples:
  pcore diff v1.2.0..v2.0.0                  two revisions of the module here
  pcore diff v1.2.0                          a revision and the files here
  pcore diff old/apache new/apache --format markdown
  pcore diff v1.2.0..v2.0.0 modules/web --data data   also: which of your Hiera data breaks

Exit status: 0 the version in metadata.json has grown enough; 1 it has not, or data breaks; 2 invalid usage.")]
    Diff(DiffOptions),
    /// Write the interface of modules as one file, for `pcore check --index`
    ///
    /// The file is JSON, and lists the type aliases, functions, classes, defined types, plans and resource types of each module
    /// with their signatures.
    #[command(after_help = "\
Examples:
  pcore index modules > index.json           the interface of all modules in a directory
  pcore check --index index.json             check without these modules")]
    Index {
        /// Directories with modules
        #[arg(required = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
        directories: Vec<PathBuf>,
    },
    /// Process requests from standard input: JSON Lines in, JSON Lines out
    ///
    /// A request is an object with `code` to evaluate, `parse` to parse, or `value` and `type` to check. Optional keys: `id`
    /// (echoed), `strict` (overrides --strict), `variables` (an object), `preamble` (run first), `json` (return the parse tree
    /// as JSON). Each request runs in a new session, for at most five seconds, and reads only files of modules.
    #[command(after_help = "\
Examples:
  echo '{\"id\": 1, \"code\": \"1 + 1\"}' | pcore batch
  echo '{\"parse\": \"1 + 1\"}' | pcore batch
  echo '{\"code\": \"$x\", \"preamble\": \"$x = 1\", \"strict\": \"error\"}' | pcore batch

Exit status: 0, even if requests failed.")]
    Batch,
    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  pcore completions bash > ~/.local/share/bash-completion/completions/pcore
  pcore completions fish > ~/.config/fish/completions/pcore.fish")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Explain an issue code or a kind of mismatch
    #[command(after_help = "\
Examples:
  pcore explain UNMATCHED_SELECTOR
  pcore explain missing_key

Exit status: 0 success; 2 unknown code.")]
    Explain {
        /// The code, such as `DIV_BY_ZERO` or `missing_key`; lists all if omitted
        code: Option<String>,
    },
    /// Print the man page
    #[command(after_help = "\
Examples:
  pcore man | man -l -
  pcore man check > pcore-check.1")]
    Man {
        /// Print the page of this subcommand
        command: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ParseOptions {
    /// Print the tree in Puppet Extended S-Expression Notation
    #[arg(long, conflicts_with = "json")]
    pub(crate) pn: bool,
    /// Print the tree as JSON, one line per file: a list is {"^": […]}, a map {"#": […]} with alternating keys and
    /// values, undef is null; names and keys are strings
    #[arg(long)]
    pub(crate) json: bool,
    /// Report syntax errors alone, without the rules that `puppet parser validate` checks after parsing
    #[arg(long)]
    pub(crate) syntax_only: bool,
    /// Files to parse, and directories to search for .pp and .epp files; those ending in `.epp` are templates; `-` is
    /// standard input
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SchemaOptions {
    /// A type, the name of a class, or the name of a module
    #[arg(value_name = "NAME", required_unless_present_any = ["project", "editor"], conflicts_with_all = ["project", "editor"])]
    pub(crate) name: Option<String>,
    /// Print the schema of the Hiera data of a module or control repository [default: the one here]
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) project: Option<PathBuf>,
    /// Print how to set up VS Code, Neovim and Helix with the schema of the project
    #[arg(long)]
    pub(crate) editor: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DiffOptions {
    /// How to print the changes
    #[arg(long, value_name = "FORMAT", default_value = DIFF_FORMATS[0], value_parser = DIFF_FORMATS)]
    pub(crate) format: String,
    /// A directory, a git revision, or two revisions as in `v1.2.0..v2.0.0`
    #[arg(value_name = "OLD")]
    pub(crate) old: String,
    /// A directory or a git revision; the MODULE if OLD names two revisions [default: the files of the module]
    #[arg(value_name = "NEW")]
    pub(crate) new: Option<String>,
    /// The directory of the module in the git repository [default: the module here]
    #[arg(value_name = "MODULE", value_hint = ValueHint::DirPath)]
    pub(crate) module: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct CheckOptions {
    /// The expected type of each file: any type, including aliases defined in modules
    #[arg(short, long = "type", visible_alias = "alias", value_name = "TYPE", value_parser = TypeOptionParser, hide_possible_values = true)]
    pub(crate) type_: Option<String>,
    /// Print one JSON object per file instead of messages: short for `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// How to print findings
    #[arg(long, value_name = "FORMAT", default_value = FORMATS[0].name, value_parser = findings_format_parser())]
    format: &'static FindingsFormat,
    /// Show at most this many findings as text; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max_findings: usize,
    /// Exit with status 1 if there is an error, or also if there is a warning
    #[arg(long, value_name = "SEVERITY", default_value = "error", value_parser = ["error", "warning"])]
    pub(crate) fail_on: String,
    /// Read JSON Lines and write one result per line, in input order; the exit status is 0 even if values are invalid
    #[arg(long, requires = "type_")]
    pub(crate) jsonl: bool,
    /// How many threads check files [default: all cores]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) jobs: usize,
    /// Also report code that is valid but probably a mistake: all RULES, or those named
    #[arg(long, value_name = "RULES", value_delimiter = ',', num_args = 0.., require_equals = true, value_parser = parse_lint_rule_name, long_help = lint_help())]
    pub(crate) lint: Option<Vec<String>>,
    /// Leave out the findings that are recorded in FILE
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) baseline: Option<PathBuf>,
    /// Record all findings in FILE, for --baseline
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Repair what can be repaired in one way only, and report the rest
    ///
    /// Only the bytes of a repair change. Each is checked before the file is written.
    #[arg(long, conflicts_with_all = ["jsonl", "baseline", "write_baseline"])]
    pub(crate) fix: bool,
    /// With --fix: print the changes as a unified diff, and write nothing
    #[arg(long, requires = "fix", conflicts_with_all = ["json", "format"])]
    pub(crate) diff: bool,
    /// Take the interface of modules that are not installed from FILE, which `pcore index` wrote; may be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) index: Vec<PathBuf>,
    /// YAML, JSON or Puppet files, and directories to search for them; `-` is YAML on standard input [default: the project]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
}

impl CheckOptions {
    pub(crate) fn report_format(&self) -> &'static FindingsFormat {
        FORMATS.iter().find(|format| self.json && format.name == "json").unwrap_or(self.format)
    }
}
