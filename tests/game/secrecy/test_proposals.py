"""What we propose to one player, and their YES, is nobody else's: shown by games that differ in nothing else.

In the first run a player orders a move in notation; in the second in words that we do not take, propose and store after
their YES. A NO, and a proposal that nobody answers, stay between the two as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import pytest
from support.twin_games import Twins

from gm.game.model.proposals import find_proposals, proposals_code
from gm.game.model.services import Services
from gm.judge.model.orders import Move, Statement
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Step, Variant
from gm.judge.movement.movement_step import MovementStep
from gm.language.rendering import order_text
from gm.variant_files.library import Library

SEEDS = 4
TURNS = 4


@dataclass
class ProposalTwins(Twins):
    """`accepted` counts the proposals that the second run's player took."""

    accepted: int = 0

    def tells(self, step: Step, position: Position) -> bool:
        return isinstance(step, MovementStep)

    def _second(self, letter: str, statements: Sequence[Statement], other: Sequence[Statement] | None) -> None:
        moves = [order for order in statements if isinstance(order, Move) and not order.via and not order.route]
        if other is None or not moves:
            super()._second(letter, statements, None)
            return
        vague = moves[0]
        lines = list(self._lines(letter, [statement for statement in statements if statement != vague]))
        words = f"so {vague.unit.kind} {vague.unit.at} wobbles gracefully {vague.to}"
        self._write("\n".join((*lines, words)))
        if code := self._code():
            self.accepted += 1
            self._write(f"YES {code}")
        self._write("\n".join((order_text.statement(vague, letter), "so A Zzz wobbles about")))

    def _write(self, words: str) -> None:
        self.runs[1].write(*self._from(1, self.power), words)

    def _code(self) -> str:
        """That of the proposals of the last letter, if there are any."""
        stage = self.runs[1]
        code = proposals_code(self.services, sum(stage.posted.values()))
        with stage.transaction() as store:
            return code if find_proposals(store, code) is not None else ""


def the_same(
    variant: Variant, position: Position, book: Submissions, power: str, dice: Random
) -> Sequence[Statement] | None:
    return tuple(entry.statement for entry in book.entries(power)) or None


@pytest.mark.parametrize("seed", range(SEEDS))
def test_proposals_and_their_answers_are_nobody_else_s(seed: int, services: Services, library: Library) -> None:
    twins = ProposalTwins(services, seed, library.variant("standard"))
    twins.play(TURNS, the_same)
    assert twins.accepted
    assert twins.leaks() == []
