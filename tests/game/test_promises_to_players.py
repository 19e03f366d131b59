"""Promises 5 and 7: no loops; nobody plays for, reads for, or learns the secrets of another."""

from __future__ import annotations

from datetime import timedelta

from support.dialogue import DeskStage, Player, read
from support.promises_model import DUE, ORDERS, say, seats_of, sheet_lines

# ---- 5: no loops


def test_answers_to_one_address_end_in_silence(player: Player, stage: DeskStage) -> None:
    """One more letter says so, and until when."""
    for number in range(25):
        say(player, "luc", f"A Par - {'Bur' if number % 2 else 'Pic'}")
    assert len(player.boxes["luc@example.org"]) == 21
    assert "no answers until" in " ".join(player.boxes["luc@example.org"][-1].text.split())
    stage.go_to(stage.now() + timedelta(hours=1, minutes=1))
    say(player, "luc", "SHOW")
    assert len(player.boxes["luc@example.org"]) == 22


def test_a_game_master_of_many_short_letters_gets_answers(player: Player) -> None:
    for number in range(25):
        _, blocks = read(
            f">> Ruth Amsel <ruth@example.org>\nTo: ostend GM\n\nFORCE A Par - {('Bur', 'Pic')[number % 2]}\n"
        )
        player.play(blocks)
    letters = [" ".join(letter.text.split()) for letter in player.boxes["ruth@example.org"]]
    assert len(letters) >= 25
    assert not any("no answers until" in letter for letter in letters)


# ---- 7: nobody reads the sheet of another, plays for them, or learns that they wrote


def test_nobody_reads_an_order_of_another_before_it_is_resolved(player: Player, stage: DeskStage) -> None:
    for who, words in ORDERS.items():
        say(player, who, words)
        say(player, who, "SHOW\nSTATUS\nHISTORY\nHELP")
    stage.go_to(DUE - timedelta(hours=36))
    player.settle()
    for address, letters in player.boxes.items():
        for letter in letters:
            everything = f"{letter.subject}\n{letter.text}\n{letter.html}"
            for who, words in ORDERS.items():
                for line in words.split("\n"):
                    assert who in address or line not in everything, f"{address} reads {line}"


def test_letters_show_no_counter_and_no_other_address(player: Player, stage: DeskStage) -> None:
    for who, words in ORDERS.items():
        say(player, who, words)
    stage.go_to(DUE)
    player.settle()
    addresses = set(seats_of(stage))
    lengths: set[int] = set()
    for address, letters in player.boxes.items():
        for letter in letters:
            lengths.add(len(letter.message_id))
            for other in addresses - {address}:
                assert other not in f"{letter.text}{letter.html}{letter.reply_to}{letter.from_address}"
    assert len(lengths) == 1


def test_a_secret_address_acts_for_its_own_seat_alone(player: Player, stage: DeskStage) -> None:
    say(player, "luc", "A Mun - Ruh\nA Vie - Tyr")
    assert sheet_lines(stage, "Germany") == ()
    assert sheet_lines(stage, "Austria") == ()


def test_forged_letters_use_up_no_true_answers(player: Player, stage: DeskStage) -> None:
    for number in range(30):
        _, blocks = read(f">> Luc <luc@example.org>\nTo: gm@gm.example\n\nA Par - Gas\nforged {number}\n")
        player.play(blocks)
    assert [letter.kind for letter in player.boxes["luc@example.org"]] == ["question"] * 10 + ["plain"]
    say(player, "luc", "A Par - Bur")
    assert "A Par - Bur" in player.boxes["luc@example.org"][-1].text


def test_mailboxes_that_answer_press_by_themselves_end_in_silence(player: Player, stage: DeskStage) -> None:
    say(player, "luc", "PRESS TO Germany\nAre you there?\nENDPRESS")
    for _ in range(20):
        for who in ("tom", "luc"):
            if any(letter.channel for letter in player.boxes[f"{who}@example.org"]):
                player.boxes.clear()
                _, blocks = read(
                    f">> {who} <{who}@example.org>\nReply: [ostend] France and Germany\n\nI am on a boat.\n"
                )
                player.play(blocks)
    with stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game
        assert len(store.turns.press(game.id)) == 11


def test_a_letter_that_cannot_be_sent_stops_no_other(player: Player, stage: DeskStage) -> None:
    say(player, "luc", "SHOW")
    player.boxes.clear()
    stage.relay.fail["luc@example.org"] = TypeError("a fault of ours")
    say(player, "luc", "HELP")
    say(player, "tom", "HELP")
    assert player.boxes["tom@example.org"]
    assert not player.boxes["luc@example.org"]
    stage.go_to(stage.now() + timedelta(minutes=2))
    player.settle()
    assert player.boxes["luc@example.org"]
