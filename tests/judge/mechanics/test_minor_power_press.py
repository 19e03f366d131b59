"""Letters to minor powers and from them: who reads, who writes, as control passes."""

from __future__ import annotations

from msgspec.structs import replace
from support.shipped import LIBRARY

from gm.judge.mechanics.influence.influence_points import with_controllers
from gm.judge.model.position import Position
from gm.judge.model.press import ReleaseTime
from gm.judge.model.variant import Variant


def held(position: Position, *powers: str) -> Position:
    return replace(position, ledger=with_controllers(position.ledger, "Poland", powers))


def test_the_controller_reads_and_writes_press() -> None:
    europe = LIBRARY.variant("europe-1933")
    press, start = europe.press, europe.start
    assert press.readers(start, europe, "Poland") == frozenset()
    for powers in (("Germany",), ("Germany", "Russia")):
        here = held(start, *powers)
        assert press.readers(here, europe, "Poland") == frozenset(powers)
        assert press.readers(here, europe, "Germany") == {"Germany"}
        assert all(press.names(here, europe, power) == (power, "Poland") for power in powers)
        assert press.names(here, europe, "France") == ("France",)
    assert press.everyone(start, europe) == tuple(power.name for power in europe.powers)


def test_only_hidden_control_keeps_readers_secret_and_holds_letters() -> None:
    def press_rules(variant: Variant) -> tuple[bool, ReleaseTime, bool]:
        return variant.press.secret_names, variant.press.release, variant.press.anonymous

    assert press_rules(LIBRARY.variant("europe-1933")) == (False, ReleaseTime.AT_ONCE, False)
    hidden = LIBRARY.variant("europe-1933", {"hidden_control": "on"})
    assert press_rules(hidden) == (True, ReleaseTime.QUARTER_HOUR, False)


def test_with_hidden_control_only_what_everybody_knows_is_said_of_readers() -> None:
    europe = LIBRARY.variant("europe-1933", {"hidden_control": "on"})
    press, start = europe.press, europe.start
    assert press.known_unread(start, europe, "Poland")
    moved = next(at for at, step in enumerate(europe.calendar) if step.letter == "M")
    after_bids = replace(start, at=moved)
    assert not press.known_unread(after_bids, europe, "Poland")
    assert not press.known_unread(replace(start, year=start.year + 1), europe, "Poland")
    centres = {code: owner for code, owner in start.centres.items() if owner != "Poland"}
    gone = replace(after_bids, centres=centres, units=tuple(u for u in start.units if u.power != "Poland"))
    for controlled in (gone, held(gone, "Germany")):
        assert press.known_unread(controlled, europe, "Poland")
        assert press.readers(controlled, europe, "Poland") == frozenset()
        assert press.names(controlled, europe, "Germany") == ("Germany",)
