"""What is taken out of a message before others read it, and what stays."""

from __future__ import annotations

import pytest

from gm.game.model.records import Person
from gm.game.press.anonymize import remove_names

LUC = Person(1, "Luc Marchand", ("luc@example.org",))


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("Meet me in Paris.\n\nLuc", "Meet me in Paris."),
        ("Meet me in Paris.\n- Luc Marchand", "Meet me in Paris."),
        ("Meet me in Paris.\n\nL.M.\n", "Meet me in Paris."),
        ("Meet me in Paris.\nLucien", "Meet me in Paris.\nLucien"),
        ("This is Luc Marchand speaking.", "This is … speaking."),
        ("Luck is with us, and lucre.", "Luck is with us, and lucre."),
        ("Write to luc@example.org or <mailto:x@y.example>.", "Write to … or …."),
        ("Date: Mon, 2 Mar 2026 10:00:00 +0100\nYes.", "Yes."),
        ("From: Luc <luc@example.org>\nYes.", "Yes."),
        ("From: Spain to Italy\nYes.", "From: Spain to Italy\nYes."),
        ("To: be or not", "To: be or not"),
        ("At 20:00 GMT+2 we strike.", "At 20:00  we strike."),
        ("At 20:00 +0200 (CEST) we strike.", "At 20:00 we strike."),
        ("Luc", ""),
        ("Agreed. Luc", "Agreed."),
        ("Agreed, Luc.", "Agreed"),
        ("Thank you - Luc Marchand", "Thank you"),
        ("Beware of Luc", "Beware of Luc"),
        ("Paris, I think. Not Lucca", "Paris, I think. Not Lucca"),
    ],
)
def test_a_writer_s_own_marks_go(words: str, left: str) -> None:
    assert remove_names(words, LUC, "luc@example.org") == left


def test_the_name_in_the_from_line_is_removed_too() -> None:
    assert remove_names("Best,\nThe Fox", LUC, "The Fox") == "Best,"


def test_a_name_of_two_letters_is_cut_out_of_no_sentence() -> None:
    assert remove_names("So Al Qusayr it is.\nAl", Person(1, "Al", ()), "") == "So Al Qusayr it is."
