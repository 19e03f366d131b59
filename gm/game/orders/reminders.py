"""Reminds players whose orders are missing: before a deadline, and when a game master writes REMIND."""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.identity.which_phase import closed_reason
from gm.game.letters.reminder import IncompleteSheet, render_reminder
from gm.game.model import mail_preferences
from gm.game.model.loaded_game import LoadedGame, power_named
from gm.game.model.ports import Store
from gm.game.model.proposals import Proposals, open_proposals
from gm.game.model.records import MASTER, Seat
from gm.game.model.services import Services
from gm.game.phase import missing_orders, sheets
from gm.game.session.session import Handlers, LetterSession
from gm.language.commands.command_line import SEPARATORS
from gm.language.commands.gm import RemindRequest


def send_reminders(
    services: Services, store: Store, loaded_game: LoadedGame, slot: str, seats: tuple[Seat, ...], *, only: bool = True
) -> tuple[Seat, ...]:
    """Remind those of the seats whose orders are missing or a draft, or for whose YES something waits; returns them.

    Builds, border events and points of a power without units count as missing only if the player has written nothing
    at all: to leave them out is a choice. `slot` makes a reminder the only one of its kind; `only`: the letter says so.
    """
    game, owed = loaded_game.game, sheets.due_sheets(store, loaded_game, drafts=True)
    reminded: list[Seat] = []
    for seat in seats:
        mine = (IncompleteSheet(power, *state) for (author, power), state in owed.items() if author == seat.power)
        lacks = tuple(
            lack
            for lack in mine
            if lack.draft or (lack.missing and not missing_orders.is_choice(lack.sheet, lack.missing))
        )
        own = store.turns.sheet(game.id, game.snapshot, seat.power, seat.power) if seat.power != MASTER else None
        waiting = open_proposals(services, store, game, game.phase, own, seat)
        if seat.person is not None and (lacks or waiting):
            proposals = [Proposals.of(question) for question in waiting]
            letter = render_reminder(services, store, game, seat, lacks, slot, proposals, only=only)
            mail_preferences.send(store, seat, replace(letter, expires_at=game.due_at))
            reminded.append(seat)
    return tuple(reminded)


def remind(session: LetterSession, request: RemindRequest, line: int) -> None:
    """REMIND: everybody, or only the powers that it names."""
    game, loaded_game = session.game, session.loaded_game
    if not loaded_game.running:
        session.note(closed_reason(game), done=False, line=line, what="REMIND")
        return
    if game.due_at is None:
        session.note("paused-no-deadline", done=False, line=line, what="REMIND")
        return
    seats = loaded_game.power_seats
    if request.who:
        names = [name.strip(" .") for name in SEPARATORS.split(request.who) if name.strip(" .")]
        powers = {name: power_named(loaded_game.variant, name) for name in names}
        if unknown := next((name for name, power in powers.items() if power is None), ""):
            session.unknown_power(unknown, line)
            return
        seats = tuple(seat for seat in seats if seat.power in powers.values())
    slot = f"reminder:{game.snapshot}:letter{session.row.id}:{line}"
    reminded = send_reminders(session.services, session.store, loaded_game, slot, seats, only=False)
    if not reminded:
        session.note("reminded-nobody", line=line, headline=True)
        return
    note = session.note("reminded", line=line, headline=True, powers=", ".join(seat.power for seat in reminded))
    session.log(f"REMIND {request.who}".strip(), note)


HANDLERS: Handlers = {RemindRequest: remind}
