"""For which phase a letter is: what its subject's tag, its Ref line and the letters it answers say.

A letter for a phase that is not open is never applied to the one that is.
"""

from __future__ import annotations

from collections.abc import Iterator

from gm.game.identity.sender import find_thread, subject_tags
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.records import Game, GameState, InboxRow, Letter, Seat
from gm.game.phase import missing_orders
from gm.game.views import maps
from gm.judge.model.variant import PHASE

PRESS_MARK = "press"
"""The word that stands in the Ref line of press where others have a phase."""


def find_late_phase(
    store: Store, row: InboxRow, letter: Letter, loaded_game: LoadedGame, *, master: bool = False
) -> str:
    """The phase that the letter is for, where that is not the open one; "" where it may be for that one.

    A letter that says nothing of a phase is for the one that was open when it came. What a player sends after the
    deadline is too late even if nobody has looked at the clock yet.
    """
    game = loaded_game.game
    if game.state is not GameState.RUNNING:
        return ""
    end = missing_orders.closing(store, loaded_game)
    if not master and end is not None and row.received_at >= end:
        return game.phase
    said = set(_named_phases(store, letter, game))
    if said:
        return "" if game.phase in said else max(said, key=_phase_order)
    return _phase_open_at_arrival(store, row, game)


def find_press_channel(store: Store, letter: Letter, seat: Seat) -> str:
    """The press channel that a letter answers; "" for none."""
    thread = find_thread(store, letter)
    if thread is not None:
        return thread.channel if thread.seat == seat.id else ""
    if len(letter.ref) >= 4 and letter.ref[1].lower() == PRESS_MARK:
        return " ".join(letter.ref[2:-1])
    return ""


def closed_reason(game: Game) -> str:
    """The key of the sentence that says why this game takes no orders."""
    return "game-over" if game.state is GameState.ENDED else "not-started"


def _named_phases(store: Store, letter: Letter, game: Game) -> Iterator[str]:
    yield from (phase for name, phase in subject_tags(letter) if phase and name == game.name)
    if len(letter.ref) >= 3 and letter.ref[0].lower() == game.name and PHASE.fullmatch(letter.ref[1].upper()):
        yield letter.ref[1].upper()
    thread = find_thread(store, letter)
    if thread is not None and thread.game == game.id and thread.phase and not thread.channel:
        yield thread.phase


def _phase_open_at_arrival(store: Store, row: InboxRow, game: Game) -> str:
    """The phase that was open when the letter came, if that was another one."""
    if game.opened_at is None or row.received_at >= game.opened_at:
        return ""
    older = (one.phase for one in maps.line_of(store, game)[1:] if one.at <= row.received_at)
    return next(older, "")


def _phase_order(phase: str) -> tuple[int, str]:
    return (int(phase[1:-1]), phase)
