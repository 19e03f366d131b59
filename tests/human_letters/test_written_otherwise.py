"""Letters mean the same when a mail program breaks their lines, in capitals, below talk and above a quote."""

from __future__ import annotations

from itertools import cycle

from human_letters.human_letter import LETTERS, load
from human_letters.report import details
from human_letters.verdict import Verdict, judge_all
from human_letters.written_otherwise import CHANGES, changed, in_html

EACH = 9
"""Of so many letters one is read, each in another way than the one before: all of them cost a minute for each way."""
WORST = (Verdict.WRONG, Verdict.DROPPED)


def test_no_letter_is_misread_in_another_form() -> None:
    """More than as it was written: `bounds.toml` counts those that are misread so."""
    letters = [letter for letter in load(sorted(LETTERS.glob("*.jsonl"))) if letter.body][::EACH]
    ways = cycle((*CHANGES, ""))
    otherwise = judge_all(
        changed(letter, way) if way else in_html(letter) for letter, way in zip(letters, ways, strict=False)
    )
    misread = [(letter, result) for letter, result in zip(letters, otherwise, strict=True) if result.verdict in WORST]
    written = judge_all(letter for letter, _ in misread)
    worse = [result for (_, result), plain in zip(misread, written, strict=True) if plain.verdict not in WORST]
    assert not worse, "\n\n".join(map(details, worse))
