"""Interception of messages: who gets which copies, and which messages are protected.

An intercept names two powers and covers every message of the turn from either to the other, whenever it was sent and
whoever else it went to. A protection keeps all that its buyer sends in the turn from one power. Nobody learns of an
intercept, or that a protection was tested: the copies are an event for the interceptor only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from gm.judge.mechanics.dips.dip_orders import InterceptMail, Protect
from gm.judge.model.events import SecretEvent
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position
from gm.judge.model.press import Message
from gm.judge.model.variant import Variant

Pledged: TypeAlias = Mapping[str, Iterable[object]]
"""What each power has paid for this turn."""


class Interception(Struct, frozen=True):
    """`guards_received`: a protection also covers what its buyer receives.

    `tells_protected`: the interceptor is told how many messages were protected.
    """

    guards_received: bool = False
    tells_protected: bool = False


PLAIN = Interception()


class InterceptedCopy(NamedTuple):
    """A message as its recipient saw it."""

    sender: str
    to: tuple[str, ...]
    words: str


class Intercepted(SecretEvent, frozen=True):
    """The result of an intercept. `protected`: how many messages were protected; None if that is secret.

    `one_human`: one player plays both powers.
    """

    power: str
    one: str
    other: str
    copies: tuple[InterceptedCopy, ...] = ()
    protected: int | None = None
    one_human: bool = False


def intercepted(
    position: Position, variant: Variant, journal: Iterable[Statement], pledged: Pledged, ears: Interception
) -> tuple[Intercepted, ...]:
    """An event for each intercept, even without copies."""
    sent = [message for message in journal if isinstance(message, Message)]
    events: list[Intercepted] = []
    for power, pledges in pledged.items():
        for pledge in pledges:
            if isinstance(pledge, InterceptMail):
                events.append(_intercept_event(position, variant, sent, pledged, ears, power, pledge))
    return tuple(events)


def _intercept_event(
    position: Position,
    variant: Variant,
    sent: Iterable[Message],
    pledged: Pledged,
    ears: Interception,
    power: str,
    pledge: InterceptMail,
) -> Intercepted:
    between = [(message, to) for message in sent if (to := _ends(message, pledge))]
    open_ = [(message, to) for message, to in between if not is_protected(pledged, ears, message, to, power)]
    copies: list[InterceptedCopy] = []
    for message, to in open_:
        header = variant.press.header(message, to)
        copies.append(InterceptedCopy(header.sender, header.to, message.words))
    return Intercepted(
        power,
        pledge.one,
        pledge.other,
        tuple(copies),
        len(between) - len(open_) if ears.tells_protected else None,
        pledge.other in position.companions(pledge.one),
        audience=frozenset({power}),
    )


def listeners(pledged: Pledged, ears: Interception, message: Message) -> dict[str, str]:
    """The powers whose intercepts cover a message that nothing keeps from them, each with the name it reads for."""
    names: dict[str, str] = {}
    for power, pledges in pledged.items():
        for pledge in pledges:
            to = _ends(message, pledge) if isinstance(pledge, InterceptMail) else ""
            if to and not is_protected(pledged, ears, message, to, power):
                names[power] = to
    return names


def is_protected(pledged: Pledged, ears: Interception, message: Message, to: str, power: str) -> bool:
    """Whether the copy of a message to `to` is protected from this power."""
    guards = (message.name, to) if ears.guards_received else (message.name,)
    return any(
        isinstance(pledge, Protect) and pledge.against == power for guard in guards for pledge in pledged.get(guard, ())
    )


def _ends(message: Message, pledge: InterceptMail) -> str:
    """The addressee of the two powers, if the other is the sender; "" for messages not between them."""
    if message.name == pledge.one and pledge.other in message.to:
        return pledge.other
    return pledge.one if message.name == pledge.other and pledge.one in message.to else ""
