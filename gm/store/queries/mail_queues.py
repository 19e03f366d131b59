"""The inbox, the outbox, bounced addresses, and how far each mailbox was polled.

Incoming letters are read one at a time over all nodes, so that two letters of one player keep their order. An outgoing
letter is unique by (cause, kind, address), so that repeated work queues it once, and never overtakes an older one to
the same address about the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from functools import cache
from typing import Any

from msgspec.structs import replace
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    FromClause,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError

from gm.game.model.records import AnsweredLetter, BounceRecord, InboxRow, InboxState, OutboxRow, OutboxState, OutLetter
from gm.store.prepared_statements import PreparedStatement, Row
from gm.store.queries.row_mapping import Bell, Queries, by, claim, record, values
from gm.store.read_cache import TableCache, cached
from gm.store.schema import tables as t

LETTER_FIELDS = OutLetter.__struct_fields__

READING = 0x676E
"""PostgreSQL advisory lock that a node holds while it reads a letter."""
TAKING = 0x676B
"""PostgreSQL advisory lock shared by all who store letters. A phase is resolved while nobody holds it: no letter then
gets an instant before the deadline and is committed after it."""


class InboxQueries(Queries):
    def accept(self, row: InboxRow) -> tuple[InboxRow, bool]:
        key = self._insert_uncached(t.inbox, values(row), ("account", "content_key"))
        if key is not None:
            self._ring(Bell.LETTERS)
            return replace(row, id=key), True
        same_letter = (t.inbox.c.account == row.account, t.inbox.c.content_key == row.content_key)
        stored = self._connection.execute(select(t.inbox).where(*same_letter)).mappings().one()
        return record(InboxRow, stored), False

    def lock_arrivals(self) -> None:
        if self._shared:
            LOCK_ARRIVALS.rows(self._connection, {})

    def next(self, before: datetime | None = None, without: Collection[str] = ()) -> InboxRow | None:
        return self._oldest(before, without, taken=False)

    def take(self, before: datetime | None = None, without: Collection[str] = ()) -> InboxRow | None:
        row = self._oldest(before, without, taken=True)
        if row is None:
            return None
        self._set_cached(t.inbox, self._is_unread, (row.id,), True)
        return replace(row, tries=row.tries - 1)

    def _oldest(self, before: datetime | None, without: Collection[str], *, taken: bool) -> InboxRow | None:
        senders = {f"sender{number}": sender for number, sender in enumerate(without)}
        given = senders if before is None else {**senders, "before": before}
        row = self._one(_oldest_unread(len(without), timed=before is not None, taken=taken), **given)
        return None if row is None else record(InboxRow, row)

    def get(self, row: int) -> InboxRow:
        return record(InboxRow, self._by_id(t.inbox, row))

    def lock(self, row: int) -> bool:
        self._clear_after_wait()
        if self._one(THIS_UNREAD_IN_TURN, row=row) if self._shared else self._is_unread(row):
            return True
        self._by_id(t.inbox, row)
        return False

    @cached(t.inbox)
    def _is_unread(self, row: int) -> bool:
        """Another letter changes nothing of this, so `accept` keeps the cache."""
        return self._one(THIS_UNREAD, row=row) is not None

    def close(self, row: int, state: InboxState, error: str = "", writer: int | None = None) -> None:
        again = {"tries": 0} if state is InboxState.NEW else {}
        written = {} if writer is None else {"person": writer}
        self._update(t.inbox, row, {"state": state, "error": error, **again, **written})

    def claim_signature(self, row: int, signature: str) -> bool:
        others = select(t.inbox.c.id).where(t.inbox.c.signature == signature, t.inbox.c.id != row).limit(1)
        if self._connection.execute(others).first() is not None:
            return False
        self._update(t.inbox, row, {"signature": signature})
        return True

    def count_unread(self, before: datetime) -> int:
        self._clear_after_wait()
        if self._shared:
            AWAIT_ARRIVALS.rows(self._connection, {})
        return int(self._all(STILL_UNREAD, before=before)[0]["count"])

    def count_ignored(self, why: str, since: datetime) -> int:
        these = (t.inbox.c.state == InboxState.IGNORED, t.inbox.c.error == why, t.inbox.c.received_at >= since)
        return int(self._connection.execute(select(func.count()).select_from(t.inbox).where(*these)).scalar_one())


class OutboxQueries(Queries):
    """`envelope` returns the envelope sender of a letter."""

    def __init__(self, connection: Connection, envelope: Callable[[OutLetter], str], cache: TableCache) -> None:
        super().__init__(connection, cache)
        self._envelope = envelope
        self._bounces = BounceQueries(connection, cache)

    def add(self, letter: OutLetter, now: datetime) -> bool:
        bounced = self._bounces.of(letter.address)
        return self._store(
            letter, now, OutboxState.HELD if bounced is not None and bounced.unreachable else OutboxState.QUEUED
        )

    def collect(self, letter: OutLetter, now: datetime) -> bool:
        return self._store(letter, now, OutboxState.COLLECTED)

    def collected(self, now: datetime) -> tuple[OutboxRow, ...]:
        return tuple(_outbox_row(row) for row in self._all(COLLECTED, now=now))

    def mark_digested(self, row: int) -> None:
        self._update(t.outbox, row, {"state": OutboxState.DIGESTED})

    def _store(self, letter: OutLetter, now: datetime, state: OutboxState) -> bool:
        row = OutboxRow(0, letter, now, self._envelope(letter), state=state)
        columns = values(letter) | values(row, ("id", "letter"))
        try:
            queued = self._insert_once(t.outbox, columns, ("cause", "kind", "address")) is not None
        except IntegrityError:
            raise ValueError(f"another letter has the message id {letter.message_id}") from None
        if queued:
            self._ring(Bell.OUTBOX)
        return queued

    def next(self, now: datetime) -> OutboxRow | None:
        row = self._one(NEXT_TO_SEND, now=now)
        return None if row is None else _outbox_row(row)

    def lease(self, row: int, until: datetime) -> None:
        self._update(t.outbox, row, {"leased_until": until})

    def end_leases(self) -> None:
        self._connection.execute(t.outbox.update().values(leased_until=None))

    def record_picture(self, row: int, *, shown: bool) -> None:
        self._update(t.outbox, row, {"pictured": shown})

    def mark_sent(self, row: int, now: datetime) -> None:
        self._update(t.outbox, row, {"state": OutboxState.SENT, "sent_at": now})

    def postpone(self, row: int, until: datetime, error: str) -> None:
        self._update(
            t.outbox,
            row,
            {"not_before": until, "leased_until": None, "tries": t.outbox.c.tries + 1, "last_error": error},
        )

    def mark_failed(self, row: int, error: str) -> None:
        failed = {"state": OutboxState.FAILED, "tries": t.outbox.c.tries + 1, "last_error": error}
        self._update(t.outbox, row, failed)

    def postponed_alike(self, kind: str, row: OutboxRow) -> tuple[int, datetime | None]:
        out = t.outbox.c
        others = case((out.address != row.letter.address, out.address))
        query = select(func.count(others.distinct()), func.min(out.not_before))
        addresses, following = self._connection.execute(query.where(*_postponed(kind), out.id != row.id)).one()
        return addresses, following

    def hasten(self, kind: str, now: datetime) -> None:
        waiting = claim(select(t.outbox.c.id).where(*_postponed(kind), t.outbox.c.not_before > now))
        self._write(t.outbox, update(t.outbox).where(t.outbox.c.id.in_(waiting)).values(not_before=now))
        self._ring(Bell.OUTBOX)

    def queue_again(self, address: str, since: datetime, now: datetime) -> tuple[str, ...]:
        out = t.outbox.c
        failed = and_(out.state == OutboxState.FAILED, out.queued_at >= since, out.text != "")
        waiting = and_(out.state == OutboxState.QUEUED, out.tries > 0)
        theirs = func.lower(out.address) == address.lower() if address else true()
        rows = self._all(select(out.id, out.address, out.state).where(or_(failed, waiting), theirs).order_by(out.id))
        anew = {"state": OutboxState.QUEUED, "queued_at": now, "tries": 0}
        for row in rows:
            changed = anew if row["state"] == OutboxState.FAILED else {}
            self._update(t.outbox, row["id"], {"not_before": now, **changed})
        self._ring(Bell.OUTBOX)
        return tuple(row["address"] for row in rows)

    def mark_returned(self, row: int, error: str) -> None:
        self._update(t.outbox, row, {"state": OutboxState.RETURNED, "last_error": error})

    def hold(self, address: str) -> None:
        self._change_state(address, OutboxState.QUEUED, OutboxState.HELD)

    def unhold(self, address: str) -> None:
        self._change_state(address, OutboxState.HELD, OutboxState.QUEUED)
        self._ring(Bell.OUTBOX)

    def _change_state(self, address: str, old: OutboxState, new: OutboxState) -> None:
        here = (t.outbox.c.address == address, t.outbox.c.state == old)
        self._connection.execute(update(t.outbox).where(*here).values(state=new))

    def expire(self, now: datetime) -> int:
        return EXPIRE.change(self._connection, {"now": now})

    @cached(t.outbox)
    def answered_letter(self, message_id: str) -> AnsweredLetter | None:
        if not message_id:
            return None
        row = self._one(ANSWERED, message_id=message_id)
        return None if row is None else record(AnsweredLetter, row)

    def thread_ids(self, seat: int, phase: str = "", channel: str = "") -> tuple[str, ...]:
        asked = {"seat": seat, "channel": channel} | ({"phase": phase} if phase else {})
        return tuple(row["message_id"] for row in self._all(ABOUT_PHASE if phase else ABOUT, **asked))

    def answers_about(self, seats: tuple[int, ...], most: int) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
        answer = and_(t.outbox.c.kind == "answer", t.outbox.c.cause.startswith("inbox:"))
        query = (
            select(t.outbox.c.cause, t.outbox.c.seat, t.outbox.c.references)
            .where(t.outbox.c.seat.in_(seats), or_(answer, t.outbox.c.cause.startswith("question:")))
            .order_by(t.outbox.c.id.desc())
            .limit(most)
        )
        return tuple((row["cause"], row["seat"], row["references"]) for row in self._all(query))

    def press_letters(self, seat: int, addresses: Iterable[str]) -> tuple[OutboxRow, ...]:
        mine = (t.outbox.c.seat == seat, t.outbox.c.address.in_(tuple(addresses)))
        query = select(t.outbox).where(*mine, t.outbox.c.kind == "press").order_by(t.outbox.c.id)
        return tuple(_outbox_row(row) for row in self._all(query))

    def by_envelope(self, envelope: str) -> OutboxRow | None:
        if not envelope:
            return None
        row = self._one(select(t.outbox).where(t.outbox.c.envelope_from == envelope).limit(1))
        return None if row is None else _outbox_row(row)

    def count_answers(self, address: str, since: datetime, text: str = "") -> int:
        query = SAME_ANSWERS if text else ANSWERS
        asked = {"address": address, "since": since} | ({"text": text} if text else {})
        return int(self._all(query, **asked)[0]["count"])

    def all(self) -> Iterable[OutboxRow]:
        return tuple(_outbox_row(row) for row in self._all(select(t.outbox).order_by(t.outbox.c.id)))


def _postponed(kind: str) -> tuple[ColumnElement[bool], ...]:
    """Letters that wait for another attempt after an answer that begins so."""
    out = t.outbox.c
    return out.state == OutboxState.QUEUED, out.tries > 0, out.last_error.startswith(kind, autoescape=True)


class BounceQueries(Queries):
    def of(self, address: str) -> BounceRecord | None:
        """Every letter asks. Only for speed: mostly no address has bounced, which SQLite need not be asked again."""
        return self.known(address) if self._shared or self._are_any() else None

    @cached(t.bounced)
    def _are_any(self) -> bool:
        return bool(self._all(ANY_BOUNCED))

    @cached(t.bounced)
    def known(self, address: str) -> BounceRecord | None:
        row = self._one(by(t.bounced, "address"), value=address)
        return None if row is None else record(BounceRecord, row)

    def save(self, bounced: BounceRecord) -> None:
        self.forget(bounced.address)
        self._insert_once(t.bounced, values(bounced, ()), ("address",))

    def forget(self, address: str) -> bool:
        here = t.bounced.c.address == address
        return self._write(t.bounced, delete(t.bounced).where(here)).rowcount > 0


class MailboxQueries(Queries):
    """How far mailboxes were polled, shared between nodes."""

    def polled(self, account: str) -> datetime | None:
        row = self._one(select(t.mailbox).where(t.mailbox.c.account == account))
        return None if row is None else row["polled_until"]

    def note(self, account: str, until: datetime) -> None:
        """The later instant wins, since two nodes may have polled at once."""
        known = self.polled(account)
        if known is None:
            self._insert_once(t.mailbox, {"account": account, "polled_until": until}, ("account",))
        elif known < until:
            here = t.mailbox.c.account == account
            self._connection.execute(update(t.mailbox).where(here).values(polled_until=until))


def _is_waiting(table: FromClause, now: BindParameter[datetime]) -> ColumnElement[bool]:
    """Queued and not expired."""
    return and_(table.c.state == OutboxState.QUEUED, or_(table.c.expires_at.is_(None), table.c.expires_at > now))


def _outbox_row(row: Row) -> OutboxRow:
    return record(OutboxRow, row, letter=OutLetter(**{name: row[name] for name in LETTER_FIELDS}))


@cache
def _oldest_unread(senders: int, *, timed: bool, taken: bool) -> PreparedStatement:
    """The oldest unread letter, not of so many senders; with `timed` only one received before `before`.

    `taken`: its tries are raised first.
    """
    others = (t.inbox.c.envelope_from != bindparam(f"sender{number}") for number in range(senders))
    query = _NEW.where(*others).order_by(t.inbox.c.received_at, t.inbox.c.id).limit(1)
    query = claim(query.where(t.inbox.c.received_at < bindparam("before")) if timed else query)
    if not taken:
        return PreparedStatement(query)
    oldest = query.with_only_columns(t.inbox.c.id).scalar_subquery()
    raised = update(t.inbox).where(t.inbox.c.id == oldest).values(tries=t.inbox.c.tries + 1)
    return PreparedStatement(raised.returning(*t.inbox.c))


def _next_to_send() -> Select[Any]:
    """The oldest letter that may be sent at `now`, a parameter."""
    now = bindparam("now", type_=t.outbox.c.not_before.type)
    older = t.outbox.alias("older")
    same_queue = (older.c.address == t.outbox.c.address, older.c.game == t.outbox.c.game)
    must_wait = exists().where(*same_queue, older.c.id < t.outbox.c.id, _is_waiting(older, now))
    is_free = [or_(column.is_(None), column <= now) for column in (t.outbox.c.not_before, t.outbox.c.leased_until)]
    drawn = exists().where(t.picture.c.id == t.outbox.c.picture, t.picture.c.made_at.is_not(None))
    decided = or_(t.outbox.c.picture == 0, t.outbox.c.pictured.is_not(None), t.outbox.c.picture_until <= now)
    query = select(t.outbox).where(_is_waiting(t.outbox, now), *is_free, or_(decided, drawn), ~must_wait)
    return claim(query.order_by(t.outbox.c.id).limit(1))


NEXT_TO_SEND = PreparedStatement(_next_to_send())

_COLLECTED = (t.outbox.c.state == OutboxState.COLLECTED, t.outbox.c.not_before <= bindparam("now"))
COLLECTED = PreparedStatement(claim(select(t.outbox).where(*_COLLECTED).order_by(t.outbox.c.id)))

_ANSWERS = (
    select(func.count())
    .select_from(t.outbox)
    .where(t.outbox.c.address == bindparam("address"), t.outbox.c.queued_at >= bindparam("since"))
    .where(t.outbox.c.automatic == "auto-replied")
)
ANSWERS = PreparedStatement(_ANSWERS)
SAME_ANSWERS = PreparedStatement(_ANSWERS.where(t.outbox.c.text == bindparam("text")))

ANY_BOUNCED = PreparedStatement(select(t.bounced.c.address).limit(1))
ANSWERED = PreparedStatement(
    select(*(t.outbox.c[name] for name in AnsweredLetter.__struct_fields__)).where(
        t.outbox.c.message_id == bindparam("message_id")
    )
)
"""Without the letter's text, pages and pictures, which a reply does not need."""
_ABOUT = (
    select(t.outbox.c.message_id, t.outbox.c.subject)
    .where(t.outbox.c.seat == bindparam("seat"), t.outbox.c.channel == bindparam("channel"))
    .where(t.outbox.c.message_id.is_not(None))
    .order_by(t.outbox.c.id)
)
ABOUT = PreparedStatement(_ABOUT)
ABOUT_PHASE = PreparedStatement(_ABOUT.where(t.outbox.c.phase == bindparam("phase")))

_NEW = select(t.inbox).where(t.inbox.c.state == InboxState.NEW)
_THIS = select(t.inbox.c.id).where(t.inbox.c.state == InboxState.NEW, t.inbox.c.id == bindparam("row"))
THIS_UNREAD = PreparedStatement(claim(_THIS))
_TURN = select(func.pg_advisory_xact_lock(READING).label("turn")).cte("reading")
THIS_UNREAD_IN_TURN = PreparedStatement(_THIS.add_columns(_TURN.c.turn).with_for_update(of=t.inbox, skip_locked=True))
"""The row as it is when this node's turn has come: PostgreSQL locks it last, and looks at it again."""
LOCK_ARRIVALS = PreparedStatement(select(func.pg_advisory_xact_lock_shared(TAKING)))
AWAIT_ARRIVALS = PreparedStatement(select(func.pg_advisory_xact_lock(TAKING)))
STILL_UNREAD = PreparedStatement(
    select(func.count())
    .select_from(t.inbox)
    .where(t.inbox.c.state == InboxState.NEW, t.inbox.c.received_at < bindparam("before"))
)
EXPIRE = PreparedStatement(
    update(t.outbox)
    .where(t.outbox.c.state == OutboxState.QUEUED, t.outbox.c.expires_at <= bindparam("now"))
    .values(state=OutboxState.EXPIRED)
)
