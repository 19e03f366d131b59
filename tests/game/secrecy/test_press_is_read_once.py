"""Words of press go to their readers once, in the manner of their first line; nothing reads them as anything else."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from game.secrecy.test_press_to_names import begun
from support.twin_games import Stage, Twins

from gm.game.model.services import Services

SECRET = "the Black Sea is ours"
PEOPLE = {"Austria": "Anna Berg", "France": "Udo Brandt", "Italy": "Greg Italo", "Turkey": "Tina Wolf"}
WORDS = (
    "Dear Udo, {s}.",
    "Hi Udo, {s}",
    "Udo, {s}!",
    "Udo: {s}",
    "Tina here. Udo, what do you think? {s}",
    "Hallo Udo, {s}.",
    "Dear Udo, dear Greg, {s}.",
    "Udo, tell Greg that {s}.",
    "Tell Greg that {s}.",
    "To Greg: {s}",
    "Ask Anna whether she knows. {s}",
    "Udo, let us attack Italy: {s}.\n\nGreg must not know.",
    "Game master, {s}?",
    "The last results were wrong, I complain: {s}",
    "Ruth, is this right? {s}",
    "Udo, can we have a later deadline? {s}",
)
FORMS = (
    "PRESS TO France GREY\n{w}\nENDPRESS",
    "PRESS TO France GREY: {w}",
    "press to Udo anonymously\n{w}\nend of press",
    "PRESSE AN Frankreich ANONYM\n{w}\nENDE",
    "Thanks!\nPRESS TO France GREY\n{w}\nENDPRESS",
    "Thanks!\nPRESS TO France GREY: {w}\nENDPRESS\nThat is all. Cheers, Tina",
    "PRESS TO France GREY\n{w}\nEND",
)
UNSENT = (
    "PRESS TO France GREY\n{w}\nAnk - Con",
    "PRESS TO ALL GREY\n{w}\nENDPRESS\n\nA Con - Bel\nA Smy - Paris\nXyz - Bul",
    "PRESS TO ALL GREY\nDear all, dear Udo, {w}\nF Ank - BLA",
    "PRESS TO France, Italy GREY\nOnly for Udo: {w}\nENDPRESS",
    "PRESS TO France, Italy GREY: Greg must not see this. Udo, {w}",
    "PRESS TO France GREY\n{w}\nTo Italy: hello\n",
)
"""Letters of which the press is not sent at once, or whose words speak to others."""


def play(stage: Stage, words: str) -> dict[str, list[str]]:
    """What other players read of the words after a letter of Turkey's and YES, twice."""
    for letter in (words, "YES", "Yes, please send it."):
        stage.write(Twins.address("Turkey"), stage.seat_address("Turkey"), letter)
        stage.go_to(stage.now() + timedelta(minutes=20))
        stage.settle()
    return {
        power: texts
        for power in ("Austria", "England", "France", "Germany", "Italy", "Russia")
        if (texts := [text for text in map(_text, stage.recorder.sent[Twins.address(power)]) if SECRET in text])
    }


def _text(sent: object) -> str:
    letter = sent.row.letter  # type: ignore[attr-defined]
    return " ".join(f"{letter.from_name} {letter.subject} {letter.text}".split())


def unmasked(read: dict[str, list[str]]) -> Counter[str]:
    every = (text for texts in read.values() for text in texts)
    return Counter(text for text in every if "Turkey writes" in text or "Tina Wolf" in text)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("words", WORDS)
def test_grey_press_goes_once_and_hides_its_writer(services: Services, form: str, words: str) -> None:
    stage = begun(services, PEOPLE, "press: both")
    read = play(stage, form.format(w=words.format(s=SECRET)))
    assert {power: len(texts) for power, texts in read.items()} == {"France": 1}
    assert not unmasked(read)
    assert not any(SECRET in _text(sent) for sent in stage.recorder.sent["masters@example.org"])


@pytest.mark.parametrize("form", [form.replace(" GREY", "").replace(" ANONYM", "") for form in FORMS[:2] + FORMS[4:]])
@pytest.mark.parametrize("words", WORDS)
def test_signed_press_goes_once(services: Services, form: str, words: str) -> None:
    read = play(begun(services, PEOPLE, "press: both"), form.format(w=words.format(s=SECRET)))
    assert {power: len(texts) for power, texts in read.items()} == {"France": 1}


@pytest.mark.parametrize("form", UNSENT)
@pytest.mark.parametrize("words", WORDS)
def test_what_is_proposed_hides_the_writer_as_well(services: Services, form: str, words: str) -> None:
    read = play(begun(services, PEOPLE, "press: both"), form.format(w=words.format(s=SECRET)))
    assert not unmasked(read)
    assert all(len(texts) == 1 for texts in read.values())
    if form is UNSENT[0]:
        assert read.keys() == {"France"}
    if "Only for Udo" in form or "Greg must not" in form:
        assert read.keys() <= {"France"}
