"""What a seat's reply address is good for: the column `scope` of the table of commands, as a thief of it meets it."""

from __future__ import annotations

import pytest
from game.commands.test_command_table import EXAMPLE
from game.identity.test_attacks import LUC, post, token
from support.dialogue import DeskStage, Player
from support.promises_model import sheet_lines
from support.stores.saved_stage import play_once

from gm.game.model.ports import Store
from gm.language.commands.table import SEAT_SCOPE, Command, table

pytestmark = pytest.mark.parametrize("stage", ["memory"], indirect=True)
THIEF = "thief@evil.example"
ROWS = tuple(row for row in table().commands if row.request)
POWERS = {"player": "France", "gm": "GM"}
SEATING = ("seat", "seat-master", "co-master", "invite", "invite-to", "hand-over")
"""What a game master's seat does for people who have none yet."""
PLACES = EXAMPLE | {"game": "lisbon"}
CASES = [(row, role) for row in ROWS for role in ("player", "gm") if role in row.who]
WIDE = [(row, role) for row, role in CASES if row.scope != SEAT_SCOPE]


def named(cases: list[tuple[Command, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("row", "role"), cases, ids=lambda value: getattr(value, "name", value))


@pytest.fixture
def two_games(player: Player, stage: DeskStage) -> Player:
    """Luc plays in ostend and in lisbon, and wants to play in quay. Ruth runs them all."""
    play_once(player, "two games", lambda: _begin_others(player))
    return player


def _begin_others(player: Player) -> None:
    ruth, proof = "Ruth Amsel <ruth@example.org>", "Auth: pass\n"
    seats = "".join(
        f"SEAT {power}: {power} <{power.lower()}@example.net>\n" for power in ("Austria", "England", "Italy")
    )
    seats += "SEAT France: Luc <luc@example.org>\nSEAT Germany: Tom <tom@example.org>\nSET EMPTY_SEATS yes\n"
    post(player, ruth, "gm@gm.example", f"CREATE lisbon\n{seats}SET OBSERVERS yes\nSTART", proof)
    post(player, ruth, "gm@gm.example", "CREATE quay\nSET OBSERVERS yes", proof)
    post(player, LUC, "gm@gm.example", "JOIN quay", proof)
    post(player, LUC, "gm@gm.example", "ABSENCE 1 Apr TO 9 Apr in lisbon", f"Subject: [lisbon]\n{proof}")
    player.boxes.clear()


def of_people(store: Store) -> object:
    """All that is stored of people, and of games but ostend."""
    people = tuple(store.people.by_address(address) for address in (LUC, "ruth@example.org"))
    games = [
        game for name in ("lisbon", "quay", "harbour", "lisbon-2", "ostend-2") if (game := store.games.by_name(name))
    ]
    each = [
        (game, store.games.seats(game.id), store.games.observer_seats(game.id), store.games.applicants(game.id))
        for game in games
    ]
    return people, each, [store.absences.of(game.id) for game in games]


def stolen(form: str) -> str:
    """The row's form, as somebody writes it who wants the person."""
    words = form.format_map(PLACES)
    for address in ("luc@work.example", "luc@example.org", "otto@example.org"):
        words = words.replace(address, THIEF)
    return words.replace("TZ Europe/Paris", "TZ Asia/Tokyo").replace("LANG en", "LANG de")


@named(CASES)
def test_a_reply_address_changes_nothing_but_its_seat(
    two_games: Player, stage: DeskStage, row: Command, role: str
) -> None:
    """Not by any request, in any form, from whatever address, until the address of record says YES."""
    owner = LUC if role == "player" else "ruth@example.org"
    for number, form in enumerate(row.forms):
        with stage.transaction() as store:
            before = of_people(store)
        for sender in (f"Thief <{THIEF}>", f"Luc <{owner}>", "Tom <tom@example.org>"):
            proof = "" if owner in sender else "Auth: pass\n"
            post(two_games, sender, token(stage, POWERS[role]), stolen(form), f"Subject: {number}\n{proof}")
        with stage.transaction() as store:
            assert of_people(store) == before
        assert row.name in SEATING or not two_games.boxes[THIEF]


@named(WIDE)
def test_the_address_of_record_says_yes(two_games: Player, stage: DeskStage, row: Command, role: str) -> None:
    owner = LUC if role == "player" else "ruth@example.org"
    post(two_games, THIEF, token(stage, POWERS[role]), stolen(row.form))
    (question,) = two_games.boxes[owner]
    assert question.kind == "question"
    assert "YES" in question.text
    with stage.transaction() as store:
        before = of_people(store)
    post(two_games, THIEF, token(stage, POWERS[role]), "YES")
    post(two_games, THIEF, "gm@gm.example", "YES", "Auth: pass\n")
    with stage.transaction() as store:
        assert of_people(store) == before
    two_games.boxes.clear()
    post(two_games, owner, "gm@gm.example", f"YES\n\n{question.text.strip().splitlines()[-1]}")
    assert [letter.kind for letter in two_games.boxes[owner]]
    assert "question" not in {letter.kind for letter in two_games.boxes[owner]}


def test_a_question_to_a_removed_address_is_void(two_games: Player, stage: DeskStage) -> None:
    post(two_games, THIEF, token(stage), f"ALSO {THIEF}")
    (question,) = two_games.boxes[LUC]
    post(two_games, LUC, "gm@gm.example", "ALSO luc@new.example", "Auth: pass\n")
    post(two_games, "luc@new.example", "gm@gm.example", "YES\n\nRef: gm $code")
    post(two_games, "luc@new.example", "gm@gm.example", f"REMOVE ADDRESS {LUC}", "Auth: pass\n")
    two_games.boxes.clear()
    post(two_games, LUC, "gm@gm.example", f"YES\n\n{question.text.strip().splitlines()[-1]}")
    assert not two_games.boxes[THIEF]
    (answer,) = two_games.boxes["luc@new.example"]
    assert "no longer kept" in " ".join(answer.text.split())


def test_a_reply_address_proves_no_other_power_of_its_player(player: Player, stage: DeskStage) -> None:
    post(player, "Ruth <ruth@example.org>", token(stage, "GM"), f"SEAT Germany: Luc <{LUC}>")
    player.boxes.clear()
    post(player, THIEF, token(stage), "Country: Germany\n\nA Mun - Ruh")
    assert sheet_lines(stage, "Germany") == ()
    assert [letter.kind for letter in player.boxes[LUC]] == ["question"]


def test_the_rest_of_a_letter_is_done_once(two_games: Player, stage: DeskStage) -> None:
    """Press and orders beside a request that waits are carried out at once, and not again with the YES."""
    post(
        two_games,
        THIEF,
        token(stage),
        "A Par - Bur\nLANG de\nPRESS TO Germany\nHello\nENDPRESS\nVACATION 2 May TO 9 May",
    )
    answer, question = two_games.boxes[LUC]
    assert "LANG, ABSENCE" in answer.text
    assert "LANG, ABSENCE" in question.text
    assert len(two_games.boxes["tom@example.org"]) == 1
    two_games.boxes.clear()
    post(two_games, LUC, "gm@gm.example", "YES\n\nRef: gm $code")
    assert not two_games.boxes["tom@example.org"] or "Hello" not in two_games.boxes["tom@example.org"][0].text
    (answer,) = two_games.boxes[LUC]
    assert "Deutsch" in answer.text
    assert "lisbon" in answer.text
    post(two_games, LUC, "gm@gm.example", "YES\n\nRef: gm $code")
    assert sheet_lines(stage, "France") == ("A Par - Bur",)


def test_two_reply_addresses_prove_the_person_no_better(two_games: Player, stage: DeskStage) -> None:
    """Those of Luc's seats in two games at once: the letter is held."""
    with stage.transaction() as store:
        lisbon = store.games.by_name("lisbon")
        assert lisbon
        seat = next(seat for seat in store.games.seats(lisbon.id) if seat.power == "France")
        before = of_people(store)
    both = f"{token(stage)}, {stage.services.post.reply_address('lisbon', seat)}"
    post(two_games, THIEF, both, f"ALSO {THIEF}\nNAME Nobody")
    with stage.transaction() as store:
        assert of_people(store) == before
    assert [letter.kind for letter in two_games.boxes[LUC]] == ["question"]
    assert not two_games.boxes[THIEF]


def test_an_observers_reply_address_changes_nothing_of_the_person(two_games: Player, stage: DeskStage) -> None:
    seated = "CREATE calais\nSEAT France: Zoe Lenz <zoe@example.org>"
    post(two_games, "ruth@example.org", "gm@gm.example", seated, "Auth: pass\n")
    post(two_games, "zoe@example.org", "gm@gm.example", "OBSERVE lisbon as Vigo", "Auth: pass\n")
    with stage.transaction() as store:
        zoe = store.people.by_address("zoe@example.org")
        assert zoe
        (chair,) = store.games.observer_seats_of(zoe.id)
        address = stage.services.post.reply_address("lisbon", chair)
    two_games.boxes.clear()
    for row in (row for row in ROWS if "observer" in row.who and row.scope != SEAT_SCOPE):
        post(two_games, THIEF, address, stolen(row.form))
    with stage.transaction() as store:
        assert store.people.by_address("zoe@example.org") == zoe
        assert store.games.observer_seats_of(zoe.id) == (chair,)
        assert not store.games.applications_of(zoe.id)
    assert not two_games.boxes[THIEF]


def test_somebody_who_says_to_be_a_player_is_asked_about_at_the_address_of_record(
    two_games: Player, stage: DeskStage
) -> None:
    """Not at whatever address of theirs the stranger names."""
    post(two_games, LUC, "gm@gm.example", "ALSO luc@old.example", "Auth: pass\n")
    post(two_games, "luc@old.example", "gm@gm.example", "YES\n\nRef: gm $code")
    two_games.boxes.clear()
    post(two_games, THIEF, "gm@gm.example", "I AM ALSO luc@old.example", "Auth: pass\n")
    assert [letter.kind for letter in two_games.boxes[LUC]] == ["question"]
    assert not two_games.boxes["luc@old.example"]
