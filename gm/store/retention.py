"""What is kept for how long, and how a person is forgotten.

Sheets, results and press are the game's and stay. The raw bytes of letters that were read are kept for a while, to
look into a complaint; then only the row stays, so that the same letter is still known when it comes again. Maps are
kept for as long as letters are likely to ask for them: they can be drawn again. Erasing a person takes name, addresses,
absences, raw letters (those of his that wait to be read or confirmed never are), his notebooks and the text of letters
sent to him; his seats become vacant, and the game's history goes on naming powers.
"""

from __future__ import annotations

import re
from datetime import datetime

from sqlalchemy import Connection, Text, cast, delete, func, literal, or_, select, update

from gm.game.model.records import InboxState, OutboxState
from gm.store import tables as t
from gm.store.games import AT_ONCE

READ = (InboxState.DONE, InboxState.IGNORED)
NOBODY = "erased"
FROM = re.compile(rb"^From:.*(?:\n[ \t].*)*", re.IGNORECASE | re.MULTILINE)


def thin(connection: Connection, before: datetime) -> int:
    """Empty the raw bytes of letters that came before that instant and have been read; how many.

    So are those that nobody has said to have written: forgers are not to fill the disk. Nothing in them was done, so
    the same letter is taken as a new one when it comes again.
    """
    held = (t.inbox.c.received_at < before, t.inbox.c.state == InboxState.HELD)
    unknown = {"content_key": literal("never confirmed ") + cast(t.inbox.c.id, Text)}
    gone = {"state": InboxState.IGNORED, "error": "never confirmed", **unknown}
    connection.execute(update(t.inbox).where(*held).values(gone))
    old = (t.inbox.c.received_at < before, t.inbox.c.state.in_(READ), func.length(t.inbox.c.raw) > 0)
    return connection.execute(update(t.inbox).where(*old).values(raw=b"")).rowcount


def thin_pictures(connection: Connection, before: datetime) -> int:
    """Remove maps that were made before that instant and that no letter waits for; how many.

    Whoever asks for one has it drawn again.
    """
    queued = select(t.outbox.c.picture).where(t.outbox.c.state == OutboxState.QUEUED)
    old = (t.picture.c.made_at < before, t.picture.c.id.not_in(queued))
    return connection.execute(delete(t.picture).where(*old)).rowcount


def erase(connection: Connection, address: str) -> tuple[str, ...] | None:
    """Forget whose address this is; the games his seats were in. None: nobody has it."""
    here = func.lower(t.address.c.address) == address.lower()
    person = connection.execute(select(t.address.c.person).where(here)).scalar_one_or_none()
    if person is None:
        return None
    known = select(t.address.c.address).where(t.address.c.person == person)
    addresses = [scalar.lower() for scalar in connection.execute(known).scalars()]
    seats = list(connection.execute(select(t.seat.c.id).where(t.seat.c.person == person)).scalars())
    names = connection.execute(
        select(t.game.c.name).join(t.seat, t.seat.c.game == t.game.c.id).where(t.seat.c.person == person).distinct()
    ).scalars()
    games = tuple(sorted(names))
    name = connection.execute(select(t.person.c.name).where(t.person.c.id == person)).scalar_one()
    _forget_letters(connection, addresses, seats)
    aliases = connection.execute(select(t.wishes.c.name).where(t.wishes.c.person == person)).scalars()
    _forget_words(connection, [*addresses, name, *aliases])
    connection.execute(delete(t.bounced).where(func.lower(t.bounced.c.address).in_(addresses)))
    connection.execute(delete(t.entry).where(t.entry.c.person == person))
    connection.execute(delete(t.absence).where(t.absence.c.person == person))
    connection.execute(delete(t.address).where(t.address.c.person == person))
    connection.execute(update(t.person).where(t.person.c.id == person).values(name=NOBODY))
    connection.execute(delete(t.wishes).where(t.wishes.c.person == person))
    connection.execute(delete(t.diary).where(t.diary.c.person == person))
    # A new generation: the reply addresses he has are no longer the seat's.
    played = select(t.seat.c.game).where(t.seat.c.person == person)
    connection.execute(update(t.game).where(t.game.c.id.in_(played)).values(look_at=AT_ONCE))
    vacant = {"person": None, "generation": t.seat.c.generation + 1}
    connection.execute(update(t.seat).where(t.seat.c.person == person).values(vacant))
    return games


def _forget_letters(connection: Connection, addresses: list[str], seats: list[int]) -> None:
    _forget_received(connection, addresses)
    to_him = or_(func.lower(t.outbox.c.address).in_(addresses), t.outbox.c.seat.in_(seats))
    waiting = t.outbox.c.state.in_((OutboxState.QUEUED, OutboxState.HELD))
    blank = {"text": "", "html": "", "parts": (), "to_name": "", "subject": ""}
    connection.execute(update(t.outbox).where(to_him, ~waiting).values(blank))
    queued = (func.lower(t.outbox.c.address).in_(addresses), waiting)
    connection.execute(update(t.outbox).where(*queued).values(blank | {"state": OutboxState.EXPIRED}))
    for row in connection.execute(select(t.outbox.c.id, t.outbox.c.address).where(to_him)).all():
        if row.address.lower() in addresses:
            gone = f"{NOBODY}-{row.id}@invalid"
            connection.execute(update(t.outbox).where(t.outbox.c.id == row.id).values(address=gone))


def _forget_received(connection: Connection, addresses: list[str]) -> None:
    """What he wrote, read or not: that is closed. Of what others wrote and name him in, what has been read: the rest is
    theirs, and still to be done.
    """
    named = re.compile(rb"(?<![\w.+-])(?:%s)(?![\w-])" % b"|".join(re.escape(a.encode()) for a in addresses), re.I)
    his, of_others = [], []
    query = select(t.inbox.c.id, t.inbox.c.raw, t.inbox.c.state, t.inbox.c.envelope_from).where(t.inbox.c.raw != b"")
    for row in connection.execute(query):
        if row.envelope_from.lower() in addresses or named.search(_writer(row.raw)):
            his.append(row.id)
        elif row.state in READ and named.search(row.raw):
            of_others.append(row.id)
    blank = {"raw": b"", "envelope_from": "", "envelope_to": ()}
    for rows, values in ((his, blank | {"error": NOBODY}), (of_others, blank)):
        for start in range(0, len(rows), 500):
            part = t.inbox.c.id.in_(rows[start : start + 500])
            waiting = (part, t.inbox.c.state.not_in(READ))
            connection.execute(update(t.inbox).where(*waiting).values(state=InboxState.IGNORED))
            connection.execute(update(t.inbox).where(part).values(values))


def _writer(raw: bytes) -> bytes:
    """Its From headers."""
    head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]
    return b"\n".join(FROM.findall(head))


NAMED_IN = (
    (t.gm_log, "id", ("text", "outcome")),
    (t.outbox, "id", ("subject", "text", "html", "to_name")),
    (t.question, "code", ("payload",)),
    (t.erratum, "id", ("text",)),
    (t.poll, "id", ("text", "options")),
)
"""Where somebody may be named: the table, its key, and the columns."""


def _forget_words(connection: Connection, words: list[str]) -> None:
    """Where he is named in the game masters' log, notes and polls, in letters to others, in what was asked of him."""
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words if word), re.IGNORECASE)
    for table, key, texts in NAMED_IN:
        columns = [table.c[name] for name in texts]
        for row in connection.execute(select(table.c[key], *columns)).mappings().all():
            said = {name: _without(pattern, row[name]) for name in texts}
            if any(said[name] != row[name] for name in texts):
                connection.execute(update(table).where(table.c[key] == row[key]).values(said))


def _without(pattern: re.Pattern[str], said: str | tuple[str, ...]) -> str | tuple[str, ...]:
    if isinstance(said, str):
        return pattern.sub(NOBODY, said)
    return tuple(pattern.sub(NOBODY, one) for one in said)
