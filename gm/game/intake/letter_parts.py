"""Letters with parts for several seats of their writer: whether they may have any, and what a part asks for."""

from __future__ import annotations

from collections.abc import Sequence

from gm.game.identity.sender import ProvenSender, Sender, SeveralSeats
from gm.game.identity.which_phase import find_press_channel
from gm.game.intake import held_letters
from gm.game.intake.incoming_letter import IncomingLetter
from gm.game.model.records import Seat
from gm.game.session.session import LetterSession
from gm.language.commands.table import rows_of
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LineError, RequestLine

ALL_UNITS = "units-without-names"
"""Key of the remark on words about all units."""


def seat_of(sender: Sender) -> Seat | None:
    """The seat that the letter came to, None where that is unclear."""
    return sender.seat if isinstance(sender, ProvenSender) else None


def seats_of_letter(incoming: IncomingLetter) -> tuple[Seat, ...]:
    """All seats of a proven writer; none where the letter is press, or answers a question."""
    sender, store = incoming.sender, incoming.store
    if not isinstance(sender, ProvenSender | SeveralSeats) or incoming.letter.refused:
        return ()
    if isinstance(sender, ProvenSender) and sender.seat is None:
        return ()
    seats = store.games.seats_of(sender.person.id)
    if len(seats) == 1 or incoming.question is not None:  # fast path
        return ()
    here = seat_of(sender)
    if here is not None and (here not in seats or find_press_channel(store, incoming.letter, here)):
        return ()
    return () if held_letters.confirmed_lines(incoming) else tuple(seats)


def asks(session: LetterSession, lines: Sequence[NumberedLine], *, effects: bool = False) -> bool:
    """Whether words order or ask for something, or may do so; `effects`: for more than to be told something."""
    for _, context in session.contexts:
        reading = read_letter(lines, context)
        requests = [given for given in reading.requests if not (effects and _is_lookup(given))]
        if reading.orders or requests or any(map(_is_wish, reading.troubles)):
            return True
    return False


def _is_wish(trouble: LineError) -> bool:
    return not trouble.obeyed or bool(trouble.suggestions) or trouble.key == ALL_UNITS


def _is_lookup(given: RequestLine) -> bool:
    return any(row.shows for row in rows_of(given.request))
