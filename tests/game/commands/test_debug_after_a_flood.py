"""DEBUG opens and reads so much and no more, however many letters came (promise 6 covers game masters' letters)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec.structs import replace
from support.dialogue import DeskStage, Player, read

from gm.game.letters import traced_letters
from gm.game.letters.traced_letters import BYTES_OPENED, CHARACTERS_READ, LINES_SHOWN
from gm.game.model.records import InboxRow, Letter
from gm.mail.incoming.received import Received

ASK = ">> Ruth <ruth@example.org>\nTo: ostend GM\n\nDEBUG {asked}\n"


@pytest.fixture
def flooded(player: Player, stage: DeskStage) -> Player:
    """Nine letters of a player within the limit of answers, each with 320 lines, and a short one before them."""
    with stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game
        seat = next(seat for seat in store.games.seats(game.id) if seat.power == "France")
        to = stage.services.post.reply_address("ostend", seat)
    for number in range(10):
        stage.go_to(stage.now() + timedelta(minutes=25))
        lines = ["A Par - Bur"] * (1 if number == 0 else 320)
        head = f"From: luc@example.org\r\nTo: {to}\r\nMessage-ID: <{number}@flood.test>\r\n\r\n"
        stage.post(Received((head + "\r\n".join(lines)).encode(), stage.now(), "test"))
        player.settle()
    return player


def test_the_list_reads_the_beginnings(flooded: Player, stage: DeskStage, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []
    characters: list[int] = []
    read_letter, open_letter = traced_letters.read_letter, stage.services.open_letter

    def counted(lines, context):  # type: ignore[no-untyped-def]
        characters.append(sum(len(words) for _, words in lines))
        return read_letter(lines, context)

    def open_counted(row: InboxRow) -> Letter:
        opened.append(len(row.raw))
        return open_letter(row)

    monkeypatch.setattr(traced_letters, "read_letter", counted)
    stage.services = replace(stage.services, open_letter=open_counted)
    flooded.play(read(ASK.format(asked=""))[1])
    text = flooded.got["ruth@example.org"][-1].text
    assert text.count("DEBUG ") >= 8
    assert 8 <= len(opened) <= 20
    assert sum(opened) <= BYTES_OPENED
    assert sum(characters) <= CHARACTERS_READ


def test_one_letter_is_shown_as_far_as_a_person_would_look(flooded: Player) -> None:
    flooded.play(read(ASK.format(asked="<1@flood.test>"))[1])
    text = flooded.got["ruth@example.org"][-1].text
    assert f"Only its first {LINES_SHOWN} lines are shown." in text
    assert f"{LINES_SHOWN + 1}:" not in text
    flooded.play(read(ASK.format(asked="<0@flood.test>"))[1])
    assert "Only its first" not in flooded.got["ruth@example.org"][-1].text
