"""What is taken out of a message before others read it, and what stays."""

from __future__ import annotations

import pytest

from gm.game.model.records import Person
from gm.game.press.anonymize import remove_names, without_signature

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
        ("I will stay out. Signed, the Queen's servant Luc", "I will stay out. Signed, the Queen's servant …"),
        ("Frieden! Es grüßt dein treuer Luc.", "Frieden! Es grüßt dein treuer …"),
        ("Paris, I think. Not Lucca", "Paris, I think. Not Lucca"),
    ],
)
def test_a_writer_s_own_marks_go(words: str, left: str) -> None:
    assert remove_names(words, LUC, "luc@example.org")[0] == left


def test_the_name_in_the_from_line_is_removed_too() -> None:
    assert remove_names("Best,\nThe Fox", LUC, "The Fox") == ("Best,", 1)


def test_a_name_of_two_letters_is_cut_out_of_no_sentence() -> None:
    assert remove_names("So Al Qusayr it is.\nAl", Person(1, "Al", ()), "")[0] == "So Al Qusayr it is."


IGOR = Person(1, "Igor", ("igor.petrov@yandex.example",))
FOOTER = "Sales Manager, Yandex\n+7 495 123 45 67"


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (f"I am a friend.\n\nBest regards\nIgor Petrov\n{FOOTER}", "I am a friend.\n\nBest regards"),
        (f"I am a friend.\n\nIgor Petrov\n{FOOTER}", "I am a friend."),
        (f"Agreed.\n\nMit freundlichen Grüßen,\nI. Petrov\n{FOOTER}", "Agreed.\n\nMit freundlichen Grüßen,"),
        ("Agreed.\nRegards, Igor Petrov, Yandex", "Agreed.\nRegards,"),
        ("Agreed.\nCheers\nIgor\nPS: Beware of Turkey.", "Agreed.\nCheers\nPS: Beware of Turkey."),
        (f"Agreed.\nBest wishes\n\n{FOOTER}", "Agreed.\nBest wishes"),
        ("Bob says thanks.\nThanks! Shall we attack Italy?", "Bob says thanks.\nThanks! Shall we attack Italy?"),
        ("Best regards to Igor's friends.\nWe march.", "Best regards to Igor's friends.\nWe march."),
        ("Agreed.\nYours\nA friend", "Agreed.\nYours\nA friend"),
        ("Agreed.\nRegards\nThe Kaiser of Germany", "Agreed.\nRegards\nThe Kaiser of Germany"),
        ("Agreed.\nRegards\nGermany", "Agreed.\nRegards\nGermany"),
        ("On 01/02/2026 and 01-02-2026 at 09:00", "On 01/02/2026 and 01-02-2026 at 09:00"),
    ],
)
def test_a_signature_is_cut_from_signed_and_unsigned_press(words: str, left: str) -> None:
    assert without_signature(words, IGOR, "Igor Petrov")[0] == left
    assert remove_names(words, IGOR, "Igor Petrov", ("germany",))[0] == left.replace("Igor", "…")


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("Igor Petrov here, from Moscow.", "… here, from Moscow."),
        ("Call me: +7 495 123 45 67", "Call me: …"),
        ("Ruf an: 0171/1234567 (abends)", "Ruf an: … (abends)"),
        ("Agreed.\nLiebe Grüße\nBobby Miller", "Agreed.\nLiebe Grüße"),
        ("Agreed.\nLG, Bobby Miller", "Agreed.\nLG,"),
        ("Agreed. Yours, Bobby", "Agreed. Yours, Bobby"),
    ],
)
def test_unsigned_press_shows_no_unknown_name_and_no_number(words: str, left: str) -> None:
    assert remove_names(words, IGOR, "Igor Petrov")[0] == left


def test_the_answer_can_count_the_lines_of_a_signature() -> None:
    assert without_signature(f"Agreed.\nRegards\nIgor Petrov\n{FOOTER}", IGOR)[1] == 3
    assert without_signature("Agreed.\nRegards, Igor", IGOR)[1] == 1
