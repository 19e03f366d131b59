"""Which later phase a sentence is about, and what it wants then: "if I get builds, an army in Paris"."""

from __future__ import annotations

from collections.abc import Set
from itertools import pairwise

from msgspec import Struct

from gm.language.letter.other_phases import ADJUSTMENTS, next_phase_with
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders import phase_names, retreat_preferences
from gm.language.orders.line_reader import open_sheet_reader
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.mentions import TOWARDS
from gm.language.prose.phrases.prose_phrases import phrases_of

RETREATING = TOWARDS | {"RETREAT", "MINUS"}
"""Token types before a place to which a unit retreats."""
OTHERWISE = frozenset({"SUPPORT", "SUPPORTED", "CONVOY", "HOLD"})
"""Token types of words that say more than where a unit retreats."""
MOVES = "moves"
"""The kind of sheet of moves."""
EVENTS = "moving_borders"
"""The kind of sheet of seismic events."""


class LaterWords(Struct, frozen=True):
    """`phase`: its code, "" for none. `words`: the sentence without its name, or a list of retreats. `by_condition`:
    the phase is known by a condition alone; `declines`: they want nothing then.
    """

    words: str
    phase: str = ""
    by_condition: bool = False
    retreat: bool = False
    declines: bool = False


def later_words(words: str, context: LetterContext, spoken_of: str = "") -> LaterWords:
    """`spoken_of`: the province of the unit that a pronoun stands for."""
    variant, position = context.variant, context.position
    phrases, low = phrases_of(variant), words.lower()
    if context.later or not context.power:
        return LaterWords(words)
    if match := phrases.if_builds.search(low):
        phase = next_phase_with(context, ADJUSTMENTS) if variant.step(position).grammar != ADJUSTMENTS else ""
        rest = f"{words[: match.start()]}{words[match.end() :]}".strip(" ,:")
        return LaterWords(rest if _names_kind(rest, context) else "", phase, by_condition=bool(phase))
    if variant.step(position).grammar == MOVES and phrases.no_builds.search(low):
        phase = next_phase_with(context, ADJUSTMENTS)
        return LaterWords("", phase, by_condition=bool(phase), declines=bool(phase))
    if (match := phrases.if_dislodged.search(low)) and (wish := _retreat(words, match.end(), context, spoken_of)):
        phase = retreat_preferences.next_retreats(variant, position)
        return LaterWords(wish, phase, by_condition=True, retreat=True)
    if phrases.of_event.search(low) and variant.step(position).grammar != EVENTS:
        phase = next_phase_with(context, EVENTS)
        return LaterWords(words, phase, by_condition=bool(phase))
    later = phrases.next_moves.search(low) or phrases.later.search(low)
    if later is None:
        return LaterWords(words)
    is_next = phrases.next_moves.fullmatch(later.group()) is not None
    named = phase_names.read_phase(later.group(), variant, position) or ""
    phase = phase_names.next_moves(variant, position) if is_next else named
    return LaterWords(words[: later.start()] + words[later.end() :].lstrip(" :,"), phase)


def _retreat(words: str, past: int, context: LetterContext, spoken_of: str) -> str:
    """ "Ruh: Mun, Ber", the only unit named in the condition that ends at `past` and the places behind it."""
    reader = open_sheet_reader(context)
    tokens = reader.scanner.scan(words) if reader is not None else ()
    before = [token for token in tokens if token.type == "PLACE" and token.start_pos < past]
    here = {unit.at.province for unit in context.own_units}
    units = {code for token in before for code in token.value.provinces} & here or {spoken_of} & here
    behind = [token for token in tokens if token.start_pos >= past and not _is_at(token, units)]
    places = [token for token in behind if token.type == "PLACE"]
    goes = any(goal.type == "PLACE" and first.type in RETREATING for first, goal in pairwise(behind))
    of_others = any(token.type in OTHERWISE or _is_at(token, here) for token in behind)
    negated = phrases_of(context.variant).negated.search(words.lower(), past)
    if len(units) != 1 or not goes or of_others or negated:
        return ""
    return f"{units.pop()}: {', '.join(token.value.text for token in places)}"


def _names_kind(words: str, context: LetterContext) -> bool:
    """A place alone may be built in, or only be spoken of."""
    reader = open_sheet_reader(context)
    return reader is not None and any(token.type == "KIND" for token in reader.scanner.scan(words))


def _is_at(token: Token, provinces: Set[str]) -> bool:
    return token.type == "PLACE" and not provinces.isdisjoint(token.value.provinces)
