"""Plays letters as people write them and prints how they are read.

    cd tests; python -m human_letters [FILE.jsonl …] [--only ID] [--verbose]

Without files: all of `human_letters/letters`. `human_letter.py` describes the form, `verdict.py` the verdicts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from human_letters.human_letter import LETTERS, load
from human_letters.report import details, totals
from human_letters.verdict import Verdict, judge_all


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="human_letters", description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.jsonl")
    parser.add_argument(
        "--only", action="append", default=[], metavar="ID", help="a letter's id or class; may be repeated"
    )
    parser.add_argument(
        "--verbose", action="store_true", help="show each letter that is not right; with --only every one"
    )
    chosen = parser.parse_args(arguments)
    letters = list(load(chosen.files or sorted(LETTERS.glob("*.jsonl"))))
    if chosen.only:
        letters = [letter for letter in letters if {letter.id, letter.klass} & set(chosen.only)]
    started = time.process_time()
    judged = judge_all(letters)
    if chosen.verbose:
        for verdict in judged:
            if verdict.verdict is not Verdict.RIGHT or chosen.only:
                print(details(verdict))
    print(totals(judged))
    print(f"{time.process_time() - started:.1f} s of CPU")


if __name__ == "__main__":
    main()
