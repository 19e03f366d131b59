"""Words beside a YES that only agree, and sentences that refuse."""

import pytest

from gm.language.letter.talk.consent_words import only_agrees, refusal

LANGUAGES = ("en", "de")


@pytest.mark.parametrize(
    "words",
    [
        "",
        "please",
        "thanks, Ruth!",
        "that's what I meant",
        "exactly, take them all",
        "go ahead",
        "sorry, typo",
        "genau, danke",
        "so war es gemeint",
    ],
)
def test_agreement(words: str) -> None:
    assert only_agrees(words, LANGUAGES)


@pytest.mark.parametrize(
    "words",
    [
        "I'm still playing!",
        "I'll be at the convention on Saturday.",
        "I know, Hannah. But I'd rather keep the peace with Tom.",
        "she said Sev-Rum is right",
        "but not Munich",
        "ich überleg's mir nochmal",
        "wir sehen uns am Samstag",
    ],
)
def test_more_than_agreement(words: str) -> None:
    assert not only_agrees(words, LANGUAGES)


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("no", ""),
        ("No, sorry, not yet.", ""),
        ("Sorry, forget that. I'll stay.", ""),
        ("Hang on, I must ask Irina first.", ""),
        ("not now. Vienna to Galicia", "Vienna to Galicia"),
        ("Nein, noch nicht!", ""),
        ("Nein, noch nicht! Gruß an Straßburg", "Gruß an Straßburg"),
        ("Ich hab es mir anders überlegt. A Wie - Gal", "A Wie - Gal"),
    ],
)
def test_refusals(line: str, rest: str) -> None:
    past = refusal(line, LANGUAGES)
    assert past
    assert line[past:] == rest


@pytest.mark.parametrize(
    "line", ["No builds", "no press please", "Vienna to Galicia", "Hold", "wait", "stop", "halten", ""]
)
def test_no_refusals(line: str) -> None:
    assert refusal(line, LANGUAGES) == 0
