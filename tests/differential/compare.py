#!/usr/bin/env python3
"""Runs random programs in Puppet and in pcore, and shows where the answers differ. See README.md."""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import threading

from families import FAMILIES

HERE = os.path.dirname(os.path.abspath(__file__))
# Puppet fails inside: nothing can be said about pcore's answer.
BROKEN = re.compile(r"undefined (local variable or )?method|stack level|can't convert|no implicit conversion|comparison of|uninitialized "
                    r"constant|wrong number of arguments \(given|cannot load such file|out of range|execution expired")
RUBY_OBJECT = re.compile(r"#<\w|Puppet::Pops|0x0000")
# Codes that stand for any failure.
ANY_ISSUE = {None, "", "RUNTIME_ERROR", "SYNTAX_ERROR"}


def programs(seed, count, only):
    chosen = [name for name in FAMILIES if not only or name in only]
    made = {}
    for name in chosen:
        rng = random.Random(f"{name} {seed}")
        for number in range(count // len(chosen)):
            made.setdefault(FAMILIES[name](rng), f"{name}/{number}")
    return [{"id": id_, "code": code} for code, id_ in made.items()]


def ask(command, requests, env):
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env)

    def feed():
        process.stdin.writelines(json.dumps(request) + "\n" for request in requests)
        process.stdin.close()

    threading.Thread(target=feed).start()
    answers = [json.loads(line) for line in process.stdout]
    assert len(answers) == len(requests), f"{command[0]} ended after {len(answers)} answers"
    return answers


def is_broken(answer):
    return (RUBY_OBJECT if answer["ok"] else BROKEN).search(str(answer["value"] if answer["ok"] else answer["error"]))


def notices(answer):
    return [text for text in answer["notices"] if not re.match("(warning|err|alert|crit|emerg): ", text)]


def difference(puppet, pcore):
    if puppet["ok"] != pcore["ok"]:
        return "only Puppet accepts it" if puppet["ok"] else "only pcore accepts it"
    if puppet["ok"]:
        for part in ("value", "type"):
            if puppet[part] != pcore[part]:
                return part
    elif puppet["issue"] not in ANY_ISSUE and puppet["issue"] != pcore["issue"]:
        return "issue"
    return None if notices(puppet) == notices(pcore) else "notices"


def said(answer):
    return answer["value"] if answer["ok"] else f"{answer['issue']} in line {answer['line']}: {answer['error']}"


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", required=True)
    options.add_argument("--programs", type=int, default=5000)
    options.add_argument("--families", type=lambda names: names.split(","))
    options.add_argument("--strict", default="error")
    options.add_argument("--puppet", help="lib folder of another Puppet than the installed one")
    options.add_argument("--pcore", default=os.path.join(HERE, "..", "..", "target", "release", "pcore"))
    options = options.parse_args()
    env = dict(os.environ, TZ="UTC", STRICT=options.strict)
    if options.puppet:
        env["PUPPET_LIB"] = options.puppet
    requests = programs(options.seed, options.programs, options.families)
    puppet_command = ["ruby", os.path.join(HERE, "puppet.rb")]
    puppet = ask(puppet_command, requests, env)
    pcore = ask([options.pcore, "--strict", options.strict, "batch"], requests, env)
    count = collections.Counter()
    for request, theirs, ours in zip(requests, puppet, pcore):
        if is_broken(theirs):
            count["left out: Puppet fails inside"] += 1
            continue
        # Puppet remembers things from one program to the next: only a fresh process counts.
        if difference(theirs, ours):
            theirs = ask(puppet_command, [request], env)[0]
        count["compared"] += 1
        if not theirs["ok"] and not ours["ok"] and theirs["line"] is not None:
            count["both fail"] += 1
            count["in the same line"] += theirs["line"] == ours.get("line")
        why = difference(theirs, ours)
        if why:
            count["different"] += 1
            print(f"--- {request['id']}: {why}\n{request['code']}\n  Puppet {said(theirs)}\n  pcore  {said(ours)}")
    print(dict(count))


if __name__ == "__main__":
    main()
