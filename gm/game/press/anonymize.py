"""Removes names, addresses and signatures from anonymous press.

`gm.mail` has removed quoted lines, signatures below "-- ", lines of mail programs and attachments before. Here a name
below the letter, addresses and pasted headers go.
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
"""A pasted mail header. It holds an address, an hour or a year, unlike prose that begins with such a word."""
OFFSET = re.compile(r"\b(?:GMT|UTC)\s?[+-]\d{1,2}(?::?\d\d)?\b|(?<=\d)\s[+-]\d{4}\b(?:\s\([A-Z]{2,5}\))?")
AROUND = " \t-–—~*_.,/\\|()<>\"'"
SIGNED = re.compile(r"(?P<text>.*(?:[.!?,;:)]|\s[-\u2013\u2014~*]+))\s*(?P<name>[^\W\d_][^.!?,;:]{1,60}[.!]?)")
"""A line that ends with a name, after a sentence, a comma or a dash."""
SHORTEST = 3
"""Shorter names are not cut out of sentences: too many other words are the same."""


def remove_names(words: str, person: Person, called: str = "") -> str:
    """`called` is the name in the From line, which may differ from the person's own."""
    names = tuple(dict.fromkeys(name for name in (person.name, called) if name.strip() and "@" not in name))
    lines = [line for line in words.split("\n") if not PASTED.fullmatch(line)]
    while lines and (not lines[-1].strip() or _is_name(lines[-1], names)):
        lines.pop()
    if lines:
        lines[-1] = _without_signature(lines[-1], names)
    text = OFFSET.sub("", ADDRESS.sub(GONE, "\n".join(lines)))
    for name in names:
        if len(name) >= SHORTEST:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", GONE, text, flags=re.IGNORECASE)
    return text.strip("\n")


def _without_signature(line: str, names: Iterable[str]) -> str:
    """ "Agreed. Luc" and "Thanks, Luc" are signed; "Beware of Luc" is not."""
    parts = {part.strip(AROUND).casefold() for name in names for part in name.split()}
    signed = SIGNED.fullmatch(line.rstrip())
    while signed and all(word.strip(AROUND).casefold() in parts for word in signed["name"].split()):
        line = signed["text"].rstrip(" ,;:-\u2013\u2014~*")
        signed = SIGNED.fullmatch(line)
    return line


def _is_name(line: str, names: Iterable[str]) -> bool:
    """Whether the line holds only parts of a name or their initials: "Luc", "- L. Marchand", "LM"."""
    words = [word.strip(AROUND).casefold() for word in line.split() if word.strip(AROUND)]
    for name in names:
        parts = [part.strip(AROUND).casefold() for part in name.split()]
        initials = {part[:1] for part in parts}
        run_together = "".join(part[:1] for part in parts)
        if words and (set(words) <= {*parts, *initials} or "".join(words).replace(".", "") == run_together):
            return True
    return False
