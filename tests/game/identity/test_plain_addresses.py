"""Without plus-addresses all replies come to the mailbox itself, and are known by their Ref line or their sender."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.dialogue import DeskStage, Player, read
from support.paths import STARTED
from support.services import POST, START, envelope
from support.stores.memory_store import MemoryStore

from gm.game.model.services import Services

REPLIES = """
>> Luc Marchand <luc@example.org>
To: gm@gm.example
Reply: France

A Par - Bur
> Ref: ostend S1901M $France

<< luc@example.org
A Par - Bur
<< nothing

>> Luc Marchand <luc@example.org>
To: gm@gm.example
Auth: pass
Subject: Re: [ostend S1901M]

A Par - Pic

<< luc@example.org
A Par - Pic
<< nothing

>> Tom Berger <tom@example.org>
To: gm@gm.example
Subject: Re: [ostend S1901M]

A Mun - Bur

<< tom@example.org
Subject: did you write this
"""


@pytest.fixture
def player(services: Services) -> Player:
    store = MemoryStore(START, envelope=envelope)
    plain = replace(services, post=replace(POST, plain=True))
    player = Player(DeskStage(plain, store, store))
    player.begin(STARTED)
    return player


def test_replies_to_the_mailbox_find_their_game_and_seat(player: Player) -> None:
    letters = [letter for box in player.boxes.values() for letter in box]
    assert {letter.reply_to for letter in letters} == {"gm@gm.example"}
    player.boxes.clear()
    player.play(read(REPLIES)[1])
