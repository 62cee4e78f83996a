"""Run many random tables, or one again.

python -m tests.attack --tables 20000           counts, and what went wrong
python -m tests.attack --table 1234             one table: what is asked, and what becomes of it
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.attack.outcome import attempt
from tests.attack.places import cells_of
from tests.attack.requests import request
from tests.attack.tally import sentence


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.attack")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--table", type=int, help="the number of one table")
    parser.add_argument("--first", type=int, default=0, help="the number of the first table")
    parser.add_argument("--tables", type=int, default=2000, help="how many tables")
    parser.add_argument("--refusals", action="store_true", help="list why tables were refused")
    given = parser.parse_args()
    if given.table is not None:
        return one(given.table)
    return many(range(given.first, given.first + given.tables), refusals=given.refusals)


def one(number: int) -> int:
    asked = request(number)
    print(asked.table.schema, cells_of(asked.table).to_string(), sep="\n")
    for name, value in asked.asked.items():
        print(f"{name}: {value!r}")
    print(f"from {asked.place} to {asked.out}, streamed: {asked.streamed}, cut: {asked.cut}")
    outcome = attempt(number)
    print(outcome)
    return int(outcome.is_failure)


def many(numbers: range, *, refusals: bool) -> int:
    counts: Counter[str] = Counter()
    started = time.process_time()
    for number in numbers:
        outcome = attempt(number)
        counts[outcome.word] += 1
        if outcome.is_failure or (refusals and outcome.word == "refusal"):
            print(outcome, flush=True)
        if sum(counts.values()) % 1000 == 0:
            print(sentence(counts), file=sys.stderr, flush=True)
    print(f"{sentence(counts)}; {time.process_time() - started:.0f} s of one core")
    return int(counts["exception"] + counts["violation"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
