"""Settings of a new game that its description writes as "key: value", alone on a line or among other words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gm.game.model.choose_setting import with_setting
from gm.game.model.records import Game
from gm.judge.model.variant import Variant
from gm.language.commands.parser import without_courtesy
from gm.language.i18n.joining_words import AND, BUT

ENTRY = re.compile(r"(?P<key>\w[\w-]*(?: [\w-]+){0,2}): *(?P<value>[^.;!?:][^;!?]*)")
ENDS = re.compile(rf"[.,;!?](?=\s|$)|\s+(?:{AND}|{BUT})\s|\s+(?=\w[\w-]*(?: [\w-]+)?:)", re.IGNORECASE)
"""Where a value may end, in the middle of other words."""


def written_settings(lines: Sequence[str], variant: Variant) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lines "key: value", and what is left of the lines without them. A value that cannot be set is no setting."""
    settings: list[str] = []
    left: list[str] = []
    for line in lines:
        at, rest = 0, ""
        while match := ENTRY.search(line, at):
            entry = _entry(match, variant)
            settings += filter(None, (entry and entry[0],))
            start, end = (match.start() + entry[1], entry[2]) if entry else (match.start("value"),) * 2
            rest += line[at:start]
            at = end
        left.append(rest + line[at:])
    return tuple(settings), tuple(left)


def _entry(match: re.Match[str], variant: Variant) -> tuple[str, int, int] | None:
    """The line, and where it begins in the match and ends in the text; the longest key and value that can be set."""
    for start, key in _keys(match["key"]):
        for end in _value_ends(match["value"]):
            value = without_courtesy(match["value"][:end]).strip(" .,")
            changed = with_setting(Game(0, "new", variant.id), variant, key, value) if value else None
            if isinstance(changed, Game):
                return f"{changed.settings[-1][0]}: {value}", start, match.start("value") + end
    return None


def _keys(words: str) -> Iterator[tuple[int, str]]:
    """The words, and those without the first ones: "and with hidden control"."""
    starts = [match.start() for match in re.finditer(r"\S+", words)]
    return ((start, words[start:]) for start in starts)


def _value_ends(words: str) -> tuple[int, ...]:
    return (len(words), *(match.start() for match in reversed(list(ENDS.finditer(words)))))
