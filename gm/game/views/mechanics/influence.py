"""Sections about Influence Points: the boxes, the reader's own stacks, controlled minor powers, and the sum of bids.

The numbers come from `Influence.seen` and from events with an audience.
"""

from __future__ import annotations

from gm.game.model.letter_report import SheetReport
from gm.game.model.recipient import Recipient
from gm.judge.mechanics.influence.bid_orders import Bid, BoxFilled, BoxNumbers, CoalitionVote, ControlPassed, ControlWon
from gm.judge.model.events import Event
from gm.judge.model.influence_boxes import BIDS, InfluenceStack, VisibleBox
from gm.judge.model.position import Position
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.sheet_reader import read_order
from gm.language.rendering import order_text
from gm.language.rendering.views import Block, BulletsView, ParagraphView, SectionView


def visible_boxes(reader: Recipient, position: Position) -> tuple[VisibleBox, ...]:
    """The influence boxes, without what the reader may not see."""
    influence = reader.variant.influence
    if influence is None or position.ended is not None:
        return ()
    return influence.seen(position, reader.variant, reader.power, master=reader.power is None)


def sections(reader: Recipient, position: Position) -> tuple[SectionView, ...]:
    """The boxes and the reader's own stacks; () in variants without bids."""
    boxes = visible_boxes(reader, position)
    if not boxes:
        return ()
    blocks = (
        _contents(reader, boxes, _last(reader, position))
        if boxes[0].is_open
        else [ParagraphView(reader.say("boxes.closed", year=position.year + 1))]
    )
    blocks += [ParagraphView(words) for words in (own_stacks(reader, position), own_control(reader, position)) if words]
    return (SectionView(reader.say("boxes.title"), tuple(blocks)),)


def _last(reader: Recipient, position: Position) -> str:
    """The end of a sentence's key about control: "-last" before the bids, when it is that of last year."""
    return "-last" if reader.variant.step(position).letter == BIDS else ""


def _contents(reader: Recipient, boxes: tuple[VisibleBox, ...], last: str) -> list[Block]:
    """What lies in the boxes; the empty ones together."""
    filled = [box for box in boxes if box.tallies]
    blocks: list[Block] = [BulletsView(tuple(_box(reader, box, last) for box in filled))] if filled else []
    empty = [box.minor for box in boxes if not box.tallies]
    if empty:
        key = "boxes.empty" if filled else "boxes.all-empty"
        blocks.append(ParagraphView(reader.say(key, n=len(empty), minors=reader.every(empty))))
    return blocks


def _box(reader: Recipient, box: VisibleBox, last: str) -> str:
    """ "Poland (11, 9 with 1 support)", or with names where they are no secret."""
    numbers = ", ".join(_number(reader, tally.power, tally.own, tally.support) for tally in box.tallies)
    sentence = reader.say("boxes.box", minor=box.minor, numbers=numbers)
    if reader.power is None or all(tally.power for tally in box.tallies):
        return f"{sentence} {_controllers(reader, box.control, last)}".strip()
    return sentence


def _number(reader: Recipient, power: str, points: int, support: int) -> str:
    key = "boxes.with-support" if support else "boxes.alone"
    return reader.say(key, power=power, points=points, support=support).strip()


def _controllers(reader: Recipient, powers: tuple[str, ...], last: str = "") -> str:
    if not powers:
        return ""
    return reader.say(f"boxes.ruled{last}" if len(powers) == 1 else f"boxes.shared{last}", powers=reader.every(powers))


def own_stacks(reader: Recipient, position: Position) -> str:
    """ "You have 7 in Turkey, 1 in Poland (in support of Germany)."; "" for nothing."""
    mine = [(box.minor, box.mine) for box in visible_boxes(reader, position) if box.mine is not None]
    if not mine:
        return ""
    return reader.say("boxes.own", stacks=", ".join(_stack(reader, minor, stack) for minor, stack in mine))


def _stack(reader: Recipient, minor: str, stack: InfluenceStack) -> str:
    key = "boxes.stack-in-support" if stack.backs else "boxes.stack"
    key = "boxes.stack-in-part" if stack.backs and 0 < stack.share < stack.amount else key
    return reader.say(key, points=stack.amount, minor=minor, power=stack.backs, share=stack.share)


def own_control(reader: Recipient, position: Position) -> str:
    """ "You control Turkey and share Poland (a coalition of 2)."; "" for none. Before the bids: last year's."""
    mine = [box for box in visible_boxes(reader, position) if reader.power is not None and reader.power in box.control]
    alone = [box.minor for box in mine if box.members < 2]
    last = _last(reader, position)
    sentences = [reader.say(f"boxes.you-control{last}", minors=reader.every(alone))] if alone else []
    sentences += [_share(reader, box.minor, box.members, box.control, last) for box in mine if box.members > 1]
    return " ".join(sentences)


def _share(reader: Recipient, minor: str, members: int, known: tuple[str, ...], last: str = "") -> str:
    others = [power for power in known if power != reader.power]
    key = "boxes.you-share-with" if others else "boxes.you-share"
    return reader.say(f"{key}{last}", minor=minor, n=members, others=reader.every(others))


def bids_outcome(reader: Recipient, position: Position) -> str:
    """The minor powers that the reader controls after the bids, in a sentence."""
    return own_control(reader, position) or (reader.say("boxes.you-none") if reader.power else "")


def box_event_sentence(reader: Recipient, event: Event) -> str | None:
    """An event about a box in words; None for any other event."""
    match event:
        case BoxFilled():
            return _filled(reader, event)
        case BoxNumbers():
            numbers = ", ".join(_number(reader, "", *pair) for pair in event.numbers)
            return reader.say("boxes.box", minor=event.minor, numbers=numbers) if numbers else ""
        case ControlWon():
            return _won(reader, event)
        case CoalitionVote():
            if not reader.is_mine(event.power):
                return ""
            key = "boxes.vote-followed" if event.followed else "boxes.vote-lost"
            return reader.say(key, minor=event.minor, order=order_text.statement(event.order))
        case ControlPassed():
            key = "boxes.passed" if event.rulers else "boxes.passed-to-nobody"
            return reader.say(key, minor=event.minor, powers=reader.every(event.rulers), n=len(event.rulers))
        case _:
            return None


def _filled(reader: Recipient, event: BoxFilled) -> str:
    if not event.stacks:
        if not event.rulers:
            return reader.say("boxes.nobody-bid", minor=event.minor)
        return reader.say("boxes.kept", minor=event.minor, powers=reader.every(event.rulers))
    named = [
        reader.say("boxes.supporter" if backs else "boxes.alone", power=power, points=points, backs=backs)
        for power, points, backs in event.stacks
    ]
    return (
        f"{reader.say('boxes.box', minor=event.minor, numbers=', '.join(named))} {_controllers(reader, event.rulers)}"
    )


def _won(reader: Recipient, event: ControlWon) -> str:
    if not reader.is_mine(event.power):  # game masters read it in `_box`
        return ""
    if event.members < 2:
        return reader.say("boxes.you-control", minors=event.minor)
    return _share(reader, event.minor, event.members, (event.power, *event.others))


# ---- a bid on file


def bid_sections(reader: Recipient, position: Position, report: SheetReport) -> tuple[SectionView, ...]:
    """The sum of the bids on a sheet, in a bidding phase."""
    step = reader.variant.step(position) if position.ended is None else None
    if step is None or step.letter != BIDS or reader.variant.influence is None:
        return ()
    context = LetterContext(reader.variant, position, report.power, any_unit=True)
    lines = [read_order(line.text, context) for line in report.after.lines] if report.after else []
    spent = sum(order.points for order in lines if isinstance(order, Bid))
    amount = reader.variant.influence.collected(position, report.power)
    mine = "you" if reader.is_mine(report.power) else "other"
    lost = "kept" if reader.variant.influence.bank else "lost"
    fields = {"n": amount, "spent": spent, "left": amount - spent, "power": report.power}
    sentences = [reader.say(f"boxes.sum-{mine}", **fields)]
    sentences += [reader.say(f"boxes.left-{lost}", **fields)] if spent < amount and lines else []
    return (SectionView(reader.say("boxes.sum"), (ParagraphView(" ".join(sentences)),)),)
