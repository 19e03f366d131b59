"""Reads a game master's sentences about people with their addresses: who plays what, and who is to be asked.

"Igor <igor@example.org> plays Russia, Turkey goes to …" are lines of SEAT; "ask Igor whether they want Russia" is
INVITE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from gm.judge.model.variant import Variant
from gm.language.commands.in_words.named_powers import find_powers
from gm.language.commands.in_words.plain_questions import LINE_MOST, tables_of
from gm.language.i18n.normalize import CleanText, clean
from gm.language.lines.sentences import SENTENCE_BREAK

ADDRESS = re.compile(r"[<(]?(?:mailto:)?(?P<address>[^\s<>(),;:=\"]+@[^\s<>(),;\"]+\.\w+)[>)]?")
NAME = re.compile(r"(?:[^\W\d_a-z][\w.'-]*\s+){1,5}$")
"""Words with a capital letter, in front of an address."""
BEHIND = re.compile(r"\s*\((?P<name>[^\W\d_a-z][^()@\d]{1,40})\)")
"""A name in brackets behind an address."""


class _SeatingWords(Struct, frozen=True):
    """Words of sentences that are about something else, of invitations, and before names."""

    other: re.Pattern[str]
    invite: re.Pattern[str]
    front: re.Pattern[str]


class _Mention(Struct, frozen=True):
    start: int
    end: int
    power: str = ""
    address: str = ""


def people_in_words(text: str, variant: Variant) -> tuple[str, ...]:
    """Lines of SEAT and INVITE, of sentences that are clear; () where one with an address is about something else."""
    lines: list[str] = []
    for sentence in filter(lambda sentence: "@" in sentence, SENTENCE_BREAK.split(text[:LINE_MOST])):
        low = clean(sentence).text.lower()
        if _words(variant.language).other.search(low):
            return ()
        invites = _words(variant.language).invite.search(low)
        lines += _invitations(sentence, variant) if invites else _seats(sentence, variant)
    return tuple(lines)


def invited_in_words(text: str, language: str) -> tuple[str, ...]:
    """Lines of INVITE for the addresses of a sentence about a new game: "for my friends Anna (anna@example.org), …"."""
    line = clean(text).text
    if _words(language).other.search(line.lower()):
        return ()
    return tuple(f"INVITE {match['address']}" for match in ADDRESS.finditer(line))


def _invitations(text: str, variant: Variant) -> tuple[str, ...]:
    """Lines of INVITE: each address with the power behind it, or the only power with the only address."""
    line = clean(text)
    words = _words(variant.language)
    if words.other.search(line.text.lower()):
        return ()
    mentions = _mentions(line.text, variant)
    people = [mention for mention in mentions if mention.address]
    if len(people) == 1 and len(mentions) == 2:
        power = next(mention.power for mention in mentions if mention.power)
        return (f"INVITE {people[0].address} TO {power}",)
    follows = dict(zip(mentions, (*(mention.power for mention in mentions[1:]), ""), strict=True))
    return tuple(f"INVITE {who.address}" + (f" TO {follows[who]}" if follows[who] else "") for who in people)


def _seats(text: str, variant: Variant) -> tuple[str, ...]:
    """Lines of SEAT; () where it is not clear who plays what, or the sentence is about something else."""
    line = clean(text)
    if _words(variant.language).other.search(line.text.lower()):
        return ()
    mentions = _mentions(line.text, variant)
    pairs = list(zip(mentions[::2], mentions[1::2], strict=False))
    if not pairs or len(mentions) % 2 or any(bool(first.power) == bool(second.power) for first, second in pairs):
        return ()
    return tuple(_lines(text, line, pairs, variant.language))


def _mentions(line: str, variant: Variant) -> list[_Mention]:
    """Powers and addresses in their order; a power that is named again for the same address counts once."""
    addresses = [_Mention(match.start(), match.end(), address=match["address"]) for match in ADDRESS.finditer(line)]
    powers = [
        _Mention(start, end, power)
        for start, end, power in find_powers(line.lower(), variant)
        if not any(address.start <= start < address.end for address in addresses)
    ]
    if len(addresses) == 1 and len({mention.power for mention in powers}) == 1:
        powers = powers[:1]
    if len(powers) > len(addresses):  # "Otto" is Turkey's beginning, and a name
        fronts = [NAME.search(line[: address.start].rstrip(" ,(<\"'") + " ") for address in addresses]
        names = [(name.start(), name.end()) for name in fronts if name is not None]
        powers = [power for power in powers if not any(start <= power.start < end for start, end in names)]
    return sorted((*addresses, *powers), key=lambda mention: mention.start)


def _lines(text: str, line: CleanText, pairs: Sequence[tuple[_Mention, _Mention]], language: str) -> Iterator[str]:
    past = 0
    for first, second in pairs:
        person, seat = (second, first) if first.power else (first, second)
        front = text[line.column(max(past, first.end if first.power else 0)) : line.column(person.start)]
        name = NAME.search(front.rstrip(" ,:=(<\"'") + " ")
        words = _words(language).front.sub("", name.group() if name else "").strip(" ,")
        behind = BEHIND.match(text, line.column(person.end))
        words = words or (behind["name"].strip() if behind is not None else "")
        yield f"SEAT {seat.power}: {words} <{person.address}>" if words else f"SEAT {seat.power}: {person.address}"
        past = second.end


@lru_cache(maxsize=8)
def _words(language: str) -> _SeatingWords:
    """`[seating]` of grammars/plain_questions."""
    tables = tables_of("seating", language)
    other, invite, front = ("|".join(table[key] for table in tables) for key in ("other", "invite", "front"))
    fronts = re.compile(rf"^(?:(?:{front})\b[\s,:]*)+", re.IGNORECASE)
    return _SeatingWords(re.compile(rf"\b(?:{other})"), re.compile(rf"\b(?:{invite})"), fronts)
