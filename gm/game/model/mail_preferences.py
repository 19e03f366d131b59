"""MAIL and MUTE: which letters a reader wants, checked where letters to all are queued.

Answers, questions and first letters are always sent. Unwanted press is stored in the outbox unsent, so that
PRESS LOG can show it.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.model.observer_records import MailChoice, MailChoices
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


def mail_choices_of(store: Store, seat: Seat) -> MailChoices:
    return store.observers.mail_choices(seat.id, seat.person or 0)


def is_wanted(wishes: MailChoices, kind: str, sender: str = "") -> bool:
    """`sender` is the name that press is signed with. A game master's letters are always sent."""
    if sender == MASTER:
        return True
    return kind in WANTED[wishes.mail] and sender not in wishes.muted


def send(store: Store, seat: Seat, letter: OutLetter, sender: str = "") -> None:
    now = store.now()
    if is_wanted(mail_choices_of(store, seat), letter.kind, sender):
        store.outbox.add(letter, now)
    elif letter.kind == PRESS:
        store.outbox.add(replace(letter, expires_at=now), now)
