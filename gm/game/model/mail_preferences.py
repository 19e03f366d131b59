"""MAIL and MUTE: which letters a reader wants, checked where letters to all are queued.

Answers, questions and first letters are always sent. Unwanted press is stored in the outbox unsent, so that
PRESS LOG can show it.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from gm.game.model.observer_records import Digest, MailChoice, MailChoices
from gm.game.model.ports import Store
from gm.game.model.records import MASTER, OutLetter, Seat

PRESS = "press"
WANTED = {
    MailChoice.ALL: frozenset({"results", "reminder", "notice", "welcome", "chronicle", PRESS}),
    MailChoice.NO_PRESS: frozenset({"results", "reminder", "notice", "welcome", "chronicle"}),
    MailChoice.RESULTS: frozenset({"results", "reminder", "welcome", "chronicle"}),
    MailChoice.OFF: frozenset[str](),
}
"""The kinds of letters that are sent with each choice."""


HOUR = time(7)
"""When digests leave, in their reader's time zone: every day, or on Mondays."""


def mail_choices_of(store: Store, seat: Seat) -> MailChoices:
    return store.observers.mail_choices(seat.id, seat.person or 0)


def is_wanted(wishes: MailChoices, kind: str, sender: str = "") -> bool:
    """`sender` is the name that press is signed with. A game master's letters are always sent."""
    if sender == MASTER:
        return True
    return kind in WANTED[wishes.mail] and sender not in wishes.muted


def next_digest(digest: Digest, now: datetime, zone: ZoneInfo) -> datetime:
    """The next instant at which such digests leave, strictly later."""
    here = now.astimezone(zone)
    days = 7 - here.weekday() if digest is Digest.WEEKLY else 1
    day = here.date() if digest is Digest.DAILY or here.weekday() == 0 else here.date() + timedelta(days=days)
    at = datetime.combine(day, HOUR, zone)
    return at if at > now else datetime.combine(day + timedelta(days=days), HOUR, zone)


def send(store: Store, seat: Seat, letter: OutLetter, sender: str = "", *, may_wait: bool = False) -> None:
    """`may_wait`: the letter goes into the reader's digest, if they have chosen one."""
    now, choices = store.now(), mail_choices_of(store, seat)
    if is_wanted(choices, letter.kind, sender):
        if may_wait and choices.digest is not Digest.NONE and seat.person is not None:
            zone = ZoneInfo(store.people.get(seat.person).zone)
            store.outbox.collect(replace(letter, not_before=next_digest(choices.digest, now, zone)), now)
        else:
            store.outbox.add(letter, now)
    elif letter.kind == PRESS:
        store.outbox.add(replace(letter, expires_at=now), now)
