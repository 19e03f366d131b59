"""Which letters came from an address and went to it (`gm letters`): numbers, times and states, no words."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from sqlalchemy import Connection, func, select

from gm.store.schema import tables as t
from gm.store.upkeep.erasure import NO_PERSON, own_letters, person_of


class LetterTrace(Struct, frozen=True):
    """`number` is the row of the inbox (`received`) or outbox, as the log has it; `why` is a reason or an error."""

    at: datetime
    number: int
    received: bool
    state: str
    why: str = ""
    game: str = ""
    kind: str = ""


def letters_of(connection: Connection, address: str) -> tuple[LetterTrace, ...]:
    """The oldest first. Also letters of the same person from other addresses."""
    address = address.lower()
    person = person_of(connection, address)
    rows, _, _ = own_letters(connection, NO_PERSON if person is None else person, {address})
    columns = (t.inbox.c.id, t.inbox.c.received_at, t.inbox.c.state, t.inbox.c.error)
    wanted = frozenset(rows)
    traces = [
        LetterTrace(row.received_at, row.id, True, row.state, row.error.strip().rpartition("\n")[2])
        for row in connection.execute(select(*columns))
        if row.id in wanted
    ]
    out = t.outbox.c
    sent = select(out.id, out.queued_at, out.state, out.last_error, out.kind, t.game.c.name)
    sent = sent.outerjoin(t.game, t.game.c.id == out.game).where(func.lower(out.address) == address)
    traces += [
        LetterTrace(row.queued_at, row.id, False, row.state, row.last_error, row.name or "", row.kind)
        for row in connection.execute(sent)
    ]
    return tuple(sorted(traces, key=lambda trace: (trace.at, not trace.received, trace.number)))
