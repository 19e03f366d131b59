"""Letters of ours that came back: the game masters are told, because a player who gets nothing cannot say so."""

from __future__ import annotations

from gm.desk.office import Office
from gm.desk.ports import Store
from gm.desk.records import OutLetter
from gm.desk.report import Note
from gm.desk.sitting import tell
from gm.desk.table import Table, lay


def note(office: Office, store: Store, envelope: str) -> None:
    """A bounce to this address of ours, which only the server of a letter's reader has seen."""
    row = store.outbox.returned(envelope)
    if row is not None:
        undelivered(office, store, row.letter)


def undelivered(office: Office, store: Store, letter: OutLetter) -> None:
    """Once for each seat and phase, and never about a game master's own letters: they'd come back as well."""
    if not letter.game:
        return
    game = store.games.get(letter.game)
    table = lay(office, store, game)
    if not letter.seat:
        _nobody_asked(office, store, table, letter)
        return
    seat = store.games.seat(letter.seat)
    for master in table.masters:
        if master.person is not None and master.person != seat.person:
            said = Note("desk.undelivered", (("power", seat.power), ("address", letter.address)))
            tell(office, store, game, master, said, f"undelivered:{seat.id}:{game.snapshot}")


def _nobody_asked(office: Office, store: Store, table: Table, letter: OutLetter) -> None:
    """An invitation, or a letter to somebody who has no seat yet."""
    for master in table.masters:
        said = Note("desk.undelivered-to", (("address", letter.address),))
        tell(office, store, table.game, master, said, f"undelivered:{letter.address}")
