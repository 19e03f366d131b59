"""The chronicle holds what everybody may know of a finished game: games that differ in one secret have the same one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from game.secrecy.test_diplomacy_points import other_points
from support.twin_games import OBSERVER, Twins

from gm.game.model.services import Services
from gm.game.views.chronicle import chronicle
from gm.variant_files.library import Library

AFTERWARDS = "EXPORT chronicle\nSTATUS\nDIARY ALL"


class Ended(Twins):
    """Twins whose game ends; then everybody asks for its chronicle."""

    def end(self) -> None:
        self.master("CLOSE DRAW")
        for power in self.variant.seated:
            self._both(power, AFTERWARDS)
        for run in self.runs:
            run.write(OBSERVER, "gm@gm.example", AFTERWARDS, subject=f"[{run.game().name}]")

    def differently(self, words: str, other: str) -> None:
        """A letter of the power whose secret it is, in each run another one."""
        for number, letter in enumerate((words, other)):
            self.runs[number].write(*self._from(number, self.power), letter)
        self._forward(timedelta(minutes=30))


@pytest.fixture
def france(services: Services, library: Library) -> Ended:
    return Ended(services, 1, library.variant("standard"), power="France")


def test_points_stay_secret_unless_the_game_opens_them(services: Services, library: Library) -> None:
    for opened in (False, True):
        chosen = f"reveal_dp_after_game: {'true' if opened else 'false'}\n"
        twins = Ended(services, 2, library.variant("locarno"), chosen=chosen)
        twins.play(2, other_points)
        assert twins.differing
        twins.end()
        assert bool(twins.leaks()) is opened


@pytest.mark.parametrize("opened", [False, True])
def test_notebooks(services: Services, library: Library, opened: bool) -> None:
    chosen = "diaries: opened\n" if opened else ""
    twins = Ended(services, 1, library.variant("standard"), power="France", chosen=chosen)
    twins.differently("DIARY Italy wavers.", "DIARY Italy is firm.")
    twins.end()
    assert bool(twins.leaks()) is opened


@pytest.mark.parametrize("opened", [False, True])
def test_press(services: Services, library: Library, opened: bool) -> None:
    chosen = "press_opened: yes\n" if opened else ""
    friends = frozenset({"Germany"})
    twins = Ended(services, 1, library.variant("standard"), power="France", accomplices=friends, chosen=chosen)
    twins.differently("PRESS TO Germany\nLet us go.\nENDPRESS", "PRESS TO Germany\nLet us stay.\nENDPRESS")
    twins.end()
    assert bool(twins.leaks()) is opened


def test_press_that_was_written_before_the_game_opened_press(france: Ended) -> None:
    france.accomplices = frozenset({"Germany"})
    france.differently("PRESS TO Germany\nLet us go.\nENDPRESS", "PRESS TO Germany\nLet us stay.\nENDPRESS")
    france.master("SET press_opened yes")
    france.end()
    assert france.leaks() == []


def test_statements_until_they_go_out(france: Ended) -> None:
    france.end()
    france.differently("STATEMENT\nI lost.\nEND STATEMENT", "STATEMENT\nI won.\nEND STATEMENT")
    for power in france.variant.seated:
        if power != "France":
            france._both(power, AFTERWARDS)
    assert france.leaks() == []
    france._forward(timedelta(days=15))
    assert france.leaks()


class OtherPlayer(Ended):
    def person(self, number: int, power: str) -> str:
        name = ("Anna Berg", "Zoe Petit")[number] if power == "France" else f"{power} Player"
        return f"{name} <{self.address(power)}>"


@pytest.mark.parametrize(("anonymous", "shown"), [("always", False), ("yes", True)])
def test_names(services: Services, library: Library, anonymous: str, shown: bool) -> None:
    chosen = f"anonymous: {anonymous}\n"
    twins = OtherPlayer(services, 1, library.variant("standard"), power="France", chosen=chosen)
    twins.end()
    assert bool(twins.leaks()) is shown


def test_the_site_names_players_only_where_the_game_says_so(services: Services, library: Library) -> None:
    for named in (False, True):
        chosen = f"site_names: {'yes' if named else 'no'}\n"
        twins = OtherPlayer(services, 1, library.variant("standard"), power="France", chosen=chosen)
        twins.end()
        public = [leak for leak in twins.leaks() if leak.startswith("the public site")]
        assert bool(public) is named


def test_a_chronicle_that_read_all_notebooks_is_found(france: Ended, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chronicle, "_opened_notebooks", lambda reader: reader.store.observers.notebook(reader.game.id))
    france.differently("DIARY Italy wavers.", "DIARY Italy is firm.")
    france.end()
    assert france.leaks()
