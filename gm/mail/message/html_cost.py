"""Decides whether HTML is cheap enough to parse with Lexbor, in one linear pass.

Lexbor takes quadratic time on very deep nesting and on tags with thousands of attributes: 150,000 open <div> take a
minute. Comments, scripts and styles are removed first.
"""

from __future__ import annotations

import re

DEEP = 800
ATTRIBUTES = 400
TAGS = 200_000

TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]{0,60})")
NAME = re.compile(r"[\s/]*(?:[^\s/>=]+)?\s*(=\s*)?")
UNQUOTED = re.compile(r"[^\s>]*")
HIDDEN = re.compile(r"<!--|<(script|style|template|svg|math|object)(?=[\s>/])", re.IGNORECASE)
NEVER_OPEN = {
    *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"),
    *("p", "li", "td", "th", "tr", "option", "dt", "dd"),
}
"""Void elements and those that the next of their kind closes: they add nothing to the depth."""


def remove_hidden(source: str) -> str:
    """Removes comments, scripts and styles; one that never ends takes the rest with it, as in a browser."""
    kept: list[str] = []
    place = 0
    lowered = source.lower()
    if len(lowered) != len(source):
        lowered = source
    while opening := HIDDEN.search(source, place):
        kept.append(source[place : opening.start()])
        closing = f"</{opening[1].lower()}" if opening[1] else "-->"
        end = lowered.find(closing, opening.end())
        if end < 0:
            return "".join(kept)
        place = end + len(closing)
        if opening[1]:
            place = max(place, lowered.find(">", place) + 1)
    kept.append(source[place:])
    return "".join(kept)


def is_costly(source: str) -> bool:
    depth = count = place = 0
    while tag := TAG.search(source, place):
        count += 1
        attributes, place = _count_attributes(source, tag.end())
        if tag[2].lower() not in NEVER_OPEN:
            depth = max(0, depth - 1) if tag[1] else depth + 1
        if depth > DEEP or attributes > ATTRIBUTES or count > TAGS:
            return True
    return False


def _count_attributes(source: str, place: int) -> tuple[int, int]:
    """The number of attributes up to the end of the tag, and its position."""
    count = 0
    while place < len(source) and source[place] != ">":
        name = NAME.match(source, place)
        count += 1
        if name is None or count > ATTRIBUTES:
            break
        place = max(name.end(), place + (not name[0]))
        if name[1] and source[place : place + 1] in ("'", '"'):
            end = source.find(source[place], place + 1)
            if end < 0:
                return ATTRIBUTES + 1, len(source)
            place = end + 1
        elif name[1] and (value := UNQUOTED.match(source, place)):
            place = value.end()
    return count, place
