"""Moves and holds in words that are all known: a verb of motion or of staying, and words that say nothing beside it.

"We are bringing the Warsaw boys down to Galicia", "my fleet leaves Brest for the Channel": whatever stands around, the
clause names one unit and one other place, and the words leave no doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from gm.judge.model.position import Unit
from gm.language.orders.parsing.lexer import Token, WrittenPlace
from gm.language.prose.guesses.clause import UNKNOWN, Clause
from gm.language.prose.guesses.guess import Guess
from gm.language.prose.guesses.named_orders import SUPPORTS
from gm.language.prose.memory import unit_of
from gm.language.prose.mentions import AWAY, INTO, Mention, mentions_of, unit_called
from gm.language.prose.phrases.word_lists import WordLists, word_lists

MOTION = frozenset({"MOVE", "ARROW", "MINUS", "TO"})
GOES = frozenset({"MOVE", "ARROW"})
NAMED = frozenset({"KIND", "PLACE"})
UNCLEAR = frozenset({"NUMBER", "IF", "NATION"})
BESIDES = frozenset({"SEP", "OF", "FROM", "WITH", "BY"}) | MOTION | NAMED | UNKNOWN
"""Token types of a clause about a unit that moves."""


def lists_of(clause: Clause) -> WordLists:
    return word_lists(clause.context.variant.language)


def in_known_words(clause: Clause, guess: Guess) -> bool:
    """Whether the words of a guess that no order has are verbs of what it says, or say nothing."""
    several = sum(" - " in line and not (" S " in line or " C " in line) for line in guess.lines) > 1
    words = lists_of(clause)
    unknown = {*unknown_words(clause, described=not several)}  # "… is too risky army Budapest …" are two clauses
    holds = sum(line.endswith(" H") for line in guess.lines)
    helps = any(" S " in line for line in guess.lines)
    moves = any(" - " in line for line in guess.lines)
    carries = sum(" C " in line for line in guess.lines)
    if not guess.lines or clause.types & UNCLEAR or (carries and (carries > 1 or clause.types & SUPPORTS)):
        return False
    if holds > 1 or (holds and not helps and len(guess.lines) > 1):
        return False  # "Bulgaria stays with the fleet in Constantinople standing behind it"
    going = words.going | words.bringing
    if moves and not (helps or clause.types & MOTION or going & unknown):
        return False
    pronouns = words.pronouns if _is_of_last(clause, guess) else frozenset()
    acts = (going if moves else frozenset()) | (words.lending if helps else frozenset())
    return unknown <= words.around | pronouns | acts | (words.staying if holds else frozenset())


def _is_of_last(clause: Clause, guess: Guess) -> bool:
    """Whether the order is that of the unit spoken of, which no words of the clause name: "Kiel? She sails to …"."""
    units = {unit_of(line) for line in guess.lines}
    named = {mention.called for mention in mentions_of(clause.tokens, clause.context)}
    return units == {clause.memory.freed} and not units & named


def guess_motion(clause: Clause) -> Guess | None:
    """The move of the only unit named to the only other place, beside a verb of motion."""
    if clause.types - BESIDES:
        return None
    tokens = [token for token in clause.tokens if token.type not in ("SEP", "PLUS")]
    named = _apart(mentions_of(tokens, clause.context))
    if named is None:
        return None
    unit, goal = named
    words, unknown = lists_of(clause), {*unknown_words(clause)}
    leaves = _leaves(clause, tokens, goal)
    verbs = words.going | words.bringing | (words.leaving if leaves else frozenset())
    verbs |= words.taken if "BY" in clause.types else frozenset()
    goes = leaves or clause.types & GOES or verbs & unknown
    guess = clause.guess([f"{unit.called} - {goal.place}"]) if goes else None
    if guess is None or len(guess.lines) != 1:
        return None
    return replace(guess, certain=unknown <= words.around | verbs)


def with_other_unit(clause: Clause) -> Clause:
    """ "The other army moves up to Kiel": with the only unit of the kind that has no order in the letter."""
    words, tokens = lists_of(clause), list(clause.tokens)
    for at, (before, token) in enumerate(pairwise(tokens)):
        if token.type != "KIND" or _text(clause, before) not in words.other or not clause.memory.orders:
            continue
        alike = [unit for unit in clause.context.own_units if unit.kind == token.value]
        free = [unit for unit in alike if unit_called(unit) not in clause.memory.orders]
        named = at + 2 < len(tokens) and tokens[at + 2].type in ("PLACE", "OF")
        named = named or (at > 0 and _text(clause, tokens[at - 1]) in words.distinct)  # "the other army of Italy"
        if len(free) == 1 and len(alike) > 1 and not named:
            tokens[at : at + 2] = [token, _place_of(free[0], token)]
            return replace(clause, tokens=tokens)
    return clause


def with_unit_by_bearing(clause: Clause) -> Clause:
    """ "The southern fleet to the Black Sea", "the northern one to Bothnia": with the only unit of the kind that has no
    order in the letter and can go there.
    """
    words, tokens = lists_of(clause), list(clause.tokens)
    at = next((at for at, token in enumerate(tokens) if _text(clause, token) in words.bearing), len(tokens))
    behind = tokens[at + 1 :]
    if not behind or any(token.type != "SEP" for token in tokens[:at]) or behind[0].type == "PLACE":
        return clause  # "the Italian northern army"
    called = behind[0].type == "KIND"
    if len(behind) > 1 and called and behind[1].type in ("PLACE", "OF"):
        return clause
    here = {unit.at.province for unit in clause.context.own_units}
    if any(here & {*token.value.provinces} for token in behind if token.type == "PLACE"):
        return clause  # "my southern squadron leaves Sevastopol for the Black Sea"
    kind = behind[0].value if called else clause.memory.unit[:1]
    goals = [token.value.text for token in behind if token.type == "PLACE"]
    alike = [unit for unit in clause.context.own_units if unit.kind == kind]
    free = [unit for unit in alike if unit_called(unit) not in clause.memory.orders]
    able = [unit for unit in free if not goals or clause.legal(f"{unit_called(unit)} - {goals[-1]}")]
    if len(able) != 1 or len(alike) < 2 or (not goals and len(free) == len(alike)):
        return clause
    rest = behind[1:] if called or behind[0].type == "NUMBER" else behind
    return replace(clause, tokens=[*tokens[:at], _place_of(able[0], tokens[at]), *rest])


def _place_of(unit: Unit, where: Token) -> Token:
    """The name of the place where a unit is, as if it stood there."""
    province, _, coast = str(unit.at.place).partition("/")
    return Token("PLACE", WrittenPlace(province, *where.span, (province,), coast), where.start_pos, where.end_pos)


def built_in_words(clause: Clause) -> Guess | None:
    """The only unit and home centre named, in words that are all of building: "the yards at Kiel turn out a fleet"."""
    kinds, places = clause.of("KIND"), clause.of("PLACE")
    words, unknown = lists_of(clause), {*unknown_words(clause)}
    if len(kinds) != 1 or len(places) != 1 or clause.types & (UNCLEAR - {"NUMBER"}):
        return None
    if any(str(token.value) != "1" for token in clause.of("NUMBER")):
        return None
    guess = clause.guess([f"Build {kinds[0].value} {places[0].value.text}"])
    known = unknown <= words.around | words.raising and (unknown & words.raising or "BUILD" in clause.types)
    return replace(guess, certain=True) if guess is not None and known else None


def _apart(mentions: Sequence[Mention]) -> tuple[Mention, Mention] | None:
    """The only unit of the writer's and the only other place that a clause names, however often; else None."""
    first = {mention.place.partition("/")[0]: mention for mention in reversed(mentions)}
    if len(first) != 2:
        return None
    goals = [mention for mention in mentions if mention.before in INTO and not mention.is_unit]
    units = [mention for mention in first.values() if mention.unit is not None and mention not in goals]
    if len(units) != 1 or any(mention.before in INTO for mention in units):
        return None
    others = [mention for mention in mentions if mention.unit != units[0].unit]
    if any(mention.before in AWAY for mention in others):
        return None
    return units[0], others[-1]


def _leaves(clause: Clause, tokens: Sequence[Token], goal: Mention) -> bool:
    """Whether a unit leaves the place where it stands for another one: "my fleet leaves Brest for the Channel"."""
    words = lists_of(clause)
    verbs = [at for at, token in enumerate(tokens) if _text(clause, token) in words.leaving]
    place = next((at for at in range(goal.at - 1, -1, -1) if tokens[at].type == "PLACE"), -1)
    between = [token for token in tokens[place + 1 : goal.at] if token.type not in INTO]
    return bool(verbs) and verbs[0] < place and all(_text(clause, token) in words.bound for token in between)


def unknown_words(clause: Clause, *, described: bool = True) -> Iterator[str]:
    """Words that no order has; but for "for" before a place, and what a unit is like: "the beaten Munich army".

    `described`: a unit may be described so.
    """
    words = lists_of(clause)
    tokens = [token for token in clause.tokens if token.type != "SEP"]
    may_describe = described
    for at, (token, after) in enumerate(pairwise([*tokens, *tokens[-1:]])):
        if token.type not in UNKNOWN or (after.type == "PLACE" and _text(clause, token) in words.bound):
            continue
        behind = tokens[at + 2].type if at + 2 < len(tokens) else ""
        of_unit = after.type == "KIND" or (after.type == "PLACE" and behind == "KIND")
        begins = token.start_pos == 0  # "defer army Vienna to Galicia" is no army of a kind
        if (
            token.type == "WORD"
            and of_unit
            and may_describe
            and not begins
            and _text(clause, token) not in words.distinct
        ):
            may_describe = False
            continue
        yield _text(clause, token)


def _text(clause: Clause, token: Token) -> str:
    return clause.text[token.start_pos : token.end_pos].lower()
