"""What a reader's intercepts brought him: with the results, or as the messages pass."""

from __future__ import annotations

from collections.abc import Iterable

from gm.game.model.ports import Store
from gm.game.model.recipient import Reader
from gm.game.model.records import Game, OutLetter, PressRow, Seat
from gm.game.model.services import Office
from gm.judge.mechanics.dips.interception import Copy, Intercepted
from gm.judge.model.press import Header
from gm.language.rendering.views import Block, LetterView, Para, Section, Words


def sections(reader: Reader, told: Iterable[Intercepted]) -> tuple[Section, ...]:
    """One for each of the reader's own intercepts; a game master, who reads all events, gets everybody's."""
    return tuple(_section(reader, one) for one in told)


def _section(reader: Reader, found: Intercepted) -> Section:
    mine = "you" if reader.is_mine(found.power) else "other"
    names = {"one": found.one, "other": found.other, "power": found.power}
    blocks: list[Block] = []
    if found.one_human:
        blocks.append(Para(reader.say("intercepted.one-human", **names)))
    count = len(found.copies)
    blocks.append(Para(reader.say("intercepted.copies" if count else "intercepted.nothing", n=count, **names)))
    for copy in found.copies:
        blocks += copied(reader, copy)
    if found.protected:
        blocks.append(Para(reader.say("intercepted.protected", n=found.protected)))
    title = reader.say("intercepted.title", **names)
    return Section(
        title, tuple(blocks), aside=reader.say("points.secret") if mine == "you" else reader.called(found.power)
    )


def passing(office: Office, store: Store, game: Game, seat: Seat, row: PressRow, header: Header) -> OutLetter:
    """The copy of one message, as it passes."""
    reader = Reader.of(office, store, game, seat)
    names = {"sender": header.sender, "to": reader.every(header.to)}
    lead = reader.say("intercepted.lead", **names)
    frame = reader.frame(
        reader.subject(reader.say("intercepted.subject", **names)), reader.say("intercepted.heading"), lead
    )
    opening = store.outbox.opening(seat.id, game.phase)
    return reader.letter(
        "notice",
        LetterView(frame, (Section(reader.say("intercepted.words"), (Words(row.words),)),)),
        reader.cause(f"overheard:{row.id}"),
        references=(opening[0],) if opening else (),
    )


def copied(reader: Reader, copy: Copy) -> tuple[Block, ...]:
    """A message as its recipient saw it: its header, and its words."""
    return Para(reader.say("intercepted.header", sender=copy.sender, to=reader.every(copy.to))), Words(copy.words)
