"""Moves, holds, supports and convoys in words, with any verb: "Denmark tiptoes into Kiel"."""

from __future__ import annotations

from msgspec.structs import replace

from gm.judge.model.orders import Support
from gm.language.prose.guesses.carried_along import carried_along
from gm.language.prose.guesses.clause import MOST_WORDS_OF_MOTION, UNKNOWN, Clause
from gm.language.prose.guesses.guess import Guess
from gm.language.prose.guesses.named_orders import guess_moves, guess_wished_support, without_coast
from gm.language.prose.guesses.plain_motion import (
    MOTION,
    guess_motion,
    in_known_words,
    lists_of,
    unknown_words,
    with_other_unit,
    with_unit_by_bearing,
)
from gm.language.prose.mentions import mentions_of, unit_called

IBID = "ibid"
"""The sign for "there too" in grammars/prose."""
MOST_BESIDE = 3
"""Most words not understood beside "goes there": "die geht folglich auch dahin"."""
OF_WARDS = frozenset({"NATION", "PLACE", "HOLD", "SEP", "NUMBER", "FOR", "OF", "TO", "COLON"}) | UNKNOWN
"""Token types of a clause that lets all units of powers hold."""


def guess_orders(clause: Clause) -> Guess | None:
    clause = with_other_unit(clause)
    named = with_unit_by_bearing(clause)
    guess = _guess(named)
    by_bearing = named is not clause  # where the unit is on the board is not looked at
    return replace(guess, certain=False) if by_bearing and guess is not None else guess


def _guess(clause: Clause) -> Guess | None:
    if mutual := clause.mutual.search(clause.text.lower()):
        return _each_other(clause, mutual.span())
    if carried := carried_along(clause):
        return carried
    if wished := guess_wished_support(clause.tokens, clause.context, clause.legal):
        return wished
    if first := _verb_first(clause):
        return first
    if held := _wards_hold(clause):
        return held
    guess = guess_moves(clause.tokens, clause.context, clause.memory, clause.legal)
    if guess is None:
        other = _to_topic(clause) or _supported_instead(clause) or _goes_as_helped(clause)
        return other or guess_motion(clause)
    if clause.carries and not any(" C " in line for line in guess.lines):
        return None  # it is not the fleet that goes
    if guess.certain or _goes(clause) or in_known_words(clause, guess):
        return replace(guess, certain=True)
    return guess_motion(clause) or guess


def _wards_hold(clause: Clause) -> Guess | None:
    """ "Turkey holds, both units", "in Turkey I vote for holding", "Hungary and Turkey hold": every unit of the powers
    named that the writer controls, and the units named beside them.
    """
    powers = {str(token.value) for token in clause.of("NATION")}
    if not powers or not powers <= {*clause.context.controlled} or not {"HOLD"} <= clause.types <= OF_WARDS:
        return None
    places = [{*token.value.provinces} for token in clause.of("PLACE")]
    held = [unit for unit in clause.context.own_units if unit.power in powers]
    beside = [unit for unit in clause.context.own_units if any(unit.at.province in codes for codes in places)]
    if len(beside) != len(places) or any(unit.power in powers for unit in beside):
        return None  # "Turkey's Constantinople holds"
    held += beside
    counts = {str(token.value) for token in clause.of("NUMBER")}
    words = lists_of(clause)
    known = {*unknown_words(clause)} <= words.around | words.staying | words.every
    if not known or not counts <= {str(len(held))}:
        return None
    guess = clause.guess([f"{unit_called(unit)} H" for unit in held])
    return replace(guess, certain=True) if guess is not None else None


def _each_other(clause: Clause, words: tuple[int, int]) -> Guess | None:
    """ "Vienna and Budapest support each other"."""
    mentions = mentions_of(clause.tokens, clause.context)
    if len(mentions) != 2 or any(mention.unit is None for mention in mentions) or "SUPPORT" not in clause.types:
        return None
    first, second = (mention.called for mention in mentions)
    guess = clause.guess([f"{first} S {second}", f"{second} S {first}"])
    others = [token for token in clause.of(*UNKNOWN) if not words[0] <= token.start_pos < words[1]]
    return replace(guess, certain=not others) if guess is not None else None


def _verb_first(clause: Clause) -> Guess | None:
    """German "dann unterstützt Wien Budapest nach Galizien": the unit behind the verb supports the next one."""
    verb = clause.verb_first.search(clause.text.lower())
    mentions = mentions_of(clause.tokens, clause.context)
    if verb is None or not 2 <= len(mentions) <= 3 or mentions[0].unit is None:
        return None
    moves, move = len(mentions) == 3, mentions[-1].before in MOTION
    if clause.tokens[mentions[0].at].start_pos < verb.end() or moves != move:
        return None
    goal = f" - {mentions[2].name}" if moves else ""
    guess = clause.guess([f"{mentions[0].called} S {mentions[1].called}{goal}"])
    others = [token for token in clause.of(*UNKNOWN) if not verb.start() <= token.start_pos < verb.end()]
    return replace(guess, certain=not others) if guess is not None else None


def _to_topic(clause: Clause) -> Guess | None:
    """ "We need Galicia back, so Warsaw attacks it"."""
    mentions = mentions_of(clause.tokens, clause.context)
    acts = clause.types - {"KIND", "PLACE", "SEP"}
    if len(mentions) != 1 or mentions[0].at or not clause.memory.topic or not acts or acts - MOTION:
        return None
    return clause.guess([f"{mentions[0].called} - {clause.memory.topic}"])


def _supported_instead(clause: Clause) -> Guess | None:
    """ "Serbia does not go to Bulgaria, it supports Greece": a support of the unit that was spoken of."""
    named = mentions_of(clause.tokens, clause.context)
    mentions = [mention.called for mention in named]
    if clause.memory.order_before and clause.types == {"SUPPORT"}:  # "support that" below "> A Ukr"
        return clause.guess([f"{clause.memory.answered} S {without_coast(clause.memory.order_before)}"])
    if not clause.memory.freed or not 0 < len(mentions) <= 2:
        return None
    goes = len(mentions) == 1 or named[1].before == "TO"
    last = clause.tokens[-1]
    ends = not clause.text[last.end_pos :].strip(" .,;:!")  # but "Trieste supports it"
    behind = last.type == "SUPPORT" and ends and goes  # "es soll Griechenland unterstützen"
    if clause.tokens[0].type != "SUPPORT" and not behind:
        return None
    goal = "".join(f" - {name.rpartition(' ')[2]}" for name in mentions[1:])
    return clause.guess([f"{clause.memory.freed} S {mentions[0]}{goal}"])


def _goes_as_helped(clause: Clause) -> Guess | None:
    """ "Bulgaria supports the Black Sea to Rumania, and it goes there": the move that the order before supports."""
    mentions = mentions_of(clause.tokens, clause.context)
    last = clause.memory.statements[-1] if clause.memory.statements else None
    goes = bool(clause.types & MOTION) and not clause.types - MOTION - UNKNOWN - {"PLACE", "SEP"}
    if not isinstance(last, Support) or last.to is None or not goes:
        return None
    words = len(clause.of(*UNKNOWN))
    goals = [mention.place.partition("/")[0] for mention in mentions]
    there = goals == [last.to.province] or (not goals and IBID in clause.text.split())
    guess = clause.guess([f"{last.target} - {last.to}"]) if there and words <= MOST_BESIDE else None
    return replace(guess, certain=words <= 1) if guess is not None else None


def _goes(clause: Clause) -> bool:
    """Whether a clause is a unit, some words of motion and where to, and nothing else."""
    tokens, mentions = clause.tokens, mentions_of(clause.tokens, clause.context)
    if len(mentions) != 2 or mentions[0].at or mentions[0].unit is None or mentions[1].before != "TO":
        return False
    words = [token for token in tokens if token.type in UNKNOWN]
    goal = tokens[mentions[1].at].start_pos
    return (
        len(words) <= MOST_WORDS_OF_MOTION
        and {token.type for token in tokens} <= {"KIND", "PLACE", "WORD", "TO", "SEP"}
        and tokens[0].start_pos < words[0].start_pos
        and words[-1].start_pos < goal
        and not clause.no_motion.search(clause.text[:goal].lower())
    )
