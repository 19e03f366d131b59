"""A flood of one sender's letters delays nobody else's, and changes no order within few letters."""

from __future__ import annotations

from datetime import timedelta

import pytest
from game.identity.test_attacks import LUC, token
from support.dialogue import DeskStage, Player, read
from support.promises_model import sheet_lines

from gm.game.intake import inbox
from gm.mail.incoming.received import envelope_sender


def wait(player: Player, sender: str, to: str, words: str) -> None:
    player.play(read(f">> {sender}\nTo: {to}\nHold: yes\n\n{words}\n")[1])


def test_anothers_letter_is_read_among_three_hundred(player: Player, stage: DeskStage) -> None:
    for number in range(300):
        wait(player, f"Luc <{LUC}>", token(stage), f"A Par - {'Bur' if number % 2 else 'Pic'}\n{number}")
    stage.go_to(stage.now() + timedelta(seconds=1))
    wait(player, "Tom <tom@example.org>", token(stage, "Germany"), "A Mun - Ruh")
    assert inbox.read_some(stage.services, stage.transaction, most=inbox.IN_A_ROW + 1) == inbox.IN_A_ROW + 1
    assert sheet_lines(stage, "Germany") == ("A Mun - Ruh",)
    while inbox.read_some(stage.services, stage.transaction):
        pass
    assert sheet_lines(stage, "France") == ("A Par - Bur",)


def test_few_letters_are_read_in_the_order_in_which_they_came(player: Player, stage: DeskStage) -> None:
    for number, to in enumerate(("Bur", "Pic", "Gas", "Bur")):
        sender = f"Luc <{LUC}>" if number % 2 else "Luc <luc@work.example>"
        wait(player, sender, token(stage), f"A Par - {to}\n{number}")
        assert number == 0 or inbox.read_some(stage.services, stage.transaction, most=1) == 1
    inbox.read_some(stage.services, stage.transaction)
    assert sheet_lines(stage, "France") == ("A Par - Bur",)


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ("Return-Path: <luc@example.org>", "luc@example.org"),
        ("Return-Path: Luc@Example.org", "luc@example.org"),
        ("Return-Path: <>", "<>"),
        ("return-path:\r\n <a@b.example>\r\nReturn-Path: <c@d.example>", "a@b.example"),
        ("Subject: none", "x@y.example"),
        ("Return-Path: nonsense", "x@y.example"),
    ],
)
def test_the_envelope_sender_of_a_letter_without_its_envelope(header: str, path: str) -> None:
    assert envelope_sender(f"{header}\r\nFrom: x@y.example\r\n\r\nReturn-Path: <z@z.example>\r\n".encode()) == path


def test_every_letter_that_cannot_be_read_is_answered(
    player: Player, stage: DeskStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise IndexError

    monkeypatch.setattr(inbox, "route", fail)
    for number in range(8):
        wait(player, f"Luc <{LUC}>", token(stage), f"A Par - Bur\n{number}")
    inbox.read_some(stage.services, stage.transaction)
    answers = [letter for letter in stage.collect() if "could not be read" in letter.text]
    assert len(answers) == 8
