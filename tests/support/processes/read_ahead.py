"""What all workers read, read before they are forked: words of languages, boards, templates, the process that forks.

It takes 5 s of CPU, and would take as many in each worker; more than three times as many where no compiled pattern has
been kept yet.
"""

from __future__ import annotations

from human_letters.human_letter import LETTERS, load
from human_letters.verdict import judge_all
from structlog.testing import capture_logs
from support.processes import warm_process
from support.shipped import LIBRARY, map_drawer


def read_ahead() -> None:
    """Answers one letter in each variant and language, and draws each board."""
    warm_process.start()
    letters = load(sorted(LETTERS.glob("*.jsonl")))
    letter_of = {(letter.variant, letter.language): letter for letter in letters if letter.position == "start"}
    with capture_logs():
        judge_all(letter_of.values())
    for name in LIBRARY.ids():
        variant = LIBRARY.variant(name)
        map_drawer().draw(map_drawer().scene(variant, variant.start))
