#!/usr/bin/env bash
# Plays the prompt in tmux and checks what the screen shows: the scenes of tests/it/prompt.rs for human eyes.
#
#     tests/tmux.sh              checks every scene; exit code 1 when one differs
#     tests/tmux.sh --show       prints every screen in colour, too
#     tests/tmux.sh --show NAME  only the scenes whose name contains NAME
#
# Needs tmux and a built program: PCORE=path/to/pcore, otherwise target/debug/pcore. A screen is
# waited for as long as it takes.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8

program=$(realpath "${PCORE:-target/debug/pcore}")
[ -x "$program" ] || { echo "build the program first: cargo build" >&2; exit 2; }
show=
[ "${1-}" = --show ] && { show=1; shift; }
wanted=${1-}
home=$(mktemp -d)
server=
starts=0
failures=0
name=

tmux_() { tmux -L "$server" -f /dev/null "$@"; }
stop() { [ -z "$server" ] || tmux_ kill-server 2>/dev/null || true; }
trap 'stop; rm -rf "$home"' EXIT

# scene NAME [COLUMNS [ROWS [VARIABLE=VALUE…]]]: starts a prompt in a home of its own, unless the scene is not wanted
scene() {
    name=$1
    [[ $name == *"$wanted"* ]] || return 1
    start "${2:-80}" "${3:-24}" "${@:4}"
    key C-l
}

start() {
    stop
    # A server that is about to leave would take the new session with it.
    starts=$((starts + 1))
    server=pcore-scenes-$$-$starts
    mkdir -p "$home/$name"
    tmux_ new-session -d -s scene -x "$1" -y "$2" -c "$home/$name" \
        env -u NO_COLOR TERM=screen-256color "HOME=$home/$name" "XDG_STATE_HOME=$home/$name/state" \
        "XDG_CONFIG_HOME=$home/$name/config" "${@:3}" "$program"
    tmux_ set-option -s escape-time 0 \; set-option remain-on-exit on
    within '^>>'
}

# within PATTERN: waits until a line of the screen matches
within() {
    local until=$((SECONDS + 20))
    until screen | grep -q "$1"; do
        [ $SECONDS -lt $until ] || { echo "FAILED $name: no line with $1"; failures=$((failures + 1)); return; }
    done
}

# People press no key within milliseconds of another: what comes so fast counts as pasted.
typed() { sleep 0.05; tmux_ send-keys -t scene -l -- "$1"; }
key() { sleep 0.05; tmux_ send-keys -t scene "$@"; }
pasted() { tmux_ set-buffer -- "$1"; tmux_ paste-buffer -p -t scene; }

# An entry, and the screen without it: what it answers does not matter here.
entered() { typed "$1"; key Enter; within '^>>$'; key C-l; shows '>>'; }

screen() { tmux_ capture-pane -p -t scene | sed 's/ *$//' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'; }

# shows TEXT: waits until the screen is TEXT
shows() {
    local until=$((SECONDS + 20))
    while [ "$(screen)" != "$1" ]; do
        if [ $SECONDS -ge $until ]; then
            failures=$((failures + 1))
            echo "FAILED $name"
            diff <(echo "$1") <(screen) | sed 's/^/    /' || true
            return
        fi
    done
    if [ -n "$show" ]; then
        echo "--- $name"
        tmux_ capture-pane -e -p -t scene | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
        printf '\033[0m'
    fi
}

if scene continuation; then
    typed '$x = {'; key Enter
    shows $'>> $x = {\n..'
    typed "'a' => ["; key Enter
    shows $'>> $x = {\n..   \'a\' => [\n..'
    typed '1,'
    shows $'>> $x = {\n..   \'a\' => [\n..     1,'
    key Enter
    shows $'>> $x = {\n..   \'a\' => [\n..     1,\n..'
    typed ']'
    shows $'>> $x = {\n..   \'a\' => [\n..     1,\n..   ]'
    typed '}'; key Enter
    shows $'>> $x = {\n..   \'a\' => [\n..     1,\n..   ]}\n=> {\'a\' => [1]}\n>>'
fi

if scene 'paste of a session'; then
    pasted $'>> type Port = Integer[1, 65535]\n>> [80,\n.. 0].map |$p| { $p =~ Port }\n=> [true, false]'
    shows $'>> >> type Port = Integer[1, 65535]\n>> [80,\n.. 0].map |$p| { $p =~ Port }\n=> [true, false]'
    key Enter
    shows $'>> >> type Port = Integer[1, 65535]\n>> [80,\n.. 0].map |$p| { $p =~ Port }\n=> [true, false]
>> type Port = Integer[1, 65535]\n>> [80,\n.. 0].map |$p| { $p =~ Port }\n=> [true, false]\n>>'
fi

if scene completion; then
    entered "\$record = {'name' => 'web', 'port' => 80}"
    entered 'type Net::Port = Integer'
    entered 'type Net::Host = String'
    # completes TYPED SCREEN: what Tab makes of it
    completes() { typed "$1"; key Tab; shows "$2"; key C-c; key C-l; shows '>>'; }
    types='String  type  texts, optionally with a least and a greatest number of characte…
Struct  type  hashes with named members, each with its type'
    completes '1 =~ Str' $'>> 1 =~ Str\n'"$types"$'\n>> 1 =~ Str'
    completes '[{a => Str' $'>> [{a => Str\n'"$types"$'\n>> [{a => Str'
    completes '1 =~ Ne' '>> 1 =~ Net::'
    completes '1 =~ Net::' $'>> 1 =~ Net::\nNet::Host  alias  String   Net::Port  alias  Integer\n>> 1 =~ Net::'
    completes "\$record['" $'>> $record[\'\nname  key  port  key\n>> $record[\''
    completes "assert_type(Enum['red'], '" ">> assert_type(Enum['red'], 'red'"
    completes '$record.ke' '>> $record.keys'
    completes '"at ${rec' '>> "at ${record'
    completes ':uns' '>> :unset'
    completes ':doc Stru' '>> :doc Struct'
fi

if scene hint; then
    typed 'Integer['
    shows '>> Integer[from, to]'
    key C-c
    shows $'>> Integer[\n>>'
fi

if scene interrupt; then
    typed 'Integer[1, 1000000000000].each |$x| { }'; key Enter
    until [ "$(tmux_ display-message -p -t scene '#{cursor_y}')" = 1 ] || [ $SECONDS -gt 600 ]; do :; done
    key C-c
    shows $'>> Integer[1, 1000000000000].each |$x| { }\n^Cinterrupted\n>>'
fi

if scene suspended; then
    # A shell, from which the prompt is started and to which Ctrl-Z goes back.
    prompt=$program
    program=/bin/sh
    start 80 24 'PS1=>> '
    program=$prompt
    typed "$program"; key Enter
    within 'Ctrl-D leaves$'
    typed '[1,'; key Enter
    typed '2'; key C-z
    within 'Stopped'
    typed 'fg'; key Enter
    within '^\.\.   2$'
    typed ', 3]'; key Enter
    within '^=> \[1, 2, 3\]$'
fi

if scene 'history over two runs'; then
    entered "'a'"
    entered '[3]'
    entered " 'hidden'"
    entered "Sensitive('x')"
    start 80 24
    key C-l
    key Up
    shows '>> [3]'
    key Up
    shows ">> 'a'"
    key Down
    shows '>> [3]'
fi

if scene highlighting; then
    typed '$a = "x ${b}" =~ /y/ and 1 =~ Integer and Nope == '"'z' # c"
    shows '>> $a = "x ${b}" =~ /y/ and 1 =~ Integer and Nope == '"'z' # c"
fi

if scene 'narrow terminal' 40; then
    typed '[1, 2, 3].map |$number| { $number * 1000 }'
    shows $'>> [1, 2, 3].map |$number| { $number * 1\n000 }'
    key Enter
    shows $'>> [1, 2, 3].map |$number| { $number * 1\n000 }\n=> [1000, 2000, 3000]\n>>'
fi

if scene 'wide characters'; then
    typed "'日本語 😀'"
    shows ">> '日本語 😀'"
    key Left Left
    typed '!'
    shows ">> '日本語 !😀'"
fi

if scene 'dumb terminal' 80 24 TERM=dumb; then
    key C-c
    start 80 24 TERM=dumb
    typed '[1,'; key Enter
    typed '2]'; key Enter
    within '^=> \[1, 2\]'

fi

if scene 'no colours' 80 24 NO_COLOR=1; then
    typed 'Integer[1] =~ Type'
    shows '>> Integer[1] =~ Type'
fi

if [[ pipe == *"$wanted"* ]]; then
    name=pipe
    starts=$((starts + 1))
    code=0
    answer=$(echo '1 =~' | "$program" 2>&1) || code=$?
    if [ $code != 1 ] || grep -q $'\033' <<<"$answer"; then
        failures=$((failures + 1))
        echo "FAILED pipe: exit code $code"
    fi
fi

[ $starts != 0 ] || { echo "no scene has $wanted in its name" >&2; exit 2; }
[ $failures = 0 ] && echo 'all scenes are as they should be'
exit $((failures > 0))
