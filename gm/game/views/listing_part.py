"""Who wants to play in a game, and what one that has not begun still lacks, for its game master."""

from __future__ import annotations

from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, Applicant, ApplicantState, GameState
from gm.language.rendering import plain_text as layout
from gm.language.rendering.views import Block, ParagraphView, RowsView, RowView, SectionView


def sections(reader: Recipient) -> tuple[SectionView, ...]:
    """The list, for a game master alone: it shows addresses."""
    blocks = _lists(reader) if reader.power is None else ()
    return (SectionView(reader.say("forming.title"), blocks),) if blocks else ()


def to_start(reader: Recipient) -> tuple[SectionView, ...]:
    if reader.game.state is not GameState.FORMING or reader.power is not None:
        return ()
    seats = sorted(reader.store.games.seats(reader.game.id), key=lambda seat: seat.power)
    empty = [seat.power for seat in seats if seat.person is None and seat.power != MASTER and not seat.dummy]
    lists = _lists(reader)
    short = len(empty) - len(_listed(reader, ApplicantState.APPROVED))
    if short <= 0:
        return (SectionView(reader.say("forming.title"), (*lists, ParagraphView(reader.say("forming.start")))),)
    rows = tuple(RowView(reader.say("forming.seat", power=power)) for power in empty)
    if lists:
        lacking = ParagraphView(reader.say("forming.short", n=short, powers=reader.either(empty)))
    else:
        lacking = ParagraphView(reader.say("forming.empty", n=short, powers=reader.every(empty)))
    return (
        SectionView(
            reader.say("forming.title"), (*lists, lacking, RowsView(rows), ParagraphView(reader.say("forming.then")))
        ),
    )


def _lists(reader: Recipient) -> tuple[Block, ...]:
    found: list[Block] = []
    for state, key in ((ApplicantState.APPROVED, "forming.listed"), (ApplicantState.ASKED, "forming.asking")):
        listed = _listed(reader, state)
        if listed:
            names = reader.every(_name(reader, one) for one in listed)
            found.append(ParagraphView(reader.say(key, n=len(listed), names=names)))
    return tuple(found)


def _listed(reader: Recipient, state: ApplicantState) -> tuple[Applicant, ...]:
    return tuple(one for one in reader.store.games.entries(reader.game.id) if one.state is state)


def _name(reader: Recipient, entry: Applicant) -> str:
    person = reader.store.people.get(entry.person)
    said = f"{layout.header(person.name, 60)} <{person.addresses[0]}>" if person.addresses else person.name
    return f"{said} ({entry.wish})" if entry.wish else said
