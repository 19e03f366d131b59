"""Words that say who may read them reach nobody else: replies to letters of several readers, and PRESS TO several."""

from __future__ import annotations

import re

import pytest
from game.identity.test_attacks import post, token
from support.dialogue import DeskStage, Player, read

pytestmark = pytest.mark.parametrize("stage", ["memory"], indirect=True)
ADDRESSES = {"Germany": "tom@example.org", "Austria": "anna@example.org"}
OTHERS = ("hannah@example.org", "chiara@example.org")
SECRET = "We meet at dawn."
FOR_GERMANY = (
    "This is only for Germany, please do not send it to Austria: {}",
    "This is just for the Germans: {}",
    "Only Germany should read this. {}",
    "Only Tom may see it.\n\n{}",
    "Only for Germany please, and nobody else: {}",
    "Dear Germany, this is for you alone. {}",
    "Hi Tom, only for you: {}",
    "Tom, for your eyes only: {}",
    "Not for the others, Germany only: {}",
    "Not to Austria please. {}",
    "Not for Austria: {}",
    "This is not for Austria. {}",
    "{} (Not for Anna!)",
    "{} Austria must not see it.",
    "{} Anna shouldn't know about this.",
    "{} Don't show this to Austria, please.",
    "{} Please don't let Austria know.",
    "{} Keep it from Austria.",
    "{} I don't want Austria to read this.",
    "{} Leave Austria out of this.",
    "{} Without Austria knowing, of course.",
    "Private to Germany: {}",
    "To all but Austria: {}",
    "Please send this to Germany: {}",
    "Please forward this to Germany.\n{}",
    "Message to Germany: {}",
    "My message to Germany is: {}",
    "To Germany:\n{}",
    "For Germany:\n{}",
    "Germany: {}",
    "France must\nnot like it, Austria must\nnot see this. {}",
    "Nur für Deutschland: {}",
    "Das ist nur für Deutschland, bitte nicht an Österreich schicken. {}",
    "Nur Deutschland soll das lesen. {}",
    "Das darf nur Deutschland wissen. {}",
    "Österreich darf das nicht lesen. {}",
    "Das soll Österreich nicht erfahren: {}",
    "{} Sag Österreich nichts davon!",
    "{} Zeig das bitte nicht Anna.",
    "Nicht an Österreich: {}",
    "{} Österreich geht das nichts an.",
    "Lieber Tom, das ist nur für dich: {}",
    "Bitte an Deutschland weiterleiten: {}",
    "An alle außer Österreich: {}",
)
ADDRESSED = re.compile(r"^(?:(?:to|for) )?Germany:|message", re.IGNORECASE)
"""Words that say in a letter to several whom they speak to next, and hide nothing from the others."""
FOR_NOBODY_THERE = (
    "Fwd to England please: {}",
    "Please forward this to Italy: {}",
    "Only for England: {}",
    "Message to England: {}",
    "Bitte leite das an England weiter: {}",
    "Thanks to both of you.\n\nTo Germany:\n{}",
    "Well. Only Germany should read this: {} Only Austria should read that.",
    "This is only for Germnay: {}",
    "Private! {}",
    "Psst: {}",
    "{} Nobody else must know.",
    "{} He must not know this.",
    "{} Please don't show this to anybody.",
    "{} Die anderen sollen das nicht wissen.",
    "Vertraulich: {}",
)
FOR_BOTH = (
    "This is only for Germany and Austria: {}",
    "Only Austria and Germany should know this. {}",
    "Austria, don't tell England! {}",
    "{} England must not know this.",
    "{} Only Germany can stop Russia, and nobody else can see it coming.",
    "{} I support you, not Austria. Send your fleet to Holland.",
    "{} This is not what I want for Germany. Don't let Austria into Tyrolia!",
    "{} Austria should not get Trieste. Only you two can help me.",
    "{} I will tell Germany what I know. Nobody knows it all.",
    "{} Das ist nicht gut für Österreich. Nur Deutschland kann helfen.",
    "{} Keep Austria out of Galicia, and take care of Italy only.",
    "{} You can have Belgium, Austria gets Serbia. Not this time!",
)


def reply(player: Player, words: str) -> None:
    player.play(read(f">> Luc <luc@example.org>\nReply: [ostend] Austria, France and Germany\n\n{words}\n")[1])


def readers(player: Player) -> set[str]:
    return {
        address for address, box in player.boxes.items() for each in box if each.kind == "press" and SECRET in each.text
    }


@pytest.fixture
def group(player: Player, stage: DeskStage) -> Player:
    post(player, "Tom <tom@example.org>", token(stage, "Germany"), "PRESS TO France, Austria\nHello both.\nENDPRESS")
    player.boxes.clear()
    return player


def say_yes(player: Player) -> None:
    player.play(read(">> Luc <luc@example.org>\nReply: ostend\n\nYES\n")[1])


@pytest.mark.parametrize("words", FOR_GERMANY)
def test_a_reply_for_one_reader_reaches_no_other(group: Player, stage: DeskStage, words: str) -> None:
    reply(group, words.format(SECRET))
    assert readers(group) == set()
    say_yes(group)
    assert readers(group) <= {ADDRESSES["Germany"]}


@pytest.mark.parametrize("words", FOR_NOBODY_THERE)
def test_a_reply_for_somebody_else_reaches_nobody_of_them(group: Player, stage: DeskStage, words: str) -> None:
    reply(group, words.format(SECRET))
    assert readers(group) == set()
    say_yes(group)
    assert readers(group).isdisjoint(ADDRESSES.values())


@pytest.mark.parametrize("words", FOR_BOTH)
def test_a_reply_for_all_its_readers_goes_at_once(group: Player, stage: DeskStage, words: str) -> None:
    reply(group, words.format(SECRET))
    assert readers(group) == set(ADDRESSES.values())


@pytest.mark.parametrize("head", ["PRESS TO Germany, Austria", "BROADCAST"])
@pytest.mark.parametrize("words", [words for words in FOR_GERMANY if not ADDRESSED.search(words)])
def test_a_letter_that_names_more_readers_is_asked_about(
    player: Player, stage: DeskStage, head: str, words: str
) -> None:
    post(player, "Luc <luc@example.org>", token(stage, "France"), f"{head}\n{words.format(SECRET)}\nENDPRESS")
    assert readers(player) <= {ADDRESSES["Germany"]}
