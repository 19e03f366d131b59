"""What wings do but move, support and hold: they bomb and intercept. Words that name such an act move no unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set

from msgspec.structs import replace

from gm.judge.board.board import AIR
from gm.language.orders.line_reader import LineReader
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.clauses import sentence_past
from gm.language.prose.guesses.clause import UNKNOWN, Clause
from gm.language.prose.guesses.ferries_guess import guess_passage
from gm.language.prose.guesses.guess import REFUSED, Flaw, Guess
from gm.language.prose.guesses.plain_motion import lists_of, unknown_words
from gm.language.prose.phrases.word_lists import word_lists

INTERCEPT, BOMB = "intercept", "bomb"
ACTS = {"INTERCEPT": INTERCEPT, "BOMB": BOMB}
"""Notation of an act; "intercepts bombers" is no bombing."""
AROUND = frozenset(
    {"KIND", "PLACE", "ANY", "MOVE", "ARROW", "TO", "VIA", "OF", "BY", "WITH", "FOR", "SEP", "HOLD", *ACTS}
)
"""Token types of a clause that says nothing but what a wing does, and to whom: "whatever comes over Yorkshire"."""


BETWEEN = frozenset({"OF", "FROM", "VIA"})
"""Between the word for a wing and its place."""
LISTED = frozenset({"PLACE", "SEP", "TALK", "VIA"})
"""Types of tokens in a list of areas, and behind it."""
WORDS = re.compile(r"[^\W\d_]+")


def air_act(types: Set[str]) -> str:
    """What words of these types let a wing do; "" for no act of wings alone."""
    return next((act for name, act in ACTS.items() if name in types), "")


def act_of(called: str, act: str, areas: Iterable[str]) -> str:
    """ "W Lon intercept (NTH, ENG)", "W Lon bomb Pic"."""
    return f"{called} {act} ({', '.join(areas)})" if act == INTERCEPT else f"{called} {act} {' '.join(areas)}"


def guess_wing(clause: Clause) -> Guess | None:
    act = air_act(clause.types)
    wings = _wings(clause) if act else []
    if not wings:
        return guess_passage(clause)
    acts = [token for token in clause.tokens if ACTS.get(token.type) == act]
    if len(wings) > 1 or len(acts) > 1:
        return None if clause.is_sentence else REFUSED
    wing, others = wings[0], [token for token in clause.of("PLACE") if token is not wings[0]]
    areas = dict.fromkeys(_area(token) for token in others)
    if act == BOMB and len(areas) != 1:
        return REFUSED
    line = act_of(_called(wing, clause), act, areas)
    known = {*unknown_words(clause)} <= lists_of(clause).around | lists_of(clause).going | lists_of(clause).staying
    certain = known and clause.types <= AROUND | UNKNOWN
    if not clause.legal(line):
        return Guess((), certain, flaws=(Flaw(line, clause.tokens[0].start_pos, clause.tokens[-1].end_pos),))
    guess = clause.guess([line])
    # "… shall intercept bombers over Burgundy, Belgium and …": the verb at the end is that of all clauses before
    whole = clause.is_sentence and act == INTERCEPT and acts[0].start_pos > clause.of("PLACE")[-1].start_pos
    return replace(guess, certain=certain, whole=whole and not certain) if guess is not None else None


def _area(token: Token) -> str:
    """By its code, where the name has one meaning: another name may not stand in an order."""
    provinces = token.value.provinces
    return str(provinces[0] if len(provinces) == 1 else token.value.text)


def _wings(clause: Clause) -> list[Token]:
    """The names of places of the wings that act: the writer's own that are called wings, else the first one that is
    called so; without that word the first place where they have a wing and nothing else.
    """
    kinds, tokens = clause.context.variant.kinds, [token for token in clause.tokens if token.type not in BETWEEN]
    flying = [kinds[token.value].layer == AIR if token.type == "KIND" else False for token in tokens]
    called: list[Token] = []
    for at, token in enumerate(tokens):
        beside = flying[at - 1 : at] if at and tokens[at - 1] not in called else []
        if token.type == "PLACE" and any([*beside, *flying[at + 1 : at + 2]]):
            called.append(token)
    own = [token for token in called if _has_wing(clause, token)]
    alone = [token for token in clause.of("PLACE") if not any(flying) and _has_wing(clause, token, alone=True)]
    return own or called[:1] or alone[:1]


def _has_wing(clause: Clause, place: Token, *, alone: bool = False) -> bool:
    """`alone`: and no other unit there."""
    kinds, codes = clause.context.variant.kinds, place.value.provinces
    layers = {kinds[unit.kind].layer for unit in clause.context.own_units if unit.at.province in codes}
    return layers == {AIR} if alone else AIR in layers


def _called(place: Token, clause: Clause) -> str:
    """ "W Lon", also where no wing is."""
    kinds = clause.context.variant.kinds
    return f"{next(code for code, kind in kinds.items() if kind.layer == AIR)} {place.value.provinces[0]}"


def with_areas_listed(text: str, sheet: LineReader, language: str) -> str:
    """ "Intercept any bomber over Yorkshire or the North Sea, then Wales": with commas between the areas of an
    interception, of which not the writer chooses. Not where the words behind say what another unit does.
    """
    if "BOMB" not in sheet.grammar.terminals:
        return text
    joining = word_lists(language).listing
    start = 0
    while start < len(text):
        past = sentence_past(text, start)
        tokens = sheet.scanner.scan(text[start:past])
        for first, behind in _gaps(text[start:past], tokens, joining):
            text = f"{text[: start + first]}{','.ljust(behind - first)}{text[start + behind :]}"
        start = max(past, start + 1)
    return text


def _gaps(text: str, tokens: Sequence[Token], joining: Set[str]) -> Iterator[tuple[int, int]]:
    """The columns between areas of the only interception of a sentence that nothing follows."""
    if sum(token.type == "INTERCEPT" for token in tokens) != 1:
        return
    for behind, token in reversed(list(enumerate(tokens))):
        before = next((other for other in reversed(tokens[:behind]) if other.type == "PLACE"), None)
        if token.type == "PLACE" and before is not None:
            words = WORDS.findall(text[before.end_pos : token.start_pos].lower())
            if not words or not {*words} <= joining:
                return
            yield before.end_pos, token.start_pos
        elif token.type not in LISTED and token.type != "INTERCEPT":
            return
