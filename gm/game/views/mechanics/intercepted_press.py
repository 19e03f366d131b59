"""Intercepted press: sections of the results, and a letter for each message as it is sent."""

from __future__ import annotations

from collections.abc import Iterable

from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import Game, OutLetter, PressRow, Seat
from gm.game.model.services import Services
from gm.judge.mechanics.dips.interception import Intercepted, InterceptedCopy
from gm.judge.model.press import MessageHeader
from gm.language.rendering.views import Block, LetterView, ParagraphView, QuotedWordsView, SectionView


def sections(reader: Recipient, messages: Iterable[Intercepted]) -> tuple[SectionView, ...]:
    """One section for each of the reader's intercepts; game masters get all of them."""
    return tuple(_section(reader, message) for message in messages)


def _section(reader: Recipient, message: Intercepted) -> SectionView:
    mine = "you" if reader.is_mine(message.power) else "other"
    names = {"one": message.one, "other": message.other, "power": message.power}
    blocks: list[Block] = []
    if message.one_human:
        blocks.append(ParagraphView(reader.say("intercepted.one-human", **names)))
    count = len(message.copies)
    blocks.append(ParagraphView(reader.say("intercepted.copies" if count else "intercepted.nothing", n=count, **names)))
    for copy in message.copies:
        blocks += message_blocks(reader, copy)
    if message.protected:
        blocks.append(ParagraphView(reader.say("intercepted.protected", n=message.protected)))
    title = reader.say("intercepted.title", **names)
    return SectionView(
        title, tuple(blocks), aside=reader.say("points.secret") if mine == "you" else reader.called(message.power)
    )


def intercept_letter(
    services: Services, store: Store, game: Game, seat: Seat, row: PressRow, header: MessageHeader
) -> OutLetter:
    """The letter with a copy of one message, sent at once."""
    reader = Recipient.of(services, store, game, seat)
    names = {"sender": header.sender, "to": reader.every(header.to)}
    lead = reader.say("intercepted.lead", **names)
    frame = reader.frame(
        reader.subject(reader.say("intercepted.subject", **names)), reader.say("intercepted.heading"), lead
    )
    return reader.letter(
        "notice",
        LetterView(frame, (SectionView(reader.say("intercepted.words"), (QuotedWordsView(row.words),)),)),
        reader.cause(f"overheard:{row.id}"),
        references=store.outbox.thread_ids(seat.id, game.phase)[:1],
    )


def message_blocks(reader: Recipient, copy: InterceptedCopy) -> tuple[Block, ...]:
    """A message as its recipient saw it: header and text."""
    return ParagraphView(
        reader.say("intercepted.header", sender=copy.sender, to=reader.every(copy.to))
    ), QuotedWordsView(copy.words)
