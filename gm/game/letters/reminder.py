"""Reminders before a deadline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from msgspec import Struct

from gm.game.letters.proposals import proposals_button, proposals_section
from gm.game.model.ports import Store
from gm.game.model.proposals import Proposals
from gm.game.model.recipient import Recipient
from gm.game.model.records import Game, OutLetter, Seat, Sheet
from gm.game.model.services import Services
from gm.game.views.orders.sheet import draft_key, missing_words
from gm.game.views.turns.turn_events import sorted_units
from gm.judge.model.sheets import DueOrders
from gm.language.rendering import plain_text
from gm.language.rendering.views import Block, ButtonView, LetterView, ParagraphView, RowsView, RowView, SectionView

QUESTIONS_MOST = 10
"""A reminder repeats at most so many unanswered questions about lines."""


class IncompleteSheet(Struct, frozen=True):
    """An incomplete sheet or a draft; `sheet` is what is on file."""

    power: str
    sheet: Sheet | None
    missing: DueOrders

    @property
    def draft(self) -> bool:
        return self.sheet is not None and self.sheet.preliminary and bool(self.sheet.lines)


def render_reminder(
    services: Services,
    store: Store,
    game: Game,
    seat: Seat,
    lacks: Sequence[IncompleteSheet],
    slot: str,
    proposals: Sequence[Proposals] = (),
    *,
    only: bool = True,
) -> OutLetter:
    """Name what is missing, the draft and all that waits for a YES, nothing else. The letter expires at the deadline.

    `only`: no other reminder comes before it.
    """
    reader = Recipient.of(services, store, game, seat)
    missing = [lack for lack in lacks if lack.missing]
    finished = "reminder.draft" if any(lack.draft for lack in lacks) else "reminder.proposed"
    what = reader.every(missing_words(reader, lack.missing, "owing") for lack in missing) or reader.say(finished)
    subject = reader.subject(reader.say("reminder.subject", left=_time_left(reader), what=what))
    sections = [section for lack in lacks for section in _missing_sections(reader, lack)]
    sections += [proposals_section(reader, waiting, by_code=len(proposals) > 1) for waiting in proposals]
    names = [unit for lack in missing for unit in sorted_units(lack.missing.units)]
    frame = reader.frame(
        subject,
        reader.say("reminder.heading", what=what),
        _reminder_lead(reader, lacks, what if missing else ""),
        act=True,
        button=_button(reader, missing, proposals, subject),
    )
    below = () if all(lack.missing.task for lack in missing) else (_how_to_reply(reader, missing, len(names)),)
    view = LetterView(frame, tuple(sections), (*below, *((reader.say("reminder.only"),) if only else ())))
    return reader.letter(
        "reminder",
        view,
        reader.cause(f"reminder:{slot}"),
        references=store.outbox.thread_ids(seat.id, game.phase)[:1],
        expires_at=game.due_at,
    )


def _how_to_reply(reader: Recipient, missing: Sequence[IncompleteSheet], units: int) -> str:
    if any(lack.missing.builds for lack in missing):
        return reader.say("reminder.builds")
    return reader.phase_words("reminder.below", reader.game.phase, n=units)


def _button(
    reader: Recipient, missing: Sequence[IncompleteSheet], proposals: Sequence[Proposals], subject: str
) -> ButtonView:
    if proposals:
        return proposals_button(reader, proposals[-1], subject)
    if not missing:
        return reader.button(reader.say("reminder.button-final"), subject, reader.say("reminder.final-word"))
    body = "\n".join(line for lack in missing for line in _started_lines(reader, lack))
    return reader.button(reader.say("reminder.button"), subject, body)


def _reminder_lead(reader: Recipient, lacks: Sequence[IncompleteSheet], what: str) -> str:
    """What is missing, when it is due, and what happens to a draft. `what` is "" if only the draft is."""
    drafts = [draft_key(reader, lack.sheet) for lack in lacks if lack.draft and lack.sheet is not None]
    key = "reminder.lead" if what else "reminder.draft-lead"
    lead = reader.phase_words(key, reader.game.phase, what=what, due=reader.due())
    return " ".join((lead, *dict.fromkeys(reader.say(f"reminder.{draft}") for draft in drafts)))


def _missing_sections(reader: Recipient, lack: IncompleteSheet) -> Iterator[SectionView]:
    mine, sheet = reader.is_mine(lack.power), lack.sheet
    if lack.missing:
        title = reader.say("reminder.missing" if mine else "reminder.missing-of", power=lack.power)
        yield SectionView(title, tuple(_missing_rows(reader, lack.missing)))
    if sheet is not None and sheet.lines:
        stored = RowsView(tuple(RowView(line.text) for line in sheet.lines))
        key = "reminder.stored-draft" if lack.draft else "reminder.stored"
        yield SectionView(reader.say(key, version=sheet.version), (stored,))
    if sheet is not None and sheet.open_questions:
        asked = RowsView(
            tuple(RowView(plain_text.visible(line)[:64]) for line in sheet.open_questions[:QUESTIONS_MOST])
        )
        yield SectionView(reader.say("reminder.asked", n=len(sheet.open_questions)), (asked,))


def _started_lines(reader: Recipient, lack: IncompleteSheet) -> Iterator[str]:
    """The lines that the button starts the player's letter with."""
    owed, begin = lack.missing, reader.choose("button.begin", reader.game.phase[-1:])
    if not reader.is_mine(lack.power):
        yield f"{reader.called(lack.power)}:"
    yield from (f"{unit!s} " for unit in sorted_units(owed.units))
    yield from [begin] * (owed.builds or owed.removals)


def _time_left(reader: Recipient) -> str:
    left = (reader.game.due_at or reader.now) - reader.now
    hours = round(left / timedelta(hours=1))
    if hours >= 1:
        return reader.say("reminder.hours", hours=hours)
    return reader.say("reminder.minutes", minutes=max(1, round(left / timedelta(minutes=1))))


def _missing_rows(reader: Recipient, owed: DueOrders) -> list[Block]:
    letter = reader.game.phase[-1:]
    if owed.units:
        idle = reader.choose("sheet.idle-short", letter)
        return [RowsView(tuple(RowView(str(unit), idle, "warn") for unit in sorted_units(owed.units)))]
    if owed.task:
        return [ParagraphView(reader.say(f"task.{owed.task}.lacking"))]
    key = "builds.without" if owed.builds else "removals.rules"
    return [ParagraphView(reader.say(key))]
