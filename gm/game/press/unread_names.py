"""Names of powers to which a message is addressed and for which nobody else reads, or perhaps nobody."""

from __future__ import annotations

from collections.abc import Mapping

from gm.game.model import unsigned_names
from gm.game.model.observer_records import OBSERVERS
from gm.game.model.records import MASTER, PressRow
from gm.game.press import delivery
from gm.game.session.session import LetterSession

NOBODY = "press-nobody"
"""Key of the note about seats without a player."""


def unread_names(session: LetterSession, row: PressRow) -> Mapping[str, list[str]]:
    """Names that nobody else reads for, as far as the writer may know that, by the key of the sentence about them."""
    loaded_game, press = session.loaded_game, delivery.press_rules(session.loaded_game, row)
    seats = {seat.power for seat in loaded_game.seats} | {MASTER}
    unread: dict[str, list[str]] = {}
    for name in row.to:
        readers = [seat.power for seat in delivery.press_readers(session.store, loaded_game, press, name)]
        if name == OBSERVERS or unsigned_names.is_unsigned(name) or name == row.sender:
            continue
        if name not in seats and readers == [row.sender]:
            unread.setdefault("press-yourself", []).append(name)
        elif not readers and name in seats:
            unread.setdefault(NOBODY, []).append(name)
        elif not readers and press.known_unread(loaded_game.position, loaded_game.variant, name):
            unread.setdefault("press-uncontrolled", []).append(name)
    return unread


def has_secret_readers(session: LetterSession, row: PressRow, name: str) -> bool:
    """Whether the writer may not learn if anybody reads letters to this name."""
    loaded_game, press = session.loaded_game, delivery.press_rules(session.loaded_game, row)
    position, variant = loaded_game.position, loaded_game.variant
    if name not in variant.owners or name in variant.seated or row.sender in press.readers(position, variant, name):
        return False
    return press.secret_names and not press.known_unread(position, variant, name)
