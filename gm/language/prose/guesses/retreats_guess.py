"""Retreats in words: "bud", "just disband it", "my fleet runs to Brest", "1. Por 2. Bre 3. disband".

The unit may be left out where only one of the writer's must leave. A sentence names what each unit does behind the
unit, "Munich falls back on Silesia and the Kiel army on Berlin", or in front of it, "Silesia for Munich".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from gm.judge.model.position import Unit
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.clause import MOST_WORDS_OF_MOTION, UNKNOWN, Clause
from gm.language.prose.guesses.guess import REFUSED, Guess
from gm.language.prose.guesses.plain_motion import in_known_words
from gm.language.prose.memory import unit_of
from gm.language.prose.mentions import TOWARDS, unit_called

BESIDE_A_GOAL = frozenset({"SEP", "KIND", "OF", "NUMBER"})
"""Token types that may stand between the word "to" and a place."""


SIDE_BY_SIDE = frozenset({"and", "or", "the", "to", "und", "oder", "nach", "&", "/", "in", "den", "die", "das", "der"})
"""Words between two places of which one will be chosen."""


class Flight(Struct, frozen=True):
    """What words say of units: places to go to, or that they disband. `named`: with a unit's place or kind."""

    units: tuple[Unit, ...]
    acts: tuple[Token, ...]
    named: bool = True

    @property
    def goals(self) -> tuple[Token, ...]:
        return tuple(token for token in self.acts if token.type == "PLACE")


def guess_retreats(clause: Clause) -> Guess | None:
    due = clause.context.dislodged_units
    if not due or any(token.value not in clause.context.powers for token in clause.of("NATION")):
        return None
    if "DISBAND" in clause.types and _names_others(clause, due):
        return None
    flights = list(_flights(clause, due))
    lines: list[str] = []
    for flight in flights:
        here = _lines(clause, flight)
        if not here:
            choices = _choices(clause, flight)
            return Guess(choices, certain=False, whole=clause.is_sentence) if choices else None
        lines += [line for line in here if line not in lines]
    if len({unit_of(line) for line in lines}) < len(lines):
        return REFUSED if clause.is_sentence else None
    return _ordered(clause, lines, flights)


def _names_others(clause: Clause, due: Sequence[Unit]) -> bool:
    """Whether words are about a unit that need not retreat: "Spain disbands its fleet, not the wing"."""
    kinds = (token for token in clause.of("KIND") if token.end_pos - token.start_pos > 1)
    others = any(token.value not in {unit.kind for unit in due} for token in kinds)
    wards = (token for token in clause.of("NATION") if token.value in clause.context.controlled)
    return others or any(token.value not in {unit.power for unit in due} for token in wards)


def _flights(clause: Clause, due: Sequence[Unit]) -> Iterator[Flight]:
    """The words cut into what each unit does; nothing where it is not clear which words belong together."""
    steps = [(token, _called(token, due, clause.context)) for token in clause.tokens]
    steps = [(token, unit) for token, unit in steps if unit is not None or token.type in ("PLACE", "DISBAND")]
    if not any(unit for _, unit in steps):
        yield from _unnamed(clause, due, [token for token, _ in steps])
        return
    in_front = steps[0][1] is None
    if in_front and steps[-1][1] is None:
        return
    units: list[Unit] = []
    acts: list[Token] = []
    for token, unit in steps:
        begins = unit is not None and acts if not in_front else unit is None and units
        if begins:
            yield Flight(tuple(dict.fromkeys(units)), tuple(acts))
            units, acts = [], []
        if unit is not None:
            units.append(unit)
        else:
            acts.append(token)
    yield Flight(tuple(dict.fromkeys(units)), tuple(acts))


def _called(token: Token, due: Sequence[Unit], context: LetterContext) -> Unit | None:
    """The unit that a place, or the only unit that a kind alone names."""
    if token.type == "NATION" and token.value in context.controlled:
        theirs = [unit for unit in due if unit.power == token.value]
        return theirs[0] if len(theirs) == 1 else None
    if token.type == "PLACE":
        return next((unit for unit in due if unit.at.province in token.value.provinces), None)
    if token.type != "KIND":
        return None
    alike = [unit for unit in due if unit.kind == token.value]
    return alike[0] if len(alike) == 1 else None


def _unnamed(clause: Clause, due: Sequence[Unit], acts: Sequence[Token]) -> Iterator[Flight]:
    """The only unit that must leave, the one of which the words before it spoke, or all of them."""
    freed = [unit for unit in due if unit_called(unit) == (clause.memory.freed or clause.it)]
    every = "ALL" in clause.types or any(token.value == str(len(due)) for token in clause.of("NUMBER"))
    disbands = [token.type for token in acts] == ["DISBAND"]
    if acts and (len(due) == 1 or (every and disbands) or freed):
        yield Flight(tuple(due if every and disbands else freed or due), tuple(acts), named=False)


def _lines(clause: Clause, flight: Flight) -> list[str]:
    """The orders of one flight; () where its words leave several open."""
    disbands = len(flight.goals) < len(flight.acts)
    if disbands and not flight.goals:
        return [f"{unit_called(unit)} D" for unit in flight.units]
    if len(flight.units) != 1 or not flight.goals:
        return []
    unit = unit_called(flight.units[0])
    if len(flight.goals) == 1 and not disbands:
        return [f"{unit} - {flight.goals[0].value.text}"]
    if "NUMBER" not in clause.types:
        return []
    return [line for goal in flight.goals if clause.legal(line := f"{unit} - {goal.value.text}")][:1]


def _choices(clause: Clause, flight: Flight) -> tuple[str, ...]:
    """The orders of one unit that could go to places side by side, "Berlin or the Ruhr": neither is certain."""
    between = [clause.text[a.end_pos : b.start_pos] for a, b in pairwise(flight.goals)]
    if not all(words and set(words.lower().split()) <= SIDE_BY_SIDE for words in between):
        return ()
    units = [unit_called(unit) for unit in flight.units[:1]]
    lines = [line for unit in units for goal in flight.goals for line in clause.legal(f"{unit} - {goal.value.text}")]
    return tuple(dict.fromkeys(lines)) if len(set(lines)) > 1 else ()


def _ordered(clause: Clause, lines: Sequence[str], flights: Sequence[Flight]) -> Guess | None:
    """A second order for a unit without its name is not certain."""
    corrected = clause.memory.corrects and len(clause.context.dislodged_units) == 1  # "Smyrna? No. Cairo, be sensible"
    freed = (clause.memory.freed or clause.it) != "" or corrected
    named = all(flight.named for flight in flights)
    ordered = {str(getattr(statement, "unit", "")) for statement in clause.memory.statements}
    bare = not named and clause.types == {"PLACE"} and not clause.is_sentence
    again = bare or (not named and any(unit_of(line) in ordered for line in lines))
    again &= not {line for text in lines for line in clause.legal(text)} <= {*clause.memory.orders.values()}
    guess = clause.guess(lines, certain=not again or freed)
    if guess is None or guess.certain or (again and not freed):
        return guess
    known = all(_is_motion(clause, flight) for flight in flights) and _words_are_between(clause, flights)
    return Guess(guess.lines, certain=known or (named and in_known_words(clause, guess)))


def _is_motion(clause: Clause, flight: Flight) -> bool:
    """Whether a flight is a unit by name, words of motion, and the place it goes to behind "to"."""
    if not flight.named or len(flight.acts) != 1 or flight.acts[0].type != "PLACE":
        return False
    goal = flight.acts[0]
    before = [token for token in clause.tokens if token.end_pos <= goal.start_pos and token.type not in BESIDE_A_GOAL]
    return (
        bool(before)
        and before[-1].type in TOWARDS
        and not clause.no_motion.search(clause.text[: goal.start_pos].lower())
    )


def _words_are_between(clause: Clause, flights: Sequence[Flight]) -> bool:
    """Whether all words that are not understood stand between a unit and where it goes."""
    unknown = [token for token in clause.tokens if token.type in UNKNOWN]
    goals = [flight.acts[0].start_pos for flight in flights]
    ends = [flight.acts[0].end_pos for flight in flights]
    names = [token for token in clause.tokens if token.type in ("PLACE", "KIND") and token.start_pos not in goals]
    for at, goal in enumerate(goals):
        first = min((name.start_pos for name in names if name.start_pos >= (ends[at - 1] if at else 0)), default=goal)
        inside = [token for token in unknown if first < token.start_pos < goal]
        named = any(clause.text[token.start_pos].isupper() for token in inside)  # "A Wxr - Wil"
        if named or len(inside) > MOST_WORDS_OF_MOTION:
            return False
        unknown = [token for token in unknown if token not in inside]
    return not unknown and "IF" not in clause.types
