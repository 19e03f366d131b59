"""What somebody might try who wants to play for another, read his letters, or use us against him: a test an attack."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from game.test_promises import sheet_lines
from msgspec.structs import replace
from support.dialogue import DeskStage, Player, read
from support.stores.memory_mail import MemoryInbox

from gm.game.model.ports import Store
from gm.game.model.records import InboxState, OutLetter
from gm.game.model.reply_addresses import ALPHABET
from gm.store.upkeep import retention

LUC = "luc@example.org"


def post(player: Player, sender: str, to: str, words: str, more: str = "") -> None:
    _, blocks = read(f">> {sender}\nTo: {to}\n{more}\n{words}\n")
    player.play(blocks)


def token(stage: DeskStage, power: str = "France") -> str:
    with stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game
        seat = next(seat for seat in store.games.seats(game.id) if seat.power == power)
        return stage.services.post.reply_address("ostend", seat)


LOOKALIKES = (
    "Luc Marchand <luc@examp1e.org>",
    "Luc Marchand <luc@example.org.evil.example>",
    "Luc Marchand <luc@exam\u0440le.org>",
    "luc@example.org <evil@evil.example>",
    '"luc@example.org" <evil@evil.example>',
    "Luc Marchand <luc+@example.org>",
    "<luc@example.org>evil@evil.example",
    "luc@example.org, evil@evil.example",
    "evil@evil.example, luc@example.org",
)


@pytest.mark.parametrize("sender", LOOKALIKES)
def test_look_alikes_of_an_address_are_strangers(player: Player, stage: DeskStage, sender: str) -> None:
    """Even those our own mail server vouches for: they prove an address that nobody here has."""
    proof = "Header: Authentication-Results: mx.gm.example; dmarc=pass header.from=evil.example"
    post(player, sender, "gm@gm.example", "A Par - Bur", f"Subject: [ostend S1901M]\n{proof}\n")
    assert sheet_lines(stage, "France") == ()
    for address, letters in player.boxes.items():
        revealing = [
            letter for letter in letters if letter.reply_to == token(stage) or "Ref: ostend S1901M" in letter.text
        ]
        assert address == LUC or not revealing


def test_guessed_tokens_open_nothing_and_earn_no_answer(player: Player, stage: DeskStage) -> None:
    true = token(stage)
    local, _, domain = true.partition("@")
    for number in range(40):
        change = ALPHABET[(ALPHABET.index(local[-1]) + 1 + number % 30) % len(ALPHABET)]
        post(player, f"evil{number}@evil.example", f"{local[:-1]}{change}@{domain}", f"A Par - Bur\n{number}")
    assert sheet_lines(stage, "France") == ()
    assert not any(player.boxes.values())


def test_guesses_in_anothers_name_ask_them_a_few_times_only(player: Player, stage: DeskStage) -> None:
    local, _, domain = token(stage).partition("@")
    for number in range(40):
        post(player, f"Luc <{LUC}>", f"{local[:-3]}{'abc'}@{domain}", f"A Par - Bur\n{number}")
    assert sheet_lines(stage, "France") == ()
    *questions, notice = player.boxes[LUC]
    assert len(questions) == 10
    assert "ask you about no more of them until Monday 2 March" in " ".join(notice.text.split())
    post(player, "x@work.example", token(stage), "A Par - Bur")
    assert sheet_lines(stage, "France") == ("A Par - Bur",)


def test_a_letter_replayed_counts_once_and_not_in_a_later_phase(player: Player, stage: DeskStage) -> None:
    post(player, f"Luc <{LUC}>", token(stage), "A Par - Bur", "Subject: [ostend S1901M] orders\nCopies: 3\n")
    assert len(player.boxes[LUC]) == 1
    stage.go_to(datetime.fromisoformat("2026-03-09T20:00+00:00"))
    player.settle()
    player.boxes.clear()
    # the same words under a new Message-ID, by whoever has seen the letter
    post(player, f"Luc <{LUC}>", token(stage), "A Par - Bur", "Subject: [ostend S1901M] orders\n")
    assert sheet_lines(stage, "France") == ()
    assert [address for address, letters in player.boxes.items() if letters] == [LUC]
    assert "too late" in player.boxes[LUC][0].text


def test_a_token_dies_when_its_seat_changes_hands_also_when_it_comes_back(player: Player, stage: DeskStage) -> None:
    old = token(stage)
    for number, holder in enumerate(("Nora <nora@example.org>", "Luc <luc@example.org>")):
        post(player, "Ruth <ruth@example.org>", token(stage, "GM"), f"SEAT France: {holder}")
        assert token(stage) != old
        post(player, "x@evil.example", old, f"A Par - Bur\n{number}")
        assert sheet_lines(stage, "France") == ()
        old = token(stage)


@pytest.mark.parametrize(
    "more",
    [
        "Header: Reply-To: evil@evil.example",
        "Header: Sender: evil@evil.example",
        "Header: Return-Path: <evil@evil.example>",
        "Header: Disposition-Notification-To: evil@evil.example",
        "Header: Errors-To: evil@evil.example",
        "Header: Cc: evil@evil.example, luc@example.org",
        "Envelope: evil@evil.example",
    ],
)
@pytest.mark.parametrize("proof", ["", "Auth: pass\n", "Auth: fail\n"])
def test_no_header_turns_an_answer_to_another_address(player: Player, stage: DeskStage, more: str, proof: str) -> None:
    post(player, f"Luc <{LUC}>", "gm@gm.example", "SHOW\nSTATUS", f"Subject: [ostend S1901M]\n{more}\n{proof}")
    post(player, "evil@evil.example", token(stage), "SHOW", f"{more}\n{proof}")
    post(player, f"Luc <{LUC}>", token(stage), "HELP", f"{more}\n{proof}")
    assert {address for address, letters in player.boxes.items() if letters} <= {LUC}
    assert len(player.boxes[LUC]) == 3


def test_a_token_in_anothers_letter_acts_for_no_other_seat(player: Player, stage: DeskStage) -> None:
    """Written to two seats at once, the first alone would do; what is clear is neither's."""
    both = f"{token(stage)}, {token(stage, 'Germany')}"
    post(player, "Tom <tom@example.org>", both, "A Mun - Ruh\nA Par - Bur")
    assert sheet_lines(stage, "Germany") == ()


def test_a_vote_of_yes_to_anothers_question_frees_nothing(player: Player, stage: DeskStage) -> None:
    post(player, f"Luc <{LUC}>", "gm@gm.example", "A Par - Gas", "Subject: [ostend S1901M]\n")
    post(player, "Tom <tom@example.org>", token(stage, "Germany"), "YES")
    assert sheet_lines(stage, "France") == ()
    with stage.transaction() as store:
        assert InboxState.HELD in {store.inbox.get(number).state for number in range(1, 4)}


@pytest.mark.parametrize("sender", ["luc@example.org", "luc@work.example"])
def test_a_yes_to_a_letter_that_is_no_longer_kept_is_answered(player: Player, stage: DeskStage, sender: str) -> None:
    """It was emptied meanwhile: his seat alone tells who wrote it, where he answers from elsewhere."""
    post(player, f"Luc <{LUC}>", "gm@gm.example", "A Par - Gas", "Subject: [ostend S1901M]\n")
    stage.go_to(stage.now() + timedelta(days=2))
    with stage.transaction() as store:
        held = next(row for row in map(store.inbox.get, range(1, 4)) if row.state is InboxState.HELD)
        thin(store)
    player.boxes.clear()
    post(player, sender, "gm@gm.example", "YES\n\nRef: ostend $code")
    assert ["please send it again" in " ".join(box.text.split()) for box in player.boxes[LUC]] == [True]
    with stage.transaction() as store:
        assert store.inbox.accept(replace(held, id=0))[1]


def thin(store: Store) -> None:
    if isinstance(store.inbox, MemoryInbox):
        store.inbox.thin(store.now())
    else:
        retention.empty_letters(store.inbox._connection, store.now())


def test_answers_to_one_address_stop_for_the_day_and_alike_ones_sooner(player: Player, stage: DeskStage) -> None:
    for number in range(6):
        post(player, f"Luc <{LUC}>", token(stage), "SHOW", f"Subject: again {number}\n")
    *answers, notice = player.boxes[LUC]
    assert len(answers) == 3
    assert "not sent again until" in " ".join(notice.text.split())
    for hour in range(8):
        stage.go_to(stage.now() + timedelta(hours=1))
        for number in range(12):
            post(player, f"Luc <{LUC}>", token(stage), f"A Par - {'Bur' if number % 2 else 'Pic'}\nF Bre H\n{hour}")
    answers = [letter for letter in player.boxes[LUC] if letter.automatic == "auto-replied"]
    assert len(answers) == 60
    assert sheet_lines(stage, "France") == ("A Par - Bur", "F Bre H")


def test_a_letter_that_runs_in_circles_alarms_once_a_day(player: Player, stage: DeskStage) -> None:
    hops = "".join(f"Header: Received: from a.example by b.example; {number}\n" for number in range(31))
    for number in range(3):
        post(player, f"Luc <{LUC}>", token(stage), f"A Par - Bur\n{number}", hops)
        stage.go_to(stage.now() + timedelta(minutes=1))
    post(player, "evil@evil.example", "gm@gm.example", "A Par - Bur", hops)
    assert sheet_lines(stage, "France") == ()
    assert not player.boxes[LUC]
    assert not player.boxes["evil@evil.example"]
    (alarm,) = player.boxes["op@example.org"]
    assert LUC in alarm.text
    (alarm,) = player.boxes["ruth@example.org"]
    assert "Letters of France" in alarm.text
    stage.go_to(stage.now() + timedelta(days=1))
    post(player, f"Luc <{LUC}>", token(stage), "A Par - Bur\nagain", hops)
    assert len(player.boxes["op@example.org"]) == len(player.boxes["ruth@example.org"]) == 2


def test_forgers_in_a_players_name_alarm_once(player: Player, stage: DeskStage) -> None:
    for number in range(40):
        post(player, f"Luc <{LUC}>", "gm@gm.example", f"A Par - Gas\nforged {number}")
        stage.go_to(stage.now() + timedelta(minutes=1))
    assert len(player.boxes["op@example.org"]) == len(player.boxes["ruth@example.org"]) == 1


def test_a_game_master_is_not_notified_of_their_own_letters(player: Player, stage: DeskStage) -> None:
    for number in range(25):
        post(player, "Ruth <ruth@example.org>", "gm@gm.example", f"STATUS\n{number}")
    assert not [letter for letter in player.boxes["ruth@example.org"] if letter.kind == "notice"]
    assert [letter.kind for letter in player.boxes["op@example.org"]] == ["alarm"]


def silences(letters: list[OutLetter]) -> list[str]:
    return [" ".join(letter.text.split()) for letter in letters if "no answers until" in " ".join(letter.text.split())]


@pytest.mark.parametrize("stage", ["memory"], indirect=True)
def test_a_very_frequent_writer_learns_until_when_answers_stop(player: Player, stage: DeskStage) -> None:
    for number in range(30):
        post(player, f"Luc <{LUC}>", token(stage), f"A Par - {'Bur' if number % 2 else 'Pic'}\nF Bre H\n{number}")
        stage.go_to(stage.now() + timedelta(seconds=30))
    assert sheet_lines(stage, "France") == ("A Par - Bur", "F Bre H")
    (notice,) = silences(player.boxes[LUC])
    assert "Monday 2 March, 11:" in notice
    assert "Your orders are stored: version 21" in notice
    player.boxes[LUC].clear()
    # what can't be done is told all the same
    post(player, f"Luc <{LUC}>", token(stage), "A Par - Atlantis")
    (answer,) = player.boxes[LUC]
    assert "Atlantis" in answer.text
    stage.go_to(stage.now() + timedelta(hours=1))
    post(player, f"Luc <{LUC}>", token(stage), "F Bre - ENG")
    assert "F Bre - ENG" in player.boxes[LUC][-1].text
    assert not silences(player.boxes[LUC])


@pytest.mark.parametrize("stage", ["memory"], indirect=True)
def test_a_game_master_over_the_limit_is_warned_and_still_obeyed(player: Player, stage: DeskStage) -> None:
    for number in range(110):
        post(player, "Ruth <ruth@example.org>", token(stage, "GM"), f"SET reminder {number + 1} h", "Auth: pass\n")
    (notice,) = silences(player.boxes["ruth@example.org"])
    assert "carried out" in notice
    with stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game
        assert dict(game.settings)["reminder"].startswith("110")
