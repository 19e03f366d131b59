"""Letters in, letters out and their pictures in the twin in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime
from itertools import islice

from msgspec.structs import replace
from support.stores.memory_rows import Holder, Rows, next_id

from gm.game.model.records import (
    AnsweredLetter,
    BounceRecord,
    InboxRow,
    InboxState,
    OutboxRow,
    OutboxState,
    OutLetter,
    Picture,
)


class MemoryInbox(Rows):
    def accept(self, row: InboxRow) -> tuple[InboxRow, bool]:
        for kept in self._data.inbox.values():
            if (kept.account, kept.content_key) == (row.account, row.content_key):
                return kept, False
        row = replace(row, id=next_id(self._data.inbox))
        self._data.inbox[row.id] = row
        return row, True

    def lock_arrivals(self) -> None:
        """One transaction at a time: nobody else takes a letter meanwhile."""

    def next(self, before: datetime | None = None, without: Collection[str] = ()) -> InboxRow | None:
        others = (row for row in self._unread() if row.envelope_from not in without)
        unread = [(row.received_at, row.id) for row in others if before is None or row.received_at < before]
        return self._data.inbox[min(unread)[1]] if unread else None

    def get(self, row: int) -> InboxRow:
        return self._data.inbox[row]

    def lock(self, row: int) -> bool:
        return self.get(row).state is InboxState.NEW

    def take(self, before: datetime | None = None, without: Collection[str] = ()) -> InboxRow | None:
        row = self.next(before, without)
        if row is not None:
            self._data.inbox[row.id] = replace(row, tries=row.tries + 1)
        return row

    def close(self, row: int, state: InboxState, error: str = "", writer: int | None = None) -> None:
        kept = self.get(row)
        tries = 0 if state is InboxState.NEW else kept.tries
        person = kept.person if writer is None else writer
        self._data.inbox[row] = replace(kept, state=state, error=error, tries=tries, person=person)

    def claim_signature(self, row: int, signature: str) -> bool:
        if any(kept.signature == signature and kept.id != row for kept in self._data.inbox.values()):
            return False
        self._data.inbox[row] = replace(self.get(row), signature=signature)
        return True

    def count_unread(self, before: datetime) -> int:
        return sum(row.received_at < before for row in self._unread())

    def count_ignored(self, why: str, since: datetime) -> int:
        ignored = (row for row in self._data.inbox.values() if row.state is InboxState.IGNORED and row.error == why)
        return sum(row.received_at >= since for row in ignored)

    def thin(self, before: datetime) -> None:
        """As `gm.store.upkeep.retention.empty_letters`."""
        for row in [row for row in self._data.inbox.values() if row.received_at < before]:
            if row.state is InboxState.HELD:
                key, why = f"never confirmed {row.id}", "never confirmed"
                self._data.inbox[row.id] = replace(row, content_key=key, state=InboxState.IGNORED, error=why, raw=b"")
            elif row.state in (InboxState.DONE, InboxState.IGNORED):
                self._data.inbox[row.id] = replace(row, raw=b"")

    def _unread(self) -> Iterator[InboxRow]:
        return (row for row in self._data.inbox.values() if row.state is InboxState.NEW)


class MemoryOutbox(Rows):
    def __init__(self, store: Holder, envelope: Callable[[OutLetter], str]) -> None:
        super().__init__(store)
        self._envelope = envelope

    def add(self, letter: OutLetter, now: datetime) -> bool:
        bounced = self._data.bounced.get(letter.address)
        return self._put(letter, now, OutboxState.HELD if bounced and bounced.unreachable else OutboxState.QUEUED)

    def collect(self, letter: OutLetter, now: datetime) -> bool:
        return self._put(letter, now, OutboxState.COLLECTED)

    def collected(self, now: datetime) -> tuple[OutboxRow, ...]:
        waiting = (row for row in self._data.outbox.values() if row.state is OutboxState.COLLECTED)
        return tuple(row for row in waiting if row.letter.not_before is not None and row.letter.not_before <= now)

    def mark_digested(self, row: int) -> None:
        self._change(row, replace(self._row(row), state=OutboxState.DIGESTED))

    def _put(self, letter: OutLetter, now: datetime, state: OutboxState) -> bool:
        key = (letter.cause, letter.kind, letter.address)
        if key in self._data.letter_keys:
            return False
        if letter.message_id and letter.message_id in self._data.message_ids:
            raise ValueError(f"another letter has the message id {letter.message_id}")
        row = OutboxRow(next_id(self._data.outbox), letter, now, self._envelope(letter), state=state)
        self._data.outbox[row.id] = row
        self._data.letter_keys.add(key)
        self._data.message_ids[letter.message_id] = row.id
        return True

    def next(self, now: datetime) -> OutboxRow | None:
        ahead: set[tuple[str, int]] = set()
        for row in self._data.outbox.values():
            if row.state is not OutboxState.QUEUED or _over(row.letter, now):
                continue
            queue = (row.letter.address, row.letter.game)
            if queue not in ahead and all(
                moment is None or moment <= now for moment in (row.letter.not_before, row.leased_until, self._wait(row))
            ):
                return row
            ahead.add(queue)
        return None

    def _wait(self, row: OutboxRow) -> datetime | None:
        """Until when it waits for its picture."""
        picture = self._data.pictures.get(row.letter.picture)
        settled = picture is not None and picture.made_at is not None
        return None if settled or row.pictured is not None else row.letter.picture_until

    def record_picture(self, row: int, *, shown: bool) -> None:
        self._change(row, replace(self._row(row), pictured=shown))

    def lease(self, row: int, until: datetime) -> None:
        kept = self._row(row)
        self._change(row, replace(kept, leased_until=until))

    def end_leases(self) -> None:
        for row, kept in tuple(self._data.outbox.items()):
            self._change(row, replace(kept, leased_until=None))

    def mark_sent(self, row: int, now: datetime) -> None:
        self._change(row, replace(self._row(row), state=OutboxState.SENT, sent_at=now))

    def postpone(self, row: int, until: datetime, error: str) -> None:
        kept = self._row(row)
        letter = replace(kept.letter, not_before=until)
        self._change(row, replace(kept, letter=letter, leased_until=None, tries=kept.tries + 1, last_error=error))

    def mark_failed(self, row: int, error: str) -> None:
        kept = self._row(row)
        self._change(row, replace(kept, state=OutboxState.FAILED, tries=kept.tries + 1, last_error=error))

    def postponed_alike(self, kind: str, row: OutboxRow) -> tuple[int, datetime | None]:
        others = [kept for kept in self._postponed(kind) if kept.id != row.id]
        addresses = {kept.letter.address for kept in others} - {row.letter.address}
        moments = (kept.letter.not_before for kept in others)
        return len(addresses), min((moment for moment in moments if moment is not None), default=None)

    def hasten(self, kind: str, now: datetime) -> None:
        for kept in self._postponed(kind):
            if kept.letter.not_before is not None and kept.letter.not_before > now:
                self._change(kept.id, replace(kept, letter=replace(kept.letter, not_before=now)))

    def _postponed(self, kind: str) -> list[OutboxRow]:
        queued = (row for row in self._data.outbox.values() if row.state is OutboxState.QUEUED and row.tries)
        return [row for row in queued if row.last_error.startswith(kind)]

    def queue_again(self, address: str, since: datetime, now: datetime) -> tuple[str, ...]:
        asked = [
            row
            for row in self._data.outbox.values()
            if (row.state is OutboxState.FAILED and row.queued_at >= since and row.letter.text)
            or (row.state is OutboxState.QUEUED and row.tries)
        ]
        asked = [row for row in asked if address.lower() in ("", row.letter.address.lower())]
        for row in asked:
            changed = replace(row, letter=replace(row.letter, not_before=now))
            if row.state is OutboxState.FAILED:
                changed = replace(changed, state=OutboxState.QUEUED, queued_at=now, tries=0)
            self._change(row.id, changed)
        return tuple(row.letter.address for row in asked)

    def mark_returned(self, row: int, error: str) -> None:
        self._change(row, replace(self._row(row), state=OutboxState.RETURNED, last_error=error))

    def hold(self, address: str) -> None:
        self._turn(address, OutboxState.QUEUED, OutboxState.HELD)

    def unhold(self, address: str) -> None:
        self._turn(address, OutboxState.HELD, OutboxState.QUEUED)

    def _turn(self, address: str, old: OutboxState, new: OutboxState) -> None:
        for row, kept in tuple(self._data.outbox.items()):
            if (kept.letter.address, kept.state) == (address, old):
                self._change(row, replace(kept, state=new))

    def expire(self, now: datetime) -> int:
        over = [row for row in self._data.outbox.values() if row.state is OutboxState.QUEUED and _over(row.letter, now)]
        for row in over:
            self._change(row.id, replace(row, state=OutboxState.EXPIRED))
        return len(over)

    def answered_letter(self, message_id: str) -> AnsweredLetter | None:
        row = self._data.message_ids.get(message_id) if message_id else None
        if row is None:
            return None
        letter = self._row(row).letter
        return AnsweredLetter(
            letter.game,
            letter.seat,
            letter.phase,
            letter.channel,
            letter.kind,
            letter.subject,
            letter.references,
            letter.cause,
            letter.address,
        )

    def thread_ids(self, seat: int, phase: str = "", channel: str = "") -> tuple[str, ...]:
        letters = (row.letter for row in self._data.outbox.values())
        about = (letter for letter in letters if letter.seat == seat and letter.channel == channel)
        return tuple(each.message_id for each in about if phase in ("", each.phase) and each.message_id)

    def answers_about(self, seats: tuple[int, ...], most: int) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
        letters = (row.letter for _, row in sorted(self._data.outbox.items(), reverse=True))
        kinds = (("inbox:", ("answer",)), ("question:", ()))
        known = (
            (letter.cause, letter.seat, letter.references)
            for letter in letters
            if letter.seat in seats
            and any(letter.cause.startswith(start) and (letter.kind in some or not some) for start, some in kinds)
        )
        return tuple(islice(known, most))

    def press_letters(self, seat: int, addresses: Iterable[str]) -> tuple[OutboxRow, ...]:
        known = set(addresses)
        return tuple(
            row
            for row in self._data.outbox.values()
            if row.letter.seat == seat and row.letter.address in known and row.letter.kind == "press"
        )

    def by_envelope(self, envelope: str) -> OutboxRow | None:
        return next((row for row in self._data.outbox.values() if envelope and row.envelope_from == envelope), None)

    def count_answers(self, address: str, since: datetime, text: str = "") -> int:
        return sum(
            (row.letter.address, row.letter.automatic) == (address, "auto-replied")
            and row.queued_at >= since
            and text in ("", row.letter.text)
            for row in self._data.outbox.values()
        )

    def all(self) -> Iterable[OutboxRow]:
        return tuple(self._data.outbox.values())

    def _row(self, row: int) -> OutboxRow:
        return self._data.outbox[row]

    def _change(self, row: int, changed: OutboxRow) -> None:
        self._data.outbox[row] = changed


class MemoryBounces(Rows):
    def of(self, address: str) -> BounceRecord | None:
        return self._data.bounced.get(address)

    def save(self, bounced: BounceRecord) -> None:
        self._data.bounced[bounced.address] = bounced

    def forget(self, address: str) -> bool:
        return self._data.bounced.pop(address, None) is not None


class MemoryPictures(Rows):
    def request(self, snapshot: int, audience: str, form: str, now: datetime) -> int:
        for picture in self._data.pictures.values():
            if picture.snapshot == snapshot and (picture.audience, picture.form) == (audience, form):
                return picture.id
        new = Picture(next_id(self._data.pictures), snapshot, audience, form, now)
        self._data.pictures[new.id] = new
        return new.id

    def get(self, picture: int) -> Picture | None:
        return self._data.pictures.get(picture)

    def content(self, snapshot: int, audience: str, form: str) -> bytes:
        same = (picture for picture in self._data.pictures.values() if picture.snapshot == snapshot)
        return next((picture.content for picture in same if (picture.audience, picture.form) == (audience, form)), b"")

    def next(self, now: datetime) -> Picture | None:
        undrawn = [picture for picture in self._data.pictures.values() if picture.made_at is None]
        whole = {(picture.snapshot, picture.form) for picture in undrawn if not picture.audience}
        for picture in sorted(undrawn, key=lambda picture: (bool(picture.audience), picture.id)):
            ready = not picture.audience or (picture.snapshot, picture.form) not in whole
            if ready and (picture.leased_until is None or picture.leased_until <= now):
                return picture
        return None

    def lease(self, picture: int, until: datetime) -> None:
        kept = self._data.pictures[picture]
        self._data.pictures[picture] = replace(kept, leased_until=until, tries=kept.tries + 1)

    def unlease(self, picture: int) -> None:
        self._data.pictures[picture] = replace(self._data.pictures[picture], leased_until=None)

    def end_leases(self) -> None:
        for number, kept in tuple(self._data.pictures.items()):
            self._data.pictures[number] = replace(kept, leased_until=None)

    def finish(self, picture: int, now: datetime, content: bytes, error: str = "") -> None:
        kept = self._data.pictures[picture]
        if kept.made_at is None:
            self._data.pictures[picture] = replace(kept, made_at=now, content=content, error=error)


def _over(letter: OutLetter, now: datetime) -> bool:
    return letter.expires_at is not None and letter.expires_at <= now
