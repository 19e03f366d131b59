"""Letters as people write them are stored as meant, proposed or asked about; `python -m human_letters` tells which."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from gm.language.letter import letter_reader
from gm.language.lines.letter_contents import LetterContents
from human_letters.answer_words import names, own_words
from human_letters.human_letter import LETTERS, HumanLetter, Outcome, load
from human_letters.own_spans import assert_spans_are_the_letter
from human_letters.report import totals
from human_letters.verdict import Judgement, Verdict, judge_all

FILES = sorted(LETTERS.glob("*.jsonl"))
BOUNDS = tomllib.loads((LETTERS / "bounds.toml").read_text(encoding="utf-8"))
LETTER = HumanLetter("x1", "short", "standard", "Austria", "en", "start", (), "", "", "", (), {"A Vie - Gal": ("Vie",)})
ANSWER = """Nothing was stored. A Bud and F Tri have no order yet and will hold.

{}

YOUR SHEET, VERSION 1
  A Bud  no order: it will hold
  A Vie - Boh

TO CHANGE SOMETHING
Reply with new lines."""


@pytest.fixture
def spans_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each letter that is read must be the sum of its spans."""
    reader_class = letter_reader._Reader
    read = reader_class.read

    def read_and_look(reader: letter_reader._Reader) -> LetterContents:
        reading = read(reader)
        assert_spans_are_the_letter("".join(text for _, text in reader.lines), reading)
        return reading

    monkeypatch.setattr(reader_class, "read", read_and_look)


@pytest.mark.usefixtures("spans_are_looked_at")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_letters_are_read_as_well_as_the_bounds_say(file: Path) -> None:
    judged = judge_all(load([file]))
    print(totals(judged))
    count = Counter(result.verdict for result in judged)
    counts = {
        "right": count[Verdict.RIGHT],
        "offered": count[Verdict.RIGHT] + count[Verdict.PROPOSED],
        "dropped": count[Verdict.DROPPED],
        "wrong": count[Verdict.WRONG],
    }
    bounds = BOUNDS[file.stem]
    assert counts["right"] >= bounds["right"], totals(judged)
    assert counts["offered"] >= bounds["offered"], totals(judged)
    assert counts["dropped"] <= bounds["dropped"], totals(judged)
    assert counts["wrong"] <= bounds["wrong"], totals(judged)


@pytest.mark.parametrize(
    ("before", "after", "wanted", "asked", "quoted", "verdict"),
    [
        ("", "A Vie - Gal", "A Vie - Gal", (), "", Verdict.RIGHT),
        ("", "A Vie - Gal", "A Vie - Gal", (("Bud",),), "", Verdict.DROPPED),  # the sheet's words ask nothing
        ("", "A Vie - Gal", "A Vie - Gal", (("Bud", "Tri"),), "   tri to alb?", Verdict.RIGHT),
        ("", "", "A Vie - Gal", (), "", Verdict.DROPPED),
        ("", "", "A Vie - Gal", (), "   vie up to gal", Verdict.ASKED),
        ("", "", "A Vie - Gal", (), "Reply YES to take A Vie - Gal.", Verdict.PROPOSED),
        ("", "", "A Vie - Gal", (), "We would take it as A Vie - Gal: reply YES 7KX2QM4P.", Verdict.PROPOSED),
        ("", "", "A Vie - Gal", (), "Reply YES to take A Vie - Tyr.", Verdict.ASKED),
        ("", "A Vie - Tyr", "A Vie - Gal", (), "   Vie", Verdict.WRONG),
        ("A Vie - Gal", "", "A Vie - Gal", (), "   Vie", Verdict.WRONG),
        ("A Vie - Gal", "", "", (), "", Verdict.RIGHT),
        ("A Vie - Gal", "A Vie - Gal", "", (), "", Verdict.DROPPED),
        ("A Vie - Gal", "A Vie - Gal", "", (), "   forget Vie", Verdict.ASKED),
        ("A Vie - Tyr", "", "A Vie - Gal", (), "   Vie", Verdict.WRONG),  # taken back without its replacement
        ("A Vie - Tyr", "A Vie - Tyr", "A Vie - Gal", (), "   Vie", Verdict.DROPPED),  # nothing says that Tyr is to go
    ],
)
def test_verdicts(
    before: str, after: str, wanted: str, asked: tuple[tuple[str, ...], ...], quoted: str, verdict: Verdict
) -> None:
    def sheet(line: str) -> tuple[str, ...]:
        return (line,) if line else ()

    judgement = Judgement(
        letter=replace(LETTER, outcomes=(Outcome(sheet(wanted), asked),)),
        on_file=frozenset(sheet(after)),
        before=frozenset(sheet(before)),
        answer=ANSWER.format(quoted),
        canonical=str,
        about=lambda line: ("unit", " ".join(line.split()[:2])),
        accepted=lambda _: frozenset({"A Vie - Gal"}),
    )
    assert judgement.best()[0] is verdict


def test_the_best_outcome_counts() -> None:
    outcomes = (Outcome(("A Vie - Gal",)), Outcome((), (("Vie",),)))
    judgement = Judgement(
        replace(LETTER, outcomes=outcomes),
        frozenset(),
        frozenset(),
        ANSWER.format("   Vie"),
        str,
        lambda line: ("", line),
        frozenset,
    )
    assert judgement.best()[0] is Verdict.RIGHT


def test_fixed_words_of_answers_name_no_unit() -> None:
    words = own_words(ANSWER.format("“Vie up” is no order."), "en")
    assert names(words, "vie up")
    assert not any(names(words, word) for word in ("Bud", "Tri", "Boh", "Vi"))


def test_a_clause_is_named_by_three_of_its_words_in_a_row() -> None:
    assert names("“please hold everything, mate” is", "~Please hold everything")
    assert names("“hold all”", "~hold all")
    assert not names("hold the line, everything else", "~hold everything everywhere else")


def test_a_caret_names_its_clause_alone() -> None:
    words = own_words("   Vie to Gal, Bud to Srb and Tri holds\n                      ^^^\n   “Srb” is no place.", "en")
    assert names(words, "Bud to Srb")
    assert not any(names(words, word) for word in ("Vie", "Tri"))
