"""A message that takes the rest of its letter: "message Spain, Mexico: …", where the variant's press has such.

"Tell Spain: …", "send to Spain: …" and "msg Spain: …" do the same where a colon stands behind names that are known.
It ends with the letter, at ENDMESSAGE (ENDPRESS), or at the next line that opens a message. Words that read like orders
are asked back, unless the message is closed in so many words: an order meant for us must not go to others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Protocol

from gm.judge.model.variant import Variant
from gm.language.commands import parser as commands
from gm.language.commands import requests
from gm.language.commands.command_line import CommandLine, shouted
from gm.language.commands.press_or_orders import looks_like_orders
from gm.language.commands.requests import Request
from gm.language.lines import blocks
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.lines import QUOTED, LetterLine, row

OPENER = "message"
DASH = re.compile(r"\s+[-\u2013\u2014;]+\s+|;\s*")


class RequestTaker(Protocol):
    """The reader of a letter, as far as a block of lines needs it."""

    @property
    def context(self) -> LetterContext: ...

    @property
    def lines(self) -> Sequence[NumberedLine]: ...

    def take(self, line: LetterLine, request: Request) -> None: ...

    def tell(
        self, line: LetterLine, key: str, *, obeyed: bool = False, suggestions: tuple[str, ...] = (), **said: str
    ) -> None: ...


def message(reader: RequestTaker, asked: CommandLine, line: LetterLine, at: int) -> int:
    """Where to go on; 0 where the line is talk after all."""
    variant = reader.context.variant
    found = commands.addressed(asked, variant)
    if found is None:
        asks = bool(variant.press.opener) and _asks(asked, line.body, variant)
        if asks:
            other = next(one.name for one in variant.powers if one.name != reader.context.power)
            reader.tell(line, "message-to-whom", word=variant.press.opener, power=other)
        return at + 1 if asks else 0
    to, everyone = found
    end, closed = _until(reader, at + 1, {asked.kind, OPENER})
    inside = [one for one in reader.lines[at + 1 : end] if not QUOTED.match(one[1])]
    first = blocks.after(line.text, ":") if ":" in asked.words else ""
    first = blocks.after(first, ":") if asked.words.startswith(":") else first
    text = blocks.text_of(inside, first)
    if not text:
        reader.tell(line, "press-empty")
    elif not closed and looks_like_orders(((line.number, first), *inside), reader.context):
        reader.tell(line, "message-unclosed")
    else:
        reader.take(line, requests.PressRequest(to, text, everyone))
    return end + closed


def _asks(asked: CommandLine, text: str, variant: Variant) -> bool:
    """Whether a line that names nobody as it should was meant to: "MESSAGE hello", "message Spain - hello"."""
    if shouted(text) or (asked.kind == OPENER and asked.words.startswith(":")):
        return True
    names = commands.TOWARDS.sub("", DASH.split(asked.words.strip(), maxsplit=1)[0], count=1)
    return bool(DASH.search(asked.words)) and commands.knows(names, variant)


def _until(reader: RequestTaker, start: int, openers: Collection[str]) -> tuple[int, bool]:
    """The index of the line behind the message, and whether that one closes it (and is no part of what follows)."""
    variant = reader.context.variant
    end, closed = blocks.until(reader.lines, start, blocks.END_PRESS, language=variant.language)
    for at in range(start, end):
        asked = commands.ask(row(*reader.lines[at]).body, variant)
        opened = asked is not None and asked.kind in openers and ":" in asked.words
        if asked is not None and opened and commands.addressed(asked, variant):
            return at, False
    return end, closed
