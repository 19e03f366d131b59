"""No letter to a German reader says anything in English but what is typed in English, and what players wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

import pytest
from msgspec.structs import replace
from support.dialogue import Block, DeskStage, Player, load, maps_of
from support.paths import DIALOGUES
from support.services import START, envelope
from support.stores.memory_store import MemoryStore

from gm.game.intake import from_seat, incoming_letter
from gm.game.model.records import OutLetter
from gm.game.model.services import Services
from gm.game.model.settings import GameSettings, game_settings

PLAYED = (
    "notebooks-diary", "mail-choices", "observers", "observers-commands", "deadlines",
    "founder-again", "founder-slips", "identity", "late", "gm-back", "gm-debug",
    "gm-dislodge", "gm-hand", "gm-import", "gm-influence", "gm-notes",
    "gm-polls", "gm-setup", "mistakes", "newcomer", "planning-ahead", "planning-check",
    "planning-help", "press", "retreated", "players-change", "players-dummy", "players-join", "players-persons",
    "deadlines-absence", "deadlines-beyond", "deadlines-builds", "deadlines-extension", "deadlines-lock",
    "deadlines-nmr",
    "deadlines-outage", "deadlines-pause", "votes",
)  # fmt: skip
COMMON = """
the your you orders order deadline of and is are not with from has been this that for to be game master player players
letter letters nothing write spring fall autumn monday tuesday wednesday thursday friday saturday sunday january
february march may october december austria france germany italy russia turkey
"""
ENGLISH = frozenset(COMMON.split())
"""Common words, and names of what every game has."""
WORD = re.compile(r"[^\W\d_]+")
QUOTED = re.compile(r"“[^”]*”|„[^“]*“|\"[^\"]*\"|\([^()]*\)", re.DOTALL)
"""Words of the writer's own, and words that are typed."""
CHOICE = re.compile(r"POLL |Subject: ")
"""What such lines say stands in letters word by word."""
LOGGED = re.compile(r"^- \w\w \d+\. .*(?:\n  .*)*", re.MULTILINE)
"""The game masters' log is kept in English."""
TYPED = re.compile(r"^  .*|^Ref: .*|^>.*|^:: .*|^Auch verstanden: .*(?:\n.+)*", re.MULTILINE)
"""Lines to copy are written in what works in every language."""


TO_STRANGERS = ("Diplomacy by email", "What became of your letter")
"""Subjects of answers to strangers, which are in the language of their letters."""


class German(Player):
    """Plays the letters of a dialogue, whatever is answered: subjects are in German, so the newest letter is meant."""

    def _answered(self, address: str, subject: str) -> OutLetter:
        return self.got[address][-1]


@pytest.fixture
def german_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Games are in German unless they say otherwise; what was remembered of games by the same names says nothing.
    Nor do the words of the dialogues, which are in English: their writers read German.
    """
    monkeypatch.setattr(GameSettings, "language", replace(GameSettings.language, default="de"))
    for module in (from_seat, incoming_letter):
        monkeypatch.setattr(module, "is_plain_english", lambda *_: False)
    for remembered in (GameSettings._read, game_settings):
        remembered.cache_clear()
    yield
    for remembered in (GameSettings._read, game_settings):
        remembered.cache_clear()


@pytest.mark.usefixtures("german_games")
@pytest.mark.parametrize("name", PLAYED)
def test_a_letter_has_no_english_words(name: str, services: Services) -> None:
    store = MemoryStore(START, envelope=envelope)
    stage = DeskStage(replace(services, outage=timedelta(hours=1)), store, store)
    path = DIALOGUES / f"{name}.txt"
    player = German(stage, name, maps_of(path))
    blocks = [block for block in load(path) if block.mark in ("==", ">>")]
    for block in blocks:
        if not any(line.startswith("LANG ") for line in block.lines):
            _try(player, block)
    theirs = {pair for block in blocks for pair in _pairs("\n".join((block.head, *block.lines)))}
    chosen = {
        word.lower() for block in blocks for line in block.lines if CHOICE.match(line) for word in WORD.findall(line)
    }
    english_lines = [
        line
        for letters in player.got.values()
        for letter in letters
        if letter.subject not in TO_STRANGERS
        for line in _english(letter, theirs, ENGLISH - chosen)
    ]
    assert player.got
    assert not english_lines, "\n".join(dict.fromkeys(english_lines))


def _try(player: Player, block: Block) -> None:
    """A letter that names a code of ours may find none: not all is answered as in the English dialogue."""
    try:
        player.play([block])
    except AssertionError as error:
        if "Traceback" in str(error):
            raise


def _pairs(text: str) -> set[tuple[str, str]]:
    return {(word.lower(), following.lower()) for word, following in pairwise(WORD.findall(text))}


def _english(letter: OutLetter, theirs: set[tuple[str, str]], wrong: frozenset[str]) -> list[str]:
    """Lines with an English word that stands beside no word that a player put there."""
    text = TYPED.sub("", LOGGED.sub("", QUOTED.sub("", f"{letter.subject}\n{letter.text}")))
    return [
        f"{letter.subject} | {line}"
        for line in text.splitlines()
        if any({word, following} & wrong and (word, following) not in theirs for word, following in _neighbours(line))
    ]


def _neighbours(line: str) -> list[tuple[str, str]]:
    """Words side by side; a word that stands alone has nothing beside it."""
    words = [word.lower() for word in WORD.findall(line) if not word.isupper()]
    return list(pairwise(words)) or [("", word) for word in words if len(word) > 3]
