"""A player chooses their own name, and gets no press by it that another player or power is meant to read."""

from __future__ import annotations

import pytest
from support.twin_games import GAME, MASTERS, Stage, Twins

from gm.game.model.services import Services

SECRET = "We attack at dawn."
FOR_GERMANY = ("Germany", "Ger", "German", "Deutschland", "G", "GER", "ger")
ALL = ("All", "Everybody", "GM", "Game Master")


def begun(services: Services, names: dict[str, str], settings: str = "") -> Stage:
    stage = Stage(services)
    seats = "\n".join(
        f"SEAT {power.name}: {names.get(power.name, f'{power.name} Player')} <{Twins.address(power.name)}>"
        for power in services.variant("standard", {}).powers
    )
    stage.write(MASTERS, "gm@gm.example", f"CREATE {GAME} standard\nzone: UTC\nmoves: 24 h\n{settings}\n{seats}\nSTART")
    return stage


def readers(stage: Stage, to: str) -> set[str]:
    """The powers that get a letter from France to this name."""
    before = {power: len(stage.recorder.sent[Twins.address(power)]) for power in ("Germany", "Italy", "Turkey")}
    stage.write(Twins.address("France"), stage.seat_address("France"), f"PRESS TO {to}\n{SECRET}\nENDPRESS")
    return {
        power
        for power, count in before.items()
        if any(SECRET in sent.row.letter.text for sent in stage.recorder.sent[Twins.address(power)][count:])
    }


@pytest.mark.parametrize("name", FOR_GERMANY)
def test_a_player_who_takes_the_name_of_a_power_reads_none_of_its_press(services: Services, name: str) -> None:
    assert readers(begun(services, {"Italy": name}), name) <= {"Germany"}


@pytest.mark.parametrize("name", ALL)
def test_a_player_who_takes_a_name_of_all_reads_no_more_than_all(services: Services, name: str) -> None:
    assert readers(begun(services, {"Italy": name}), name) in ({"Germany", "Italy", "Turkey"}, set())


def test_a_player_who_takes_the_name_of_another_reads_none_of_their_press(services: Services) -> None:
    stage = begun(services, {"Italy": "Otto Klein", "Germany": "Otto Klein"})
    assert readers(stage, "Otto") == readers(stage, "Otto Klein") == set()


def test_initials_in_capitals_are_no_players_name(services: Services) -> None:
    stage = begun(services, {"Italy": "Get"})
    assert readers(stage, "GET") == readers(stage, "get") == set()


def test_only_a_usual_first_name_counts_before_the_beginning_of_a_powers(services: Services) -> None:
    for name in ("Turk", "Turke", "Germa", "Russi"):
        assert readers(begun(services, {"Italy": f"{name} Osman"}), name) == set()
    assert readers(begun(services, {"Italy": "Otto Klein"}), "Otto") == {"Italy"}


@pytest.mark.parametrize(
    "words", ["Dear {}, let us attack Italy.", "Tell the {} that we attack Italy.", "To {}: hello."]
)
@pytest.mark.parametrize(("name", "power"), [("Turk", "Turkey"), ("German", "Germany"), ("Max", "Germany")])
def test_words_to_a_name_of_two_are_offered_to_both(services: Services, words: str, name: str, power: str) -> None:
    stage = begun(services, {"Italy": f"{name} Bellini", "Germany": "Max Klein"})
    stage.write(Twins.address("France"), stage.seat_address("France"), words.format(name))
    text = stage.recorder.sent[Twins.address("France")][-1].row.letter.text
    assert "PRESS TO Italy" in text
    assert f"PRESS TO {power}" in text


@pytest.mark.parametrize("setting", ["anonymous: yes", "anonymous: always"])
def test_names_of_players_mean_nobody_where_they_are_secret(services: Services, setting: str) -> None:
    """The same happens whether a player is called so or not."""
    for name in ("Otto", "Boris", "Otto Klein"):
        assert readers(begun(services, {"Italy": "Otto Klein"}, setting), name) == readers(
            begun(services, {}, setting), name
        )
