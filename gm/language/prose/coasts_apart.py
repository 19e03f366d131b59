"""Coasts that do not stand behind their place: "the south coast of Spain", "Smyrna (south coast)", "no, south coast".

The text keeps its length, so that columns stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from gm.judge.board.board import Board, Location, Use
from gm.language.orders.parsing.grammar_words import GrammarWords
from gm.language.orders.parsing.lexer import Scanner, Token
from gm.language.prose.clauses import blank, first_word
from gm.language.prose.phrases.prose_phrases import ProsePhrases

BEFORE_COAST = r"(?:(?:on|at|along|in|for|an|auf|the|der|die|ihrer|its|und zwar|namely|please|bitte)\b|[,:]|-)\s*"
"""Before a coast that does not stand directly behind its place."""
LEADING_TO_COAST = re.compile(rf"(?:{BEFORE_COAST})+$")
MOST_SHORES = 4
"""Coasts of a line that are named by their sea: more than people write."""
SENTENCE_END = re.compile(r"[.!?;]\s|\n")


def _coasts(text: str, words: GrammarWords, shore: str, before: str, behind: str) -> list[re.Match[str]]:
    """Where "south coast", "coast south" or "southern shore" stands between two patterns; its side is the group `side`.
    `shore`: the pattern of other words for a coast.
    """
    low = text.lower()
    if not any(word in low for word in words.sides if len(word) > 1):
        return []
    sides = "|".join(sorted((word for word in words.sides if len(word) > 1), key=len, reverse=True))
    coast = "|".join((*(word for word in words.coast if len(word) > 1), shore))
    orders = (rf"(?P<side>{sides})(?:e?[nsr])?[\s-]*(?:{coast})", rf"(?:{coast})[\s-]*(?P<side>{sides})(?! of\b)")
    return [match for order in orders for match in re.finditer(rf"{before}{order}{behind}", low)]


def coasts_named(text: str, scanner: Scanner, phrases: ProsePhrases) -> set[str]:
    """The coasts in words, "sc" of "south coast it is"."""
    named = _coasts(text, scanner.words, phrases.shore.pattern, r"\b", r"\b")
    return {f"{scanner.words.sides[match['side']]}c" for match in named}


def with_coasts(text: str, scanner: Scanner, board: Board, phrases: ProsePhrases, spoken_of: Sequence[str]) -> str:
    text = with_coasts_behind(text, scanner, phrases)
    text = with_coasts_apart(text, scanner, phrases)
    text = with_coasts_at_seas(text, scanner, board, phrases)
    return with_coasts_alone(text, scanner, phrases, spoken_of)


def coast_named(text: str, scanner: Scanner) -> str:
    """The only place with its coast in a line, "StP/sc"; "" where there is none, or several."""
    places = (token.value for token in scanner.scan(text) if token.type == "PLACE")
    named = {f"{place.provinces[0]}/{place.coast}" for place in places if place.coast}
    return named.pop() if len(named) == 1 else ""


def with_coasts_behind(text: str, scanner: Scanner, phrases: ProsePhrases) -> str:
    """ "the south coast of St Petersburg": the coast behind the name."""
    words = scanner.words
    for match in _coasts(
        text, words, phrases.shore.pattern, r"\b(?:the |der |die )?", r"\s+(?:of|von|in|at)\s+(?:the )?"
    ):
        name = next(iter(scanner.scan(text[match.end() :])), None)
        if name is None or name.type != "PLACE" or name.start_pos or name.value.coast:
            continue
        if not scanner.coasts.keys() & {*name.value.provinces}:
            continue
        end = match.end() + name.end_pos
        written = f"{name.value.text}/{words.sides[match['side']]}c"
        text = text[: match.start()] + written.ljust(end - match.start()) + text[end:]
    return text


def with_coasts_apart(text: str, scanner: Scanner, phrases: ProsePhrases) -> str:
    """ "A fleet in Smyrna (south coast, please)", "Petersburg: Flotte, Südküste": the coast beside its place, or in the
    place of "there": "no army in Hamburg, a fleet there, west coast".
    """
    words = scanner.words
    for match in _coasts(text, words, phrases.shore.pattern, rf"(?:{BEFORE_COAST})*\b", r"\b(?P<bracket>[^()]*\))?"):
        tokens = scanner.scan(text[: match.start()])
        place = next((token for token in reversed(tokens) if token.type == "PLACE"), None)
        if place is None or place.value.coast or SENTENCE_END.search(text, place.end_pos, match.start()):
            continue
        code = _with_a_coast(place, scanner, text[place.end_pos : match.start()])
        written = f"{code}/{words.sides[match['side']]}c"
        known = not code or code not in scanner.coasts or scanner.names.coast(code, written[-2:], scanner.coasts[code])
        if not code or known not in (True, written[-2:]):
            continue
        opened = text.rfind("(", place.end_pos, match.start())
        first, past = match.start(), match.end() if opened >= 0 or not match["bracket"] else match.start("bracket")
        if opened >= 0:
            first = opened
        if pronoun := phrases.there.search(text.lower(), place.end_pos, first):
            text = text[: pronoun.start()] + written.ljust(past - pronoun.start()) + text[past:]
            continue
        text = _with_coast(text, place, written, first, past)
    return text


def _with_a_coast(place: Token, scanner: Scanner, between: str) -> str:
    """The province that words for a coast are about: one with coasts by name, else the one right before them, whose
    only coast it may be: "London, on the south coast"; "" for none.
    """
    named = next((code for code in place.value.provinces if code in scanner.coasts), "")
    beside = not between.strip(" ,(") and len(place.value.provinces) == 1
    return named or (place.value.provinces[0] if beside else "")


def _with_coast(text: str, place: Token, written: str, first: int, past: int) -> str:
    """With the coast beside its place, and without the words for it: in the blanks behind the place, or where these are
    too few in those of the words ("STP fleet, south coast"), so that what stands between comes a little later.
    """
    without = blank(text, first, past)
    beyond = first_word(without, place.end_pos)
    room = beyond - place.start_pos - (1 if beyond < len(without) else 0)  # "Spain (south coast)" has more
    room = max(room, place.end_pos - place.start_pos)
    if len(written) <= room:
        return without[: place.start_pos] + written.ljust(room) + without[place.start_pos + room :]
    moved = f"{written}{text[place.end_pos : first]}"
    room = past - place.start_pos
    return text[: place.start_pos] + moved.ljust(room) + text[past:] if len(moved) < room else text


def with_coasts_at_seas(text: str, scanner: Scanner, board: Board, phrases: ProsePhrases) -> str:
    """ "A fleet in Hamburg (on the North Sea side)": the only coast of the place that this sea touches."""
    for match in islice(phrases.shore.finditer(text.lower()), MOST_SHORES):
        named = [token for token in scanner.scan(text[: match.start()]) if token.type == "PLACE"][-2:]
        if len(named) < 2 or match.start() - named[1].end_pos > 1:
            continue
        place, sea = named
        code = next((code for code in place.value.provinces if code in scanner.coasts), "")
        if not code or place.value.coast or SENTENCE_END.search(text, place.end_pos, match.start()):
            continue
        between = text[place.end_pos : sea.start_pos].lower()
        if phrases.denied_goal.search(between) or phrases.negated.search(between):
            continue  # "not on the North Sea side"
        sides = [at.slot for at in board.provinces[code].locations if _touches(board, at, sea.value.provinces)]
        opened = text.rfind("(", place.end_pos, sea.start_pos)
        closed = text.find(")", match.end()) if opened >= 0 else -1
        before = LEADING_TO_COAST.search(text.lower(), place.end_pos, sea.start_pos)
        first = opened if closed >= 0 else before.start() if before is not None else sea.start_pos
        if len(sides) == 1 and sides[0] in scanner.coasts[code]:
            past = closed + 1 if closed >= 0 else match.end()
            text = _with_coast(text, place, f"{code}/{sides[0]}", first, past)
    return text


def _touches(board: Board, at: Location, seas: Sequence[str]) -> bool:
    return any(near.province in seas for near in board.neighbours(at, Use.MOVE))


def with_coasts_alone(text: str, scanner: Scanner, phrases: ProsePhrases, spoken_of: Sequence[str]) -> str:
    """ "MAO to Spain north coast - no, south coast": the province whose coast is meant stands for words that leave it
    out: the one with coasts named last, else the only one of those `spoken_of` before.
    """
    words = scanner.words
    for match in _coasts(text, words, phrases.shore.pattern, r"\b(?:the |der |die )?", r"(?![\w-]| (?:of|von)\b)"):
        places = [token for token in scanner.scan(text) if token.type == "PLACE"]
        if any(token.start_pos < match.end() and match.start() < token.end_pos for token in places):
            continue
        before = [code for token in places if token.end_pos <= match.start() for code in token.value.provinces]
        named = [code for code in before if code in scanner.coasts][-1:]
        spoken = dict.fromkeys(code for code in spoken_of if code in scanner.coasts)
        codes = named or (list(spoken) if len(spoken) == 1 else [])
        side = f"{words.sides[match['side']]}c"
        written = f"{codes[0]}/{side}" if codes else ""
        if codes and side in scanner.coasts[codes[0]] and len(written) <= len(match.group()):
            text = text[: match.start()] + written.ljust(len(match.group())) + text[match.end() :]
    return text
