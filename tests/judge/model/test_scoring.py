"""Scores: each system against a table that its makers have published."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from gm.judge.model.position import Ending
from gm.judge.model.scoring import SYSTEMS, FinalResult, result_of, scores
from gm.judge.model.variant import Variant

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
VICTORY = 18


def result(*centres: int, sharers: str = "") -> FinalResult:
    """`sharers` are the initials of those who share the result; without, everybody with a centre."""
    owned = dict(zip(POWERS, centres, strict=True))
    alive = tuple(power for power, count in owned.items() if count)
    return FinalResult(owned, tuple(power for power in POWERS if power[0] in sharers) or alive, VICTORY)


@pytest.mark.parametrize(
    ("system", "centres", "published"),
    [
        # World Diplomacy Database, C-Diplo 100: both tables of the page
        ("c-diplo", (4, 0, 9, 7, 7, 3, 4), (5, 1, 48, 18.5, 18.5, 4, 5)),
        ("c-diplo", (5, 9, 4, 5, 3, 1, 7), (9.5, 48, 5, 9.5, 4, 2, 22)),
        # The Embassy, Tournament Scoring 4: England 12, Russia 9, Turkey 8, Italy 5
        ("sum-of-squares", (0, 12, 0, 0, 5, 9, 8), (0, 45.86, 0, 0, 7.96, 25.8, 20.38)),
        # Windy City Weasels, game 398, the first that was scored by Tribute
        ("tribute", (0, 0, 13, 4, 4, 12, 1), (0, 0, 54.2, 10.2, 10.2, 18.2, 7.2)),
        # The Embassy, Tournament Scoring 3: a draw of four is 0.25 each, of five 0.20
        ("draw-size", (0, 12, 0, 0, 5, 9, 8), (0, 25, 0, 0, 25, 25, 25)),
        ("draw-size", (1, 12, 0, 0, 4, 9, 8), (20, 20, 0, 0, 20, 20, 20)),
        # webDiplomacy: a draw is shared equally by all who are left
        ("survivors", (0, 12, 0, 0, 5, 9, 8), (0, 25, 0, 0, 25, 25, 25)),
    ],
)
def test_published_draws(system: str, centres: tuple[int, ...], published: tuple[float, ...]) -> None:
    points = scores(system, result(*centres))
    assert [float(points[power]) for power in POWERS] == pytest.approx(published, abs=0.01)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_solo_takes_all_but_what_survivors_keep(system: str) -> None:
    points = scores(system, result(0, 6, 18, 0, 10, 0, 0, sharers="F"))
    kept = {"England": Fraction(600, 34), "France": Fraction(1800, 34), "Italy": Fraction(1000, 34)}
    expected = kept if system == "survivors" else {"France": Fraction(100)}
    assert {power: score for power, score in points.items() if score} == expected


def test_centres_beyond_victory_do_not_count_for_survivors() -> None:
    points = scores("survivors", result(0, 6, 20, 0, 8, 0, 0, sharers="F"))
    assert points["France"] == Fraction(1800, 32)
    assert sum(points.values()) == 100


def test_a_draw_of_some_is_shared_by_these_alone() -> None:
    drawn = result(0, 12, 0, 0, 5, 9, 8, sharers="ER")
    assert {power: float(score) for power, score in scores("draw-size", drawn).items() if score} == {
        "England": 50,
        "Russia": 50,
    }
    assert float(scores("sum-of-squares", drawn)["Italy"]) == pytest.approx(7.96, abs=0.01)


def test_leaders_share_the_tribute_and_nobody_pays_more_than_the_share() -> None:
    points = scores("tribute", result(12, 12, 2, 2, 2, 2, 2))
    share = Fraction(66, 7)
    assert points["France"] == 2 + share - 6
    assert points["Austria"] == points["England"] == 12 + share + 6 * Fraction(5, 2)
    assert scores("tribute", result(17, 3, 3, 3, 3, 3, 2))["Turkey"] == 2  # 11 are due, and the share is 9.4
    assert sum(points.values()) == 100


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_game_has_a_hundred_points(system: str) -> None:
    for centres in ((5, 5, 5, 5, 5, 5, 4), (17, 17, 0, 0, 0, 0, 0), (13, 9, 6, 3, 2, 1, 0)):
        assert sum(scores(system, result(*centres)).values()) == 100


def test_a_running_game_is_scored_as_if_it_ended(standard: Variant) -> None:
    now = result_of(standard, standard.start)
    assert now is not None
    assert now.sharers == standard.seated
    nobody = replace(standard.start, ended=Ending((), "terminated"))
    assert result_of(standard, nobody) is None
    conceded = replace(standard.start, ended=Ending(("Turkey",), "conceded"))
    assert result_of(standard, conceded) == FinalResult(now.centres, ("Turkey",), 18)
    assert scores("sum-of-squares", result_of(standard, conceded) or now)["Turkey"] == 100
