"""FOR and IF: an order kept for a later phase means the same in that phase."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support import scripted_players as player
from support.shipped import LIBRARY

from gm.judge.board.board import Place
from gm.judge.model.conditions import NotCondition, UnitStands
from gm.judge.model.orders import Preferences, UnitRef
from gm.judge.model.variant import Variant
from gm.language.commands.blocks.planning_blocks import ahead, read_kept
from gm.language.commands.planning import CheckRequest, ForPhaseRequest
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext
from gm.language.orders import conditions
from gm.language.orders import retreat_preferences as wishes
from gm.language.orders.sheet_reader import KnownOrdersReader
from gm.language.rendering import order_text as write

SHELF = LIBRARY
VARIANTS = [SHELF.variant(name) for name in SHELF.ids()]
STANDARD = SHELF.variant("standard")


def letter(context: LetterContext, *lines: str) -> LetterContents:
    return read_letter(tuple(enumerate(lines, 1)), context)


def kept_lines(reading: LetterContents) -> list[str]:
    return [
        line.text
        for request in reading.requests
        if isinstance(request.request, ForPhaseRequest)
        for line in request.request.lines
    ]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_every_order_can_be_kept_for_its_phase(variant: Variant) -> None:
    """Sheets of a random game, written below FOR from another position, are read as in their phase."""
    wrong: list[str] = []
    tried = 0
    for position, book, _ in player.game(variant, 9, 14):
        phase = variant.phase_name(position)
        before = replace(position, year=position.year - 1, at=0, units=variant.start.units, dislodged=())
        for (author, power), entries in book.sheets.items():
            lines = [write.statement(entry.statement, phase[-1:]) for entry in entries]
            if power != author or not lines:
                continue
            reading = letter(LetterContext(variant, before, power), f"FOR {phase}", *lines, "END")
            again = KnownOrdersReader(variant, position).every(power, kept_lines(reading))
            kept_orders = [order for read in again if isinstance(read, list) for order in read]
            first = KnownOrdersReader(variant, position).every(power, lines)
            meant = [order for read in first if isinstance(read, list) for order in read]
            tried += len(meant)
            wrong += [f"{phase} {power}: {order}" for order in meant if order not in kept_orders]
    assert tried > 20
    assert wrong == []


@given(st.data())
@settings(deadline=None)
def test_preferences_read_back(data: st.DataObject) -> None:
    board = STANDARD.start.board.provinces
    context = ahead(LetterContext(STANDARD, STANDARD.start, "France"), "F1903R")
    codes = [code for code, area in board.items() if not area.coasts and "land" in area.slots]
    unit, *places = data.draw(st.lists(st.sampled_from(codes), min_size=2, max_size=6, unique=True))
    off = data.draw(st.booleans())
    wanted = Preferences(UnitRef("A", Place(unit)), (*(Place(code) for code in places), *((None,) if off else ())))
    assert wishes.read_retreat_wish(str(wanted), context) == wanted


def test_a_stored_line_splits_into_condition_and_order() -> None:
    context = LetterContext(STANDARD, STANDARD.start, "France")
    guard = NotCondition(UnitStands(Place("Bur")))
    assert read_kept("A Par - Bur", context) == (None, "A Par - Bur")
    assert read_kept(f"IF {conditions.write(guard)}: A Par - Bur", context) == (guard, "A Par - Bur")


WORDS = [
    "IF",
    "if",
    "ELSE",
    "END IF",
    "END",
    "FOR F1902M",
    "FOR",
    "CHECK",
    "THEN",
    "A Par - Bur",
    "Bur empty",
    "RETREAT",
]
WORDS += [
    "A Par: Gas, OTB",
    "Germany:",
    "A Mun H",
    "FINAL",
    "(",
    ")",
    "NOT",
    "AND",
    "",
    "PRELIM",
    "CLEAR FUTURE",
    "hello",
]


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), max_size=12))
@example(["CHECK Germany:"])
@settings(deadline=None)
def test_random_lines_never_raise(lines: list[str]) -> None:
    reading = letter(LetterContext(STANDARD, STANDARD.start, "France"), *lines)
    for request in reading.requests:
        if isinstance(request.request, CheckRequest):
            assert set(request.request.lines) <= {words for line in lines for words in (line, *_ends(line))}


def _ends(line: str) -> list[str]:
    words = line.split()
    ends = [" ".join(words[at:]) for at in range(len(words))]
    ends += [line[word.start() :].rstrip() for word in re.finditer(r"\S+", line)]  # "IF  IF" keeps its blanks
    return ends + [end.removesuffix(":") for end in ends]


def test_only_the_first_true_branch_counts() -> None:
    """Random chains: in the open phase exactly one branch counts, the first whose condition is true."""
    dice = Random(1)
    context = LetterContext(STANDARD, STANDARD.start, "France")
    so, not_so = ("A Par", "France owns Par", "Bur empty"), ("A Bur", "nobody owns Par", "Par empty")
    for _ in range(40):
        chain = [dice.choice((so, not_so)) for _ in range(dice.randint(1, 4))]
        lines = [
            f"{'IF' if not i else 'ELSE IF'} {dice.choice(forms)}\nA Par - {to}"
            for i, (forms, to) in enumerate(zip(chain, ("Bur", "Pic", "Gas", "Bre"), strict=False))
        ]
        expected = next(
            (to for forms, to in zip(chain, ("Bur", "Pic", "Gas", "Bre"), strict=False) if forms is so), None
        )
        reading = letter(context, *"\n".join([*lines, "END IF"]).splitlines())
        assert [write.statement(order.statement) for order in reading.orders] == (
            [f"A Par - {expected}"] if expected else []
        )
