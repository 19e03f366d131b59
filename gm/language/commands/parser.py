"""Reads a line as a command: the grammar of commands (grammars/commands.lark and the rows) to requests.

A line is a command only as a whole: "WAIT" is one, "Wait for me" is talk.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from lark import Lark, Token, Tree, UnexpectedInput

from gm import resources
from gm.judge.model.variant import PHASE, Variant
from gm.language.commands import deadlines, gm, observers, planning, players, requests, votes
from gm.language.commands.command_line import (
    ADDRESS,
    CommandLine,
    ParsedLine,
    RequestReaders,
    is_command_like,
    is_in_capitals,
    keyword_token,
    power_list,
    power_of,
    power_or_capitals,
)
from gm.language.commands.table import row_of, table
from gm.language.i18n import kept_patterns
from gm.language.i18n.joining_words import COURTESIES, PLEASE
from gm.language.i18n.needed_words import first_letters
from gm.language.i18n.normalize import clean
from gm.language.i18n.place_names import power_key, powers, words
from gm.language.i18n.similar_words import similar_words
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.lines.letter_contents import LetterContext, Request
from gm.language.lines.sentences import sentences_of
from gm.language.orders.parsing.grammar import compiled

COMMAND_LONGEST = 400
ALL = re.compile(r"(?:(?:of|for|between|among)\s+)?(?:all|everybody|everyone)(?:\s+(?:the\s+)?\w+)?", re.IGNORECASE)
"""All survivors: "CLOSE DRAW of all survivors"."""
SEATED = re.compile(r"(?P<power>[^:<]+?)\s*(?::|=|\bto\b|(?=\s\S+@))\s*(?P<who>.*)", re.IGNORECASE)
ARTICLES = frozenset({"the", "our", "a", "an", "your", "my", "up"})
"""Words that begin no setting's name: "set the press to grey" is a sentence, and so is "set up a game"."""
SETTING_WORDS = 8
"""A line below CREATE with more words behind a setting's name, and no colon, is talk."""
SENTENCE = re.compile(r"\b(?:the|to|that)\b|'s\b", re.IGNORECASE)
"""Words of a sentence about an order, and of no order: "force the army in Munich to hold"."""
DASHES = frozenset({"-", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2212", "->"})
BEHIND_A_SEAT = frozenset({":", "=", "to"})
"""Between a seat and its player, apart from blanks and dashes."""
EMPTY_SEAT = frozenset({"", "-", "nobody", "none", "empty", "vacant", "open"})
TALK = frozenset({"to"})
"""Words that begin commands, but more often talk, even in capitals."""
NEAR_COMMAND = 80
"""How similar a word must be to a command to count as a misspelling: one wrong letter in five or six."""
SHORTEST_SLIP = 4
COURTESY_BEFORE = re.compile(rf"^\s*(?:{PLEASE})\b[\s,:]*", re.IGNORECASE)
COURTESY_BEHIND = re.compile(rf"[\s,.;!]+(?:{'|'.join(COURTESIES)})[\s.!]*$", re.IGNORECASE)
SHORT = 60
"""Longer lines are parsed anew each time."""
OPENINGS = "openings.letters"
MAP_FILES = frozenset({"png", "svg"})
COLOURBLIND = frozenset({"colourblind", "colorblind", "colours", "colors"})
POLITE = frozenset({"please", "of", "for", "the", "as", "in", "now", "again", "me", "us"})


@lru_cache(maxsize=1)
def _lark() -> Lark:
    return compiled("commands", _keyword_rules(), start="request", maybe_placeholders=False)


@lru_cache(maxsize=1)
def _openings() -> Mapping[str, frozenset[str]]:
    """Patterns of all words that a request can begin with, with their first letters, which are kept on disk: only for
    speed, as to find them takes a twentieth of `gm read`.
    """
    firsts = set(_lark().parse_interactive("").accepts())  # type: ignore[no-untyped-call]
    patterns = tuple(str(terminal.pattern.value) for terminal in _lark().terminals if terminal.name in firsts)
    cached = Path(resources.cache_file(resources.folder("grammars") / OPENINGS))
    kept = resources.read_kept(cached)
    if isinstance(kept, tuple) and kept[:1] == (patterns,):
        return dict(zip(patterns, kept[1], strict=True))
    letters = tuple(map(first_letters, patterns))
    resources.keep(cached, (patterns, letters))
    return dict(zip(patterns, letters, strict=True))


@lru_cache(maxsize=128)
def _opening(letter: str) -> re.Pattern[str]:
    """What a request that begins with this ASCII letter can begin with; "": with any. Only for speed."""
    fitting = [pattern for pattern, letters in _openings().items() if letter in letters or not (letter and letters)]
    return kept_patterns.compiled("(?i)" + ("|".join(f"(?:{pattern})" for pattern in fitting) or r"(?!)"))


def _keyword_rules() -> str:
    """The rules of the rows that give a keyword, in Lark's notation."""
    rows = {row.rules[0]: row for row in table().commands if row.keyword}
    lines = [f"%extend request: {' | '.join(rows)}"]
    for rule, row in rows.items():
        token, pattern = keyword_token(rule), row.keyword.replace("/", r"\/")
        lines += [f"{rule}: {token} {row.words}", f"{token}.{row.priority}: /{pattern}/i"]
    return "\n".join(lines) + "\n"


@lru_cache(maxsize=1)
def _request_classes() -> Mapping[str, type[Request]]:
    return {request.__name__: request for request in Request.__subclasses__()}


def read_command(text: str, variant: Variant) -> CommandLine | None:
    """None where the line is no request."""
    return _kept_command(text, variant) if len(text) <= SHORT else _command(text, variant)


def _command(text: str, variant: Variant) -> CommandLine | None:
    line = vocabulary_of(variant.language).english(text.strip()).rstrip(".!").rstrip()
    if len(line) > COMMAND_LONGEST:
        command = read_command(line[:COMMAND_LONGEST], variant)
        return command if command is not None and row_of(command.kind).any_length and ":" in command.words else None
    return _parse(line, variant) or _parse_courteous(line, variant)


def _parse_courteous(text: str, variant: Variant) -> CommandLine | None:
    """A command with "please" or "thanks" around it; never one that leaves or ends a game (`for_good`)."""
    bare = without_courtesy(text)
    if bare == text.strip():
        return None
    command = _parse(vocabulary_of(variant.language).english(bare), variant)
    return (
        command if command is not None and command.request is not None and not row_of(command.kind).for_good else None
    )


def without_courtesy(text: str) -> str:
    """Without "please" before it and "thanks" behind it."""
    text, low = COURTESY_BEFORE.sub("", text, count=1), text.lower()
    return (COURTESY_BEHIND.sub("", text, count=1) if any(word in low for word in COURTESIES) else text).strip()


def read_in_letter(text: str, context: LetterContext) -> CommandLine | None:
    """As `read_command`; in a player's sentence that is all in capitals these are no sign of a command."""
    asked = read_command(text, context.variant)
    if asked is None or not context.power or is_command_like(text) or not is_in_capitals(text):
        return asked
    own = "player" in row_of(asked.kind).who
    counts = own and not isinstance(asked.request, requests.LookupRequest | requests.HelpRequest)
    return read_command(text.lower(), context.variant) or (asked if counts else None)


def _parse(line: str, variant: Variant) -> CommandLine | None:
    if not line or not _begins_request(line):
        return None
    tree = _tree(line)
    return None if tree is None else _read_tree(tree, line, variant)


def _begins_request(line: str) -> bool:
    first = line[:1].lower()
    return _opening(first if first.isascii() else "").match(line) is not None


def _tree(line: str) -> Tree[Token] | None:
    try:
        return _lark().parse(line)
    except UnexpectedInput:
        return None


_kept_command = lru_cache(maxsize=4096)(_command)
"""Only for speed: "READY", "STATUS", subjects like "orders" and lines of orders come again and again."""


def _read_tree(tree: Tree[Token], text: str, variant: Variant) -> CommandLine | None:
    tokens = [child for child in tree.children if isinstance(child, Token)]
    names = tuple(str(token) for token in tokens if token.type == "NAME")
    tokens_by_type = {token.type: str(token).strip() for token in tokens}
    line = ParsedLine(str(tree.data), text, tokens_by_type, variant, names)
    row, read = row_of(line.kind), READERS.get(line.kind)
    if read is None and (row.block or not row.request):
        return CommandLine(line.kind, None, line.get("TEXT"))
    request = (read or _read_by_row)(line)
    return CommandLine(line.kind, request, line.get("TEXT")) if request is not None else None


def _read_by_row(line: ParsedLine) -> Request | None:
    """A request with one argument or none; None for talk."""
    row, argument = row_of(line.kind), line.argument
    argument = argument if row.talk_after is None else without_courtesy(f" {argument}")
    if row.talk_after is not None and not is_in_capitals(line.text) and len(argument.split()) > row.talk_after:
        return None
    if row.names_power:
        power = power_or_capitals(line, argument)
        if power is None:
            return None
        argument = power
    if row.shows:
        return requests.LookupRequest(row.shows, argument)
    request = _request_classes()[row.request]
    if argument and request.__struct_fields__:
        return request(argument)
    needs = len(request.__struct_fields__) > len(request.__struct_defaults__)
    return None if needs else request()


def begins_like_command(text: str, variant: Variant) -> bool:
    """Whether the line begins like a command and unlike talk."""
    line = vocabulary_of(variant.language).english(text.strip())
    return _begins_request(line) and line.partition(" ")[0].lower() not in TALK


def similar_command(text: str, context: LetterContext) -> str:
    """What a word in capitals may have been meant as: alone on its line, where a game master writes it first, or where
    the line would be a request with it ("PRES TO England"); "" for none.
    """
    written = text.split()
    if not is_command_like(text):
        return ""
    known = _first_words(context.variant.language)
    word = clean(written[0]).text.strip(".:,!?")
    if word in known or len(word) < SHORTEST_SLIP:
        return ""
    meant = next((name for name, _ in similar_words(word, known, NEAR_COMMAND)), "")
    whole = context.master or len(written) == 1 or not meant
    return meant if whole or read_command(" ".join((meant, *written[1:])), context.variant) is not None else ""


@lru_cache(maxsize=8)
def _first_words(language: str) -> tuple[str, ...]:
    """First words of commands, in capitals."""
    firsts = {form.split()[0].strip(":") for row in table().commands if row.request for form in row.forms}
    return tuple(sorted({word for word in firsts if word.isalpha() and word.isupper()} | vocabulary_of(language).verbs))


def rules() -> frozenset[str]:
    """The rules of the grammar of commands: every `CommandLine.kind`."""
    return frozenset(str(rule.alias or rule.origin.name) for rule in _lark().rules if rule.origin.name != "request")


# ---- one function per rule that is more than a class


def _deadline(line: ParsedLine) -> Request | None:
    when = line.get("TEXT")
    if when and not is_in_capitals(line.text):
        first = when.split()[0].strip(" :,")
        if deadlines.PART_OF_DAY.search(when) and deadlines.is_date(when):
            return requests.DeadlineRequest(when)
        opening = sentences_of(when)[0]  # "the deadline is on Easter Sunday. Move it to 9 March"
        if not any(map(str.isdigit, opening)) or not (first == "is" or deadlines.CLEAR_WORDS.fullmatch(first)):
            return None  # "the deadline has been extended to …"
    return requests.DeadlineRequest(when)


def _force(line: ParsedLine) -> Request | None:
    """ "A Par: A Par - Bur", "A Par: H" and "A Par - Bur" are all one order for A Par.

    An order without a unit of its power has the power before it: "France: 2: F Swe H".
    """
    if not is_in_capitals(line.text) and SENTENCE.search(line.get("TEXT")):
        return None
    unit, colon, order = line.get("TEXT").partition(":")
    power = powers(line.variant.powers).get(power_key(unit)) if colon else None
    if power is not None:
        return requests.ForceRequest(order.strip(), power)
    if not colon or set(words(unit)[-1:]) & set(words(order)):
        return requests.ForceRequest(order.strip() or unit.strip())
    return requests.ForceRequest(f"{unit.strip()} {order.strip()}")


def _act_as(line: ParsedLine) -> Request | None:
    name = re.split(r"\s*[:=]", line.get("TEXT"))[0]
    power = powers(line.variant.powers).get(power_key(name))
    if power is None:
        return requests.ActAsRequest(name) if is_in_capitals(line.text) else None
    return requests.ActAsRequest(power)


def _create(line: ParsedLine) -> Request | None:
    if line.get("FROM"):
        *named, like = line.names
        return requests.CreateRequest("".join(named[:1]).lstrip("?").lower(), "", like.lower())
    game, *variant = line.names
    if len(variant) > 1 and not is_in_capitals(line.text):  # talk: "create havoc in the west"
        return None
    return requests.CreateRequest(game.lstrip("?").lower(), " ".join(variant).lower())


def _seat(line: ParsedLine) -> Request | None:
    if (placed := _placed(line)) is not None:
        return placed
    match = SEATED.match(_with_colon(line))
    if not match:
        return requests.SeatPlayerRequest(power_of(line, line.get("TEXT")), "") if is_in_capitals(line.text) else None
    who = match["who"].strip()
    address = ADDRESS.search(who)
    if address is None and who.lower() not in EMPTY_SEAT:
        return requests.SeatPlayerRequest(power_of(line, match["power"]), who)
    name = who[: address.start()].strip(" \t\"'<(,") if address else ""
    if "@" in name:  # two addresses for one seat
        return requests.SeatPlayerRequest(power_of(line, match["power"]), who)
    return requests.SeatPlayerRequest(power_of(line, match["power"]), address[1].lower() if address else "", name)


def _placed(line: ParsedLine) -> Request | None:
    """ "SEAT Irina <irina@example.org> as Russia": the power behind its player."""
    person, power = players.split_power(line, line.get("TEXT"))
    people = players.split_people(person)
    if power not in line.variant.seated or len(people) != 1:
        return None
    return requests.SeatPlayerRequest(power, *people[0])


def _with_colon(line: ParsedLine) -> str:
    """The text with a colon behind the power where it has none or a dash: "SEAT Russia Irina <irina@example.org>"."""
    text, called = line.get("TEXT"), powers(line.variant.powers)
    pieces = text.split()
    if any(piece.endswith((":", "=")) for piece in pieces[:4]):  # of a power that this variant need not know
        return text
    for count in range(min(len(pieces) - 1, 4), 0, -1):
        if power_key(" ".join(pieces[:count])) in called:
            rest = pieces[count:][pieces[count] in DASHES :]
            if not rest or rest[0].lower() in BEHIND_A_SEAT:
                return text
            return f"{' '.join(pieces[:count])}: {' '.join(rest)}"
    return text


def _set(line: ParsedLine) -> Request | None:
    """None for talk ("set sail"); in capitals a missing value is answered."""
    value = line.get("VALUE")
    if line.get("KEY").lower() in ARTICLES and value and not is_in_capitals(line.text):
        return None
    return requests.SetRequest(setting_key(line.get("KEY")), value) if value or is_in_capitals(line.text) else None


def setting_line(text: str, variant: Variant) -> str:
    """A line "key: value" in English, as it would follow SET."""
    return vocabulary_of(variant.language).english(f"SET {text}").partition(" ")[2]


def setting_key(text: str) -> str:
    return re.sub(r"[\s-]+", "_", text.strip().lower())


def _close(line: ParsedLine, why: str) -> Request:
    names = line.get("TEXT").strip(" :.!")
    return requests.EndGameRequest(why, () if ALL.fullmatch(names) else power_list(line, names))


def _map(line: ParsedLine) -> Request | None:
    """None for talk about maps."""
    phase, file, clear = "", "", False
    for word in line.get("TEXT").replace(",", " ").split():
        option = word.lower().lstrip(".")
        if PHASE.fullmatch(option.upper()):
            phase = option.upper()
        elif option in MAP_FILES:
            file = option
        elif option.replace("-", "") in COLOURBLIND:
            clear = True
        elif option not in POLITE:
            return requests.MapRequest(unknown=word) if is_in_capitals(line.text) else None
    return requests.MapRequest(phase, file, clear)


READERS: RequestReaders = {
    **votes.READERS,
    **gm.READERS,
    **observers.READERS,
    **players.READERS,
    **deadlines.READERS,
    **planning.READERS,
    "help": lambda line: requests.HelpRequest("" if line.get("TOPIC").lower() in POLITE else line.get("TOPIC").lower()),
    "map": _map,
    "reveal_names": lambda line: requests.SetRequest("anonymous", "no"),
    "confirm": lambda line: requests.ConfirmRequest(line.get("CODE").lower()),
    "create": _create,
    "seat": _seat,
    "set": _set,
    "deadline": _deadline,
    "force": _force,
    "act_as": _act_as,
    "become": _act_as,
    "close_draw": lambda line: _close(line, "draw"),
    "close_solo": lambda line: _close(line, "solo"),
}
