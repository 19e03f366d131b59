"""MAIL digest: one letter a day or a week with the notices, observers' results and broadcasts that have collected.

What may wait is decided where a letter is queued (`may_wait`): never an answer, a question, results of the reader's own
game, or anything about a deadline. Collected letters lie in the outbox until their digest is due, so the clock finds
them by their time, also after a restart. They are a digest of one seat: a reply is a letter of that seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from gm.game.model.letter_report import Note
from gm.game.model.map_attachment import attach_map
from gm.game.model.ports import Store
from gm.game.model.press_journal import press_id_of_cause
from gm.game.model.recipient import Recipient
from gm.game.model.records import OutboxRow, OutLetter, PressRow
from gm.game.model.services import Services
from gm.language.rendering.views import LetterView, QuotedWordsView, RowsView, RowView, SectionView

NEWS = frozenset(
    f"desk.{key}"
    for key in (
        *("announcement", "set", "set-because", "rule-changed", "names-opened", "poll-result", "poll-result-secret"),
        *("new-player", "new-player-hidden", "new-master", "master-changed", "master-left", "observer-came"),
        *("seat-resigned", "seat-emptied", "seat-dummy", "seat-wanted", "seat-open-observer", "ejected", "revived"),
    )
)
"""Notices that ask for nothing and move no deadline."""
FOOT = 24
"""So many letters of the foot tell where it begins, before the text is wrapped."""
OF_THE_CLOCK = frozenset(
    {"moves", "retreats", "builds", "zone", "grace", "delay", "wait_policy", "nmr", "reminder", "last_year"}
)
"""Settings whose change may move a deadline."""


def may_wait(notes: Iterable[Note]) -> bool:
    """Whether a notice of these notes is news that a digest may bring later."""
    return all(note.key in NEWS and dict(note.fields).get("key") not in OF_THE_CLOCK for note in notes)


def games_with_digests(store: Store) -> tuple[int, ...]:
    """The games of seats whose digest is due."""
    return tuple(dict.fromkeys(row.letter.game for row in store.outbox.collected(store.now())))


def send_digests(services: Services, store: Store, game: int) -> None:
    """Queue one letter for each seat of the game, and person, whose digest is due."""
    here = (row for row in store.outbox.collected(store.now()) if row.letter.game == game)
    due = sorted(here, key=lambda row: (row.letter.seat, row.letter.address, row.id))
    for (seat, address), rows in groupby(due, key=lambda row: (row.letter.seat, row.letter.address)):
        collected = tuple(rows)
        letter = _render(services, store, seat, address, collected)
        if letter is not None:
            store.outbox.add(letter, store.now())
        for row in collected:
            store.outbox.mark_digested(row.id)


def _render(
    services: Services, store: Store, seat_id: int, address: str, collected: Sequence[OutboxRow]
) -> OutLetter | None:
    """None if the seat has another holder now."""
    seat = store.games.seat(seat_id)
    if seat.person is None or address not in store.people.get(seat.person).addresses:
        return None
    reader = Recipient.of(services, store, store.games.get(seat.game), seat)
    press = {row.id: row for row in store.turns.press(seat.game)}
    subject = reader.subject(reader.say("digest.subject", n=len(collected)))
    frame = reader.frame(subject, reader.say("digest.title"), reader.say("digest.lead", n=len(collected)))
    sections = tuple(_section(reader, row.letter, press) for row in collected)
    return reader.letter("notice", LetterView(frame, sections), reader.cause(f"digest:{collected[-1].id}"))


def _section(reader: Recipient, letter: OutLetter, press: Mapping[int, PressRow]) -> SectionView:
    """A letter without its frame and the deadline of its day. Of press only the words: a reply goes elsewhere here."""
    _, _, title = letter.subject.partition("] ")
    row = press.get(press_id_of_cause(letter.cause))
    if row is not None:
        sender = reader.named_in_press(row.written_as)
        return SectionView(reader.say("digest.press", sender=sender), (QuotedWordsView(row.words),))
    text, foot = attach_map(letter, b"").text, reader.foot()[0][:FOOT]
    end = text.rfind(f"\n{foot}")
    body = text[:end] if end >= 0 else text.rpartition("\nRef:")[0]
    deadline = reader.say("deadline.line", when="|").partition("|")[0].strip("*")
    parts = (part.strip("\n") for part in body.split("\n\n") if not part.strip().startswith(deadline))
    blocks = tuple(RowsView(tuple(RowView(line) for line in part.split("\n"))) for part in parts if part)
    return SectionView(title or letter.subject, blocks)
