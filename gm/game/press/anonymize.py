"""Takes signatures out of press, and out of press without a name also its writer's names and addresses.

`gm.mail` has removed quoted lines, signatures below "-- ", lines of mail programs and attachments before.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from gm.game.model.records import Person
from gm.language.lines.sentences import sentences_of
from gm.language.lines.signatures import NUMBER, remove_signature, signs

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
LAST_WORD = re.compile(r"(?P<name>[^\W\d_]{3,})[.!]?\s*$")
SHORTEST = 3
"""Shorter names are not cut out of sentences: too many other words are the same."""
NO_LETTERS = re.compile(r"[^a-z]+")


def without_signature(words: str, person: Person, called: str = "") -> tuple[str, int]:
    """The words of a signed message, and the number of lines of their signature.

    `called` is the name in the From line, which may differ from the person's own.
    """
    return remove_signature(words, (*_names(person, called), *_mailboxes(person)))


def remove_names(words: str, person: Person, called: str = "", powers: Collection[str] = ()) -> tuple[str, int]:
    """The words of a message without a name, and the number of lines of their signature.

    `powers` are names that anybody may sign with, in small letters.
    """
    names = _names(person, called)
    pasted = "\n".join(line for line in words.split("\n") if not PASTED.fullmatch(line))
    whole, cut = remove_signature(pasted, (*names, *_mailboxes(person)), unknown=True, allowed=powers)
    lines = whole.split("\n")
    while lines and (not lines[-1].strip() or _is_name(lines[-1], names)):
        cut += bool(lines.pop().strip())
    if lines:
        lines[-1] = _without_name(lines[-1], names)
    text = NUMBER.sub(GONE, OFFSET.sub("", ADDRESS.sub(GONE, "\n".join(lines))))
    for name in names:
        if len(name) >= SHORTEST:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", GONE, text, flags=re.IGNORECASE)
    return text.strip("\n"), cut


def _names(person: Person, called: str) -> tuple[str, ...]:
    """What the writer is called, also in an address: "igor.petrov@". The longest first: others are parts of it."""
    own = [name.strip() for name in (person.name, called) if name.strip() and "@" not in name]
    whole = (name for name in _mailboxes(person) if " " in name)
    return tuple(sorted(dict.fromkeys((*own, *whole)), key=len, reverse=True))


def _mailboxes(person: Person) -> tuple[str, ...]:
    """The words in front of the @ of the writer's addresses."""
    parts = (NO_LETTERS.split(address.partition("@")[0]) for address in person.addresses)
    return tuple(" ".join(word for word in words if len(word) >= SHORTEST) for words in parts)


def _without_name(line: str, names: Iterable[str]) -> str:
    """ "Agreed. Luc", "Thanks, Luc" and "Signed, your friend Luc" are signed; "Beware of Luc" is not."""
    parts = {part.strip(AROUND).casefold() for name in names for part in name.split()}
    signed = SIGNED.fullmatch(line.rstrip())
    while signed and all(word.strip(AROUND).casefold() in parts for word in signed["name"].split()):
        line = signed["text"].rstrip(" ,;:-\u2013\u2014~*")
        signed = SIGNED.fullmatch(line)
    *before, last = sentences_of(line) or [""]
    name = LAST_WORD.search(last)
    if name is not None and name["name"].casefold() in parts and signs(last):
        line = "".join((*before, f"{last[: name.start()]}{GONE}"))
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
