"""A vote to end the game, its lapse and its return are its voter's alone to know: games that differ in it alone."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from support.twin_games import Twins

from gm.game.model.services import Services
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Step, Variant
from gm.variant_files.library import Library

VOTER, PEER = "France", "Germany"


class VotingTwins(Twins):
    """In the second run the voter votes in every phase; another power does so in both."""

    def tells(self, step: Step, position: Position) -> bool:
        return step.letter == "M"

    def _phase(self, letter: str, book: Submissions, other: Sequence[Statement] | None) -> None:
        self._both(PEER, "VOTE DRAW\nSTATUS")
        self.runs[0].write(*self._from(0, VOTER), "STATUS")
        self.runs[1].write(*self._from(1, VOTER), "VOTE CONCEDE Germany OR END")
        super()._phase(letter, book, other)


def no_other(
    variant: Variant, position: Position, book: Submissions, power: str, dice: Random
) -> Sequence[Statement] | None:
    return None


@pytest.fixture(scope="module")
def standard(library: Library) -> Variant:
    return library.variant("standard")


def test_nobody_learns_that_a_vote_lapsed_or_stands_again(services: Services, standard: Variant) -> None:
    twins = VotingTwins(services, 3, standard, power=VOTER, chosen="draw_votes: phase\nunanimous: no\n", curious=True)
    twins.play(2, no_other)
    twins.master("ROLLBACK")
    twins.master("SET draw_votes shown\nPROCESS")
    assert not [run.shunted() for run in twins.runs if run.shunted()]
    assert twins.leaks() == []
    texts = [sent.text() for sent in twins.runs[1].recorder.sent[twins.address(VOTER)]]
    assert any("VOTE CONCEDE Germany OR END" in text and "lapsed with" in text for text in texts)
    assert any("Back to an earlier phase" in text and "You vote to concede" in text for text in texts)
    for power in (country.name for country in standard.powers if country.name not in (VOTER, PEER)):
        letters = twins.runs[1].recorder.sent[twins.address(power)]
        assert not any("lapsed with" in sent.text() for sent in letters)
