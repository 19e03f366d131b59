"""Cuts a line into sentences, and a sentence into clauses. Columns count in the line.

A bracket with an order or a remark of its own is a sentence; "(sc)", "A(Par)" and "(army)" belong to the words around.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from gm.language.i18n.needed_words import may_match
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.phrases.prose_phrases import ProsePhrases

BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
ENDS = re.compile(r"(?<!\b[A-Za-z](?=\.[A-Za-z]\.))[.!?;]+(?=\s|$|[A-Z])|\.{2,}|\s/\s|\s\|\s|(?<=\s)[*+](?=\s)")
COMMAS = re.compile(r",|&|:|\s--+\s|\n")
GOES_ON = frozenset(
    {"ARROW", "TO", "SUPPORT", "CONVOY", "HOLD", "MOVE", "VIA", "RETREAT", "DISBAND", "SUPPORTED", "BY"}
)
"""Token types that begin no sentence: the dot before them is that of an abbreviation, "Rum. - Ser"."""
INSIDE = frozenset({"KIND", "MOVE", "TO", "OF", "HOLD", "SUPPORT", "VIA", "CONVOY", "COAST"})
"""Token types of a bracket that belongs to the words around it."""
LEADS_ON = frozenset({"ARROW", "SUPPORT", "CONVOY", "TO", "OF"})
"""Behind one of these a bracket is the rest of the order."""
NAMES = frozenset({"PLACE", "KIND", "NATION"})
NO_ORIGIN = frozenset({"WORD", "TALK", "NATION"})
"""Token types before a dash from which no unit moves."""
SHORTEST_NAME = 5
"""Letters of a name that is no abbreviation."""
SHORTEST_CONDITION = 3
"""Words of a condition: "if Italy attacks"."""
SHORTEST_KIND = 4
"""Letters of "army"."""
DASHES = frozenset({"SEP", "MINUS", "ARROW"})
"""Token types of marks around a clause."""
MOST_CLAUSES = 60
BEGINS = frozenset({"KIND", "PLACE", "SEP", "NATION"})
"""Token types of the first unit, or of a mark before it."""
MOST_OF_NAME = 2
"""Words that are more than a misspelt name."""
SENTENCE_END = re.compile(r"[.!?;]\s")


class Sentence(NamedTuple):
    """`end` is before the mark at its end, `mark`; `past` behind it. `trailing`: it doubts the order before it."""

    start: int
    end: int
    past: int
    mark: str
    bracketed: bool = False
    trailing: bool = False


def blank(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def sentence_start(text: str, at: int) -> int:
    """Where the sentence begins in which a column stands."""
    return max((mark.end() for mark in SENTENCE_END.finditer(text, 0, at)), default=0)


def sentence_past(text: str, at: int) -> int:
    """Where the sentence ends in which a column stands."""
    mark = SENTENCE_END.search(text, at)
    return mark.start() if mark is not None else len(text)


def first_word(text: str, start: int, end: int | None = None) -> int:
    """The column of the first letter of a stretch that is no blank; `end` if there is none."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip())


def sentences(text: str, tokens: Sequence[Token], phrases: ProsePhrases) -> tuple[str, list[Sentence]]:
    """The text without its bracketed sentences, and all sentences by their columns."""
    places = [(token.start_pos, token.end_pos) for token in tokens if token.type == "PLACE"]
    cut = list(_bracketed(text, tokens))
    doubts = [each for each in cut if _looks_back(text[each.start : each.end].lower(), phrases)]
    for sentence in cut:
        text = blank(text, sentence.start - 1, sentence.past)
    behind = [(sentence.past, "", sentence.start - 1) for sentence in doubts]  # "… (not sure), and Budapest …"
    start = 0
    for past, mark, end in sorted([*_ends(text, tokens, places, phrases), *behind]):
        if mark == "|" and _names_a_unit(start, end, tokens):  # cells of a table: "Vie | Gal"
            text = blank(text, end, past)
            continue
        if text[start:end].strip():
            cut.append(Sentence(start, end, past, mark))
        start = past
        if len(cut) >= MOST_CLAUSES:
            break
    if text[start:].strip():
        cut.append(Sentence(start, len(text), len(text), ""))
    return text, sorted(cut)


def _looks_back(words: str, phrases: ProsePhrases) -> bool:
    """Whether a bracket is about the order before it: "Sev to Rum (sorry, Black Sea), War to Gal"."""
    return bool(phrases.hedge.search(words) or phrases.correction.match(words, first_word(words, 0)))


def _belongs(inner: Sequence[Token], before: str, match: re.Match[str], places: Sequence[tuple[int, int]]) -> bool:
    """Whether a bracket is no sentence of its own: part of a name, or one word of an order."""
    if any(start < match.start() < end for start, end in places):
        return True
    kinds = [token.type for token in inner if token.type != "SEP"]
    if before in LEADS_ON and (before != "SUPPORT" or NAMES & {*kinds}):
        return True  # but "… soll das unterstützen (also nicht ziehen)"
    if before == "KIND" and set(kinds) == {"PLACE"}:
        return True  # "three fleets (London, Edinburgh, Liverpool)"
    if kinds == ["PLACE"] or kinds == ["KIND", "PLACE"] or kinds == ["PLACE", "KIND"]:
        return True
    if before == "NATION" and kinds == ["NUMBER"]:
        return True  # "Rumania (2) and Poland (1)"
    return bool(kinds) and (set(kinds) <= INSIDE or set(kinds) == {"NUMBER", "POINTS"})


def _bracketed(text: str, tokens: Sequence[Token]) -> Iterator[Sentence]:
    """The brackets that are sentences of their own."""
    if not any(char in text for char in "([{"):
        return
    places = [(token.start_pos, token.end_pos) for token in tokens if token.type == "PLACE"]
    for match in BRACKETS.finditer(text):
        inner = [token for token in tokens if match.start() < token.start_pos < match.end() - 1]
        before = next((token.type for token in reversed(tokens) if token.end_pos <= match.start()), "")
        if not _belongs(inner, before, match, places):
            yield Sentence(match.start() + 1, match.end() - 1, match.end(), _mark(match.group()[:-1]), True)


def _mark(words: str) -> str:
    return words.rstrip()[-1:] if words.rstrip()[-1:] in "?!." else ""


def _ends(
    text: str, tokens: Sequence[Token], places: Sequence[tuple[int, int]], phrases: ProsePhrases
) -> Iterator[tuple[int, str, int]]:
    """Where sentences end: the column behind the mark, the mark, and the column before it."""
    low = text.lower()
    ends = [(match.end(), match.group().strip(), match.start()) for match in ENDS.finditer(text)]
    labels = [match.span() for _, label in phrases.labels if may_match(label, low) for match in label.finditer(low)]
    starts = {match.start() for match in phrases.breaks.finditer(low) if not _excepts(low, match, tokens, phrases)}
    starts |= {at for at, past in labels if not any(start < at and past <= end for start, end in labels)}
    doubts = [match.span() for match in phrases.doubt_letter.finditer(low)] if labels else []
    starts = {at for at in starts if not any(start < at < end for start, end in doubts)}  # "not my final orders:"
    starts = {at for at in starts if not _within_condition(low, at, phrases)}
    ends += [(at, "", at) for at in starts if at]
    for past, mark, at in sorted(ends):
        if any(start < at < end for start, end in places) or (mark == "." and _abbreviates(text, at, past, tokens)):
            continue
        yield past, mark, at


def _within_condition(low: str, at: int, phrases: ProsePhrases) -> bool:
    """Whether a column stands in a condition that is not at its end: "if Italy, however, attacks, …"."""
    begin = first_word(low, sentence_start(low, at))
    head = low[begin:at]
    begins = phrases.condition.match(head) is not None
    return begins and ("," not in head or len(head.split()) <= SHORTEST_CONDITION)


def _excepts(low: str, match: re.Match[str], tokens: Sequence[Token], phrases: ProsePhrases) -> bool:
    """Whether "but" goes with words for all units, and names alone stand behind: "all hold but Vienna"."""
    if phrases.exception.fullmatch(match.group()) is None or phrases.hold_all.search(low[: match.start()]) is None:
        return False
    mark = ENDS.search(low, match.end())
    past = mark.start() if mark is not None else len(low)
    behind = {token.type for token in tokens if match.end() <= token.start_pos < past}
    return "PLACE" in behind and behind <= {"PLACE", "KIND", "SEP", "OF"}


def _abbreviates(text: str, at: int, past: int, tokens: Sequence[Token]) -> bool:
    before = next((token for token in reversed(tokens) if token.end_pos <= at and token.type != "SEP"), None)
    after = next((token for token in tokens if token.start_pos >= past), None)
    if before is None or after is None:
        return False
    near = before.end_pos == at
    if text[past : after.start_pos].lstrip()[:1].isupper():
        return False  # "… Austria too. The attack on …"
    if after.type in ("TO", "VIA", "BY") and text[after.start_pos : after.end_pos].istitle():
        return False  # "Nap-Ion. On second thoughts …"
    if text[after.start_pos].isupper() and before.type == "PLACE" and at - before.start_pos >= SHORTEST_NAME:
        return False  # "… to Serbia. Go to …"
    if before.type not in ("PLACE", "KIND") and at - before.start_pos >= SHORTEST_NAME:
        return False  # "my fleet must retreat. To Skagerrak", and not "supp."
    if before.type == "KIND" and at - before.start_pos >= SHORTEST_KIND:
        return False
    goes_on = before.type in ("SUPPORT", "CONVOY", "AGAINST") and after.type in ("PLACE", "NATION")  # "sup. Ber-Sil"
    return near and (goes_on or after.type in GOES_ON or (before.type == "KIND" and at - before.start_pos == 1))


def clauses(text: str, start: int, end: int, tokens: Sequence[Token], phrases: ProsePhrases) -> list[tuple[int, int]]:
    """The columns of a sentence's clauses; a colon behind a unit alone ("Vienna: Gal") cuts nothing."""
    places = [(token.start_pos, token.end_pos) for token in tokens if token.type == "PLACE"]
    low = text[:end].lower()
    marks = [(match.start(), match.end()) for match in COMMAS.finditer(text, start, end)]
    marks += [(match.start(), match.end()) for match in phrases.joints.finditer(low, start, end)]
    cut: list[tuple[int, int]] = []
    begin = start
    marks.sort()
    for (first, past), (following, _) in pairwise([*marks, (end, end)]):
        if first < begin or any(a < first < b for a, b in places):
            continue
        if phrases.then.fullmatch(low, first, past) and _acts_then(begin, first, past, tokens):
            continue
        excepts = phrases.exception.match(low, first_word(low, past))
        names = excepts is not None and low[excepts.end() :].strip(" .:,!")
        if names and not phrases.keep_unit.search(low, past) and phrases.hold_all.search(low[:first], begin):
            continue  # "all hold, except Naples"
        if text[first:past] == ":":
            if _names_a_unit(begin, first, tokens) or is_goal_behind(begin, first, past, following, tokens):
                continue
            unit = _unit_before(begin, first, following, tokens)
            first, past = (unit, unit) if unit else (first, past)  # "… because Russia is near - F Tri: Alb"
        if text[begin:first].strip():
            cut.append((begin, first))
        begin = past
        if len(cut) >= MOST_CLAUSES:
            break
    if text[begin:end].strip():
        cut.append((begin, end))
    return cut


def _acts_then(begin: int, first: int, past: int, tokens: Sequence[Token]) -> bool:
    """Whether "then" stands between a unit alone and what it does: "Berlin then moves up to Kiel"."""
    behind = next((token.type for token in tokens if token.start_pos >= past), "KIND")
    return behind not in ("PLACE", "KIND") and _names_a_unit(begin, first, tokens)


def introduces(words: str, tokens: Sequence[Token], phrases: ProsePhrases) -> bool:
    """Whether words that are not understood stand before the first order, so that they may be about all of a list: "the
    book recommends F Ank - BLA, A Con - Bul", but not "my orders for this spring F Ank - BLA, A Con - Bul".
    """
    before = [token.type for token in takewhile(lambda token: token.type not in BEGINS, tokens)]
    behind = [token.type for token in tokens[len(before) :]]
    if not (behind[:2] == ["PLACE", "ARROW"] or behind[:3] == ["KIND", "PLACE", "ARROW"]) or "WORD" not in before:
        return False
    head = words[: tokens[len(before)].start_pos].lower()
    return len(before) - before.count("TALK") >= MOST_OF_NAME and phrases.cancel_what.search(head) is None


def is_goal_behind(begin: int, first: int, past: int, end: int, tokens: Sequence[Token]) -> bool:
    """Whether a colon stands between the only unit before it and a goal alone: "don't F Tri: Ven"."""
    before = [token.type for token in tokens if begin <= token.start_pos < first]
    unit = before[-2:] if before[-2:] == ["PLACE", "KIND"] else before[-1:]  # "Vienna's army: Boh"
    of_unit = unit[-1:] in (["PLACE"], ["KIND"]) and before.count("PLACE") == unit.count("PLACE")
    return of_unit and _is_goal_alone(past, end, tokens)


def _is_goal_alone(first: int, past: int, tokens: Sequence[Token]) -> bool:
    return [token.type for token in tokens if first <= token.start_pos < past and token.type not in DASHES] == ["PLACE"]


def _unit_before(begin: int, end: int, past: int, tokens: Sequence[Token]) -> int:
    """The column of the unit that stands last before the colon at `end`, behind a dash that is none of an order; 0 if
    none does. `past`: where the words behind the colon end.
    """
    inside = [token for token in tokens if begin <= token.start_pos < end]
    size = 2 if [token.type for token in inside[-2:]] == ["KIND", "PLACE"] else 1
    before = [token.type for token in inside[-size - 2 : -size]]
    acts = size == 2 or _is_goal_alone(end, past, tokens)  # "… - F Tri: Alb", "… - Trieste: Alb" are no goals
    behind_dash = len(before) == 2 and before[1] == "ARROW" and (acts or before[0] in NO_ORIGIN)
    return inside[-size].start_pos if behind_dash and inside[-1].type == "PLACE" else 0


def _names_a_unit(begin: int, end: int, tokens: Sequence[Token]) -> bool:
    kinds = [token.type for token in tokens if begin <= token.start_pos < end and token.type not in ("SEP", "MINUS")]
    return kinds in (["PLACE"], ["KIND"], ["KIND", "PLACE"], ["PLACE", "KIND"])
