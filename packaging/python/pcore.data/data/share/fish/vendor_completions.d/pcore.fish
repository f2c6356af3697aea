# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_pcore_global_optspecs
    string join \n e/execute= i/interactive json format= exit-status time no-config q/quiet watch strict= modulepath= facts= data= restricted allow-read= limit= color= h/help V/version
end

function __fish_pcore_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_pcore_global_optspecs) -- $cmd 2>/dev/null
    or begin
        set -e cmd[-1]
        argparse -s (__fish_pcore_global_optspecs) -- $cmd 2>/dev/null
    end
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_pcore_using_subcommand
    set -l cmd (__fish_pcore_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c pcore -n "__fish_pcore_needs_command" -s e -l execute -d 'Evaluate CODE; may be repeated, and mixed with FILEs' -r
complete -c pcore -n "__fish_pcore_needs_command" -l format -d 'Print values as pp (Puppet code), json or yaml, or in a format of `String.new`' -r
complete -c pcore -n "__fish_pcore_needs_command" -l strict -d 'How strictly to follow Puppet 8 [default: warning]' -r -f -a "off\t'Accept everything the specification allows'
warning\t'Accept everything the specification allows, and warn where Puppet 8 does not'
error\t'Reject whatever Puppet 8 rejects'"
complete -c pcore -n "__fish_pcore_needs_command" -l modulepath -d 'Directories to search for modules [default: found from here upwards]' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_needs_command" -l facts -d 'YAML or JSON file with facts, for `$facts` and top-level variables' -r -F
complete -c pcore -n "__fish_pcore_needs_command" -l data -d 'YAML or JSON file with data for `lookup`; may be repeated, first wins' -r -F
complete -c pcore -n "__fish_pcore_needs_command" -l allow-read -d 'Let restricted programs and `batch` also read the files below DIR; may be repeated' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_needs_command" -l limit -d 'Limit what programs may use up; may be repeated' -r
complete -c pcore -n "__fish_pcore_needs_command" -l color -d 'When to use colors [default: auto]' -r -f -a "auto\t'If the output is a terminal and `NO_COLOR` is not set'
always\t'Always'
never\t'Never'"
complete -c pcore -n "__fish_pcore_needs_command" -s i -l interactive -d 'Start the REPL after evaluating each CODE and loading each FILE'
complete -c pcore -n "__fish_pcore_needs_command" -l json -d 'Print one JSON object per program instead of values and messages'
complete -c pcore -n "__fish_pcore_needs_command" -l exit-status -d 'Exit with status 1 if the last value is false or undef, 5 after an error'
complete -c pcore -n "__fish_pcore_needs_command" -l time -d 'Print how long each program took'
complete -c pcore -n "__fish_pcore_needs_command" -l no-config -d 'Start the REPL without reading config.toml and init.pp'
complete -c pcore -n "__fish_pcore_needs_command" -s q -l quiet -d 'Suppress values; print only what programs log'
complete -c pcore -n "__fish_pcore_needs_command" -l watch -d 'Run again whenever a FILE or a module of the project changes'
complete -c pcore -n "__fish_pcore_needs_command" -l restricted -d 'Let programs read nothing but the files of modules'
complete -c pcore -n "__fish_pcore_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pcore -n "__fish_pcore_needs_command" -s V -l version -d 'Print version'
complete -c pcore -n "__fish_pcore_needs_command" -a "test" -d 'Run executable transcripts: the `pcore` blocks of Markdown files'
complete -c pcore -n "__fish_pcore_needs_command" -a "parse" -d 'Check files as `puppet parser validate` does, or print their syntax trees'
complete -c pcore -n "__fish_pcore_needs_command" -a "infer" -d 'Print the type that an author would write for data'
complete -c pcore -n "__fish_pcore_needs_command" -a "schema" -d 'Print a type, or the parameters of classes, as JSON Schema 2020-12'
complete -c pcore -n "__fish_pcore_needs_command" -a "batch" -d 'Process requests from standard input: JSON Lines in, JSON Lines out'
complete -c pcore -n "__fish_pcore_needs_command" -a "completions" -d 'Print a completion script for a shell'
complete -c pcore -n "__fish_pcore_needs_command" -a "explain" -d 'Explain an issue code or a kind of mismatch'
complete -c pcore -n "__fish_pcore_needs_command" -a "man" -d 'Print the man page'
complete -c pcore -n "__fish_pcore_needs_command" -a "check" -d 'Validate modules and data'
complete -c pcore -n "__fish_pcore_needs_command" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pcore -n "__fish_pcore_using_subcommand test" -l strict -d 'How strictly to follow Puppet 8 [default: warning]' -r -f -a "off\t'Accept everything the specification allows'
warning\t'Accept everything the specification allows, and warn where Puppet 8 does not'
error\t'Reject whatever Puppet 8 rejects'"
complete -c pcore -n "__fish_pcore_using_subcommand test" -l modulepath -d 'Directories to search for modules [default: found from here upwards]' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand test" -l facts -d 'YAML or JSON file with facts, for `$facts` and top-level variables' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand test" -l data -d 'YAML or JSON file with data for `lookup`; may be repeated, first wins' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand test" -l allow-read -d 'Let restricted programs and `batch` also read the files below DIR; may be repeated' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand test" -l limit -d 'Limit what programs may use up; may be repeated' -r
complete -c pcore -n "__fish_pcore_using_subcommand test" -l color -d 'When to use colors [default: auto]' -r -f -a "auto\t'If the output is a terminal and `NO_COLOR` is not set'
always\t'Always'
never\t'Never'"
complete -c pcore -n "__fish_pcore_using_subcommand test" -l bless -d 'Rewrite the transcripts with the actual output; refused if CI is set'
complete -c pcore -n "__fish_pcore_using_subcommand test" -l watch -d 'Run again whenever a file changes'
complete -c pcore -n "__fish_pcore_using_subcommand test" -l restricted -d 'Let programs read nothing but the files of modules'
complete -c pcore -n "__fish_pcore_using_subcommand test" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pcore -n "__fish_pcore_using_subcommand parse" -l strict -d 'How strictly to follow Puppet 8 [default: warning]' -r -f -a "off\t'Accept everything the specification allows'
warning\t'Accept everything the specification allows, and warn where Puppet 8 does not'
error\t'Reject whatever Puppet 8 rejects'"
complete -c pcore -n "__fish_pcore_using_subcommand parse" -l modulepath -d 'Directories to search for modules [default: found from here upwards]' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand parse" -l facts -d 'YAML or JSON file with facts, for `$facts` and top-level variables' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand parse" -l data -d 'YAML or JSON file with data for `lookup`; may be repeated, first wins' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand parse" -l allow-read -d 'Let restricted programs and `batch` also read the files below DIR; may be repeated' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand parse" -l limit -d 'Limit what programs may use up; may be repeated' -r
complete -c pcore -n "__fish_pcore_using_subcommand parse" -l color -d 'When to use colors [default: auto]' -r -f -a "auto\t'If the output is a terminal and `NO_COLOR` is not set'
always\t'Always'
never\t'Never'"
complete -c pcore -n "__fish_pcore_using_subcommand parse" -l pn -d 'Print the tree in Puppet Extended S-Expression Notation'
complete -c pcore -n "__fish_pcore_using_subcommand parse" -l json -d 'Print the tree as JSON, one line per file: a list is {"^": […]}, a map {"#": […]} with alternating keys and values, undef is null; names and keys are strings'
complete -c pcore -n "__fish_pcore_using_subcommand parse" -l syntax-only -d 'Report syntax errors alone, without the rules that `puppet parser validate` checks after parsing'
complete -c pcore -n "__fish_pcore_using_subcommand parse" -l restricted -d 'Let programs read nothing but the files of modules'
complete -c pcore -n "__fish_pcore_using_subcommand parse" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pcore -n "__fish_pcore_using_subcommand infer" -l as -d 'Write the type as an alias of this name to types/name.pp' -r
complete -c pcore -n "__fish_pcore_using_subcommand infer" -l strict -d 'How strictly to follow Puppet 8 [default: warning]' -r -f -a "off\t'Accept everything the specification allows'
warning\t'Accept everything the specification allows, and warn where Puppet 8 does not'
error\t'Reject whatever Puppet 8 rejects'"
complete -c pcore -n "__fish_pcore_using_subcommand infer" -l modulepath -d 'Directories to search for modules [default: found from here upwards]' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand infer" -l facts -d 'YAML or JSON file with facts, for `$facts` and top-level variables' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand infer" -l data -d 'YAML or JSON file with data for `lookup`; may be repeated, first wins' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand infer" -l allow-read -d 'Let restricted programs and `batch` also read the files below DIR; may be repeated' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand infer" -l limit -d 'Limit what programs may use up; may be repeated' -r
complete -c pcore -n "__fish_pcore_using_subcommand infer" -l color -d 'When to use colors [default: auto]' -r -f -a "auto\t'If the output is a terminal and `NO_COLOR` is not set'
always\t'Always'
never\t'Never'"
complete -c pcore -n "__fish_pcore_using_subcommand infer" -l restricted -d 'Let programs read nothing but the files of modules'
complete -c pcore -n "__fish_pcore_using_subcommand infer" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pcore -n "__fish_pcore_using_subcommand schema" -l strict -d 'How strictly to follow Puppet 8 [default: warning]' -r -f -a "off\t'Accept everything the specification allows'
warning\t'Accept everything the specification allows, and warn where Puppet 8 does not'
error\t'Reject whatever Puppet 8 rejects'"
complete -c pcore -n "__fish_pcore_using_subcommand schema" -l modulepath -d 'Directories to search for modules [default: found from here upwards]' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand schema" -l facts -d 'YAML or JSON file with facts, for `$facts` and top-level variables' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand schema" -l data -d 'YAML or JSON file with data for `lookup`; may be repeated, first wins' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand schema" -l allow-read -d 'Let restricted programs and `batch` also read the files below DIR; may be repeated' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand schema" -l limit -d 'Limit what programs may use up; may be repeated' -r
complete -c pcore -n "__fish_pcore_using_subcommand schema" -l color -d 'When to use colors [default: auto]' -r -f -a "auto\t'If the output is a terminal and `NO_COLOR` is not set'
always\t'Always'
never\t'Never'"
complete -c pcore -n "__fish_pcore_using_subcommand schema" -l restricted -d 'Let programs read nothing but the files of modules'
complete -c pcore -n "__fish_pcore_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pcore -n "__fish_pcore_using_subcommand batch" -l strict -d 'How strictly to follow Puppet 8 [default: warning]' -r -f -a "off\t'Accept everything the specification allows'
warning\t'Accept everything the specification allows, and warn where Puppet 8 does not'
error\t'Reject whatever Puppet 8 rejects'"
complete -c pcore -n "__fish_pcore_using_subcommand batch" -l modulepath -d 'Directories to search for modules [default: found from here upwards]' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand batch" -l facts -d 'YAML or JSON file with facts, for `$facts` and top-level variables' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand batch" -l data -d 'YAML or JSON file with data for `lookup`; may be repeated, first wins' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand batch" -l allow-read -d 'Let restricted programs and `batch` also read the files below DIR; may be repeated' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand batch" -l limit -d 'Limit what programs may use up; may be repeated' -r
complete -c pcore -n "__fish_pcore_using_subcommand batch" -l color -d 'When to use colors [default: auto]' -r -f -a "auto\t'If the output is a terminal and `NO_COLOR` is not set'
always\t'Always'
never\t'Never'"
complete -c pcore -n "__fish_pcore_using_subcommand batch" -l restricted -d 'Let programs read nothing but the files of modules'
complete -c pcore -n "__fish_pcore_using_subcommand batch" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pcore -n "__fish_pcore_using_subcommand completions" -l strict -d 'How strictly to follow Puppet 8 [default: warning]' -r -f -a "off\t'Accept everything the specification allows'
warning\t'Accept everything the specification allows, and warn where Puppet 8 does not'
error\t'Reject whatever Puppet 8 rejects'"
complete -c pcore -n "__fish_pcore_using_subcommand completions" -l modulepath -d 'Directories to search for modules [default: found from here upwards]' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand completions" -l facts -d 'YAML or JSON file with facts, for `$facts` and top-level variables' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand completions" -l data -d 'YAML or JSON file with data for `lookup`; may be repeated, first wins' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand completions" -l allow-read -d 'Let restricted programs and `batch` also read the files below DIR; may be repeated' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand completions" -l limit -d 'Limit what programs may use up; may be repeated' -r
complete -c pcore -n "__fish_pcore_using_subcommand completions" -l color -d 'When to use colors [default: auto]' -r -f -a "auto\t'If the output is a terminal and `NO_COLOR` is not set'
always\t'Always'
never\t'Never'"
complete -c pcore -n "__fish_pcore_using_subcommand completions" -l restricted -d 'Let programs read nothing but the files of modules'
complete -c pcore -n "__fish_pcore_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pcore -n "__fish_pcore_using_subcommand explain" -l strict -d 'How strictly to follow Puppet 8 [default: warning]' -r -f -a "off\t'Accept everything the specification allows'
warning\t'Accept everything the specification allows, and warn where Puppet 8 does not'
error\t'Reject whatever Puppet 8 rejects'"
complete -c pcore -n "__fish_pcore_using_subcommand explain" -l modulepath -d 'Directories to search for modules [default: found from here upwards]' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand explain" -l facts -d 'YAML or JSON file with facts, for `$facts` and top-level variables' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand explain" -l data -d 'YAML or JSON file with data for `lookup`; may be repeated, first wins' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand explain" -l allow-read -d 'Let restricted programs and `batch` also read the files below DIR; may be repeated' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand explain" -l limit -d 'Limit what programs may use up; may be repeated' -r
complete -c pcore -n "__fish_pcore_using_subcommand explain" -l color -d 'When to use colors [default: auto]' -r -f -a "auto\t'If the output is a terminal and `NO_COLOR` is not set'
always\t'Always'
never\t'Never'"
complete -c pcore -n "__fish_pcore_using_subcommand explain" -l restricted -d 'Let programs read nothing but the files of modules'
complete -c pcore -n "__fish_pcore_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pcore -n "__fish_pcore_using_subcommand man" -l strict -d 'How strictly to follow Puppet 8 [default: warning]' -r -f -a "off\t'Accept everything the specification allows'
warning\t'Accept everything the specification allows, and warn where Puppet 8 does not'
error\t'Reject whatever Puppet 8 rejects'"
complete -c pcore -n "__fish_pcore_using_subcommand man" -l modulepath -d 'Directories to search for modules [default: found from here upwards]' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand man" -l facts -d 'YAML or JSON file with facts, for `$facts` and top-level variables' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand man" -l data -d 'YAML or JSON file with data for `lookup`; may be repeated, first wins' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand man" -l allow-read -d 'Let restricted programs and `batch` also read the files below DIR; may be repeated' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand man" -l limit -d 'Limit what programs may use up; may be repeated' -r
complete -c pcore -n "__fish_pcore_using_subcommand man" -l color -d 'When to use colors [default: auto]' -r -f -a "auto\t'If the output is a terminal and `NO_COLOR` is not set'
always\t'Always'
never\t'Never'"
complete -c pcore -n "__fish_pcore_using_subcommand man" -l restricted -d 'Let programs read nothing but the files of modules'
complete -c pcore -n "__fish_pcore_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pcore -n "__fish_pcore_using_subcommand check" -l format -d 'How to print findings' -r -f -a "text\t'With the source and a caret'
json\t'One JSON object per file'
jsonl\t'One JSON object per finding'
github\t'GitHub workflow commands, which become annotations of a pull request'
sarif\t'SARIF 2.1.0, for code scanning'"
complete -c pcore -n "__fish_pcore_using_subcommand check" -l max-findings -d 'Show at most this many findings as text; 0 shows all' -r
complete -c pcore -n "__fish_pcore_using_subcommand check" -l jobs -d 'How many threads check files [default: all cores]' -r
complete -c pcore -n "__fish_pcore_using_subcommand check" -l lint -d 'Also report what is allowed and most likely not meant: all RULES, or those named' -r
complete -c pcore -n "__fish_pcore_using_subcommand check" -l baseline -d 'Leave out the findings that are recorded in FILE' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand check" -l write-baseline -d 'Record all findings in FILE, for --baseline' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand check" -s t -l type -l alias -d 'The expected type of each file: any type, including aliases defined in modules' -r -f -a "Any\t''
Undef\t''
Default\t''
NotUndef\t''
Optional\t''
Variant\t''
Scalar\t''
ScalarData\t''
Numeric\t''
Integer\t''
Float\t''
Boolean\t''
String\t''
Enum\t''
Pattern\t''
Regexp\t''
SemVer\t''
SemVerRange\t''
Timespan\t''
Timestamp\t''
Binary\t''
URI\t''
Collection\t''
Array\t''
Tuple\t''
Hash\t''
Struct\t''
Iterable\t''
Iterator\t''
Data\t''
RichData\t''
Sensitive\t''
Callable\t''
Type\t''
Init\t''
Object\t''
TypeSet\t''
CatalogEntry\t''
Resource\t''
Class\t''
Runtime\t''
Deferred\t''
Error\t''
Annotation\t''
Pcore\t''
Puppet::LookupContext\t''"
complete -c pcore -n "__fish_pcore_using_subcommand check" -l strict -d 'How strictly to follow Puppet 8 [default: warning]' -r -f -a "off\t'Accept everything the specification allows'
warning\t'Accept everything the specification allows, and warn where Puppet 8 does not'
error\t'Reject whatever Puppet 8 rejects'"
complete -c pcore -n "__fish_pcore_using_subcommand check" -l modulepath -d 'Directories to search for modules [default: found from here upwards]' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand check" -l facts -d 'YAML or JSON file with facts, for `$facts` and top-level variables' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand check" -l data -d 'YAML or JSON file with data for `lookup`; may be repeated, first wins' -r -F
complete -c pcore -n "__fish_pcore_using_subcommand check" -l allow-read -d 'Let restricted programs and `batch` also read the files below DIR; may be repeated' -r -f -a "(__fish_complete_directories)"
complete -c pcore -n "__fish_pcore_using_subcommand check" -l limit -d 'Limit what programs may use up; may be repeated' -r
complete -c pcore -n "__fish_pcore_using_subcommand check" -l color -d 'When to use colors [default: auto]' -r -f -a "auto\t'If the output is a terminal and `NO_COLOR` is not set'
always\t'Always'
never\t'Never'"
complete -c pcore -n "__fish_pcore_using_subcommand check" -l json -d 'Print one JSON object per file instead of messages: short for `--format json`'
complete -c pcore -n "__fish_pcore_using_subcommand check" -l jsonl -d 'Read JSON Lines and write one verdict per line, in the order of the input; the exit status is 0 whatever they are'
complete -c pcore -n "__fish_pcore_using_subcommand check" -l fix -d 'Repair what can be repaired in one way only, and report the rest'
complete -c pcore -n "__fish_pcore_using_subcommand check" -l diff -d 'With --fix: print the changes as a unified diff, and write nothing'
complete -c pcore -n "__fish_pcore_using_subcommand check" -l watch -d 'Check again whenever a file changes'
complete -c pcore -n "__fish_pcore_using_subcommand check" -l restricted -d 'Let programs read nothing but the files of modules'
complete -c pcore -n "__fish_pcore_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pcore -n "__fish_pcore_using_subcommand help; and not __fish_seen_subcommand_from test parse infer schema batch completions explain man check help" -f -a "test" -d 'Run executable transcripts: the `pcore` blocks of Markdown files'
complete -c pcore -n "__fish_pcore_using_subcommand help; and not __fish_seen_subcommand_from test parse infer schema batch completions explain man check help" -f -a "parse" -d 'Check files as `puppet parser validate` does, or print their syntax trees'
complete -c pcore -n "__fish_pcore_using_subcommand help; and not __fish_seen_subcommand_from test parse infer schema batch completions explain man check help" -f -a "infer" -d 'Print the type that an author would write for data'
complete -c pcore -n "__fish_pcore_using_subcommand help; and not __fish_seen_subcommand_from test parse infer schema batch completions explain man check help" -f -a "schema" -d 'Print a type, or the parameters of classes, as JSON Schema 2020-12'
complete -c pcore -n "__fish_pcore_using_subcommand help; and not __fish_seen_subcommand_from test parse infer schema batch completions explain man check help" -f -a "batch" -d 'Process requests from standard input: JSON Lines in, JSON Lines out'
complete -c pcore -n "__fish_pcore_using_subcommand help; and not __fish_seen_subcommand_from test parse infer schema batch completions explain man check help" -f -a "completions" -d 'Print a completion script for a shell'
complete -c pcore -n "__fish_pcore_using_subcommand help; and not __fish_seen_subcommand_from test parse infer schema batch completions explain man check help" -f -a "explain" -d 'Explain an issue code or a kind of mismatch'
complete -c pcore -n "__fish_pcore_using_subcommand help; and not __fish_seen_subcommand_from test parse infer schema batch completions explain man check help" -f -a "man" -d 'Print the man page'
complete -c pcore -n "__fish_pcore_using_subcommand help; and not __fish_seen_subcommand_from test parse infer schema batch completions explain man check help" -f -a "check" -d 'Validate modules and data'
complete -c pcore -n "__fish_pcore_using_subcommand help; and not __fish_seen_subcommand_from test parse infer schema batch completions explain man check help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
