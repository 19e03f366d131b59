"""Whether a unit is in another player's hands is nobody's to know but theirs: games that differ in that alone."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from support.random_games_site import MARK
from support.twin_games import Twins

from gm.game.model.services import Services
from gm.judge.model.orders import Statement, UnitOrder
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Step, Variant
from gm.language.rendering import order_text
from gm.variant_files.library import Library

OWNER, HOLDER = "France", "Germany"


class LentTwins(Twins):
    """In the second run the owner leaves one of his units to the holder, who orders what the owner did in the first."""

    lent = 0

    def tells(self, step: Step, position: Position) -> bool:
        return step.letter == "M"

    def _phase(self, letter: str, book: Submissions, other: Sequence[Statement] | None) -> None:
        order = next(iter(_orders(book)), None)
        if other is not None and order is not None:
            self.lent += 1
            line = order_text.statement(order, letter=letter)
            self.runs[0].write(*self._from(0, HOLDER), "STATUS")
            self.runs[1].write(*self._from(1, OWNER), f"PROXY {order_text.unit(order.unit)} TO {HOLDER}")
            self.runs[1].write(*self._from(1, HOLDER), f"{line}\nSHOW")
            self.master("SET proxy no")
            self.master("SET proxy yes")
        super()._phase(letter, book, other)


def _orders(book: Submissions) -> list[UnitOrder]:
    return [entry.statement for entry in book.entries(OWNER) if isinstance(entry.statement, UnitOrder)]


def without_one(
    variant: Variant, position: Position, book: Submissions, power: str, dice: Random
) -> Sequence[Statement] | None:
    return tuple(_orders(book)[1:]) or None


@pytest.fixture(scope="module")
def standard(library: Library) -> Variant:
    return library.variant("standard")


def test_nobody_learns_who_wrote_an_order(services: Services, standard: Variant) -> None:
    twins = LentTwins(services, 5, standard, power=OWNER, accomplices=frozenset({HOLDER}), chosen="proxy: yes\n")
    twins.play(3, without_one)
    assert twins.lent >= 2
    assert not [run.shunted() for run in twins.runs if run.shunted()]
    assert twins.leaks() == []
    text = "\n".join(sent.text() for sent in twins.runs[1].recorder.sent[twins.address(HOLDER)])
    assert "has lent you" in text
    assert "no longer lent to you" in text
    assert not MARK.search(text)
