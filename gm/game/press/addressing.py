"""Patterns of words that speak to players, and by what names players are known.

`[addressing]` of grammars/plain_questions/<language>.toml has the words around the names; players are known by their
powers and, where the game is not anonymous, by their own names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from gm.game.session.session import LetterSession
from gm.judge.model.variant import Power
from gm.language.commands import plain_questions
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.language.letter.talk.asking_sentences import asking_words

ANY_NAME = r"[a-z][a-z-]{2,20}\b"
SHORTEST_NAME = 3
QUOTES = "\"'“”„«»"


START = r"(?:^|\n[^\w\n]{0,5}|(?<=[.!?;)]) +|(?<=[.!?][\"')]) +)"
"""Where a sentence of cleaned words begins."""


class AddressForms(Struct, frozen=True):
    """Patterns with the groups `to`, `every` and `rest`. `greeting` begins a letter, whose words include a `salute`.

    The others find addresses further inside: `hailing` "Dear Tom,", `heading` "To Tom:" (`marked`) and "Tom:",
    `telling_again` "and tell Tom that" and "and to Tom that", `vocative` "Tom, you …", `aside` and `unsaid` "ask Tom
    whether". `secret`: what words for a player do not hold, "don't tell them about it"; `private`: what no letter to
    several says, "between us"; `second`: "you"; `mine`: "For me:", where the writer's own orders begin.
    """

    greeting: re.Pattern[str]
    calling: re.Pattern[str]
    telling: re.Pattern[str]
    names: re.Pattern[str]
    hailing: re.Pattern[str]
    heading: re.Pattern[str]
    telling_again: re.Pattern[str]
    vocative: re.Pattern[str]
    aside: re.Pattern[str]
    unsaid: re.Pattern[str]
    secret: re.Pattern[str]
    private: re.Pattern[str]
    second: re.Pattern[str]
    mine: re.Pattern[str]


def readers_of(
    session: LetterSession, forms: AddressForms, named: Mapping[str, str], match: re.Match[str]
) -> tuple[str, ...]:
    """The powers that an address names; none where the writer's own is among them."""
    names = [named[each.group()] for each in forms.names.finditer(match["to"])]
    others = tuple(power for power in session.loaded_game.variant.seated if power != session.author)
    powers = tuple(dict.fromkeys(names))
    if match["every"] is not None:
        return tuple(power for power in others if power not in powers)
    return powers if session.author not in powers else ()


def speaks_to_others(session: LetterSession, sentence: str, members: Collection[str], *, opens: bool) -> bool:
    """Whether a sentence addresses only players outside a channel, "Dear Tom" or "tell Tom that", and none in it.

    `opens`: it begins the letter.
    """
    low, named = " ".join(clean(sentence).text.lower().split()), names_of(session)
    for language in session.languages:
        forms = forms_of(language, tuple(named))
        for match in (
            forms.greeting.match(low) if opens else None,
            forms.telling.search(low),
            forms.unsaid.search(low),
        ):
            readers = readers_of(session, forms, named, match) if match is not None and match["every"] is None else ()
            if readers and set(readers).isdisjoint(members):
                return True
    return False


def names_of(session: LetterSession) -> dict[str, str]:
    """The powers by what they and, where that is no secret, their players are called, in small letters."""
    named = power_names(session)
    if session.loaded_game.anonymous:
        return named
    persons: dict[str, set[str]] = {}
    for seat in session.loaded_game.seats:
        if seat.person is None:
            continue
        words = clean(session.store.people.get(seat.person).name).text.lower().split()
        for name in dict.fromkeys((" ".join(words), *words[:1])):
            persons.setdefault(name, set()).add(seat.power)
    alone = {name: powers.pop() for name, powers in persons.items() if name and len(powers) == 1}
    return {name: power for name, power in alone.items() if power in session.loaded_game.variant.seated} | named


def power_names(session: LetterSession) -> dict[str, str]:
    """The powers by their own names, in small letters."""
    named = _whole_names(session.loaded_game.variant.powers)
    for language in session.languages:
        named |= _whole_names(localized(session.loaded_game.variant, language).powers)
    return named


def _whole_names(powers: Iterable[Power]) -> dict[str, str]:
    """Without the short forms of orders: "Great, thanks" speaks to nobody, and Frank may be a person."""
    spelt = ((power, spelling) for power in powers for spelling in (power.name, power.adjective, *power.aliases))
    return {clean(spelling).text.lower(): power.name for power, spelling in spelt if len(spelling) >= SHORTEST_NAME}


@lru_cache(maxsize=32)
def forms_of(language: str, names: tuple[str, ...]) -> AddressForms:
    """The patterns with these names, or with any word for a name where there are none."""
    words = plain_questions.joined_patterns("addressing", language)
    name = rf"(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})\b" if names else ANY_NAME
    joins = rf"(?:\s*,\s*(?:(?:{words['joins']}) )?|\s*(?:&|\+|/)\s*|\s+(?:{words['joins']})\s+)"
    some = rf"{name}(?:{joins}(?:(?:{words['salutes']}) )?{name})*"
    every = rf"(?P<every>{words['every']})(?:,? (?:{words['but']}) {some})?"
    to = rf"(?P<to>{every}|{some})"
    greets = rf"(?:(?P<salute>{words['salutes']})|{words['greets']}|{asking_words(language).greets.pattern})"
    front = rf"(?:(?:{words['front']}),? ){{0,4}}"
    tells = rf"{front}(?:{words['tells']})(?: (?:{words['between']}))* {to}"
    again = rf"{front}(?:(?:{words['tells']})(?: (?:{words['between']}))*|(?:{words['toward']}))"
    that = (
        rf"(?: (?:{words['between']}))*"
        rf"(?:\s*:|,? (?:{words['that']})(?= )|,?(?= ?[{QUOTES}])|,?(?= (?:{words['subjects']})\b))"
    )
    clause = rf"(?:{START}|(?<=,) +| (?=(?:{words['joins']}) ))"
    hails = rf"(?:(?:{words['salutes']})[ ,]+|(?P<at>@) ?)"
    marks = rf"(?P<marked>(?:{words['greets']}|{asking_words(language).greets.pattern})[ ,:]+)?"
    return AddressForms(
        re.compile(rf"\W*(?:(?:{greets})[ ,:]+|@ ?){to}\s*(?:[,!:.;]|-+(?= )|$)(?P<rest>.*)$"),
        re.compile(rf"\W*{to}\s*[,!:]\s*(?P<rest>(?:\S+\s+){{2,}}\S.*)$"),
        re.compile(rf"(?:^|(?<=[.!?;]) +){tells}{that}(?P<rest>.*)$"),
        re.compile(name),
        re.compile(rf"{START}(?P<words>{front}{hails}{to}(?(at)|\s*[,!:.;-]))"),
        re.compile(rf"{START}{front}(?P<words>{marks}{to}\s*:)\s*"),
        re.compile(rf"{clause}{again} {to}{that}\s*"),
        re.compile(rf"{START}{to}, (?=(?:{words['subjects']}|{words['you']})\b)"),
        re.compile(rf"{clause}{tells}"),
        re.compile(rf"{START}{tells}(?: (?:{words['between']}))*,? (?:{words['unsaid']})\b"),
        re.compile(rf"\b(?:{words['secret']})"),
        re.compile(words["private"]),
        re.compile(rf"\b(?:{words['second']})\b"),
        re.compile(rf"{START}(?P<mine>(?:{words['mine']})\s*:)"),
    )
