"""Powers are assigned with the least sum of preference ranks; ties are broken by lot."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.game.players.power_assignment import cheapest_assignment, deal_powers
from gm.language.commands.preferences import PowerPreference, read_preferences
from gm.variant_files.library import Library

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


@st.composite
def _wishes(draw: st.DrawFn) -> list[PowerPreference]:
    wishes = []
    for _ in range(draw(st.integers(1, 5))):
        order = draw(st.permutations(POWERS[:5]))
        cuts = sorted(draw(st.sets(st.integers(1, 5), max_size=4)))
        groups = [tuple(order[a:b]) for a, b in zip([0, *cuts], cuts, strict=False)]
        wishes.append(PowerPreference(tuple(group for group in groups if group)))
    return wishes


@given(_wishes(), st.text(max_size=5))
def test_the_sum_of_ranks_is_least(wishes: list[PowerPreference], seed: str) -> None:
    powers = POWERS[:5]
    dealt = deal_powers(wishes, powers, seed)
    assert len(set(dealt)) == len(wishes)
    assert dealt == deal_powers(wishes, powers, seed)
    best = min(
        sum(wish.rank(power) for wish, power in zip(wishes, some, strict=True))
        for some in permutations(powers, len(wishes))
    )
    assert sum(wish.rank(powers[at]) for wish, at in zip(wishes, dealt, strict=True)) == best


def test_ties_are_broken_by_lot() -> None:
    wishes = [PowerPreference((("France",),)), PowerPreference((("France",),)), PowerPreference()]
    winners = Counter(deal_powers(wishes, ("France", "Italy", "Turkey"), str(seed)).index(0) for seed in range(300))
    assert set(winners) == {0, 1}
    assert min(winners.values()) > 100


def test_no_players_get_no_powers() -> None:
    assert cheapest_assignment([]) == []
    assert deal_powers([], POWERS, "x") == []


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("E[FGR]*", (("England",), ("France", "Germany", "Russia"))),
        ("EFG", (("England",), ("France",), ("Germany",))),
        ("ger", (("Germany",), ("England",), ("Russia",))),
        ("Ger, Fra", (("Germany",), ("France",))),
        ("England > (France = Russia) > *", (("England",), ("France", "Russia"))),
        ("as Turkey", (("Turkey",),)),
        ("E E [E F]", (("England",), ("France",))),
        ("[EF", (("England", "France"),)),
        ("*", ()),
        ("", ()),
        ("[[]]", ()),
    ],
)
def test_preferences_are_read(library: Library, text: str, ranks: tuple[tuple[str, ...], ...]) -> None:
    variant = library.variant("standard", {})
    wish = read_preferences(text, variant)
    assert (wish.ranks, wish.unknown) == (ranks, "")
    assert read_preferences(wish.text, variant) == wish


def test_an_unknown_power_is_reported(library: Library) -> None:
    assert read_preferences("England, Atlantis", library.variant("standard", {})).unknown == "Atlantis"


def test_preferences_read_back_in_every_variant(library: Library) -> None:
    """Names of several words, and powers of one initial, in every variant."""
    for name in library.ids():
        variant = library.variant(name, {})
        every = tuple(power.name for power in variant.powers)
        for wish in (PowerPreference(tuple((power,) for power in every)), PowerPreference((every,))):
            assert read_preferences(wish.text, variant) == wish, name
            assert read_preferences(wish.text.upper(), variant) == wish, name
