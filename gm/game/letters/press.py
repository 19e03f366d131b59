"""Press as it is passed on: the writer's power and words, and nothing else of their letter.

The subject names the channel and no phase, so that one thread lasts for the whole game.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from gm.game.model import unsigned_names
from gm.game.model.ports import Store
from gm.game.model.press_journal import channel_name
from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, Game, OutLetter, PressRow, Seat
from gm.game.model.services import Services
from gm.game.model.setting_types import PressMode
from gm.judge.model.press import MessageHeader
from gm.language.rendering import plain_text
from gm.language.rendering.views import ChoicesView, ParagraphView, PressView, SectionView

SUBJECT_NAMES = 4
"""Powers that a subject names."""


def render_press(
    services: Services,
    store: Store,
    game: Game,
    seat: Seat,
    press: PressRow,
    name: str = "",
    header: MessageHeader | None = None,
) -> OutLetter:
    """Pass a player's words on to one of the readers, who reads them for `name` and sees this header."""
    reader = Recipient.of(services, store, game, seat)
    name = name or seat.power
    header = header or MessageHeader(press.written_as, press.to)
    through = channel_name(header, name, seat.power)
    members = sorted({header.sender, *header.to})
    subject = plain_text.header(reader.subject(_channel_words(reader, members), phase=""))
    sender = reader.named_in_press(header.sender)
    others = [reader.named_in_press(member) for member in header.to if member != name]
    you = reader.say("press.you", power=reader.role if name == seat.power else reader.named_in_press(name))
    alone = "press.alone-unsigned" if unsigned_names.is_unsigned(name) else "press.alone-as"
    alone = "press.alone" if name == seat.power else alone
    lead = reader.say(
        "press.to-others" if others else alone, sender=sender, readers=reader.every([*others, you]), power=name
    )
    ref = reader.ref("press", through)
    back = reader.every([reader.named_in_press(member) for member in members if member != name])
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
    before = store.outbox.thread_ids(seat.id, channel=through)
    sent = reader.letter(
        "press",
        view,
        reader.cause(f"press:{press.id}" if name == seat.power else f"press:{press.id}:{name}"),
        references=(before[0], before[-1]) if before else (),
        channel=through,
        from_name=reader.say("from.seat", seat=sender, game=game.name),
    )
    return replace(sent, phase="")


def _channel_words(reader: Recipient, members: Sequence[str]) -> str:
    """The members of a channel, short enough for a subject; the same words for all letters of the channel."""
    if set(reader.variant.seated) <= set(members):
        return reader.say("press.everybody")
    names = [reader.named_in_press(member) for member in members]
    if len(names) <= SUBJECT_NAMES:
        return reader.every(names)
    shown = names[: SUBJECT_NAMES - 1]
    return reader.every([*shown, reader.say("press.more", n=len(names) - len(shown))])


def render_copy(services: Services, store: Store, game: Game, seat: Seat, press: PressRow) -> OutLetter:
    """The copy of a letter between players, for a game master (`press_copy`). A reply to it reaches no player."""
    reader = Recipient.of(services, store, game, seat)
    to = (unsigned_names.writer_of(store, game.id, name) or name for name in press.to)
    readers = dict.fromkeys(reader.named_in_press(name) for name in to if name != press.sender)
    fields = {"sender": reader.named_in_press(press.sender), "readers": reader.every(readers)}
    subject = plain_text.header(reader.subject(reader.say("press.copy-subject", **fields), phase=""))
    below = [ParagraphView(reader.say("press.copy-reply", sender=fields["sender"]))]
    if press.name and not unsigned_names.is_unsigned(press.name):
        below = [ParagraphView(reader.say("press.copy-as", name=reader.named_in_press(press.name))), *below]
    elif press.name:
        below = [*_written_by(reader, press), *below]
    frame = replace(
        reader.frame(subject, reader.say("press.copy-heading", **fields), reader.say("press.copy-lead", **fields)),
        foot=reader.foot()[1:],
    )
    view = PressView(frame, press.words, reader.hue(press.sender), (SectionView("", tuple(below)),))
    return replace(reader.letter("press", view, reader.cause(f"press:{press.id}:copy")), phase="")


def _how_to_answer(reader: Recipient, sender: str, readers: str, name: str) -> str:
    """An answer to a game master is free even where messages cost. `name`: who answers, if not the reader's power."""
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
    """The writer of an unsigned letter, for a game master only."""
    if reader.seat.power != MASTER or not unsigned_names.is_unsigned(press.name):
        return ()
    return (ParagraphView(reader.say("press.unsigned-by", power=reader.called(press.sender))),)


def _to_others(reader: Recipient, sender: str) -> ParagraphView:
    others = [power for power in reader.variant.seated if power not in (reader.power, sender)]
    example = others[:2] if unsigned_names.is_unsigned(sender) else [sender, *others[:1]]
    names, message_word = ", ".join(reader.called(name) for name in example), reader.variant.press.message_word
    if message_word and sender != MASTER:
        return ParagraphView(reader.say("press.others-opened", word=message_word, names=names))
    return ParagraphView(reader.say("press.others", example=reader.say("welcome.press-line", power=names)))
