"""Patterns of words that speak to players, and by what names players are known.

`[addressing]` of grammars/plain_questions/<language>.toml has the words around the names; players are known by their
powers and, where the game is not anonymous, by their own names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from gm.game.model.setting_types import PressMode
from gm.game.session.session import LetterSession
from gm.judge.model.variant import Power, Variant
from gm.kept_property import kept_property
from gm.language.commands.addressees import also_meant, means_power
from gm.language.commands.in_words import plain_questions
from gm.language.i18n.kept_patterns import compiled
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.language.i18n.other_names import peoples
from gm.language.letter.letter_reader import read_letter
from gm.language.letter.talk.asking_sentences import asking_words
from gm.language.lines.blocks import NumberedLine

ANY_NAME = r"(?:the [a-z]{2}|[a-z][a-z-]{2,20}(?: (?:of )?[a-z][a-z-]{2,20}){0,2})\b"
SHORTEST_NAME = 3
QUOTES = "\"'“”„«»"


SHORT = r"(?:[^\s,.!?]+ ){0,4}[^\s,.!?]+"
"""Up to five words without a mark between them."""
START = r"(?:^|\n[^\w\n]{0,5}|(?<=[.!?;)]) +|(?<=[.!?][\"')]) +)"
"""Where a sentence of cleaned words begins."""


class _Form(kept_property["AddressForms", re.Pattern[str]]):
    """Compiled when it is first asked for: with the names of a game all of them take 50 ms, and a letter needs few."""

    def __init__(self) -> None:
        super().__init__(self._compile)

    def _compile(self, forms: AddressForms) -> re.Pattern[str]:
        written = forms.written[self._name]
        return re.compile(written) if forms.named else compiled(written)


class AddressForms(Struct, frozen=True, dict=True):
    """Patterns with the groups `to`, `every` and `rest`. `greeting` begins a letter, whose words include a `salute`;
    "just write them:" is its `lead`, and `telling_them` the same behind a sentence that names whom. `asking`: "Tom what
    are you doing", "Tom, truce?"; "Will you …" asks nobody called Will.

    The others find addresses further inside: `hailing` "Dear Tom,", `heading` "To Tom:" (`marked`) and "Tom:",
    `spoken_to` the same also behind a comma, `telling_again` "and tell Tom that", "and to Tom that" and "and Tom that",
    `called` "Tom, help me" and `vocative` "Tom, you …", `aside` and `unsaid` "ask Tom whether". `inserted`: "I think,"
    behind a name with a comma; `demand`: words there that certainly speak to them, `remark` those that
    do not: "of course, must not". `secret`: what words for a player do not hold, "don't tell them about it"; `second`:
    "you"; `mine`: "For me:", where own orders begin. `unsigned`: words of an address that hide who writes, `hiding`:
    other words that may.
    """

    written: Mapping[str, str]
    named: bool
    """Patterns with names of persons are kept nowhere."""
    greeting = _Form()
    calling = _Form()
    asking = _Form()
    telling = _Form()
    telling_them = _Form()
    names = _Form()
    hailing = _Form()
    heading = _Form()
    telling_again = _Form()
    called = _Form()
    demand = _Form()
    remark = _Form()
    vocative = _Form()
    spoken_to = _Form()
    inserted = _Form()
    aside = _Form()
    unsaid = _Form()
    secret = _Form()
    unsigned = _Form()
    hiding = _Form()
    second = _Form()
    mine = _Form()

    def is_marked(self, greeting: re.Match[str], *, salutes: bool) -> bool:
        """Whether a greeting speaks to somebody wherever it stands: "@Tom", "To Tom: …"; `salutes`: "Dear Tom, …"."""
        ends = greeting.string[: greeting.start("rest")].rstrip()
        if greeting["salute"] is not None:
            return salutes and ends.endswith((",", ":"))
        return greeting["at"] is not None or ends.endswith(":")


def readers_of(
    session: LetterSession, forms: AddressForms, named: Mapping[str, str], match: re.Match[str]
) -> tuple[str, ...]:
    """The powers that an address names; none where the writer's own is among them, or a name and the one in brackets
    behind it are two powers': "Dora (England)". A name that several have stays as it is; "all but Tom" is without each.
    """
    matches = list(forms.names.finditer(match["to"]))
    names = [named[each.group()] for each in matches]
    for at, each in enumerate(matches):
        if match["to"][: each.start()].endswith("("):
            if names[at] not in (names[at - 1], *powers_of_shared(session, names[at - 1])):
                return ()
            names[at - 1] = names[at]
    others = tuple(power for power in session.loaded_game.variant.seated if power != session.author)
    powers = tuple(dict.fromkeys(names))
    if match["every"] is not None:
        less = {power for name in powers for power in (name, *powers_of_shared(session, name))}
        return tuple(power for power in others if power not in less)
    return powers if session.author not in powers else ()


def is_unsigned(forms: AddressForms, match: re.Match[str]) -> bool:
    """Whether an address says that the words behind it go without their writer's name."""
    end = match.start("rest") if "rest" in match.re.groupindex else match.end()
    return forms.unsigned.search(match.string[match.start() : end]) is not None


def may_hide_writer(session: LetterSession, text: str) -> bool:
    """Whether words outside of an address may ask not to show who writes: "Anonymously, please"."""
    low = "\n".join(clean(line).text.lower().strip() for line in text.split("\n"))
    return any(forms_of(language, ()).hiding.search(low) for language in session.languages)


def hides_beside(session: LetterSession) -> bool:
    """Whether a letter asks beside its signed press to hide who writes: "Please send that without my name"."""
    lines, mode = session.letter.lines, session.loaded_game.settings.press
    if session.master or mode is PressMode.GREY or not _hides(session, lines):
        return False
    press = read_letter(lines, session.context).press_lines
    return _hides(session, [each for each in lines if each[0] not in press])


def _hides(session: LetterSession, lines: Iterable[NumberedLine]) -> bool:
    return may_hide_writer(session, "\n".join(words for _, words in lines))


def speaks_to_others(session: LetterSession, sentence: str, members: Collection[str], *, opens: bool) -> bool:
    """Whether a sentence addresses only players outside a channel, "Dear Tom" or "tell Tom that", and none in it.

    `opens`: it begins the letter.
    """
    low, named = " ".join(clean(sentence).text.lower().split()), names_of_people(session)
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


def names_of_people(session: LetterSession) -> dict[str, str]:
    """The powers by what they and, where that is no secret, their players are called, in small letters."""
    alone = {name: powers[0] for name, powers in session.loaded_game.people().items() if len(powers) == 1}
    seated = session.loaded_game.variant.seated
    return {name: power for name, power in alone.items() if power in seated} | power_names(session)


def powers_named(session: LetterSession, text: str) -> set[str]:
    """The powers that a text names, or whose players."""
    low, named = clean(text).text.lower(), names_of_people(session)
    return {power for name, power in named.items() if re.search(rf"\b{re.escape(name)}(?:'?s)?\b", low)}


def names_of_everybody(session: LetterSession) -> dict[str, str]:
    """The same, with names that may mean several, which stand for themselves: `powers_of_shared`."""
    variant, shared = session.loaded_game.variant, dict[str, str]()
    for name, powers in session.loaded_game.people().items():
        several = len(powers) > 1 or also_meant(name.title(), variant)
        if several and not means_power(name, variant) and (others := powers_of_shared(session, name)):
            shared[name] = others[0] if len(others) == 1 else name
    return names_of_people(session) | shared


def powers_of_shared(session: LetterSession, name: str) -> tuple[str, ...]:
    """Whom the writer may mean by a name that several have, or that is a player's and a power's."""
    variant = session.loaded_game.variant
    meant = (*session.loaded_game.people().get(name, ()), *also_meant(name.title(), variant))
    return tuple(power for power in variant.seated if power in meant and power != session.author)


def power_names(session: LetterSession) -> dict[str, str]:
    """The powers by their own names, in small letters."""
    return dict(_power_names(session.loaded_game.variant, session.languages))


@lru_cache(maxsize=32)
def _power_names(variant: Variant, languages: tuple[str, ...]) -> dict[str, str]:
    """Kept only for speed: every sentence that may speak to somebody asks for them."""
    named = _whole_names(variant.powers)
    for language in languages:
        named |= _whole_names(localized(variant, language).powers)
    people: dict[str, set[str]] = {}
    for word, name in peoples(named):
        people.setdefault(word, set()).add(named[name])
    return {word: powers.pop() for word, powers in people.items() if len(powers) == 1} | named


def _whole_names(powers: Iterable[Power]) -> dict[str, str]:
    """Without the short forms of orders: "Great, thanks" speaks to nobody, and Frank may be a person. Two capitals
    count behind an article: "the US".
    """
    spelt = [(power, spelling) for power in powers for spelling in (power.name, power.adjective, *power.aliases)]
    short = {f"the {name.lower()}": power.name for power, name in spelt if len(name) < SHORTEST_NAME and name.isupper()}
    whole = {clean(spelling).text.lower(): power.name for power, spelling in spelt if len(spelling) >= SHORTEST_NAME}
    return short | whole


def forms_of(language: str, names: Iterable[str]) -> AddressForms:
    """The patterns with these names, or with any word for a name where there are none."""
    return _forms_of(language, tuple(sorted(names, key=lambda name: (-len(name), name))))


@lru_cache(maxsize=32)
def _forms_of(language: str, names: tuple[str, ...]) -> AddressForms:
    """Kept only for speed. `names`: the longest first."""
    words = plain_questions.joined_patterns("addressing", language)
    name = rf"(?:{'|'.join(map(re.escape, names))})\b(?!'s\b)" if names else ANY_NAME
    person = rf"{name}(?: ?\({name}\))?"
    joins = rf"(?:\s*,\s*(?:(?:{words['joins']}) )?|\s*(?:&|\+|/)\s*|\s+(?:{words['joins']})\s+)"
    some = rf"(?:(?:{words['articles']}) )?{person}(?:{joins}(?:(?:{words['salutes']}|{words['articles']}) )?{person})*"
    every = rf"(?P<every>{words['every']})(?:,? (?:{words['but']}) {some})?"
    to = rf"(?P<to>{every}|{some})"
    marks = rf"{words['greets']}|{asking_words(language).greets.pattern}|{words['toward']}"
    hidden = rf"(?:an? )?(?:{words['unsigned']})"
    greets = rf"(?:{hidden}[ ,:]+)?(?:(?P<salute>{words['salutes']})|{marks})"
    lead = rf"(?P<lead>(?:{words['tells']}) (?:{words['whom']})(?: \w+){{0,2}}: ?[{QUOTES}]?)?"
    less = rf"(?:,? ?\(?(?:{words['joins']} )?(?:{words['but']})(?: (?:{words['toward']}))? {some}\)?)?"
    behind = rf"(?:,? ?\(?(?:{words['unsigned']})\)?)?{less}"
    front = rf"(?:(?:{words['front']}|{words['unsigned']}),? ){{0,4}}"
    between = rf"(?: (?:{words['between']}|{words['unsigned']}))*"
    speaks = rf"{front}(?:{words['tells']}){between}"
    tells = rf"{speaks} {to}"
    opens = rf"(?:(?P<message>(?:{hidden} )?(?:{words['messages']}))|{speaks})"
    again = rf"(?:{speaks}|{front}(?:{words['toward']}))"
    colon = rf"(?: (?:{words['is']}))?{between}\s*:"
    that = (
        rf"{between}"
        rf"(?:\s*:|,? (?:{words['that']})(?= )|,?(?= ?[{QUOTES}])|,?(?= (?:{words['subjects']})\b))"
    )
    alone = rf"(?(again){that}|,? (?:{words['that_again']}))"
    clause = rf"(?:{START}|(?<=,) +| (?=(?:{words['joins']}) ))"
    ends = r"(?(at)[ ,!:.;-]*|(?:[,!:.;]|-+(?= )|$))"
    asks = rf"(?:(?:{words['you']})\b.*|(?=[^.!?]*\b(?:{words['second']})\b)[^.!?]*\?.*|(?:\S+ ){{0,2}}\S*\?.*)"
    soon = rf"(?:[\w']+ ){{1,2}}(?:{words['second']})\b"
    asks_plainly = rf"(?:(?:{words['second']})\b.*|{soon}[^.!?]*\?.*|(?={soon})(?:{words['you']})\b.*)"
    no_verb = rf"(?!(?:{words['auxiliaries']})\b(?!,))"
    hails = rf"(?:(?:{words['salutes']})[ ,]+|(?P<at>@) ?)"
    marked = rf"(?P<marked>(?:{hidden} )?(?:{marks})[ ,:]+)?"
    written = {
        "greeting": rf"\W*{lead}(?:{greets}[ ,:]+|(?P<at>@) ?){to}{behind}\s*(?:{ends})(?P<rest>.*)$",
        "calling": rf"\W*{to}\s*[,!:]\s*(?P<rest>(?:\S+\s+){{2,}}\S.*)$",
        "asking": rf"\W*{no_verb}{to}(?P<comma>,)? (?P<rest>(?(comma){asks}|{asks_plainly}))$",
        "telling_them": rf"(?:^|(?<=[.!?;]) +){speaks} (?:{words['whom']}){between}\s*:(?P<rest>.*)$",
        "telling": rf"(?:^|(?<=[.!?;]) +){opens} {to}(?(message){colon}|{that})(?P<rest>.*)$",
        "names": name,
        "hailing": rf"{START}(?P<words>{front}{hails}{to}(?(at)[ ,!:.;-]*|\s*[,!:.;-]))",
        "heading": rf"{START}{front}(?P<words>{marked}{to}{behind}\s*:)\s*",
        "spoken_to": rf"(?:{START}|(?<=[,;]) +){front}{marked}{to}{behind}\s*:",
        "telling_again": rf"{clause}(?:(?P<again>{again}) |{front}){to}{alone}\s*",
        "called": rf"{START}(?P<words>{front}{to}, )(?!(?:{words['subjects']}|{words['about']})\b)",
        "demand": _demand(words),
        "remark": _remark(words),
        "vocative": rf"{START}{to}, (?=(?:{words['subjects']}|{words['you']})\b)",
        "inserted": rf"(?:{words['subjects']}) \w+(?: \w+)?,",
        "aside": rf"{clause}{tells}",
        "unsaid": rf"{START}{tells}{between},? (?:{words['unsaid']})\b",
        "secret": rf"\b(?:{words['secret']})",
        "second": rf"\b(?:{words['second']})\b",
        "unsigned": rf"\b(?:{words['unsigned']})\b",
        "hiding": rf"(?:{words['hiding']})",
        "mine": rf"{START}(?P<mine>(?:{words['mine']})\s*:)",
    }
    return AddressForms(written, named=bool(names))


def _demand(words: Mapping[str, str]) -> str:
    """A second comma makes a remark of what stands before it: "Chiara, you know, is new"."""
    asks = rf"[^,.!?;\n]*\b(?:{words['second']})\b[^,.!?;\n]*\?"
    return rf"(?!{SHORT},)(?:(?:{words['you']}|{words['commands']})\b|{asks})"


def _remark(words: Mapping[str, str]) -> str:
    speaks = rf"(?:{words['subjects']}|{words['you']}|{words['commands']}|{words['second']}|{words['goes_on']})\b"
    plain = rf"(?!{speaks}|[^,]*\b(?:{words['second']})\b){SHORT}"
    return rf"(?:(?:{words['remarks']})|{plain}), (?!{speaks})"
