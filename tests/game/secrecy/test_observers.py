"""Who looks on learns what everybody may know: games that differ in one player's secret are the same to him."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from game.secrecy.test_diplomacy_points import other_points
from game.secrecy.test_paid_press import Table, a_message, a_support
from support.twin_games import ASKED, OBSERVER, Twins

from gm.game.model.recipient import Recipient
from gm.game.model.services import Services
from gm.variant_files.library import Library


@dataclass
class Curious(Twins):
    curious: bool = True


def test_an_observer_learns_nothing_of_points(services: Services, library: Library) -> None:
    twins = Curious(services, 2, library.variant("locarno"))
    twins.play(len(ASKED), other_points)
    assert twins.differing
    assert twins.runs[0].posted[OBSERVER] > len(ASKED)
    assert twins.leaks() == []


@pytest.mark.parametrize("secret", [a_support, a_message])
def test_an_observer_learns_nothing_of_messages(services: Services, library: Library, secret) -> None:  # type: ignore[no-untyped-def]
    table = Table(
        services, 1, library.variant("fin-de-siecle"), power="Great Britain", accomplices=frozenset({"Mexico"})
    )
    table.master("PROCESS")
    table.turn(secret)
    for _ in ASKED:
        table.look_on()
    assert table.leaks() == []


def test_an_observer_who_read_as_a_game_master_is_found(
    services: Services, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Recipient, "power", property(lambda self: None if self.observes else self.seat.power))
    twins = Curious(services, 2, library.variant("locarno"))
    twins.play(2, other_points)
    assert twins.leaks()
