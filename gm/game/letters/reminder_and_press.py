"""Letters that open nothing: reminders, and press passed on.

Press shows its writer's name as a seat, his words, and nothing else of his letter. Its subject names the channel
and no phase, so that one thread holds for the whole game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model import unsigned_names
from gm.game.model.observer_records import OBSERVERS
from gm.game.model.ports import Store
from gm.game.model.press_journal import channel
from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, Game, OutLetter, PressRow, Seat, Sheet
from gm.game.model.services import Services
from gm.game.model.setting_choices import PressMode
from gm.game.views.sheet import FEW, draft_key
from gm.game.views.turn_events import sorted_units, unit_name
from gm.judge.model.press import MessageHeader
from gm.judge.model.sheets import DueOrders
from gm.language.rendering import plain_text
from gm.language.rendering.views import (
    Block,
    ChoicesView,
    LetterView,
    ParagraphView,
    PressView,
    RowsView,
    RowView,
    SectionView,
)

QUESTIONS_MOST = 10
"""So many lines that were asked back and not answered are shown again."""

# ---- reminders


class IncompleteSheet(Struct, frozen=True):
    """A sheet that is not complete or a draft: the power's it is, what is on file of it, and what is missing."""

    power: str
    sheet: Sheet | None
    missing: DueOrders

    @property
    def draft(self) -> bool:
        return self.sheet is not None and self.sheet.preliminary and bool(self.sheet.lines)


def reminder(
    services: Services, store: Store, game: Game, seat: Seat, lacks: Sequence[IncompleteSheet], slot: str
) -> OutLetter:
    """Names what is due and missing, or a draft, nothing else; pointless after the deadline, so it expires then."""
    reader = Recipient.of(services, store, game, seat)
    missing = [lack for lack in lacks if lack.missing]
    what = reader.every(_lack(reader, one.missing) for one in missing) or reader.say("reminder.draft")
    subject = reader.subject(reader.say("reminder.subject", left=_left(reader), what=what))
    sections = [section for lack in lacks for section in _missing_sections(reader, lack)]
    names = [unit for one in missing for unit in sorted_units(one.missing.units)]
    body = "\n".join(line for one in missing for line in _begun(reader, one)) or reader.say("reminder.final-word")
    frame = reader.frame(
        subject,
        reader.say("reminder.heading", what=what),
        _reminding(reader, lacks, what if missing else ""),
        act=True,
        button=reader.button(reader.say("reminder.button" if missing else "reminder.button-final"), subject, body),
    )
    builds = any(one.missing.builds for one in missing)
    usual = reader.phase_words("reminder.below", game.phase, n=len(names))
    below = (reader.say("reminder.builds") if builds else usual,) if missing else ()
    opening = store.outbox.opening(seat.id, game.phase)
    view = LetterView(frame, tuple(sections), (*below, reader.say("reminder.only")))
    return reader.letter(
        "reminder",
        view,
        reader.cause(f"reminder:{slot}"),
        references=(opening[0],) if opening else (),
        expires_at=game.due_at,
    )


def _reminding(reader: Recipient, lacks: Sequence[IncompleteSheet], what: str) -> str:
    """What is missing, when it is due, and what becomes of a draft. `what`: "" where nothing is missing but that."""
    drafts = [draft_key(reader, lack.sheet) for lack in lacks if lack.draft and lack.sheet is not None]
    key = "reminder.lead" if what else "reminder.draft-lead"
    said = reader.phase_words(key, reader.game.phase, what=what, due=reader.due())
    return " ".join((said, *dict.fromkeys(reader.say(f"reminder.{draft}") for draft in drafts)))


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


def _begun(reader: Recipient, lack: IncompleteSheet) -> Iterator[str]:
    """The letter to write, begun."""
    owed, begin = lack.missing, reader.choose("button.begin", reader.game.phase[-1:])
    if not reader.is_mine(lack.power):
        yield f"{reader.called(lack.power)}:"
    yield from (f"{unit_name(unit)} " for unit in sorted_units(owed.units))
    yield from [begin] * (owed.builds or owed.removals)


def _left(reader: Recipient) -> str:
    left = (reader.game.due_at or reader.now) - reader.now
    hours = round(left / timedelta(hours=1))
    if hours >= 1:
        return reader.say("reminder.hours", hours=hours)
    return reader.say("reminder.minutes", minutes=max(1, round(left / timedelta(minutes=1))))


def _lack(reader: Recipient, owed: DueOrders) -> str:
    names = [unit_name(unit) for unit in sorted_units(owed.units)]
    if names:
        few = reader.every(names) if len(names) <= FEW else reader.say("lacking.units", n=len(names))
        return reader.say("reminder.no-order", n=len(names), units=few)
    if owed.task:
        return reader.say(f"task.{owed.task}.owing")
    key = "reminder.no-builds" if owed.builds else "reminder.no-removals"
    return reader.say(key, n=owed.builds or owed.removals)


def _missing_rows(reader: Recipient, owed: DueOrders) -> list[Block]:
    letter = reader.game.phase[-1:]
    if owed.units:
        idle = reader.choose("sheet.idle-short", letter)
        return [RowsView(tuple(RowView(unit_name(unit), idle, "warn") for unit in sorted_units(owed.units)))]
    if owed.task:
        return [ParagraphView(reader.say(f"task.{owed.task}.lacking"))]
    key = "builds.without" if owed.builds else "removals.rules"
    return [ParagraphView(reader.say(key))]


# ---- press


def press(
    services: Services,
    store: Store,
    game: Game,
    seat: Seat,
    press: PressRow,
    name: str = "",
    header: MessageHeader | None = None,
) -> OutLetter:
    """A player's words passed on to one of their readers, who reads for `name` and sees this header."""
    reader = Recipient.of(services, store, game, seat)
    name = name or seat.power
    header = header or MessageHeader(press.written_as, press.to)
    through = channel(header, name, seat.power)
    members = sorted({header.sender, *header.to})
    subject = plain_text.header(reader.subject(reader.every([_name(reader, member) for member in members]), phase=""))
    sender = _name(reader, header.sender)
    others = [_name(reader, one) for one in header.to if one != name]
    you = reader.say("press.you", power=reader.role if name == seat.power else _name(reader, name))
    alone = "press.alone-unsigned" if unsigned_names.is_unsigned(name) else "press.alone-as"
    alone = "press.alone" if name == seat.power else alone
    lead = reader.say(
        "press.to-others" if others else alone, sender=sender, readers=reader.every([*others, you]), power=name
    )
    ref = reader.ref("press", through)
    back = reader.every([_name(reader, member) for member in members if member != name])
    below = [
        *_written_by(reader, press),
        ParagraphView(_how_to_answer(reader, header.sender, back, "" if name == seat.power else name)),
        _to_others(reader, header.sender),
    ]
    button = reader.button(reader.say("press.button", sender=sender), subject, "", ref)
    frame = replace(
        reader.frame(subject, reader.say("press.heading", sender=sender), lead),
        ref=ref,
        foot=reader.foot()[1:],
    )
    view = PressView(
        frame, press.words, reader.hue(header.sender), (SectionView("", (ChoicesView((button,)), *below)),)
    )
    before = store.outbox.roots(seat.id, channel=through)
    sent = reader.letter(
        "press",
        view,
        reader.cause(f"press:{press.id}" if name == seat.power else f"press:{press.id}:{name}"),
        references=(before[0], before[-1]) if before else (),
        channel=through,
        from_name=reader.say("from.seat", seat=sender, game=game.name),
    )
    return replace(sent, phase="")


def _how_to_answer(reader: Recipient, sender: str, readers: str, name: str) -> str:
    """An answer to a game master costs nothing even where messages do. `name`: under which it goes, if not his own."""
    mode = reader.settings.press
    if unsigned_names.is_unsigned(name) or (
        mode is PressMode.GREY and not name and MASTER not in (sender, reader.seat.power)
    ):
        return reader.say("press.answer-unsigned", readers=readers)
    if name:
        return reader.say("press.answer-as", readers=readers, power=name)
    terms = reader.variant.press.terms
    priced = bool(terms) and MASTER not in (sender, reader.seat.power)
    return reader.say("press.answer-priced" if priced else "press.answer", readers=readers, **terms)


def _written_by(reader: Recipient, press: PressRow) -> tuple[ParagraphView, ...]:
    """For a game master alone: whose letter it is that does not say so."""
    if reader.seat.power != MASTER or not unsigned_names.is_unsigned(press.name):
        return ()
    return (ParagraphView(reader.say("press.unsigned-by", power=reader.called(press.sender))),)


def _name(reader: Recipient, seat: str) -> str:
    if unsigned_names.is_unsigned(seat):
        return reader.say("role.somebody")
    own = {MASTER: "role.master", OBSERVERS: "role.observers"}
    return reader.say(own[seat]) if seat in own else reader.called(seat)


def _to_others(reader: Recipient, sender: str) -> ParagraphView:
    others = [power.name for power in reader.variant.powers if power.name not in (reader.power, sender)]
    example = others[:2] if unsigned_names.is_unsigned(sender) else [sender, *others[:1]]
    names, opener = ", ".join(reader.called(one) for one in example), reader.variant.press.opener
    if opener and sender != MASTER:
        return ParagraphView(reader.say("press.others-opened", word=opener, names=names))
    return ParagraphView(reader.say("press.others", example=reader.say("welcome.press-line", power=names)))
