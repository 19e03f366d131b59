"""Retention: empties old raw letters, removes old maps, and erases a person (`gm erase`).

Sheets, results and press belong to the game and stay. Raw letters are kept for a while for complaints; then only the
row stays, so that the same letter is recognised when it comes again. Old maps can be drawn again. Erasing a person
removes name, addresses, absences, notebooks, their raw letters (unread ones are never read) and the text of letters to
them; their seats become vacant, and the game's history still names the powers.
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
    """Empty the raw bytes of letters received before that instant and read; returns how many.

    This includes letters that nobody has confirmed, so that forgers can't fill the disk. They had no effect, so the
    same letter counts as new when it comes again.
    """
    held = (t.inbox.c.received_at < before, t.inbox.c.state == InboxState.HELD)
    unknown = {"content_key": literal("never confirmed ") + cast(t.inbox.c.id, Text)}
    gone = {"state": InboxState.IGNORED, "error": "never confirmed", **unknown}
    connection.execute(update(t.inbox).where(*held).values(gone))
    old = (t.inbox.c.received_at < before, t.inbox.c.state.in_(READ), func.length(t.inbox.c.raw) > 0)
    return connection.execute(update(t.inbox).where(*old).values(raw=b"")).rowcount


def thin_pictures(connection: Connection, before: datetime) -> int:
    """Remove maps made before that instant that no queued letter needs; returns how many."""
    queued = select(t.outbox.c.picture).where(t.outbox.c.state == OutboxState.QUEUED)
    old = (t.picture.c.made_at < before, t.picture.c.id.not_in(queued))
    return connection.execute(delete(t.picture).where(*old)).rowcount


def erase(connection: Connection, address: str) -> tuple[str, ...] | None:
    """Erase the person with this address; returns the names of their games, None if nobody has it."""
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
    # A new generation invalidates the reply addresses that the person has.
    played = select(t.seat.c.game).where(t.seat.c.person == person)
    connection.execute(update(t.game).where(t.game.c.id.in_(played)).values(look_at=AT_ONCE))
    vacant = {"person": None, "generation": t.seat.c.generation + 1}
    connection.execute(update(t.seat).where(t.seat.c.person == person).values(vacant))
    return games


def _forget_letters(connection: Connection, addresses: list[str], seats: list[int]) -> None:
    _forget_received(connection, addresses)
    to_person = or_(func.lower(t.outbox.c.address).in_(addresses), t.outbox.c.seat.in_(seats))
    waiting = t.outbox.c.state.in_((OutboxState.QUEUED, OutboxState.HELD))
    blank = {"text": "", "html": "", "parts": (), "to_name": "", "subject": ""}
    connection.execute(update(t.outbox).where(to_person, ~waiting).values(blank))
    queued = (func.lower(t.outbox.c.address).in_(addresses), waiting)
    connection.execute(update(t.outbox).where(*queued).values(blank | {"state": OutboxState.EXPIRED}))
    for row in connection.execute(select(t.outbox.c.id, t.outbox.c.address).where(to_person)).all():
        if row.address.lower() in addresses:
            gone = f"{NOBODY}-{row.id}@invalid"
            connection.execute(update(t.outbox).where(t.outbox.c.id == row.id).values(address=gone))


def _forget_received(connection: Connection, addresses: list[str]) -> None:
    """Empties the person's own letters, and letters of others that name them and were read."""
    named = re.compile(rb"(?<![\w.+-])(?:%s)(?![\w-])" % b"|".join(re.escape(a.encode()) for a in addresses), re.I)
    own, of_others = [], []
    query = select(t.inbox.c.id, t.inbox.c.raw, t.inbox.c.state, t.inbox.c.envelope_from).where(t.inbox.c.raw != b"")
    for row in connection.execute(query):
        if row.envelope_from.lower() in addresses or named.search(_from_headers(row.raw)):
            own.append(row.id)
        elif row.state in READ and named.search(row.raw):
            of_others.append(row.id)
    blank = {"raw": b"", "envelope_from": "", "envelope_to": ()}
    for rows, values in ((own, blank | {"error": NOBODY}), (of_others, blank)):
        for start in range(0, len(rows), 500):
            part = t.inbox.c.id.in_(rows[start : start + 500])
            waiting = (part, t.inbox.c.state.not_in(READ))
            connection.execute(update(t.inbox).where(*waiting).values(state=InboxState.IGNORED))
            connection.execute(update(t.inbox).where(part).values(values))


def _from_headers(raw: bytes) -> bytes:
    head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]
    return b"\n".join(FROM.findall(head))


NAMED_IN = (
    (t.gm_log, "id", ("text", "outcome")),
    (t.outbox, "id", ("subject", "text", "html", "to_name")),
    (t.question, "code", ("payload",)),
    (t.erratum, "id", ("text",)),
    (t.poll, "id", ("text", "options")),
)
"""(table, key, columns) where a person may be named."""


def _forget_words(connection: Connection, words: list[str]) -> None:
    """Replaces the person's names in the columns of NAMED_IN."""
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words if word), re.IGNORECASE)
    for table, key, texts in NAMED_IN:
        columns = [table.c[name] for name in texts]
        for row in connection.execute(select(table.c[key], *columns)).mappings().all():
            cleaned = {name: _without(pattern, row[name]) for name in texts}
            if any(cleaned[name] != row[name] for name in texts):
                connection.execute(update(table).where(table.c[key] == row[key]).values(cleaned))


def _without(pattern: re.Pattern[str], text: str | tuple[str, ...]) -> str | tuple[str, ...]:
    if isinstance(text, str):
        return pattern.sub(NOBODY, text)
    return tuple(pattern.sub(NOBODY, item) for item in text)
