"""Fuzz a target with atheris, guided by coverage, from the corpus of the tests and from what was found before.

    python -m fuzz letter --seconds 300        bytes into letters
    python -m fuzz read --seconds 300          words into orders and requests

Whatever raises, or takes ten seconds or a gigabyte, is left in fuzz/finds/<target>, where `fuzz/test_fuzz.py` plays it
from then on.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import atheris

SLOW_SECONDS, LARGE_MEGABYTES, LONGEST = 10, 1_000, 6_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="fuzz")
    parser.add_argument("target", choices=("letter", "read"))
    parser.add_argument("--seconds", type=int, default=300)
    options = parser.parse_args()
    with atheris.instrument_imports(include=["gm.mail", "gm.language"]):
        from fuzz import targets
    finds = targets.FINDS / options.target
    finds.mkdir(parents=True, exist_ok=True)
    targets.warm()
    with TemporaryDirectory() as corpus:
        known = [path.read_bytes() for path in finds.iterdir()]
        for number, seed in enumerate([*targets.seeds(options.target), *known]):
            (Path(corpus) / f"{number}").write_bytes(seed[:LONGEST])
        limits = (f"-timeout={SLOW_SECONDS}", f"-rss_limit_mb={LARGE_MEGABYTES}", f"-max_len={LONGEST}")
        goals = (f"-max_total_time={options.seconds}", f"-artifact_prefix={finds}/", corpus)
        atheris.Setup([sys.argv[0], *limits, *goals], targets.TARGETS[options.target])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
