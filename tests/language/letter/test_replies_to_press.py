"""Which sentences of a reply to a player are meant for the game master."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.language.i18n.localized_variant import localized
from gm.language.letter.talk.replies_to_press import find_for_master
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.sentences import sentences_of, without
from gm.variant_files.library import Library


@pytest.mark.parametrize(
    ("language", "power", "words", "left"),
    [
        (
            "en",
            "France",
            "Fine by me. Oh and please change my order: Marseilles to Spain instead.\n\nBob",
            "Fine by me.\n\nBob",
        ),
        ("en", "France", "I'm in.\nFor my orders: Bre-Eng instead of the hold.", "I'm in."),
        ("en", "France", "Good idea. Brest goes to the channel.", "Good idea."),
        ("en", "France", "Deal. Paris to Burgundy, please. Till soon.", "Deal. Till soon."),
        ("en", "France", "Agreed, and Marseilles goes to Spain.", ""),
        ("en", "France", "I'm in. Dear GM, Brest holds.", "I'm in."),
        ("de", "Germany", "Ich mache mit. Übrigens: München bleibt doch stehen, bitte eintragen.", "Ich mache mit."),
        ("de", "Germany", "Gut. Trag bitte das ein: Berlin nach Kiel", "Gut."),
        ("de", "Germany", "Einverstanden! Berlin geht nach Kiel.", "Einverstanden!"),
        ("de", "Germany", "Ja.\nMeine Befehle sind: Mun-Ruh, Ber-Kie", "Ja."),
    ],
)
def test_orders_in_prose_are_for_the_game_master(
    shelf: Library, language: str, power: str, words: str, left: str
) -> None:
    sentences = sentences_of(words)
    numbers = find_for_master(sentences, _context(shelf, language, power))
    assert numbers
    assert without(sentences, numbers) == left


@pytest.mark.parametrize(
    ("language", "power", "words"),
    [
        ("en", "France", "I'll move Marseilles to Spain, if you stay out of Burgundy."),
        ("en", "France", "I can support Munich to Burgundy with Marseilles. You take Belgium from Holland."),
        ("en", "France", "I sent my orders already. What about you? Please change your orders!"),
        ("en", "France", "Why not Mar - Spa? Paris goes there, I think."),
        ("en", "France", "I wrote to the GM about it."),
        ("de", "Germany", "Ich ziehe nach Burgund, du nach Belgien. Bitte deine Befehle ändern."),
        ("de", "Germany", "Meine Befehle sind schon da. Wann schickst du deine?"),
    ],
)
def test_words_to_players_are_press(shelf: Library, language: str, power: str, words: str) -> None:
    assert not find_for_master(sentences_of(words), _context(shelf, language, power))


@given(st.text(alphabet="ab .!?,:\nAä\r-'\"0", max_size=200))
def test_the_sentences_are_the_letter(words: str) -> None:
    assert "".join(sentences_of(words)) == words
    assert without(sentences_of(words), ()).split() == words.split()


def _context(shelf: Library, language: str, power: str) -> LetterContext:
    variant = localized(shelf.variant("standard"), language)
    return LetterContext(variant, variant.start, power)
