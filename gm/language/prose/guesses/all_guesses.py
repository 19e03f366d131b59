"""Who guesses the orders of a clause, by the name of the sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gm.language.orders.parsing.lexer import Token
from gm.language.prose.acts_of_wings import guess_wing
from gm.language.prose.guesses.adjustments_guess import guess_adjustments, guess_taken_back
from gm.language.prose.guesses.clause import Clause, Guesser
from gm.language.prose.guesses.diplomacy_points_guess import guess_points, guess_points_taken_back
from gm.language.prose.guesses.dips_guess import guess_dips, guess_dips_taken_back
from gm.language.prose.guesses.ferries_guess import guess_passage
from gm.language.prose.guesses.influence_guess import compares_bids, guess_bids, guess_bids_taken_back
from gm.language.prose.guesses.likely_points import likely_points, sends_minor
from gm.language.prose.guesses.moves_guess import guess_orders
from gm.language.prose.guesses.moving_borders_guess import guess_event
from gm.language.prose.guesses.retreats_guess import guess_retreats
from gm.language.prose.guesses.unit_placement_guess import guess_unit_placement

GUESSES: Mapping[str, Guesser] = {
    "moves": guess_orders,
    "ferries": guess_passage,
    "wings": guess_wing,
    "diplomacy_points": guess_points,
    "dips": guess_dips,
    "retreats": guess_retreats,
    "adjustments": guess_adjustments,
    "unit_placement": guess_unit_placement,
    "moving_borders": guess_event,
    "influence": guess_bids,
}
TAKEN_BACK: Mapping[str, Guesser] = {
    "adjustments": guess_taken_back,
    "diplomacy_points": guess_points_taken_back,
    "dips": guess_dips_taken_back,
    "influence": guess_bids_taken_back,
}
"""The orders that are left where words take something back that no unit is ordered to do, by the name of the sheet."""
LIKELY: Mapping[str, Callable[[Clause, Sequence[Token]], tuple[str, ...]]] = {"diplomacy_points": likely_points}
"""What words most likely mean that no guess fits, given what the line says elsewhere; it is only proposed."""
IMPOSSIBLE: Mapping[str, tuple[Callable[[Clause], bool], str]] = {
    "diplomacy_points": (sends_minor, "points-hold-or-support"),
    "influence": (compares_bids, "bid-compared"),
}
"""Words that ask for what no order does, and the key of the error that says so."""
LISTS = frozenset({"retreats", "adjustments", "unit_placement", "moving_borders", "influence"})
"""Sheets of lists, whose words between the parts count."""
WHOLE_SENTENCES = LISTS | {"diplomacy_points", "dips", "ferries", "wings"}
"""Sheets on which the clauses of a sentence are read together first."""
