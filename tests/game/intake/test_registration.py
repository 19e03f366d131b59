"""Strangers at the door: how often they are written to, and what an answer to a question may do."""

from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec.structs import replace
from support.dialogue import DeskStage, Player, read
from support.services import START, envelope
from support.stores.memory_store import MemoryStore

from gm.game.model.records import QUESTION_VALID_FOR, ApplicantState
from gm.game.model.services import Services
from gm.game.session import confirmation_requests

ANN = "Ann <ann@example.org>"


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(START, envelope=envelope)


@pytest.fixture
def player(services: Services, store: MemoryStore) -> Player:
    return Player(DeskStage(services, store, store))


def play(player: Player, text: str) -> None:
    player.play(read(text)[1])


def ask(player: Player, who: str, *lines: str, to: str = "gm@gm.example", auth: str = "") -> None:
    fields = [f"To: {to}", *([f"Auth: {auth}"] if auth else [])]
    play(player, "\n".join([f">> {who}", *fields, "", *lines]))


def kinds(player: Player, address: str) -> list[str]:
    return [letter.kind for letter in player.got[address]]


def test_a_stranger_is_asked_once_a_day_whatever_they_write(player: Player) -> None:
    for hour in range(30):
        play(player, f"== 2026-03-02 {hour % 24:02d}:{hour // 24:02d}" if hour < 24 else "== 2026-03-03 10:00")
        ask(player, ANN, "REGISTER", f"Name: Ann {hour}", f"JOIN game-{hour}")
    assert kinds(player, "ann@example.org") == ["question", "question"]


@pytest.mark.parametrize("words", ["REGISTER", "HELP", "Hello, I want to play", "LIST", ""])
def test_nobody_can_make_us_write_to_the_whole_world(
    player: Player, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.setattr(confirmation_requests, "DAILY_MOST", 3)
    for number in range(8):
        ask(player, f"N <n{number}@example.org>", words)
        ask(player, f"N <n{number}@example.org>", words)
    assert sum(map(len, player.got.values())) == 3


def test_a_forged_letter_registers_nobody(player: Player) -> None:
    ask(player, ANN, "REGISTER", auth="fail")
    assert not player.got


def test_where_registration_is_closed_an_invitation_is_the_way(player: Player, store: MemoryStore) -> None:
    player.stage.services = replace(player.stage.services, registration=False)
    ask(player, ANN, "REGISTER", auth="pass")
    assert "or invite you" in player.got["ann@example.org"][0].text.replace("\n", " ")
    ask(player, "Ruth Amsel <ruth@example.org>", "CREATE ostend", "INVITE ann@example.org", auth="pass")
    play(player, f">> {ANN}\nReply: invitation\n\nYES, with pleasure")
    assert store.people.by_address("ann@example.org") is not None
    assert [entry.state for entry in store.games.applicants(1)] == [ApplicantState.APPROVED]


def test_a_question_is_answered_in_time_or_not_at_all(player: Player, store: MemoryStore) -> None:
    ask(player, ANN, "REGISTER")
    store.clock += QUESTION_VALID_FOR + timedelta(hours=1)
    play(player, f">> {ANN}\nReply: address\n\nYES")
    assert store.people.by_address("ann@example.org") is None


def test_no_is_an_answer_too(player: Player, store: MemoryStore) -> None:
    ask(player, ANN, "REGISTER")
    play(player, f">> {ANN}\nReply: address\n\nNo!")
    play(player, f">> {ANN}\nReply: address\n\nYES")
    assert store.people.by_address("ann@example.org") is None


def test_a_question_names_nobody_and_holds_no_words_of_a_stranger(player: Player) -> None:
    ask(player, '"Buy pills" <ann@example.org>', "REGISTER pills at www.pills.example", "JOIN pills")
    letter = player.got["ann@example.org"][0]
    assert "pills" not in letter.text + letter.html + letter.subject + letter.to_name


def test_an_address_registered_meanwhile_stays_with_its_owner(player: Player, store: MemoryStore) -> None:
    """Two want it; who confirmed first has it, and the other gets nothing of his."""
    ask(player, "Ruth Amsel <ruth@example.org>", "CREATE ostend", auth="pass")
    ask(player, "Ruth Amsel <ruth@example.org>", "ALSO ann@example.org", to="ostend GM", auth="pass")
    ask(player, ANN, "REGISTER")
    play(player, f">> {ANN}\nReply: Is this your address?\n\nYES")
    play(player, f">> {ANN}\nReply: Is this address yours too?\n\nYES")
    ruth, ann = store.people.by_address("ruth@example.org"), store.people.by_address("ann@example.org")
    assert ruth is not None
    assert ann is not None
    assert (ruth.id, ruth.addresses) != (ann.id, ann.addresses)
    assert ruth.addresses == ("ruth@example.org",)


def test_words_to_a_game_master_keep_their_lines(player: Player) -> None:
    words = "One line.\n\nAnother.\n\nOne line."
    player.play(
        read(
            "== 2026-03-02 10:00\n>> Otto Kern <otto@example.org>\nTo: gm@gm.example\n\n"
            f"PRESS TO GM\n{words}\nENDPRESS\n>> Otto Kern <otto@example.org>\nReply: Is this your address?\n\nYES\n"
        )[1]
    )
    [passed_on] = [letter for letter in player.sent if letter.address == "ruth@example.org"]
    assert words in passed_on.text
    assert passed_on.reply_to == "otto@example.org"
