"""Strips from a line what stands around orders: comments, list marks, headings with a power or a phase, soft wraps.

2) [FRANCE] A Par - Bur   // or should I hold?
-> mark "2)", power France, words "A Par - Bur"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from gm.judge.model.variant import PHASE, Variant
from gm.language.i18n.joining_words import OR, OTHERWISE, PLEASE, THEN
from gm.language.i18n.normalize import clean
from gm.language.i18n.place_names import ordered_powers, powers, words
from gm.language.i18n.vocabulary import vocabulary_of

VERB = r"(?:[hsc]|to|holds?|supports?|convoys?|moves?|sails?)"
NUMBERING = rf"\d{{1,2}}(?:\s*[-=,;.)]|\s+(?:{VERB}|near)\b|\s*$)"
SLASHES = re.compile(r"(?<![:\w/])//(?!/)")
MANY_SLASHES = re.compile(r"/{3,}")
"""They stand between orders."""
ORDER_BEHIND = re.compile(
    r"(?<![:\w/])//\s*[AFWafw](?:\s+|\s*\()[A-Za-z./]{2,}\)?\s*(?:[-=]+>?|>|[SHCshc]\b)(?!.*\s\()"
)
"""Slashes between two orders: "F Den - SKA // A Nwy - Swe"."""
COMMENT = re.compile(rf"(?<![:\w/])//(?!/).*|(?:^|(?<=\s))#(?!{NUMBERING}|(?<=\S\s#)[1-9]\b).*", re.IGNORECASE)
"""From // or # on. "F NAT #2 - GSL" has none, nor "Por & Gas connect #1": these number units and borders."""
BACKWARDS = re.compile(
    r"(?P<goal>[^\W\d][^\W\d]*(?:[./' ()-]{1,2}[^\W\d]+){0,3}\)?)(?P<before>\s*)<(?P<shaft>[-=]+)(?P<behind>\s*)"
    r"(?P<unit>[^\W\d]+(?:[./' ()]{1,2}[^\W\d]+){0,3}\)?)(?=\s*(?:[,;.]|$))"
)
"""A goal with an arrow from the unit behind it: "Rumania <- Bulgaria"."""
HELPING = re.compile(r"\b(?:s|c|sup\w*|convoys?|helps?|backs?|unterst\w*|hilft|deckt)\b", re.IGNORECASE)
MARK = re.compile(
    r"\s*(?:\(?\d{1,3}[.)](?!\d)\s*|[*▪▸]+\s+|(?:\(?[a-z]|[A-H])\)\s+(?=\S)|[ivx]{1,4}[.)]\s+"
    r"|(?:[Pp]\.?){1,3}[Ss]\.?\d?[:.,;)]*\s+(?=\S))"
)
"""What stands before an item of a list, or before an afterthought: "PS". "A)" is no power's initial."""
NUMBERED = re.compile(r"\s*(?:\(?(?:\d{1,2}|[a-h])[.)]|[A-H]\))(?!\d)\s*(?=\S)")
"""The number of an item of a list."""
FIRST_ITEM = re.compile(r"(?:[^\d:]{1,40}:)?\s*\(?1[.)](?!\d)\s*\S")
NEXT_ITEM = re.compile(r"(?<=\S)\s+\(?(?P<number>\d{1,2})[.)](?!\d)\s*(?=\S)")
"""The number of a later item of a list within its line: "1. Vie-Gal 2. Bud-Ser"."""
ENDS_WITH_OR = re.compile(rf"\b(?:{OR})[\s,]*$", re.IGNORECASE)
SEVERAL_WORDS = re.compile(r"\w\W+\w")
DASH_MARK = re.compile(r"\s*-+>?\s*(?=\S)")
PREFIX = re.compile(
    r"\s*(?:\[(?P<box>[^\]\[]{1,40})\]|\((?P<round>[A-Za-z ]{4,40})\)\s*:?"
    r"|(?P<plain>(?![A-H]\))[^:()\[\]]{1,40}?)\s*[:)])(?=\s*\S)"
)
PREFIX_ENDS = ":)]"
"""Each prefix has one of them."""
QUOTED = re.compile(r"\s*(?:>|\|(?!.*\|\s*$))")
SIGN = re.compile(r"[->]")
ELLIPSIS = re.compile(r"(?<=\w)\.{3}(?=\w)")
"""Between orders: "con-bul...smy-con"."""
ABBREVIATED = re.compile(r"(?<=[A-Za-z]{2})\.(?=\s{3,}\S)")
"""The full stop of a name in the cell of a table: "Const.       Bulgaria"."""
DOTS = r"\.(?:\s?\.){2,}"
DOTTED_MOVE = re.compile(
    rf"\s*(?P<kind>(?:[AFaf]|[Aa]rm(?:y|ee)|[Ff]leet|[Ff]lotte)\b(?:\.|\s|\.\s))?(?:\s*[A-Z][\w/]*\.?){{1,3}}?\s*(?P<dots>{DOTS})"
    r"(?:\s*[A-Z][\w/]*\.?){1,3}\s*[;,!]*"
)
"""Dots between a unit and where it goes: "A. Con. ... Bul."."""
DOTTED_UNIT = re.compile(r"(?<!\S)[AF]\.\s?[A-Z]\w+\.?(?=\s*-)")
"""Full stops of short names before an arrow: "F. Ank. - Bla."."""
DOTTED = re.compile(r"\s*[AFaf]\.\w{2,12}(?:/\w\w)?\.\S{1,40}\s*")
"""Dots for blanks: "A.Mar.S.A.Par.-.Bur"."""
BRACKETED_LIST = re.compile(r"(?<!\S)[({[](?P<list>[^(){}\[\]:]{2,60}[,&+;][^(){}\[\]:]{2,60})[)}\]](?=\s*:\s*\w+\s*$)")
"""Units in front of what they all do: "(Bud, Vie): hold"."""
TABLE_ROW = re.compile(r"\s*\|.*\|\s*")
"""The cells of a row are read as words side by side."""
RULER = re.compile(r"\s*([-=_*~+.])\1{2,}[-=_*~+.|:\s]*")
"""A line of dashes or other marks, below a heading or between parts of a letter."""
ENDS_OPEN = re.compile(
    r"(?:[-=>]|\b(?:s|c|sup|supp|supports?|convoys?|to|via|and|from|into|of|with|by"
    rf"|{OTHERWISE}|(?:{THEN})(?:\s(?:{PLEASE}))?))\s*$",
    re.IGNORECASE,
)
LAST_WORDS = 12
"""Letters at the end of a line that are searched for these: more than the longest of them."""
BEGINS_OPEN = re.compile(
    r"\s*(?:-+>?|=+>|>|to|into|via|s|sup|supp|supports?|c|convoys?|by|from|supported)\b\s*", re.IGNORECASE
)
BEGINS_ARROW = re.compile(r"\s*(?:[-=]+>?|>)\s*(?=\S)")
NUMBER = re.compile(r"\s*\[?\s*\d+\s*[\]:]")
YEAR = re.compile(r"\d{1,4}")
SHORT_PHASE = re.compile(r"([sfwh])(\d\d)", re.IGNORECASE)
"""Season and year: "F01"."""
LABEL = re.compile(r"(?<=[.;,!])\s+(?P<words>[^\W\d][\w ]{2,40}):(?=\s)")
"""What may be the heading of a phase inside a line."""
SENTENCE = re.compile(r"[.!?;]\s")
POSSESSIVE = re.compile(r"['’]s\b")
SEASONS = {"spring": "S", "summer": "S", "autumn": "F", "fall": "F", "winter": "W"}
FINAL, DRAFT = "final", "draft"
RETREATS, ADJUSTMENTS = "R", "A"
KINDS = {
    **dict.fromkeys(("moves", "movement", "move"), "M"),
    **dict.fromkeys(("retreats", "retreat"), RETREATS),
    **dict.fromkeys(("builds", "build", "adjustments", "adjustment"), ADJUSTMENTS),
}
AROUND = {*SEASONS, *KINDS, "orders", "order", "for", "in", "of", "my", "the", "turn", "phase", "game"}
AROUND |= {"year", "and", "are"}
MARKS = {"final": FINAL, **dict.fromkeys(("preliminary", "prelim", "provisional", "provisionally", "draft"), DRAFT)}
"""Words of a heading for the orders below it."""
MARKED = re.compile(r"\s*(?P<words>[^\W\d_]+(?: [^\W\d_]+){0,2})\s*:\s*(?=\S)")
"""What may be such a mark in the line of an order."""
BESIDE_MARK = {"my", "orders", "order"}
AROUND |= {*MARKS, "diplomacy", "here"}
LONGEST_HEADING = 60
HEADINGS_KEPT = 4096
SHORTEST_YEAR = 3
"""Digits of a year without its season."""


class LetterLine(Struct, frozen=True, gc=False):
    """A line of the letter. `body` is `plain` from column `at` on, without marks and comments."""

    number: int
    text: str
    plain: str
    columns: tuple[int, ...] | None
    at: int
    body: str
    power: str = ""
    other_phase: str = ""

    def column(self, index: int) -> int:
        """The column in the original text for a column of the body."""
        column = self.at + index
        return column if self.columns is None else self.columns[min(column, len(self.columns) - 1)]

    @property
    def sentence_around(self) -> str:
        """The words of the sentence before the body and behind it."""
        behind = self.plain[self.at + len(self.body) :]
        return f"{SENTENCE.split(self.plain[: self.at])[-1]} {SENTENCE.split(behind)[0]}"


class Heading(Struct, frozen=True):
    """`other_phase` is "" or what was written of it, when that is not the present one. `mark` is FINAL or DRAFT, where
    it calls the orders below it so.
    """

    power: str = ""
    other_phase: str = ""
    mark: str = ""
    is_phase: bool = False
    """It names a season or a phase."""


def read_line(number: int, text: str) -> LetterLine:
    """The line with its comment cut off; several // in a line stand between orders."""
    made = clean(text.rstrip("\r\n"))
    body = MANY_SLASHES.sub(lambda match: ";".ljust(len(match.group())), made.text)
    several = "//" in body and (len(SLASHES.findall(body)) > 1 or ORDER_BEHIND.search(body))
    if several and not body.lstrip().startswith("//"):
        body = SLASHES.sub("; ", body)
    body = COMMENT.sub("", body) if "//" in body or "#" in body else body
    if "<-" in body or "<=" in body:
        body = BACKWARDS.sub(_forwards, body)
    if "..." in body and all(SIGN.search(part) for part in body.rstrip(" .").split("...")[:-1]):
        body = ELLIPSIS.sub(" ; ", body)
    if "..." in body or ". ." in body:
        body = _with_dotted_moves(body)
    if "2" in body and FIRST_ITEM.match(body):
        body = _with_items_apart(body)
    if "   " in body:
        body = ABBREVIATED.sub(" ", body)
    if DOTTED.fullmatch(body):
        body = body.replace(".", " ")
    if "." in body and "-" in body:
        body = DOTTED_UNIT.sub(lambda match: match.group().replace(".", " "), body)
    if body.lstrip()[:1] in ("(", "[", "{"):
        body = BRACKETED_LIST.sub(lambda match: f" {match['list'].replace(';', ',')} ", body, count=1)
    if "|" in body and TABLE_ROW.fullmatch(body):
        body = body.replace("|", " ")
    return LetterLine(number, text, made.text, made.columns, 0, body.rstrip())


def _with_items_apart(body: str) -> str:
    """Semicolons for the numbers of a list in one line that count on from its 1: "1. Vie-Gal 2. Bud-Ser"; not for
    alternatives ("1. Con - Bul or 2. Con - Ank"), nor for preferences, which are single words ("1. Tri 2. Bud").
    """
    marks: list[re.Match[str]] = []
    for match in NEXT_ITEM.finditer(body):
        if int(match["number"]) == len(marks) + 2:
            marks.append(match)
    ends = [*(mark.start() for mark in marks), len(body)]
    starts = [first.end() - 1 if (first := FIRST_ITEM.match(body)) else 0, *(mark.end() for mark in marks)]
    items = [body[start:end] for start, end in zip(starts, ends, strict=True)]
    if not all(map(SEVERAL_WORDS.search, items)):
        return body
    is_choice = any(map(ENDS_WITH_OR.search, items[:-1]))
    for mark in marks:
        at, past = mark.end("number"), mark.end("number") + 1
        between = ";".ljust(len(mark.group()))
        body = f"{body[:at]}){body[past:]}" if is_choice else f"{body[: mark.start()]}{between}{body[mark.end() :]}"
    return body


def _with_dotted_moves(body: str) -> str:
    """Arrows for the dots of a line that has nothing but such moves: several, or of units with their kinds."""
    moves: list[re.Match[str]] = []
    at = 0
    while at < len(body.rstrip()) and (move := DOTTED_MOVE.match(body, at)):
        moves.append(move)
        at = move.end()
    if not moves or body[at:].strip() or not (len(moves) > 1 or moves[0]["kind"]):
        return body
    for move in moves:
        start, end = move.span("dots")
        body = body[:start] + " - ".ljust(end - start) + body[end:]
    return body


def _forwards(move: re.Match[str]) -> str:
    """ "Bulgaria -> Rumania" of "Rumania <- Bulgaria"; "Ser S Rum <- Bul" stays, as it is not clear who goes where."""
    if HELPING.search(move["goal"]):
        return move.group()
    return f"{move['unit']}{move['before']}{move['shaft']}>{move['behind']}{move['goal']}"


def skip_columns(line: LetterLine, by: int, *, power: str = "", other_phase: str = "") -> LetterLine:
    return LetterLine(
        line.number, line.text, line.plain, line.columns, line.at + by, line.body[by:], power or line.power,
        other_phase or line.other_phase,
    )  # fmt: skip


def strip_line(
    line: LetterLine, variant: Variant, phase: str, *, dashes: bool, numbers: bool = False, headings: bool = True
) -> LetterLine:
    """Without list marks and headings in front. `dashes`: a leading dash is a mark too, no sign to remove a unit.

    `numbers`: "2:" and "[2]" say something of the order behind them. No `headings`: so does a power's name and a colon.
    """
    for _ in range(3):
        before = line
        if dashes and (mark := DASH_MARK.match(line.body)):
            line = skip_columns(line, mark.end())
        prefix = PREFIX.match(line.body) if headings and any(map(line.body.__contains__, PREFIX_ENDS)) else None
        if prefix and not (numbers and NUMBER.fullmatch(prefix.group())):
            named = _prefix(prefix, variant, phase)
            if named is not None:
                line = skip_columns(line, prefix.end(), power=named.power, other_phase=named.other_phase)
                continue
        if mark := MARK.match(line.body):
            line = skip_columns(line, mark.end())
        if line is before:
            break
    spaces = len(line.body) - len(line.body.lstrip())
    return skip_columns(line, spaces) if spaces else line


def _prefix(match: re.Match[str], variant: Variant, phase: str) -> Heading | None:
    text = next(part for part in match.groups() if part is not None).strip()
    if len(text) == 1 and text.isupper():
        named = next((power.name for power in variant.powers if power.letter.upper() == text), "")
        return Heading(named) if named else None
    return heading(text, variant, phase)


def heading(text: str, variant: Variant, phase: str) -> Heading | None:
    """Lines like "FRANCE", "Orders for Spring 1901:", "S1901M"; None for anything with another word in it."""
    return None if len(text) > LONGEST_HEADING else _heading(text, variant, phase)


@lru_cache(maxsize=HEADINGS_KEPT)
def _heading(text: str, variant: Variant, phase: str) -> Heading | None:
    """Cached only for speed: players write the same orders again."""
    written = words(POSSESSIVE.sub("", text))
    called = powers(ordered_powers(variant))
    named, season, year, kind, other, mark = "", "", "", "", "", ""
    whole = called.get(" ".join(written), "")
    if whole:
        return Heading(whole)
    translated = vocabulary_of(variant.language).headings
    for word in (translated.get(word, word) for word in written):
        code = PHASE.fullmatch(word.upper())
        short = SHORT_PHASE.fullmatch(word)
        if short:
            season, year = _season(short[1].upper(), variant, phase), short[2]
        elif code and code.group() != phase:
            other = code.group()
        elif code:
            continue
        elif word in called and len(word) > 2:
            named = called[word]
        elif YEAR.fullmatch(word):
            year = word
        elif word in AROUND:
            season = SEASONS.get(word, season)
            kind = KINDS.get(word, kind)
            mark = MARKS.get(word, mark)
        else:
            return None
    if year and len(year) < SHORTEST_YEAR and not season:
        return None  # "Turn 2" is no year
    if named and "in" in written:
        return None  # "in Turkey"
    if not (named or season or year or kind or other or set(written) & {"orders", "moves", "builds", "retreats"}):
        return None
    other = other or _other(season, year, kind, phase, text)
    return Heading(named, other, mark, bool(season or other))


def mark_in_front(text: str, language: str) -> tuple[str, int]:
    """FINAL or DRAFT, and where the orders behind it begin: "Provisional orders: Par-Bur"; "" where neither stands."""
    match = MARKED.match(text)
    if match is None:
        return "", 0
    translated = vocabulary_of(language).headings
    written = {translated.get(word, word) for word in words(match["words"])} - BESIDE_MARK
    mark = MARKS.get(written.pop(), "") if len(written) == 1 else ""
    return mark, match.end() if mark else 0


def _season(letter: str, variant: Variant, phase: str) -> str:
    """The season that a letter before a year means: in German "F26" may be spring or fall, whichever is open."""
    translated = vocabulary_of(variant.language).season_letters.get(letter, "")
    if translated and (phase.startswith(translated) or letter not in SEASONS.values()):
        return translated
    return letter if letter in SEASONS.values() else ""


def _other(season: str, year: str, kind: str, phase: str, text: str) -> str:
    """The phase written, when it contradicts the present one in season, year or kind."""
    now = PHASE.fullmatch(phase)
    if now and (now[3], kind) == (RETREATS, ADJUSTMENTS) and not (season or year):
        return text.strip(" :")  # "And for the builds:"
    if not now or not (season or year):
        return ""
    fits = season in ("", now[1]) and (not year or year.endswith(now[2][-2:])) and (not season or kind in ("", now[3]))
    return "" if fits else text.strip(" :")


def phases_apart(line: LetterLine, variant: Variant, phase: str) -> Iterator[LetterLine]:
    """A line cut before each heading for a phase in it: "Spring: A Vie - Gal. Fall: A Gal - War"."""
    start = 0
    for label in LABEL.finditer(line.plain):
        above = heading(label["words"], variant, phase)
        if above is not None and above.is_phase:
            past = line.column(label.start("words") - line.at)
            yield read_line(line.number, line.text[start:past])
            start = past
    yield read_line(line.number, line.text[start:]) if start else line


def join_broken_lines(
    lines: Iterable[LetterLine], dashes: bool, apart: Callable[[str, str], bool], goes_on: Callable[[str, str], bool]
) -> Iterator[LetterLine]:
    """Orders that a mail program broke in two: an end that wants more, or a beginning that wants a line before it.

    `apart`: whether the second of two lines is complete, however it begins. `goes_on`: whether two lines are one order.
    """
    held: LetterLine | None = None
    above = 0
    every = list(lines)
    listed = _listed(every)
    for line in every:
        follows, above = line.number == above + 1, line.number
        belongs = held is not None and _belongs(held.body, line.body, dashes and line.number not in listed)
        if (
            held is not None
            and follows
            and (goes_on(held.body, line.body) or (belongs and not apart(held.body, line.body)))
        ):
            text = held.body + " " + line.body.lstrip()
            held = LetterLine(held.number, text, text, None, 0, text, held.power, held.other_phase)
            continue
        if held is not None:
            yield held
        held = line
    if held is not None:
        yield held


def _listed(lines: Sequence[LetterLine]) -> set[int]:
    """Numbers of lines that begin with the same dash or arrow as the one above or below: no order goes on in them."""
    arrows = [(line.number, match.group().strip()) for line in lines if (match := BEGINS_ARROW.match(line.body))]
    pairs = [(first[0], second[0]) for first, second in pairwise(arrows) if second == (first[0] + 1, first[1])]
    return {number for pair in pairs for number in pair}


def _belongs(before: str, after: str, dashes: bool) -> bool:
    if not before.strip() or not after.strip() or len(before) > 200 or len(after) > 200:
        return False
    if ENDS_OPEN.search(before.rstrip()[-LAST_WORDS:]):
        return True
    if before.endswith(":"):
        return False  # a heading above a list
    arrow = BEGINS_ARROW.match(after)
    if arrow and before.lstrip().startswith(arrow.group().strip()):
        return False  # a list
    if arrow:
        rest = words(after[arrow.end() :])
        single = not any(char in "->=" for char in after[arrow.end() :].replace("-nc", "").replace("-sc", ""))
        return dashes and single and 0 < len(rest) <= 4 and rest[0] not in ("a", "f", "army", "fleet", "w")
    return bool(BEGINS_OPEN.match(after))
