"""The same letter in other hands and through other mail programs: its meaning stays."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import replace

from human_letters.human_letter import HumanLetter

Change = Callable[[str], str]


def broken_at(width: int) -> Change:
    """Long lines, as a mail program breaks them."""

    def change(body: str) -> str:
        return "\n".join(_broken(line, width) for line in body.split("\n"))

    return change


def _broken(line: str, width: int) -> str:
    if len(line) <= width or line.startswith(">"):
        return line
    return "\n".join(textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False))


def _below_talk(body: str) -> str:
    return f"Sorry that this comes so late, work has been mad this week.\n\n{body}"


def _above_thanks(body: str) -> str:
    return f"{body}\n\nLet me know if anything is unclear.\nThanks a lot for running this!"


def _above_a_quote(body: str) -> str:
    quoted = "> Dear player,\n>\n> SPRING 1901\n> A Par - Bur\n> A Vie - Gal\n> The deadline is on Sunday.\n"
    return f"{body}\n\nOn Sun, 22 Nov 2026 at 20:00, Game master <gm@gm.example> wrote:\n{quoted}"


CHANGES: Mapping[str, Change] = {
    "broken at 72": broken_at(72),
    "broken at 78": broken_at(78),
    "broken at 60": broken_at(60),
    "in capitals": str.upper,
    "in small letters": str.lower,
    "below talk": _below_talk,
    "above thanks": _above_thanks,
    "above a quote": _above_a_quote,
}


def changed(letter: HumanLetter, name: str) -> HumanLetter:
    return replace(letter, id=f"{letter.id}, {name}", body=CHANGES[name](letter.body))


def in_html(letter: HumanLetter) -> HumanLetter:
    """Each line a <div>, as web mail writes it."""
    lines = "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in letter.body.split("\n"))
    return replace(letter, id=f"{letter.id}, in HTML", body="", html=f"<html><body>{lines}</body></html>")
