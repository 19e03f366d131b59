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
    "To: Germany\n{}",
    "[Germany only] {}",
    "Dear Tom (only), {}",
    "Reply to Germany: {}",
    "Germany, confidential: {}",
    "Deutschland persönlich: {}",
    "[nur Deutschland] {}",
    "An: Deutschland\n{}",
    "Antwort an Deutschland: {}",
    "Not a word to Austria, please. {}",
    "{} No word of this to Anna!",
    "Germany may read this, Austria may not. {}",
    "Germany may read this, but not Austria. {}",
    "{} Make sure that Austria never hears of it.",
    "I don't want this to reach Austria. {}",
    "{} It must not get to Austria.",
    "This stays between Germany and me. {}",
    "{} This is just between me and Tom.",
    "{} Keep this to yourselves, not Austria.",
    "{} For Germany's eyes only.",
    "Kein Wort zu Anna! {}",
    "{} Kein Wort davon zu Österreich.",
    "Deutschland darf das lesen, Österreich nicht. {}",
    "Das bleibt zwischen Deutschland und mir: {}",
    "{} Das darf auf keinen Fall an Österreich gehen.",
    "{} Sorge dafür, dass Österreich das nie erfährt.",
)
ADDRESSED = re.compile(r"^(?:(?:to|for) )?Germany:|^An: |message|reply|antwort", re.IGNORECASE)
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
    "Tom, just between us three: England must not know. {}",
    "{} The peace between Germany and me holds. Greece is not a word to Austria's liking.",
    "I have told this only to England so far. {}",
)


def reply(player: Player, words: str) -> None:
    player.play(read(f">> Luc <luc@example.org>\nReply: [ostend] Austria, France and Germany\n\n{words}\n")[1])


def readers(player: Player) -> set[str]:
    sent = ((address, each) for address, box in player.boxes.items() for each in box if each.kind == "press")
    return {address for address, each in sent if SECRET in " ".join(each.text.split())}


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


HARMLESS = (
    "I have told this only to Germany so far.",
    "Belgium is only for Germany, as we agreed.",
    "Only Germany knows what I plan.",
    "I spoke about it only to Germany.",
    "This move is just to Germany's advantage.",
    "Tunis? Give it to Italy.",
    "If you want Greece, hand it to Turkey.",
    "Well, yes. My fleet is there. Norway is only for England.",
    "Belgien ist nur für Deutschland, wie vereinbart.",
    "Ich habe es nur an Deutschland geschrieben.",
    "Tunis? Gib es an Italien.",
    "Thanks. To Russia I say nothing.",
    "I wrote to Italy: hands off.",
    "Here is what I told Italy: hands off.",
    "Italy, France and Germany are strong.",
    "Italy, I think, will attack you.",
    "Italien, das schwächste Land, greift an.",
    "Russia: strong. Italy: weak. Germany: strong.",
    "As for Italy: forget it.",
    "Anna: yes.",
)
"""They speak of others than the one who reads them."""


@pytest.mark.parametrize("words", HARMLESS)
def test_a_reply_that_speaks_of_others_goes_at_once(player: Player, stage: DeskStage, words: str) -> None:
    post(player, "Anna <anna@example.org>", token(stage, "Austria"), "PRESS TO France\nWell?\nENDPRESS")
    player.boxes.clear()
    player.play(read(f">> Luc <luc@example.org>\nReply: Austria\n\n{words} {SECRET}\n")[1])
    assert readers(player) == {ADDRESSES["Austria"]}


@pytest.mark.parametrize("words", ["Only for Germany: {}", "{} Austria must not see this."])
def test_the_game_master_is_asked_too(player: Player, stage: DeskStage, words: str) -> None:
    post(player, "Tom <tom@example.org>", token(stage, "Germany"), "PRESS TO GM, Austria\nWell?\nENDPRESS")
    player.boxes.clear()
    player.play(read(f">> Ruth <ruth@example.org>\nReply: Germany\n\n{words.format(SECRET)}\n")[1])
    assert readers(player) == set()
    player.play(read(">> Ruth <ruth@example.org>\nReply: ostend\n\nYES\n")[1])
    assert readers(player) == {ADDRESSES["Germany"]}


@pytest.mark.parametrize("head", ["PRESS TO Germany, Austria", "BROADCAST"])
@pytest.mark.parametrize("words", [words for words in FOR_GERMANY if not ADDRESSED.search(words)])
def test_a_letter_that_names_more_readers_is_asked_about(
    player: Player, stage: DeskStage, head: str, words: str
) -> None:
    post(player, "Luc <luc@example.org>", token(stage, "France"), f"{head}\n{words.format(SECRET)}\nENDPRESS")
    assert readers(player) <= {ADDRESSES["Germany"]}


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("BROADCAST", "Dear all, nobody else should know this. {}"),
        ("PRESS TO Germany, Austria", "Tom, just between us three: England must not know. {}"),
        ("PRESS TO Germany, Austria", "Anna, this stays between the three of us. {}"),
        ("PRESS TO Germany, Austria", "Tom, bitte nur unter uns dreien: {}"),
    ],
)
def test_a_letter_that_is_for_all_it_names_goes_at_once(
    player: Player, stage: DeskStage, head: str, words: str
) -> None:
    post(player, "Luc <luc@example.org>", token(stage, "France"), f"{head}\n{words.format(SECRET)}\nENDPRESS")
    assert readers(player) >= set(ADDRESSES.values())


ASIDES = (
    "Thanks Anna. To Germany: {}",
    "Fine. And for Tom (Germany): {}",
    "Ha! Anna, you are funny.\n\nGermany: {}",
    "Thanks. @Tom: {}",
    "Ok. Tom, {}",
    "Fine, and Tom: {}",
    "PS to Italy: {}",
    "Ok. Dear Tom, {}",
    "Thanks, Anna. Germany, please listen: {}",
    "To Germany: hello. {}",
    "Fine. To Germany: hello.\nThat is all. {}",
    "Klar! An Deutschland: {}",
    "Gut. Für Tom: {}",
    "Gut.\nDeutschland, jetzt los! {}\nLuc",
    "Gut. Und Tom: {}",
)
"""Words in a reply to Austria alone that speak to others in the middle of it."""


@pytest.mark.parametrize("words", ASIDES)
def test_an_aside_in_a_reply_is_not_sent_to_the_player_it_is_about(
    player: Player, stage: DeskStage, words: str
) -> None:
    post(player, "Anna <anna@example.org>", token(stage, "Austria"), "PRESS TO France\nWell?\nENDPRESS")
    player.boxes.clear()
    player.play(read(f">> Luc <luc@example.org>\nReply: Austria\n\n{words.format(SECRET)}\n")[1])
    assert readers(player) == set()
    for _ in range(2):
        say_yes(player)
    assert ADDRESSES["Austria"] not in readers(player)
