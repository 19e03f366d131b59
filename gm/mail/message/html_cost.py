"""Is a tree of this HTML cheap to build? Measured in one pass, before Lexbor sees it.

Lexbor takes quadratic time on very deep nesting and on tags with thousands of attributes: 150,000 open <div> cost it a
minute. So comments, scripts and styles are cut first, then tags are walked once, counting depth and attributes.
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
"""Void elements, and those that another of their kind closes: they do not add to the depth by themselves."""


def without_hidden(source: str) -> str:
    """Comments, scripts and styles cut; one that never ends takes the rest with it, as in a browser."""
    kept: list[str] = []
    place = 0
    lowered = source.lower()
    if len(lowered) != len(source):
        lowered = source
    while found := HIDDEN.search(source, place):
        kept.append(source[place : found.start()])
        closing = f"</{found[1].lower()}" if found[1] else "-->"
        end = lowered.find(closing, found.end())
        if end < 0:
            return "".join(kept)
        place = end + len(closing)
        if found[1]:
            place = max(place, lowered.find(">", place) + 1)
    kept.append(source[place:])
    return "".join(kept)


def is_costly(source: str) -> bool:
    depth = count = place = 0
    while tag := TAG.search(source, place):
        count += 1
        attributes, place = _attributes(source, tag.end())
        if tag[2].lower() not in NEVER_OPEN:
            depth = max(0, depth - 1) if tag[1] else depth + 1
        if depth > DEEP or attributes > ATTRIBUTES or count > TAGS:
            return True
    return False


def _attributes(source: str, place: int) -> tuple[int, int]:
    """How many there are from here to the end of the tag, and where that is."""
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
