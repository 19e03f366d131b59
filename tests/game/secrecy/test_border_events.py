"""Placements that nobody needed, and events that were replaced in time, are known to their writer and the game master:
shown by games that differ in nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from random import Random

import pytest
from msgspec.structs import replace
from support import random_border_orders as upheavals
from support import scripted_players as player
from support.twin_games import Twins

from gm.game.model.services import Services
from gm.game.views.turns import turn_events
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.border_orders import NoEvent, Placement, is_event
from gm.judge.mechanics.moving_borders.border_step import BorderStep
from gm.judge.model.events import visible
from gm.judge.model.orders import Entry, Statement
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Step, Variant
from gm.judge.movement.movement_step import MovementStep
from gm.language.rendering import order_text
from gm.variant_files.library import Library

PHASES = 4
"""Seismic phases of one game: two years."""
TRIES = 6
WITH_MOVES = {"seismic_collect": "with-moves"}


@pytest.fixture(scope="module")
def seismic(library: Library) -> Variant:
    return library.variant("seismic")


@pytest.fixture(scope="module")
def foretold(library: Library) -> Variant:
    return library.variant("seismic", WITH_MOVES)


@dataclass
class QuakeTwins(Twins):
    """Where events are written the power has first another one on file in either run, then the same in both."""

    def tells(self, step: Step, position: Position) -> bool:
        return isinstance(step, BorderStep)

    def _phase(self, letter: str, book: Submissions, other: Sequence[Statement] | None) -> None:
        position = self.runs[0].position(self.variant)
        step, board = self.variant.step(position), position.board
        assert isinstance(board, PlanarBoard)
        if isinstance(step, BorderStep) or (isinstance(step, MovementStep) and step.also):
            final = [entry.statement for entry in book.entries(self.power) if is_event(entry.statement)]
            for number, run in enumerate(self.runs):
                first = [upheavals.event(board, self.dice) for _ in range(number + 1)]
                for event in first:
                    run.write(*self._from(number, self.power), order_text.statement(event))
            self._forward(timedelta(minutes=3))
            self._both(self.power, order_text.statement((*final, NoEvent())[0]))
        super()._phase(letter, book, other)

    def _lines(self, letter: str, statements: Sequence[Statement]) -> Iterator[str]:
        """Without marks: a line that is refused is shown again to its writer, mark and all."""
        yield from (order_text.statement(statement, letter=letter) for statement in statements)


def other_placements(
    variant: Variant, position: Position, book: Submissions, power: str, dice: Random
) -> Sequence[Statement] | None:
    """Others, more or fewer, that give everybody else's eyes the same turn."""
    own = tuple(entry.statement for entry in book.entries(power))
    events = tuple(statement for statement in own if not isinstance(statement, Placement))
    wanted = public(variant, position, book)
    for placements in _candidates(position, power, dice):
        lines = (*events, *placements)
        if set(lines) != set(own) and public(variant, position, _with(book, power, lines)) == wanted:
            return lines
    return None


def _candidates(position: Position, power: str, dice: Random) -> Iterator[tuple[Statement, ...]]:
    for _ in range(TRIES):
        yield tuple(
            statement for statement in upheavals.sheet(position, power, dice) if isinstance(statement, Placement)
        )
    yield ()


def _with(book: Submissions, power: str, lines: Sequence[Statement]) -> Submissions:
    return replace(book, sheets={**book.sheets, (power, power): tuple(Entry(line) for line in lines)})


def public(variant: Variant, position: Position, book: Submissions) -> object:
    turn = variant.step(position).resolve(position, variant, book)
    return turn.position.units, turn.position.board, visible(turn.events, None)


def played(services: Services, variant: Variant, seed: int, phases: int = PHASES) -> QuakeTwins:
    twins = QuakeTwins(services, seed, variant)
    twins.play(phases, other_placements)
    return twins


@pytest.mark.parametrize("seed", range(2))
def test_nobody_else_s_letters_show_placements_or_replaced_events(
    services: Services, seismic: Variant, seed: int
) -> None:
    twins = played(services, seismic, seed)
    assert twins.leaks() == []
    assert twins.differing, "the two runs hardly differ"


def test_moves_written_with_the_events_stay_secret_too(services: Services, foretold: Variant) -> None:
    """Years of moves: what was written and replaced, kept with the position through retreats, never shows."""
    twins = QuakeTwins(services, 1, foretold, chosen="seismic_collect: with-moves\n")
    while twins.runs[0].position(foretold).year < foretold.start.year + 2:
        position = twins.runs[0].position(foretold)
        twins._phase(foretold.step(position).letter, player.orders(foretold, position, twins.dice), None)
    assert twins.leaks() == []


# ---- and the test itself finds what leaks


def test_a_placement_in_everybody_s_letter_is_found(
    services: Services, seismic: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_events, "visible", lambda events, power: tuple(events))
    assert played(services, seismic, 1).leaks()
