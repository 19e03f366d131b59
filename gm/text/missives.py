"""A message that takes the rest of its letter: "message Spain, Mexico: …", where the variant's press has such.

It ends with the letter, at ENDMESSAGE (ENDPRESS), or at the next line that opens a message. Words that read like orders
are asked back, unless the message is closed in so many words: an order meant for us must not go to others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from gm.judge.variant import Variant
from gm.text import blocks, commands, requests
from gm.text.blocks import NumberedLine
from gm.text.commands import Asked
from gm.text.guard import looks_like_orders
from gm.text.lines import QUOTED, Row, row
from gm.text.reading import Context
from gm.text.requests import Request

TOWARDS = re.compile(r"(?:to|for)\b\s*", re.IGNORECASE)


class Taker(Protocol):
    """The reader of a letter, as far as a block of lines needs it."""

    @property
    def context(self) -> Context: ...

    @property
    def lines(self) -> Sequence[NumberedLine]: ...

    def take(self, line: Row, request: Request) -> None: ...

    def tell(
        self, line: Row, key: str, *, obeyed: bool = False, suggestions: tuple[str, ...] = (), **said: str
    ) -> None: ...


def message(reader: Taker, asked: Asked, line: Row, at: int) -> int:
    """Where to go on; 0 where the line is talk after all."""
    variant = reader.context.variant
    found = addressed(asked, variant)
    if found is None:
        asks = variant.press.opener and (asked.words.startswith(":") or commands.shouted(line.body))
        if asks:
            reader.tell(line, "message-to-whom", word=variant.press.opener, power=variant.powers[0].name)
        return at + 1 if asks else 0
    to, everyone = found
    end, closed = _until(reader, at + 1)
    inside = [one for one in reader.lines[at + 1 : end] if not QUOTED.match(one[1])]
    first = blocks.after(line.text, ":") if ":" in asked.words else ""
    text = blocks.text_of(inside, first)
    if not text:
        reader.tell(line, "press-empty")
    elif not closed and looks_like_orders(((line.number, first), *inside), reader.context):
        reader.tell(line, "message-unclosed")
    else:
        reader.take(line, requests.Press(to, text, everyone))
    return end + closed


def addressed(asked: Asked, variant: Variant) -> tuple[tuple[str, ...], bool] | None:
    """(names, everyone) where a line opens a message; None for talk that begins with that word.

    A colon makes names of what stands before it, whether they are known or not; without one all must be.
    """
    if not variant.press.opener or asked.kind != "message":
        return None
    names, colon, _ = asked.words.partition(":")
    to, everyone = commands.addressees(TOWARDS.sub("", names.strip(), count=1), variant)
    known = {power.name for power in variant.powers} | {commands.MASTER}
    sure = everyone or (bool(to) and set(to) <= known)
    return (to, everyone) if sure or (to and colon) else None


def _until(reader: Taker, start: int) -> tuple[int, bool]:
    """The index of the line behind the message, and whether that one closes it (and is no part of what follows)."""
    end, closed = blocks.until(reader.lines, start, blocks.END_PRESS)
    variant = reader.context.variant
    for at in range(start, end):
        asked = commands.ask(row(*reader.lines[at]).body, variant)
        if asked is not None and asked.kind == "message" and ":" in asked.words and addressed(asked, variant):
            return at, False
    return end, closed
