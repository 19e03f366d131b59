"""Who wants to play in a game, and what one that has not begun still lacks, for its game master."""

from __future__ import annotations

from gm.game.model.recipient import Reader
from gm.game.model.records import MASTER, Entry, EntryState, GameState
from gm.language.rendering import plain_text as layout
from gm.language.rendering.views import Block, Para, Row, Rows, Section


def sections(reader: Reader) -> tuple[Section, ...]:
    """The list, for a game master alone: it shows addresses."""
    blocks = _lists(reader) if reader.power is None else ()
    return (Section(reader.say("forming.title"), blocks),) if blocks else ()


def to_start(reader: Reader) -> tuple[Section, ...]:
    if reader.game.state is not GameState.FORMING or reader.power is not None:
        return ()
    seats = sorted(reader.store.games.seats(reader.game.id), key=lambda seat: seat.power)
    empty = [seat.power for seat in seats if seat.person is None and seat.power != MASTER and not seat.dummy]
    lists = _lists(reader)
    short = len(empty) - len(_listed(reader, EntryState.APPROVED))
    if short <= 0:
        return (Section(reader.say("forming.title"), (*lists, Para(reader.say("forming.start")))),)
    rows = tuple(Row(reader.say("forming.seat", power=power)) for power in empty)
    if lists:
        lacking = Para(reader.say("forming.short", n=short, powers=reader.either(empty)))
    else:
        lacking = Para(reader.say("forming.empty", n=short, powers=reader.every(empty)))
    return (Section(reader.say("forming.title"), (*lists, lacking, Rows(rows), Para(reader.say("forming.then")))),)


def _lists(reader: Reader) -> tuple[Block, ...]:
    found: list[Block] = []
    for state, key in ((EntryState.APPROVED, "forming.listed"), (EntryState.ASKED, "forming.asking")):
        listed = _listed(reader, state)
        if listed:
            names = reader.every(_name(reader, one) for one in listed)
            found.append(Para(reader.say(key, n=len(listed), names=names)))
    return tuple(found)


def _listed(reader: Reader, state: EntryState) -> tuple[Entry, ...]:
    return tuple(one for one in reader.store.games.entries(reader.game.id) if one.state is state)


def _name(reader: Reader, entry: Entry) -> str:
    person = reader.store.people.get(entry.person)
    said = f"{layout.header(person.name, 60)} <{person.addresses[0]}>" if person.addresses else person.name
    return f"{said} ({entry.wish})" if entry.wish else said
