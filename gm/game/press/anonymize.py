"""What a writer's own words still tell of him, taken out where nobody may learn who plays what.

Quoted lines, signatures below "-- ", the lines mail programs add and attachments never come this far (`gm.mail`). Left
are a name below a letter, addresses, and headers pasted along.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gm.game.model.records import Person

GONE = "…"
ADDRESS = re.compile(r"<?(?:mailto:)?[^\s<>,;:\"()\[\]@]{1,64}@[^\s<>,;\"()\[\]@]{1,190}\.[a-z]{2,24}>?", re.IGNORECASE)
PASTED = re.compile(
    r"\s*[*_]{0,2}(?:from|to|cc|date|sent|reply-to|received|return-path|message-id|x-[a-z-]+|user-agent|mime-version)"
    r"[*_]{0,2}:[*_]{0,2}\s.*(?:@|\d{1,2}:\d\d|\d{4}).*",
    re.IGNORECASE,
)
"""A header of a letter, not a line of talk that begins with such a word: it holds an address, an hour or a year."""
OFFSET = re.compile(r"\b(?:GMT|UTC)\s?[+-]\d{1,2}(?::?\d\d)?\b|(?<=\d)\s[+-]\d{4}\b(?:\s\([A-Z]{2,5}\))?")
AROUND = " \t-–—~*_.,/\\|()<>\"'"
SIGNED = re.compile(r"(?P<said>.*(?:[.!?,;:)]|\s[-\u2013\u2014~*]+))\s*(?P<name>[^\W\d_][^.!?,;:]{1,60}[.!]?)")
"""The end of a line behind a sentence, a comma or a dash."""
SHORTEST = 3
"""Names shorter than this stand in too many other words to be cut out of a sentence."""


def remove_names(words: str, person: Person, called: str = "") -> str:
    """`called`: the name in his letter's From line, which may be another than the one he is known by."""
    names = tuple(dict.fromkeys(name for name in (person.name, called) if name.strip() and "@" not in name))
    lines = [line for line in words.split("\n") if not PASTED.fullmatch(line)]
    while lines and (not lines[-1].strip() or _is_name(lines[-1], names)):
        lines.pop()
    if lines:
        lines[-1] = _without_name_behind(lines[-1], names)
    text = OFFSET.sub("", ADDRESS.sub(GONE, "\n".join(lines)))
    for name in names:
        if len(name) >= SHORTEST:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", GONE, text, flags=re.IGNORECASE)
    return text.strip("\n")


def _without_name_behind(line: str, names: Iterable[str]) -> str:
    """ "Agreed. Luc" and "Thanks, Luc": a name that signs in the line it ends. "Beware of Luc" is no such thing."""
    parts = {part.strip(AROUND).casefold() for name in names for part in name.split()}
    found = SIGNED.fullmatch(line.rstrip())
    while found and all(word.strip(AROUND).casefold() in parts for word in found["name"].split()):
        line = found["said"].rstrip(" ,;:-\u2013\u2014~*")
        found = SIGNED.fullmatch(line)
    return line


def _is_name(line: str, names: Iterable[str]) -> bool:
    """ "Luc", "- L. Marchand", "LM": nothing but parts of his name, or their first letters."""
    said = [word.strip(AROUND).casefold() for word in line.split() if word.strip(AROUND)]
    for name in names:
        parts = [part.strip(AROUND).casefold() for part in name.split()]
        initials = {part[:1] for part in parts}
        run_together = "".join(part[:1] for part in parts)
        if said and (set(said) <= {*parts, *initials} or "".join(said).replace(".", "") == run_together):
            return True
    return False
