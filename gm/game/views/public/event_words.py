"""Title and text of a public event, in the game's language, for feeds and the webhook: no markup, no person."""

from __future__ import annotations

from gm.game.model.public_events import PublicEventKind
from gm.game.model.recipient import Recipient, no_deadline_words
from gm.game.model.records import Snapshot
from gm.game.views.public.game_list import ListedGame, ask_row
from gm.game.views.turns.turn_events import TurnView
from gm.game.views.turns.turn_summary import ending_words
from gm.judge.model.position import Position
from gm.language.formats import stored_values
from gm.language.rendering.plain_text import unmarked
from gm.language.rendering.site_pages import Standing


def event_words(listed: ListedGame, kind: PublicEventKind, snapshot: Snapshot | None) -> tuple[str, str]:
    """`snapshot`: the position that the event led to; None before the first."""
    reader, game = listed.reader, listed.game
    resolved = snapshot.resolved if snapshot is not None and kind is PublicEventKind.TURN else ""
    phase = reader.phase_words("phase.said", resolved or game.phase) if resolved or game.phase else ""
    title = reader.choose("event", kind.value, game=game.name, words=phase, powers=reader.every(listed.free))
    return title, unmarked(" ".join(filter(None, _sentences(listed, kind, snapshot))))


def _sentences(listed: ListedGame, kind: PublicEventKind, snapshot: Snapshot | None) -> tuple[str, ...]:
    reader = listed.reader
    ask = ask_row(listed) if listed.open else None
    position = None if snapshot is None else stored_values.position_from_text(snapshot.position, reader.variant)
    if kind is PublicEventKind.OPEN and ask is not None:
        return ask.remark, reader.say("event.ask", line=ask.code, address=reader.services.post.address)
    if kind is PublicEventKind.SEAT and ask is not None:
        return (reader.say("event.ask", line=ask.code, address=reader.services.post.address),)
    if kind is PublicEventKind.ENDED and snapshot is not None:
        ending = ending_words(TurnView.of(reader, snapshot)) or reader.say("site.closed")
        return ending, _centres(reader, position)
    if kind in (PublicEventKind.TURN, PublicEventKind.CORRECTED):
        past = snapshot is not None and snapshot.id != listed.game.snapshot  # others followed at once
        return _centres(reader, position), "" if past else due_words(reader)
    if kind is PublicEventKind.STARTED:
        return f"{reader.variant.title}.", due_words(reader)
    return (due_words(reader),)


def due_words(reader: Recipient) -> str:
    """When the open phase is due, in the game's time zone; "" if none is open."""
    game = reader.game
    if not game.phase:
        return ""
    if game.due_at is None:
        return reader.say("event.no-deadline", words=no_deadline_words(reader.catalogue, game, reader.hour))
    return reader.phase_words("phase.due", game.phase, due=reader.hour(game.due_at, zone=True))


def standings(reader: Recipient, position: Position) -> tuple[Standing, ...]:
    """Powers that still have centres or units, most centres first."""
    every = [
        Standing(name, len(position.centres_of(name)), len(position.units_of(name))) for name in reader.variant.owners
    ]
    alive = (standing for standing in every if standing.centres or standing.units)
    return tuple(sorted(alive, key=lambda standing: (-standing.centres, standing.power)))


def _centres(reader: Recipient, position: Position | None) -> str:
    if position is None:
        return ""
    counts = (f"{reader.called(row.power)} {row.centres}" for row in standings(reader, position) if row.centres)
    return reader.say("event.centres", words=", ".join(counts))
