"""The kinds of units at the start in words: "armies everywhere except Odessa", "only in Trieste a fleet"."""

from __future__ import annotations

from msgspec.structs import replace

from gm.judge.model.orders import Build
from gm.judge.steps.unit_placement import homes
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.clause import Clause
from gm.language.prose.guesses.guess import Flaw, Guess
from gm.language.prose.guesses.unit_lists import ListedUnits, listed_units, with_unknown_places
from gm.language.prose.memory import province_of


def guess_unit_placement(clause: Clause) -> Guess | None:
    if any(token.value != clause.context.power for token in clause.of("NATION")):
        return None
    clause = with_unknown_places(clause)
    if other := _other_kind(clause):
        return other
    listed = listed_units(clause)
    if listed is None:
        return None
    if listed.others and clause.memory.is_doubted:
        return None
    counts = [int(token.value) for token in clause.of("NUMBER") if str(token.value).isdigit()]
    if "ALL" in clause.types and not listed.others and max(counts, default=0) > len(listed.units):
        return None  # "all three start as armies, Hamburg too"
    named = [(_line(kind, place), place) for kind, place in listed.units]
    if listed.others:
        others = _others(clause, listed)
        if others is None:
            return None
        if all(place.value.provinces for _, place in named):
            return clause.guess_partly(named, others, certain=listed.is_sure)
        guess = clause.guess_partly(named, certain=listed.is_sure)
        words = clause.of("ALL")
        unclear = Flaw(listed.others, words[0].start_pos, words[-1].end_pos)
        return replace(guess, flaws=(*guess.flaws, unclear)) if guess is not None else None
    if listed.excepted:
        return None
    if all(kind for kind, _ in listed.units):
        return clause.guess_partly(named, certain=listed.is_sure)
    return clause.guess([line for line, _ in named], certain=listed.is_sure)


def _others(clause: Clause, listed: ListedUnits) -> list[str] | None:
    """The units of the home centres that are not named, and of those that are excepted; None where the words count
    another number of them.
    """
    named = {code for _, place in listed.units for code in place.value.provinces}
    named |= {code for place in listed.excepted for code in place.value.provinces}
    named |= {order.unit.at.province for order in clause.written(Build)}
    left = [code for code in homes(clause.context.position, clause.context.power) if code not in named]
    if listed.unnamed not in (0, len(left)):
        return None
    excepted = [line for place in listed.excepted if (line := _other(clause, listed.others, place))]
    return [*(f"{listed.others} {code}" for code in left), *excepted]


def _other_kind(clause: Clause) -> Guess | None:
    """ "Change the army in Hamburg to a fleet": another kind for a unit so far; and "make it a fleet", for the one that
    was taken back.
    """
    kinds = [str(token.value) for token in clause.of("KIND")]
    places = clause.of("PLACE")
    if len(places) > 1 or not kinds or clause.types & {"ALL", "EXCEPT"} or clause.is_plural(clause.of("KIND")[-1]):
        return None
    home = {*places[0].value.provinces} if places else {province_of(clause.memory.freed)}
    units = [order.unit for order in (*clause.on_file(Build), *clause.written(Build)) if order.unit.at.province in home]
    old = units[-1].kind if units else ""
    is_named = bool(places) and len(kinds) > 1 and clause.tokens[-1].type == "KIND"
    if kinds[:-1] != ([old] if is_named else []) or kinds[-1] == old or not (is_named or (old and not places)):
        return None
    line = _line(kinds[-1], places[0]) if places else clause.built(kinds[-1], units[-1].at.province)
    span = places[0].span if places else clause.of("KIND")[-1].span
    return clause.guess([line]) or Guess((), certain=True, flaws=(Flaw(line, *span),))


def _line(kind: str, place: Token) -> str:
    return f"{kind} {place.value.text}"


def _other(clause: Clause, kind: str, place: Token) -> str:
    """The unit of an excepted centre, where only one other is possible there."""
    lines = [_line(code, place) for code in clause.context.variant.kinds if code != kind]
    possible = [line for line in lines if clause.legal(line)]
    return possible[0] if len(possible) == 1 else ""
