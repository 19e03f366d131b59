"""Divides words for players where they address others further down: "Tell Tom …, and tell Hannah …"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.records import MASTER
from gm.game.press.addressing import AddressForms, is_unsigned, names_of_everybody, power_names, readers_of
from gm.game.press.words_for_master import calls_master, is_told_to_master
from gm.game.session.session import LetterSession
from gm.language.commands.press_or_orders import looks_like_orders
from gm.language.i18n.joining_words import AND
from gm.language.i18n.normalize import clean
from gm.language.lines.sentences import sentences_of

ENDS = re.compile(rf"(?:[\s,;]|\s(?:{AND}))+$", re.IGNORECASE)
"""Before the address of another part."""


WORDS_SEARCHED = 20_000
"""Characters of words that are searched; longer ones are divided by their writer."""


class PartForReaders(Struct, frozen=True):
    """`to` are powers, or the game master alone. `unsigned`: the writer wants to hide who they are."""

    to: tuple[str, ...]
    words: str
    unsigned: bool = False


class _Address(Struct, frozen=True):
    """An address inside words: the part before it ends at `at`, its own words begin at `start`."""

    at: int
    start: int
    to: tuple[str, ...]
    unsigned: bool = False


def divide_by_readers(
    session: LetterSession, forms: AddressForms, way: str, to: tuple[str, ...], words: str, *, unsigned: bool = False
) -> tuple[PartForReaders, ...]:
    """The words for each of their readers, () where it is not clear who reads what. `way`: as they address `to`."""
    if len(words) > WORDS_SEARCHED:
        return ()
    low, columns = _in_small_letters(words)
    parts: list[PartForReaders] = []
    start, readers, hidden = 0, to, unsigned
    for address in (*_addresses(session, forms, way, to, low), _Address(len(low), len(low), ())):
        if (address.to == readers and address.unsigned == hidden) or address.at < start:
            continue
        text = words[columns[start] : columns[address.at]]
        if _is_unclear(session, forms, way, readers, low[start : address.at]):
            return ()
        parts += _without_master(session, PartForReaders(readers, ENDS.sub("", text).strip(), hidden))
        start, readers, hidden = address.start, address.to, address.unsigned
    return tuple(parts) if all(part.words for part in parts) else ()


def _without_master(session: LetterSession, part: PartForReaders) -> Iterator[PartForReaders]:
    """The part, and words behind it that speak to the game master: "And Ruth, when is the deadline?"."""
    sentences = sentences_of(part.words)
    calls = (at for at, each in enumerate(sentences) if at and _is_for_master(session, each))
    first = len(sentences) if session.master else next(calls, len(sentences))
    yield replace(part, words="".join(sentences[:first]).strip())
    if first < len(sentences):
        yield PartForReaders((MASTER,), "".join(sentences[first:]).strip())


def _is_for_master(session: LetterSession, sentence: str) -> bool:
    return calls_master(session, sentence) or is_told_to_master(session, sentence)


def _in_small_letters(words: str) -> tuple[str, Sequence[int]]:
    """The cleaned lines, and for each of their characters, and the end, its place in the words."""
    low, columns, at = "", [], 0
    for line in words.split("\n"):
        cleaned = clean(line)
        text = "".join(small if len(small := char.lower()) == 1 else char for char in cleaned.text)
        low += f"{text}\n"
        columns += [at + cleaned.column(column) for column in range(len(text))] + [at + len(line)]
        at += len(line) + 1
    return low[:-1], columns


def _addresses(
    session: LetterSession, forms: AddressForms, way: str, to: tuple[str, ...], low: str
) -> Sequence[_Address]:
    """The addresses of other readers that certainly begin words of their own."""
    named = names_of_everybody(session)
    powers = power_names(session)
    patterns = [forms.hailing, forms.heading, forms.called]
    patterns += [forms.telling_again] if way == "telling" else []
    places: dict[int, _Address] = {}
    for pattern in patterns:
        for match in _inside(pattern, low):
            certain = pattern is not forms.heading or match["marked"] or way == "calling" or is_unsigned(forms, match)
            if pattern is forms.called:
                certain = _names_person(forms, powers, match) and forms.demand.match(low, match.end()) is not None
            readers = readers_of(session, forms, named, match)
            if certain and readers:
                hails = pattern is forms.hailing and match["at"] is None
                kept = hails or pattern is forms.called or (pattern is forms.heading and not match["marked"])
                start, hidden = match.start("words") if kept else match.end(), is_unsigned(forms, match)
                places[match.start()] = _Address(match.start(), start, readers, hidden)
    return sorted(places.values(), key=lambda address: address.at)


def _is_unclear(session: LetterSession, forms: AddressForms, way: str, to: tuple[str, ...], low: str) -> bool:
    """Whether words may speak to others than their readers, or tell us what these must not read."""
    named = names_of_everybody(session)
    if way == "telling" and forms.secret.search(low):
        return True
    if _speaks_of_reader(session, forms, to, low):
        return True
    powers = power_names(session)
    called = (match for match in _inside(forms.called, low) if _names_person(forms, powers, match))
    aside = _inside(forms.aside, low) if way == "telling" else ()
    for match in (*called, *_inside(forms.vocative, low), *aside):
        readers = readers_of(session, forms, named, match)
        if readers and set(readers) != set(to):
            return True
    for match in _inside(forms.heading, low):
        readers = readers_of(session, forms, named, match)
        line = low[match.end() :].partition("\n")[0]
        if readers and set(readers) != set(to) and not looks_like_orders(((1, line),), session.context):
            return True
    return False


def _names_person(forms: AddressForms, powers: Collection[str], match: re.Match[str]) -> bool:
    """Whether an address has no power's name in it: "France, Germany and I" speaks of powers."""
    return not any(each.group() in powers for each in forms.names.finditer(match["to"]))


def _speaks_of_reader(session: LetterSession, forms: AddressForms, to: tuple[str, ...], low: str) -> bool:
    """Whether a later sentence names its one reader and speaks to nobody: "I remove Tom from the game"."""
    named, powers = names_of_everybody(session), power_names(session)
    own = {name for name, power in named.items() if (power,) == to and name not in powers}
    return any(
        own & {each.group() for each in forms.names.finditer(sentence)}
        for sentence in sentences_of(low)[1:]
        if not forms.second.search(sentence) and len(sentence.split()) > len(max(own, default="").split()) + 1
    )


def _inside(pattern: re.Pattern[str], low: str) -> Iterator[re.Match[str]]:
    """The matches that do not begin the words."""
    return (match for match in pattern.finditer(low) if match.start() > 0)
