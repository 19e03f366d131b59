"""What the open phase still waits for, for the clock and for the answer to the last letter."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.records import Game, Sheet
from gm.game.model.settings import GameSettings
from gm.game.phase import sheets
from gm.judge.model.variant import Step
from gm.language.orders.phase_names import MOVES


class EarlyEnd(StrEnum):
    """What ends a phase before its deadline."""

    READY = "ready"
    """READY on every due sheet."""
    COMPLETE = "complete"
    """Nothing is missing on any due sheet."""
    NEVER = "never"


def early_end(game: Game, settings: GameSettings, step: Step) -> EarlyEnd:
    """What ends the open phase, `step`, early: READY for moves, complete sheets for all others.

    With `wait_policy` "complete", moves end like the others; with "deadline", all phases end at their deadlines.
    """
    policy = settings.wait_policy
    if policy == "deadline" and game.due_at is not None:
        return EarlyEnd.NEVER
    by_ready = step.letter == MOVES and policy != "complete"
    return EarlyEnd.READY if by_ready else EarlyEnd.COMPLETE


class Readiness(Struct, frozen=True):
    """What the open phase still waits for.

    `filed` are the due sheets of seats with a player, `written` all sheets on file. `held`: some sheet says WAIT, be it
    of a player who owes nothing or of a seat given up. `asked`: a player of a due sheet has to write a line again. For
    speed, the orders on the sheets are read only if READY and WAIT do not decide.
    """

    loaded_game: LoadedGame
    filed: Mapping[tuple[str, str], Sheet | None]
    written: tuple[Sheet, ...]
    held: bool
    asked: bool

    @property
    def complete(self) -> bool:
        """Whether nothing is missing on any sheet."""
        return not any(sheets.missing_from_sheet(self.loaded_game, key, sheet) for key, sheet in self.filed.items())

    @property
    def ready(self) -> bool:
        """Whether nobody wants to wait for the deadline.

        Anybody's WAIT, a draft, a line to be written again or a seat given up keeps any phase open. No phase ends in a
        pause.
        """
        if self.loaded_game.game.paused_at is not None or not self._willing:
            return False
        if not self.filed:
            return self.loaded_game.step.letter != MOVES
        end = early_end(self.loaded_game.game, self.loaded_game.settings, self.loaded_game.step)
        if end is EarlyEnd.READY:
            return all(sheet.ready for sheet in self._stored)
        return end is EarlyEnd.COMPLETE and self.complete

    @property
    def ends_at(self) -> datetime | None:
        """When a phase ends that is ready: so long after its last letter as `delay` says. None: without any letter."""
        newest = max((sheet.at for sheet in self.written if sheet.at), default=None)
        return None if newest is None else newest + self.loaded_game.settings.delay

    @property
    def _stored(self) -> tuple[Sheet, ...]:
        return tuple(sheet for sheet in self.filed.values() if sheet is not None)

    @property
    def _willing(self) -> bool:
        """Whether every due sheet exists and none keeps the phase open."""
        stored = self._stored
        bars = any(sheet.preliminary or sheet.at is None for sheet in stored)
        return len(stored) == len(self.filed) and not bars and not self.held and not self.asked


def check_again(store: Store, loaded_game: LoadedGame) -> None:
    """Makes the clock check the game after its sheets have changed, if they may end the open phase now."""
    game = loaded_game.game
    if not loaded_game.running:
        return
    overdue = game.due_at is not None and game.due_at <= store.now()
    if overdue or game.paused_at is not None or is_ready(store, loaded_game):
        store.games.check_again_at(game.id, store.now())


def is_ready(store: Store, loaded_game: LoadedGame) -> bool:
    """Whether nobody wants to wait for the deadline."""
    game, settings, step = loaded_game.game, loaded_game.settings, loaded_game.step
    return may_be_ready(store, game, settings, step) and readiness(store, loaded_game).ready


def may_be_ready(store: Store, game: Game, settings: GameSettings, step: Step) -> bool:
    """Only for speed: False where READY would end the phase and is on no sheet."""
    if early_end(game, settings, step) is not EarlyEnd.READY:
        return True
    return any(sheet.ready for sheet in store.turns.sheets(game.id, game.snapshot))


def readiness(store: Store, loaded_game: LoadedGame) -> Readiness:
    manned = {seat.power for seat in loaded_game.taken_seats}
    stored = sheets.stored_sheets(store, loaded_game)
    filed = {key: stored.get(key) for key in sheets.due_authors(loaded_game) if key[0] in manned}
    writers = {author for author, _ in filed}
    asked = any(sheet.open_questions and sheet.author in writers for sheet in stored.values())
    written = tuple(stored.values())
    return Readiness(loaded_game, filed, written, any(sheet.wait for sheet in written), asked)
