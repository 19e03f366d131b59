"""PRESS LOG: the letters of a game that its reader wrote and got, by partner and phase.

A letter got is one that was addressed to the reader's seat and person, so a seat's next holder reads nothing of the one
before. Names are those that the letter itself showed: nothing here tells more than the letters did.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec import Struct

from gm.game.model import unsigned_names
from gm.game.model.press_journal import AS, channel_name, press_id_of_cause
from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, OutboxRow, PressRow
from gm.judge.model.position import Position
from gm.judge.model.press import MessageHeader
from gm.language.commands.observers import PressLogTopic
from gm.language.rendering.views import Block, ParagraphView, QuotedWordsView, SectionView

NEWEST = 200
"""The newest letters are shown; an answer has a size."""


class LoggedLetter(Struct, frozen=True):
    """A letter as its reader knows it. `channel` is the conversation, `phase` the one it was written in.

    `state`: "" or what became of it: "withheld" from the reader by their choices, "waits" to leave.
    """

    at: datetime
    channel: str
    phase: str
    sender: str
    words: str
    state: str = ""


def sections(reader: Recipient, position: Position | None, topic: str) -> tuple[SectionView, ...]:
    wanted = PressLogTopic.of(topic)
    letters = sorted((*_written(reader), *_received(reader)), key=lambda letter: letter.at)
    chosen = [letter for letter in letters if _is_wanted(letter, wanted)]
    title = reader.say("press-log.title")
    if not chosen:
        words = reader.say("press-log.none-such" if letters else "press-log.empty")
        return (SectionView(title, (ParagraphView(words),)),)
    shown = chosen[-NEWEST:]
    lead = (ParagraphView(reader.say("press-log.older", n=len(chosen) - NEWEST)),) if len(chosen) > NEWEST else ()
    channels = dict.fromkeys(letter.channel for letter in shown)
    groups = (
        SectionView(
            _title(reader, channel),
            tuple(_blocks(reader, [letter for letter in shown if letter.channel == channel])),
        )
        for channel in sorted(channels, key=lambda channel: _title(reader, channel))
    )
    return (SectionView(title, lead), *groups) if lead else tuple(groups)


def _blocks(reader: Recipient, letters: Iterable[LoggedLetter]) -> Iterator[Block]:
    phase = None
    for letter in letters:
        if letter.phase != phase:
            phase = letter.phase
            when = reader.phase_words("phase.long", phase) if phase else reader.say("press-log.before")
            yield ParagraphView(f"**{when}**")
        mine = letter.sender in ("", reader.seat.power)
        sender = reader.say("press-log.you") if mine else reader.named_in_press(letter.sender)
        key = f"press-log.letter-{letter.state}" if letter.state else "press-log.letter"
        yield ParagraphView(reader.say(key, sender=sender))
        yield QuotedWordsView(letter.words)


def _is_wanted(letter: LoggedLetter, wanted: PressLogTopic) -> bool:
    if wanted.phase and letter.phase != wanted.phase:
        return False
    return not wanted.power or wanted.power in letter.channel.partition(AS)[0].split("-")


# ---- what was written and what came


def _written(reader: Recipient) -> Iterator[LoggedLetter]:
    """The letters that the reader wrote from this seat, or a game master in its name."""
    seat, store = reader.seat, reader.store
    masters = {chair.person for chair in store.games.seats(reader.game.id) if chair.power == MASTER}
    for row in store.turns.press(reader.game.id):
        if row.sender == seat.power and row.person in {reader.person.id, *masters}:
            channel = channel_name(MessageHeader(row.written_as, row.to), row.written_as, seat.power)
            state = "waits" if row.held_until is not None else ""
            yield LoggedLetter(row.at, channel, row.phase, "", row.words, state)


def _received(reader: Recipient) -> Iterator[LoggedLetter]:
    rows = {row.id: row for row in reader.store.turns.press(reader.game.id)}
    for sent in reader.store.outbox.press_letters(reader.seat.id, reader.person.addresses):
        row = rows.get(press_id_of_cause(sent.letter.cause))
        if row is not None:
            yield _as_received(reader, sent, row)


def _as_received(reader: Recipient, sent: OutboxRow, row: PressRow) -> LoggedLetter:
    """A copy of a letter between players (`press_copy`) has no channel: its own names stand for it."""
    channel = sent.letter.channel
    sender = row.written_as if channel else row.sender
    channel = channel or channel_name(MessageHeader(row.sender, row.to), reader.seat.power, reader.seat.power)
    withheld = sent.letter.expires_at == sent.queued_at
    return LoggedLetter(sent.queued_at, channel, row.phase, sender, row.words, "withheld" if withheld else "")


# ---- names


def _title(reader: Recipient, channel: str) -> str:
    """ "With Germany and Italy", "With Germany, as Poland"."""
    members, _, own = channel.partition(AS)
    others = [name for name in members.split("-") if name not in (own, reader.seat.power)]
    names = reader.every(dict.fromkeys(reader.named_in_press(name) for name in others)) or reader.role
    if own and not unsigned_names.is_unsigned(own):
        return reader.say("press-log.with-as", names=names, own=reader.named_in_press(own))
    return reader.say("press-log.with-unsigned" if own else "press-log.with", names=names)
