"""Words whose writer wants to stay unknown go out without their name, or not at all, whatever a YES says."""

from __future__ import annotations

from datetime import timedelta

import pytest
from game.secrecy.test_press_to_names import begun
from support.twin_games import Stage, Twins

from gm.game.model.services import Services

SECRET = "Germany will attack you"
HIDDEN = (
    "anon to {France}: {words}",
    "anonymous to {France}: {words}",
    "grey to {France}: {words}",
    "anonymously to {France}: {words}",
    "An anonymous letter to {France}: {words}",
    "Anonymous press to {France}: {words}",
    "To {France}, anonymously: {words}",
    "To {France} (anonymous): {words}",
    "Tell {France} anonymously that {words}",
    "Please tell {France} without my name that {words}",
    "Anonymously tell {France} that {words}",
    "Send this anonymously to {France}: {words}",
    "Send this to {France} anonymously: {words}",
    "Write to {France} anonymously: {words}",
    "Dear {France}, {words}. Anonymous, please.",
    "Dear {France}, {words}\n\nAnonymously, please.",
    "Anonymously:\nDear {France}, {words}",
    "Tell {France} that {words}. Don't say that it's from me.",
    "Tell {France} that {words}, but don't let them know who wrote it",
    "{France} (anonymously): {words}",
    "Anonym an {France}: {words}",
    "Grau an {France}: {words}",
    "Anonyme Nachricht an {France}: {words}",
    "Eine anonyme Nachricht an {France}: {words}",
    "Schreib {France} anonym: {words}",
    "Sag {France} bitte anonym, dass {words}",
    "Bitte schick {France} ohne meinen Namen: {words}",
    "Liebes {France}, {words}. Anonym bitte.",
    "Sag {France}, dass {words}. Verrate nicht, dass das von mir kommt.",
    "A Mar - Spa. anon to {France}: {words}",
    "Dear Italy, all is well.\nAnd anonymously to {France}: {words}",
)


def letters_to_france(stage: Stage, words: str) -> str:
    stage.write(Twins.address("Turkey"), stage.seat_address("Turkey"), words)
    stage.write(Twins.address("Turkey"), stage.seat_address("Turkey"), "YES")
    stage.go_to(stage.now() + timedelta(hours=1))
    stage.settle()
    return "\n".join(
        f"{sent.row.letter.from_name} {sent.row.letter.subject}\n{sent.row.letter.text}"
        for sent in stage.recorder.sent[Twins.address("France")]
        if SECRET.lower() in " ".join(sent.row.letter.text.lower().split())
    )


@pytest.mark.parametrize("called", ["France", "Udo"])
@pytest.mark.parametrize("words", HIDDEN)
def test_hidden_words_are_never_signed(services: Services, words: str, called: str) -> None:
    stage = begun(services, {"France": "Udo Brandt", "Turkey": "Tina Wolf"}, "press: both")
    got = letters_to_france(stage, words.format(France=called, words=SECRET))
    assert "Turkey" not in got
    assert "Tina" not in got


@pytest.mark.parametrize("words", HIDDEN)
def test_nothing_goes_where_all_press_is_signed(services: Services, words: str) -> None:
    stage = begun(services, {"France": "Udo Brandt", "Turkey": "Tina Wolf"})
    assert letters_to_france(stage, words.format(France="Udo", words=SECRET)) == ""


def test_some_of_them_arrive(services: Services) -> None:
    stage = begun(services, {"France": "Udo Brandt"}, "press: both")
    assert SECRET in letters_to_france(stage, HIDDEN[0].format(France="Udo", words=SECRET))
