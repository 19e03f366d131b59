"""How the letters were read, in words: the totals, and all about one letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from human_letters.verdict import Judged, Verdict

SHOWN = 40
"""Lines of an answer."""


def totals(judged: Sequence[Judged]) -> str:
    """The share of each verdict, then for each class its numbers."""
    whole = Counter(result.verdict for result in judged)
    rows = [
        f"{len(judged)} letters: "
        + ", ".join(f"{verdict} {_share(whole[verdict], len(judged))}" for verdict in Verdict)
    ]
    width = max((len(result.letter.klass) for result in judged), default=0)
    rows.append(" " * width + "".join(f"{verdict:>10}" for verdict in Verdict))
    for klass in sorted({result.letter.klass for result in judged}):
        count = Counter(result.verdict for result in judged if result.letter.klass == klass)
        rows.append(f"{klass:{width}}" + "".join(f"{count[verdict] or '':>10}" for verdict in Verdict))
    return "\n".join(rows)


def _share(number: int, whole: int) -> str:
    return f"{number} ({100 * number / whole:.1f} %)" if whole else "0"


def details(judged: Judged) -> str:
    letter = judged.letter
    subject = [f"Subject: {letter.subject}"] if letter.subject else []
    expected = " | ".join(f"{_listed(outcome.stored)} asking {outcome.asked}" for outcome in letter.outcomes)
    return "\n".join(
        (
            f"==== {letter.id}  {letter.klass}  {judged.verdict.upper()}  ({letter.variant}, {letter.power})",
            *(f"> {line}" for line in (*subject, *letter.words.splitlines())),
            f"before:   {_listed(letter.on_file)}",
            f"on file:  {_listed(judged.on_file)}",
            f"expected: {expected}",
            f"lacking:  {_listed(judged.lacking)}",
            *(f"    {line}" for line in judged.answer.splitlines()[:SHOWN]),
            "",
        )
    )


def _listed(lines: Iterable[str]) -> str:
    return "; ".join(lines) or "nothing"
