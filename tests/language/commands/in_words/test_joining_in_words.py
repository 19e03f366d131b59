"""Sentences of people who want to play, and of people who do not."""

from __future__ import annotations

import pytest
from support.shipped import LIBRARY

from gm.language.commands.in_words.joining_in_words import find_joining
from gm.language.commands.preferences import read_preferences, wish_in_letter
from gm.language.i18n.localized_variant import localized

GAMES = frozenset({"ostend", "erdbeben"})

# ruff: noqa: E501
WANTS = [
    ("en", "Yes please join me in to ostend. Name is Bob Miller. Can I be Russia?", "ostend", "Russia", "Bob Miller"),
    ("en", "join ostend as Russia if i can. my name is Bob Miller", "ostend", "Russia", "Bob Miller"),
    ("en", "I want to join ostend", "ostend", "", ""),
    ("en", "Please let me join ostend as Russia", "ostend", "Russia", ""),
    ("en", "Hi! I'd love to play in Ostend, preferably Italy or France, otherwise Austria.", "ostend", "[Italy, France], Austria", ""),
    ("en", "Count me in for ostend please, anything but Austria", "ostend", "[England, France, Germany, Italy, Russia, Turkey]", ""),
    ("en", "I am from Germany. Could you sign me up for ostend? I'd like England most, then Turkey.", "ostend", "England, Turkey", ""),
    ("en", "I would like to take part in ostend. I live in France.", "ostend", "", ""),
    ("en", "Can I play in erdbeben too?", "erdbeben", "", ""),
    ("en", "Ostend sounds great, I'm in!", "ostend", "", ""),
    ("en", "I would like to take part in Ostend but not in Erdbeben. Well, maybe in Erdbeben too, let me think about it.", "ostend", "", ""),
    ("en", "No no, you got that the wrong way round: I want Ostend. Take me out of Erdbeben for now please.", "ostend", "", ""),
    ("de", "Ich möchte bei Ostend mitspielen, aber nicht bei Erdbeben. Vielleicht Erdbeben später, das überlege ich noch.", "ostend", "", ""),
    ("de", "Ja, ich möchte bei ostend mitmachen, am liebsten Österreich!", "ostend", "Austria", ""),
    ("de", "Ich möchte in der Partie ostend mitspielen.", "ostend", "", ""),
    ("de", "Ich will bei ostend mitmachen. Mein Name ist Jürgen Groß.", "ostend", "", "Jürgen Groß"),
    ("de", "Ich möchte auch bei Erdbeben mitspielen, gern wieder Österreich.", "erdbeben", "Austria", ""),
    ("de", "Bitte tragt mich bei ostend ein, lieber Italien oder Frankreich, bloß nicht Russland.", "ostend", "[Italy, France], [Austria, England, Germany, Turkey]", ""),
    ("de", "Ich wäre gern bei ostend dabei, zur Not auch als Türkei.", "ostend", "Turkey", ""),
    ("de", "Kann ich bei ostend mitmachen? Ich komme aus Österreich.", "ostend", "", ""),
]  # fmt: skip
TALK = [
    "How do I join ostend?",
    "Wie kann ich bei ostend mitmachen?",
    "I do not want to join ostend.",
    "Ich möchte bei ostend nicht mehr mitspielen.",
    "I would like to leave ostend, I cannot play any more.",
    "Who plays in ostend?",
    "I want to join forces with France in ostend",
    "I played ostend last year.",
    "Maybe I will join ostend later",
    "I want to play a game.",
    "What is ostend?",
    "When does ostend begin?",
    "Maybe in ostend too, let me think about it.",
    "Take me out of ostend please.",
    "Let me know when ostend begins.",
    "I want peace. How is ostend going?",
    "Vielleicht ostend, das überlege ich noch.",
]


@pytest.mark.parametrize(("language", "text", "game", "wish", "name"), WANTS)
def test_who_wants_to_play(language: str, text: str, game: str, wish: str, name: str) -> None:
    joining = find_joining(((1, text),), ("en", "de"), GAMES.__contains__)
    assert joining is not None
    variant = localized(LIBRARY.variant("standard", {}), language)
    assert (joining.game, wish_in_letter(joining.words, variant).text, joining.name) == (game, wish, name)


@pytest.mark.parametrize("text", TALK)
def test_who_does_not(text: str) -> None:
    assert find_joining(((1, text),), ("en", "de"), GAMES.__contains__) is None


@pytest.mark.parametrize(
    ("language", "text", "wish", "unknown"),
    [
        ("en", "Italy or France, else Austria", "[Italy, France], Austria", ""),
        ("en", "Italy if possible", "Italy", ""),
        ("en", "anything but Austria or Italy", "[England, France, Germany, Russia, Turkey]", ""),
        ("en", "Itlay or France please", "", "Itlay"),
        ("en", "France, Atlantis", "", "Atlantis"),
        ("de", "am liebsten Österreich", "Austria", ""),
        ("de", "Italien oder Frankreich, sonst Österreich", "[Italy, France], Austria", ""),
        ("de", "alles außer Österreich", "[England, France, Germany, Italy, Russia, Turkey]", ""),
    ],
)
def test_preferences_in_words(language: str, text: str, wish: str, unknown: str) -> None:
    variant = localized(LIBRARY.variant("standard", {}), language)
    read = read_preferences(text, variant)
    assert (("" if read.unknown else read.text), read.unknown) == (wish, unknown)
