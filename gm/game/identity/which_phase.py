"""Finds the phase a letter is for: from its subject's tag, its Ref line and the letter it answers.

A letter for a phase that is not open never changes the open one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.game.identity.references import find_thread
from gm.game.identity.sender import subject_tags
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.records import Game, GameState, InboxRow, Letter, Seat
from gm.game.phase import missing_orders
from gm.game.views import maps
from gm.judge.model.orders import Build, Waive
from gm.judge.model.variant import PHASE
from gm.language.lines.letter_contents import OrderLine
from gm.language.rendering.order_text import ADJUSTMENTS

PRESS_MARK = "press"
"""Stands in the Ref line of press instead of a phase."""
CHRONICLE = "chronicle"
"""The kind of the letter about a finished game; it stands in its Ref line, too."""


def find_late_phase(
    store: Store, row: InboxRow, letter: Letter, loaded_game: LoadedGame, *, master: bool = False
) -> str:
    """The phase that the letter is for, if that is not the open one; otherwise "".

    A letter that names no phase is for the one that was open when it arrived. After the deadline it is too late even
    if the phase is still open.
    """
    game = loaded_game.game
    if game.state is not GameState.RUNNING:
        return ""
    end = missing_orders.closing_time(store, loaded_game)
    if not master and end is not None and row.received_at >= end:
        return game.phase
    phases = set(_named_phases(store, letter, game))
    if phases:
        return "" if game.phase in phases else max(phases, key=lambda phase: (int(phase[1:-1]), phase))
    return _phase_open_at_arrival(store, row, game)


def means_open_phase(late: str, orders: Sequence[OrderLine], loaded_game: LoadedGame) -> bool:
    """Whether the orders of a letter for an earlier phase can only be meant for the open one: builds, where that phase
    was one of moves or retreats.
    """
    now = loaded_game.step.letter if loaded_game.running else ""
    builds = all(isinstance(order.statement, Build | Waive) for order in orders)
    return bool(orders) and now == ADJUSTMENTS and not late.endswith(ADJUSTMENTS) and builds


def find_press_channel(store: Store, letter: Letter, seat: Seat) -> str:
    """The press channel that a letter answers, or ""."""
    thread = find_thread(store, letter)
    if thread is not None:
        return thread.channel if thread.seat == seat.id else ""
    if len(letter.ref) >= 4 and letter.ref[1].lower() == PRESS_MARK:
        return " ".join(letter.ref[2:-1])
    return ""


def answers_chronicle(store: Store, letter: Letter, seat: Seat) -> bool:
    """Whether the letter is a reply to the chronicle of the seat's game."""
    thread = find_thread(store, letter)
    if thread is not None:
        return thread.kind == CHRONICLE and thread.seat == seat.id
    return len(letter.ref) >= 3 and letter.ref[1].lower() == CHRONICLE


def closed_reason(game: Game) -> str:
    """The key of the sentence that says why the game takes no orders."""
    return "game-over" if game.state is GameState.ENDED else "not-started"


def _named_phases(store: Store, letter: Letter, game: Game) -> Iterator[str]:
    yield from (phase for name, phase in subject_tags(letter) if phase and name == game.name)
    if len(letter.ref) >= 3 and letter.ref[0].lower() == game.name and PHASE.fullmatch(letter.ref[1].upper()):
        yield letter.ref[1].upper()
    thread = find_thread(store, letter)
    if thread is not None and thread.game == game.id and thread.phase and not thread.channel:
        yield thread.phase


def _phase_open_at_arrival(store: Store, row: InboxRow, game: Game) -> str:
    """The phase that was open when the letter arrived, if not the present one."""
    if game.opened_at is None or row.received_at >= game.opened_at:
        return ""
    older = (snapshot.phase for snapshot in maps.snapshots_back(store, game)[1:] if snapshot.at <= row.received_at)
    return next(older, "")
