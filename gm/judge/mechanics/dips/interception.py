"""Messages read on their way: who gets which copies, and who is kept from them.

An intercept names two powers and covers every message of the turn from either to the other, whenever it was sent and
whoever else it went to. A protection keeps all that its buyer sends in the turn from one power. Nobody learns that he
was intercepted, nor that a protection was tested: the copies are an event for the interceptor alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from gm.judge.mechanics.dips.dip_orders import InterceptMail, Protect
from gm.judge.model.events import NOBODY, Audience
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position
from gm.judge.model.press import Message
from gm.judge.model.variant import Variant

Pledged: TypeAlias = Mapping[str, Iterable[object]]
"""What each power has paid for this turn."""


class Interception(Struct, frozen=True):
    """`guards_received`: a protection covers what its buyer gets as well as what he sends.

    `tells_protected`: the interceptor is told how many messages were kept from him.
    """

    guards_received: bool = False
    tells_protected: bool = False


PLAIN = Interception()


class InterceptedCopy(NamedTuple):
    """A message as its recipient saw it."""

    sender: str
    to: tuple[str, ...]
    words: str


class Intercepted(Struct, frozen=True):
    """What an intercept brought. `protected`: so many were kept from the interceptor; None where he isn't told.

    `one_human`: both powers are played by one.
    """

    power: str
    one: str
    other: str
    copies: tuple[InterceptedCopy, ...] = ()
    protected: int | None = None
    one_human: bool = False
    audience: Audience = NOBODY


def intercepted(
    position: Position, variant: Variant, journal: Iterable[Statement], pledged: Pledged, ears: Interception
) -> tuple[Intercepted, ...]:
    """One event for each intercept, also where it brought nothing."""
    sent = [message for message in journal if isinstance(message, Message)]
    found: list[Intercepted] = []
    for power, pledges in pledged.items():
        for pledge in pledges:
            if isinstance(pledge, InterceptMail):
                found.append(_brought(position, variant, sent, pledged, ears, power, pledge))
    return tuple(found)


def _brought(
    position: Position,
    variant: Variant,
    sent: Iterable[Message],
    pledged: Pledged,
    ears: Interception,
    power: str,
    pledge: InterceptMail,
) -> Intercepted:
    between = [(message, to) for message in sent if (to := _ends(message, pledge))]
    open_ = [(message, to) for message, to in between if not guarded(pledged, ears, message, to, power)]
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
        frozenset({power}),
    )


def listeners(pledged: Pledged, ears: Interception, message: Message) -> dict[str, str]:
    """The powers whose intercepts cover a message that nothing keeps from them, each with the name it reads for."""
    found: dict[str, str] = {}
    for power, pledges in pledged.items():
        for pledge in pledges:
            to = _ends(message, pledge) if isinstance(pledge, InterceptMail) else ""
            if to and not guarded(pledged, ears, message, to, power):
                found[power] = to
    return found


def guarded(pledged: Pledged, ears: Interception, message: Message, to: str, power: str) -> bool:
    """Is this message, as far as it goes to `to`, kept from this power?"""
    guards = (message.name, to) if ears.guards_received else (message.name,)
    return any(
        isinstance(pledge, Protect) and pledge.against == power for guard in guards for pledge in pledged.get(guard, ())
    )


def _ends(message: Message, pledge: InterceptMail) -> str:
    """Which of the two it goes to, sent by the other; "" for a message that is not between them."""
    if message.name == pledge.one and pledge.other in message.to:
        return pledge.other
    return pledge.one if message.name == pledge.other and pledge.one in message.to else ""
