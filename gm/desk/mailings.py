"""Letters that open nothing: reminders, press passed on, questions, and answers to persons without a seat.

Press shows its writer's name as a seat, his words, and nothing else of his letter. Its subject names the channel
and no phase, so that one thread holds for the whole game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from gm.desk.office import Office
from gm.desk.ports import Store
from gm.desk.reader import Reader, re_subject, shortened
from gm.desk.records import (
    MASTER,
    Game,
    InboxRow,
    Letter,
    OutLetter,
    Person,
    PressRow,
    Question,
    Seat,
    Sheet,
)
from gm.desk.report import Note
from gm.desk.scene import sorted_units, unit_name
from gm.desk.sheetviews import FEW
from gm.judge.steps import Owed
from gm.text import layout
from gm.text.views import Block, Bullets, Button, Choices, Frame, LetterView, Para, PressView, Row, Rows, Section, Words

ANSWERS = {"press": ("PRESS", "ORDERS")}
"""What may be answered to a kind of question, where that is not YES."""
SHOWN_MOST = 1500
"""So much of a held letter is shown to the person asked about it."""


# ---- reminders


def reminder(
    office: Office, store: Store, game: Game, seat: Seat, owed: Owed, sheet: Sheet | None, slot: str
) -> OutLetter:
    """Names what is due and missing, nothing else; pointless after the deadline, so it expires then."""
    reader = Reader.of(office, store, game, seat)
    season = reader.season(game.phase)
    due = reader.when(game.due_at) if game.due_at else reader.say("due.none")
    what = _lack(reader, owed)
    subject = reader.subject(reader.say("reminder.subject", left=_left(reader), what=what))
    lead = reader.phase_words("reminder.lead", game.phase, what=what, due=due)
    blocks = tuple(_missing_rows(reader, owed))
    sections = [Section(reader.say("reminder.missing"), blocks)]
    if sheet is not None and sheet.lines:
        stored = Rows(tuple(Row(line.text) for line in sheet.lines))
        sections.append(Section(reader.say("reminder.stored", version=sheet.version), (stored,)))
    names = [unit_name(unit) for unit in sorted_units(owed.units)]
    begin = reader.choose("button.begin", game.phase[-1:])
    body = "\n".join([f"{name} " for name in names] + [begin] * (owed.builds or owed.removals))
    frame = reader.frame(
        subject,
        reader.say("reminder.heading", what=what),
        lead,
        act=True,
        button=reader.button(reader.say("reminder.button"), subject, body),
    )
    below = (reader.phase_words("reminder.below", game.phase, n=len(names)),)
    opening = store.outbox.opening(seat.id, game.phase)
    view = LetterView(frame, tuple(sections), (*below, reader.say("reminder.only", season=season)))
    return reader.letter(
        "reminder",
        view,
        reader.cause(f"reminder:{slot}"),
        references=(opening[0],) if opening else (),
        expires_at=game.due_at,
    )


def _left(reader: Reader) -> str:
    left = (reader.game.due_at or reader.now) - reader.now
    hours = round(left / timedelta(hours=1))
    if hours >= 1:
        return reader.say("reminder.hours", hours=hours)
    return reader.say("reminder.minutes", minutes=max(1, round(left / timedelta(minutes=1))))


def _lack(reader: Reader, owed: Owed) -> str:
    names = [unit_name(unit) for unit in sorted_units(owed.units)]
    if names:
        few = reader.every(names) if len(names) <= FEW else reader.say("lacking.units", n=len(names))
        return reader.say("reminder.no-order", n=len(names), units=few)
    key = "reminder.no-builds" if owed.builds else "reminder.no-removals"
    return reader.say(key, n=owed.builds or owed.removals)


def _missing_rows(reader: Reader, owed: Owed) -> list[Block]:
    letter = reader.game.phase[-1:]
    if owed.units:
        idle = reader.choose("sheet.idle-short", letter)
        return [Rows(tuple(Row(unit_name(unit), idle, "warn") for unit in sorted_units(owed.units)))]
    key = "builds.without" if owed.builds else "removals.rules"
    return [Para(reader.say(key))]


# ---- press


def channel(press: PressRow) -> str:
    """The name of those who read each other in it: "France-Russia"."""
    return "-".join(sorted({press.sender, *press.to}))


def press(office: Office, store: Store, game: Game, seat: Seat, press: PressRow) -> OutLetter:
    """A player's words passed on to one of their readers."""
    reader = Reader.of(office, store, game, seat)
    through = channel(press)
    names = [_name(reader, one) for one in sorted({press.sender, *press.to})]
    subject = layout.header(reader.subject(reader.every(names), phase=""))
    sender = _name(reader, press.sender)
    others = [_name(reader, one) for one in press.to if one != seat.power]
    you = reader.say("press.you", power=reader.role)
    lead = reader.say(
        "press.to-others" if others else "press.alone", sender=sender, readers=reader.every([*others, you])
    )
    ref = reader.ref("press", through)
    back = reader.every([one for one in names if one != _name(reader, seat.power)])
    below = [
        Para(reader.say("press.answer", readers=back)),
        Para(reader.say("press.others", example=_example(reader, press.sender))),
    ]
    button = reader.button(reader.say("press.button", sender=sender), subject, "", ref)
    frame = replace(
        reader.frame(subject, reader.say("press.heading", sender=sender), lead),
        ref=ref,
        foot=reader.foot()[1:],
    )
    view = PressView(frame, press.words, reader.hue(press.sender), (Section("", (Choices((button,)), *below)),))
    before = store.outbox.roots(seat.id, channel=through)
    sent = reader.letter(
        "press",
        view,
        reader.cause(f"press:{press.id}"),
        references=(before[0], before[-1]) if before else (),
        channel=through,
        from_name=reader.say("from.seat", seat=sender, game=game.name),
    )
    return replace(sent, phase="")


def _name(reader: Reader, seat: str) -> str:
    return reader.say("role.master") if seat == MASTER else seat


def _example(reader: Reader, sender: str) -> str:
    others = [one.name for one in reader.variant.powers if one.name not in (reader.power, sender)]
    return f"PRESS TO {', '.join([sender, *others[:1]])}"


# ---- questions


def question(
    office: Office,
    store: Store,
    person: Person,
    game: Game | None,
    seat: Seat | None,
    question: Question,
    row: InboxRow,
    letter: Letter,
) -> OutLetter:
    """Asks the address of record about a letter that is held; a reply that says YES with the code releases it."""
    catalogue = office.letters.catalogue(person.language)
    say, asked = catalogue.say, f"question.{question.kind}"
    held = "\n".join(words for _, words in letter.lines).strip()
    shown = held if len(held) <= SHOWN_MOST else held[:SHOWN_MOST].rstrip() + " …"
    name = game.name if game is not None else ""
    tag = f"[{name}] " if name else ""
    own = layout.header(letter.subject, 120)
    subject = f"{tag}{say(f'{asked}.subject')}"
    ref = f"Ref: {name or office.post.mailbox} {question.code}"
    reply = office.post.reply_address(name, seat) if game is not None and seat is not None else office.post.address
    who = seat.power if seat is not None and seat.power != MASTER else say("role.master")
    words = ANSWERS.get(question.kind, ("YES",))
    buttons = [Button(say(f"{asked}.button-{one}"), reply, re_subject(subject), f"{one}\n\n{ref}") for one in words]
    quoted: list[Block] = [Para(say("question.subject-was", subject=own))] if own else []
    if shown:
        quoted.append(Words(shown))
    sections = [Section(say("question.letter"), tuple(quoted))] if quoted else []
    sections.append(
        Section(
            say("question.yes-title"),
            (
                Para(say(f"{asked}.answer")),
                Rows(tuple(Row(one, say(f"{asked}.means-{one}")) for one in words)),
                *((Choices(tuple(buttons)),) if len(buttons) > 1 else ()),
                Para(say(f"{asked}.else")),
            ),
        )
    )
    frame = Frame(
        subject=subject,
        title=say(f"{asked}.heading"),
        lead=say(f"{asked}.lead", power=who, game=name or office.post.address),
        crumbs=tuple(one for one in (name, who if seat is not None else "") if one),
        button=buttons[0] if len(buttons) == 1 else None,
        act=True,
        ref=ref,
    )
    sent = _loose(
        office,
        person,
        "question",
        LetterView(frame, tuple(sections)),
        f"question:{question.code}",
        (letter.message_id,),
    )
    return replace(
        sent,
        reply_to=reply,
        game=game.id if game is not None else 0,
        seat=seat.id if seat is not None else 0,
        from_name=layout.header(say("from.master", game=name), 80) if name else sent.from_name,
        from_address=office.post.game_address(name) if name else sent.from_address,
    )


# ---- persons without a seat


def plain(
    office: Office, store: Store, person: Person, row: InboxRow, letter: Letter, notes: Sequence[Note]
) -> OutLetter:
    """An answer that is about no game."""
    catalogue = office.letters.catalogue(person.language)
    said = [catalogue.say(one.key, **dict(one.fields)) for one in notes]
    lead = said[0] if said else catalogue.say("answer.nothing")
    rest = (Section(catalogue.say("answer.notes"), (Bullets(tuple(said[1:])),)),) if said[1:] else ()
    own = layout.header(letter.subject, 120)
    subject = re_subject(own) if own else catalogue.say("plain.subject")
    frame = Frame(
        subject=subject,
        title=catalogue.say("plain.heading"),
        lead=lead,
        foot=(catalogue.say("plain.foot"),),
        ref=f"Ref: {office.post.mailbox}",
    )
    return _loose(office, person, "plain", LetterView(frame, rest), f"inbox:{row.id}", (letter.message_id,))


def _loose(
    office: Office, person: Person, kind: str, view: LetterView, cause: str, references: Sequence[str]
) -> OutLetter:
    rendered = office.letters.render(kind, view, person.language)
    address = person.addresses[0]
    return OutLetter(
        cause=cause,
        kind=kind,
        address=address,
        to_name=layout.header(person.name, 80),
        from_name=layout.header(office.letters.catalogue(person.language).say("from.nobody"), 80),
        from_address=office.post.address,
        reply_to=office.post.address,
        subject=rendered.subject,
        text=rendered.text,
        html=rendered.html,
        message_id=office.post.message_id(cause, kind, address),
        references=shortened(references),
        automatic="auto-replied",
    )
