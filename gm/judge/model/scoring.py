"""Scores of a game: how tournaments and leagues turn its result into points.

A score depends on the supply centres of each power and on those who share the result. A solo (also a concession to
one power) has a single winner. A draw, or a game that a last year ended, is shared. Rules and where they are published:

draw-size        100 points, shared equally by the powers in the draw; a solo takes all. Calhamer's points, as a
                 percentage: https://theembassydip.blogspot.com/2020/03/tournament-scoring-part-3-draw-size.html
sum-of-squares   each power's centres squared, as a percentage of the sum of all squares; a solo takes 100:
                 https://theembassydip.blogspot.com/2020/03/tournament-scoring-part-4-supply-centre.html
c-diplo          1 point for playing, 1 for each centre, 38, 14 and 7 for the three powers with most centres; powers
                 with equal centres share the points of their places; a solo takes 100 (C-Diplo 100):
                 https://world-diplomacy-database.com/php/scoring/scoring_class.php?id_scoring=5
tribute          1 point for each centre; the survivors share 66; each other survivor pays the leader, or the leaders
                 together, one point for each centre that the leader has above 6, at most its share of the 66; a solo
                 takes 100: https://world-diplomacy-wiki.fandom.com/wiki/Tribute_Scoring_System
survivors        the survivors share 100 equally in a draw; after a solo they share it by their centres, of which no
                 more count for the winner than victory takes. webDiplomacy's Survivors-Win Scoring (points per supply
                 centre): objects/scoringsystem.php of https://github.com/kestasjk/webDiplomacy
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from gm.judge.model.position import Position
from gm.judge.model.variant import Variant

TOTAL = 100
C_DIPLO_PLACES = (38, 14, 7)
TRIBUTE_SHARED = 66
TRIBUTE_FREE = 6
"""Centres of the leader for which nobody pays tribute."""
Scores = Mapping[str, Fraction]


class FinalResult(Struct, frozen=True):
    """What scores depend on. `centres` has every power with a seat; `sharers` won, or share the draw.
    `victory`: the centres that win.
    """

    centres: Mapping[str, int]
    sharers: tuple[str, ...]
    victory: int

    @property
    def solo(self) -> bool:
        return len(self.sharers) == 1

    @property
    def survivors(self) -> tuple[str, ...]:
        return tuple(power for power, count in self.centres.items() if count)


def result_of(variant: Variant, position: Position) -> FinalResult | None:
    """The result, or the one that the game would have if it ended now; None for an end without a result."""
    centres = {power: len(position.centres_of(power)) for power in variant.seated}
    if position.ended is not None:
        return FinalResult(centres, position.ended.winners, variant.victory) if position.ended.winners else None
    most = max(centres.values())
    leaders = tuple(power for power, count in centres.items() if count == most)
    survivors = tuple(power for power, count in centres.items() if count)
    sharers = leaders if most >= variant.victory and len(leaders) == 1 else survivors
    return FinalResult(centres, sharers, variant.victory) if sharers else None


def scores(system: str, result: FinalResult) -> Scores:
    """The points of every power. KeyError for an unknown system."""
    return {power: Fraction(0) for power in result.centres} | dict(SYSTEMS[system](result))


def _alone(result: FinalResult) -> Scores:
    return {result.sharers[0]: Fraction(TOTAL)}


def _draw_size(result: FinalResult) -> Scores:
    return dict.fromkeys(result.sharers, Fraction(TOTAL, len(result.sharers)))


def _sum_of_squares(result: FinalResult) -> Scores:
    whole = sum(count**2 for count in result.centres.values())
    if result.solo or not whole:
        return _draw_size(result)
    return {power: Fraction(TOTAL * count**2, whole) for power, count in result.centres.items()}


def _c_diplo(result: FinalResult) -> Scores:
    if result.solo:
        return _alone(result)
    ranked = sorted(result.centres.values(), reverse=True)
    return {power: 1 + count + _place_points(ranked, count) for power, count in result.centres.items()}


def _place_points(ranked: Sequence[int], count: int) -> Fraction:
    """The points of the places of those with `count` centres, shared between them."""
    first, tied = ranked.index(count), ranked.count(count)
    return Fraction(sum(C_DIPLO_PLACES[first : first + tied]), tied)


def _tribute(result: FinalResult) -> Scores:
    alive = result.survivors
    if result.solo or not alive:
        return _draw_size(result)
    share, most = Fraction(TRIBUTE_SHARED, len(alive)), max(result.centres.values())
    leaders = [power for power in alive if result.centres[power] == most]
    paid = min(share, Fraction(max(0, most - TRIBUTE_FREE)))
    taken = paid * (len(alive) - len(leaders)) / len(leaders)
    return {power: result.centres[power] + share + (taken if power in leaders else -paid) for power in alive}


def _survivors(result: FinalResult) -> Scores:
    alive = result.survivors
    if not alive:
        return _draw_size(result)
    if not result.solo:
        return dict.fromkeys(alive, Fraction(TOTAL, len(alive)))
    counted = {power: min(result.centres[power], result.victory) for power in alive}
    return {power: Fraction(TOTAL * count, sum(counted.values())) for power, count in counted.items()}


SYSTEMS: Mapping[str, Callable[[FinalResult], Scores]] = {
    "draw-size": _draw_size,
    "sum-of-squares": _sum_of_squares,
    "c-diplo": _c_diplo,
    "tribute": _tribute,
    "survivors": _survivors,
}
"""By the values of the setting `scoring`."""
