"""Letters that are plainly meant for other players: "Dear Luc, …", "Please tell Germany: …", "To all except Italy: …".

Their words are proposed as PRESS TO, which a YES sends, and nothing in them is stored as an order. The rest of the
letter is read as if they did not stand in it. A game master's letter that asks for nothing else is proposed as TO.
`[addressing]` of grammars/plain_questions/<language>.toml has the words around the names; players are known by their
powers and, where the game is not anonymous, by their own names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.records import Letter
from gm.game.model.setting_types import PressMode
from gm.game.press.proposed_press import press_lines
from gm.game.press.words_for_master import COMPLAINT, FOR_MASTER
from gm.game.session.session import LetterSession
from gm.judge.model.variant import Power
from gm.language.commands import plain_questions
from gm.language.commands.command_line import is_in_capitals, written_words
from gm.language.commands.requests import PressRequest
from gm.language.i18n.localized_variant import local_names, localized
from gm.language.i18n.normalize import clean
from gm.language.letter.asking_sentences import asking_words
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContents, LineError
from gm.language.lines.spans import Fate

FOR_PLAYERS = "for-players"
"""Key of the question whether the words go to players; `-orders`: they hold orders, which are not stored."""
OFFICIAL = "official"
"""The row of a game master's letters to players."""
LONGEST = 500
"""Characters of a line that are searched for names."""
MOST_LINES = 200
ANY_NAME = r"[a-z][a-z-]{2,20}\b"
SHORTEST_NAME = 3
QUOTES = "\"'“”„«»"


class AddressedWords(Struct, frozen=True):
    """`to` are powers. `before` are the lines of the letter that stand above the words, `after` those below them."""

    to: tuple[str, ...]
    line: NumberedLine
    words: str
    before: tuple[NumberedLine, ...]
    after: tuple[NumberedLine, ...]


class _Forms(Struct, frozen=True):
    """Patterns with the groups `to`, `every` and `rest`. `greeting` begins a letter, whose words include a `salute`."""

    greeting: re.Pattern[str]
    calling: re.Pattern[str]
    telling: re.Pattern[str]
    names: re.Pattern[str]


def with_words_for_players(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """The contents with that proposal in place of what its words would be otherwise."""
    if not _may_be_for_players(session, reading):
        return reading
    addressed = _find(session, letter, reading)
    if addressed is None:
        return reading
    rest = (*addressed.before, *addressed.after)
    others = [power for power in session.loaded_game.variant.seated if power != session.author]
    everybody = len(addressed.to) == len(others)
    if session.master and (everybody or any(words.strip() for _, words in rest)):
        return reading  # an announcement, or commands beside the words
    own = LetterContents()
    if any(words.strip() for _, words in rest):
        readings = [read_letter(rest, context) for _, context in session.contexts]
        own = max(readings, key=lambda each: len(each.orders) + len(each.requests))
    number, text = addressed.line
    row = OFFICIAL if session.master else "press-all" if everybody else "press"
    called = local_names(session.loaded_game.variant, session.language)
    names = ", ".join(called.get(power, power) for power in addressed.to)
    whole = press_lines(session, row, addressed.words, names)
    key = FOR_PLAYERS if len(own.orders) == len(reading.orders) else f"{FOR_PLAYERS}-orders"
    fields = (("powers", ", ".join(addressed.to)),)
    question = LineError(number, text, 0, len(text), key, fields, (whole,), obeyed=True)
    return replace(own, troubles=(question, *own.troubles))


def _may_be_for_players(session: LetterSession, reading: LetterContents) -> bool:
    if session.master:
        return session.loaded_game.running and not (reading.orders or reading.requests or _proposes(reading))
    if not session.plays or session.loaded_game.variant.press.message_word:
        return False
    if session.loaded_game.settings.press is PressMode.NONE or not session.loaded_game.running:
        return False
    written = any(isinstance(given.request, PressRequest) for given in reading.requests)
    for_master = any(trouble.key.startswith((FOR_MASTER, COMPLAINT)) for trouble in reading.troubles)
    return not (written or for_master)


def _proposes(reading: LetterContents) -> bool:
    return any(trouble.suggestions for trouble in reading.troubles)


def _find(session: LetterSession, letter: Letter, reading: LetterContents) -> AddressedWords | None:
    lines = tuple(letter.lines[:MOST_LINES])
    if not any(_may_address(session, text) for _, text in reading.spoken(lines)):
        return None
    named = _names(session)
    taken = {span.line for span in reading.spans if span.fate is Fate.PRESS}
    commands = {given.line for given in reading.requests if is_in_capitals(given.text)}
    for at, (number, text) in enumerate(lines):
        if number in taken or not text.strip():
            continue
        opens = not any(words.strip() for _, words in lines[:at]) or not lines[at - 1][1].strip()
        for language in session.languages:
            forms = _forms(language, tuple(named))
            addressed = _addressed(session, forms, named, lines, at, reading, opens=opens)
            if addressed is not None and not _holds_command(addressed, lines, commands):
                return addressed
    return None


def _holds_command(addressed: AddressedWords, lines: Sequence[NumberedLine], commands: set[int]) -> bool:
    outside = {number for number, _ in (*addressed.before, *addressed.after)}
    return any(number in commands and number not in outside for number, _ in lines)


def _addressed(
    session: LetterSession,
    forms: _Forms,
    named: Mapping[str, str],
    lines: Sequence[NumberedLine],
    at: int,
    reading: LetterContents,
    *,
    opens: bool,
) -> AddressedWords | None:
    number, text = lines[at]
    cleaned = clean(text[:LONGEST]).text
    low = cleaned.lower()
    greeting = forms.greeting.match(low) if opens else None
    calling = forms.calling.match(low) if opens and greeting is None and not reading.orders else None
    match = greeting or calling or forms.telling.search(low)
    if match is None:
        return None
    to = _readers(session, forms, named, match)
    if not to or (_names_all(match) and reading.orders):
        return None
    past = _past(lines, at, reading, paragraph=greeting is None and calling is None and bool(match["rest"].strip()))
    below = [words for _, words in lines[at + 1 : past]]
    greets = calling is not None or (greeting is not None and greeting["salute"] is not None)
    rest = written_words(text, cleaned[slice(*match.span("rest"))].strip()).strip(QUOTES)
    first = text.strip() if greets else rest
    if not match["rest"].strip() and not any(words.strip() for words in below):
        return None
    words = "\n".join((first, *below)).strip()
    start = match.start() if greeting is None and calling is None else 0
    front = written_words(text, cleaned[: start + 1].strip()) if start else ""
    before = (*lines[:at], *(((number, front),) if front else ()))
    return AddressedWords(to, (number, text.strip()), words, tuple(before), tuple(lines[past:]))


def _names_all(match: re.Match[str]) -> bool:
    return match["every"] is not None


def _readers(session: LetterSession, forms: _Forms, named: Mapping[str, str], match: re.Match[str]) -> tuple[str, ...]:
    names = [named[each.group()] for each in forms.names.finditer(match["to"])]
    others = tuple(power for power in session.loaded_game.variant.seated if power != session.author)
    powers = tuple(dict.fromkeys(names))
    if _names_all(match):
        return tuple(power for power in others if power not in powers)
    return powers if session.author not in powers else ()


def _past(lines: Sequence[NumberedLine], at: int, reading: LetterContents, *, paragraph: bool) -> int:
    """Behind the last line of the words: they end above a paragraph of orders, with its heading, and with the
    `paragraph`.
    """
    alone = _own_lines(reading)
    for index in range(at + 1, len(lines)):
        number, words = lines[index]
        if number in alone or (paragraph and not words.strip()):
            return index
        if not lines[index - 1][1].strip() and words.strip():
            block = {each for each, _ in _paragraph(lines, index)}
            heads = words.rstrip(" *_").endswith(":") or words.isupper()
            if heads and alone & block:
                return index
    return len(lines)


def _own_lines(reading: LetterContents) -> set[int]:
    """The lines that begin with an order, or with words and a colon before one: "My own moves: …"."""
    own: set[int] = set()
    for line, spans in groupby(reading.spans, key=lambda span: span.line):
        words = (span for span in spans if not span.text.rstrip().endswith(":") and any(map(str.isalnum, span.text)))
        first = next(words, None)
        if first is not None and first.fate is Fate.ORDER:
            own.add(line)
    return own


def _paragraph(lines: Sequence[NumberedLine], at: int) -> Sequence[NumberedLine]:
    end = next((index for index in range(at, len(lines)) if not lines[index][1].strip()), len(lines))
    return lines[at:end]


def _may_address(session: LetterSession, text: str) -> bool:
    """Whether a line may speak to anybody at all; only then the players' names are looked up."""
    low = clean(text[:LONGEST]).text.lower()
    forms = (_forms(language, ()) for language in session.languages)
    return any(form.greeting.match(low) or form.calling.match(low) or form.telling.search(low) for form in forms)


def _names(session: LetterSession) -> dict[str, str]:
    """The powers by what they and, where that is no secret, their players are called, in small letters."""
    named = _whole_names(session.loaded_game.variant.powers)
    for language in session.languages:
        named |= _whole_names(localized(session.loaded_game.variant, language).powers)
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


def _whole_names(powers: Iterable[Power]) -> dict[str, str]:
    """Without the short forms of orders: "Great, thanks" speaks to nobody, and Frank may be a person."""
    spelt = ((power, spelling) for power in powers for spelling in (power.name, power.adjective, *power.aliases))
    return {clean(spelling).text.lower(): power.name for power, spelling in spelt if len(spelling) >= SHORTEST_NAME}


@lru_cache(maxsize=32)
def _forms(language: str, names: tuple[str, ...]) -> _Forms:
    """The patterns with these names, or with any word for a name where there are none."""
    words = plain_questions.joined_patterns("addressing", language)
    name = rf"(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})\b" if names else ANY_NAME
    joins = rf"(?:\s*,\s*(?:(?:{words['joins']}) )?|\s*(?:&|\+|/)\s*|\s+(?:{words['joins']})\s+)"
    some = rf"{name}(?:{joins}(?:(?:{words['salutes']}) )?{name})*"
    every = rf"(?P<every>{words['every']})(?:,? (?:{words['but']}) {some})?"
    to = rf"(?P<to>{every}|{some})"
    greets = rf"(?:(?P<salute>{words['salutes']})|{words['greets']}|{asking_words(language).greets.pattern})"
    telling = (
        rf"(?:^|(?<=[.!?;]) +)(?:(?:{words['front']}),? )*(?:{words['tells']})(?: (?:{words['between']}))* {to}"
        rf"(?: (?:{words['between']}))*"
        rf"(?:\s*:|,? (?:{words['that']})(?= )|,?(?= ?[{QUOTES}])|,?(?= (?:{words['subjects']})\b))"
        rf"(?P<rest>.*)$"
    )
    return _Forms(
        re.compile(rf"\W*(?:(?:{greets})[ ,:]+|@ ?){to}\s*(?:[,!:.;]|-+(?= )|$)(?P<rest>.*)$"),
        re.compile(rf"\W*{to}\s*[,!:]\s*(?P<rest>(?:\S+\s+){{2,}}\S.*)$"),
        re.compile(telling),
        re.compile(name),
    )
