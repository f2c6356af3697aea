"""The programs about the language itself, as one would write them in Python.

    python3 native.py PROGRAM      a line of JSON for each line of the standard input: one evaluation
"""

import json
import sys
import time


def arith_reduce():
    total = 0
    for i in range(1, 100_001):
        total = (total * 31 + i) % 1_000_003
    return f"arith_reduce {total}"


def map_filter():
    squares = [i * i % 1009 for i in range(1, 30_001)]
    thirds = [x for x in squares if x % 3 == 0]
    total = 0
    for x in thirds:
        total = (total * 7 + x) % 1_000_003
    return f"map_filter {len(thirds)} {total}"


def hash_access():
    table = {f"k{i}": {"a": [i, i * 2, i * 3], "b": {"c": i % 17}} for i in range(1000)}
    total = 0
    for i in range(1, 15_001):
        entry = table[f"k{i % 1000}"]
        value = entry["a"][i % 3] + entry["b"]["c"]
        total = (total * 31 + value) % 1_000_003
    return f"hash_access {total}"


def interpolation():
    tlds = ["example", "test", "invalid"]
    total = 0
    for i in range(1, 20_001):
        n = i % 97
        text = f"host-{i}.rack{n}.{tlds[i % 3]}:{n + 1}/{len(tlds[n % 3])}"
        total = (total * 31 + len(text)) % 1_000_003
    return f"interpolation {total}"


def main():
    program = {f.__name__: f for f in (arith_reduce, map_filter, hash_access, interpolation)}.get(sys.argv[1])
    for _ in sys.stdin if program else ():
        before = time.process_time()
        result = program()
        print(json.dumps({"result": [result], "seconds": time.process_time() - before}), flush=True)


main()
