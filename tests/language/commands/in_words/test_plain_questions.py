"""Plain sentences that stand for commands (grammars/plain_questions), and which hints a letter gets."""

from __future__ import annotations

import re
import tomllib

import pytest
from support.shipped import LIBRARY

from gm import resources
from gm.language.commands import parser as commands
from gm.language.commands.in_words.plain_questions import HINTS
from gm.language.commands.table import table
from gm.language.i18n.localized_variant import localized
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext

FILES = sorted((resources.folder("grammars") / "plain_questions").glob("*.toml"))
LOOKUPS = {
    *("LookupRequest", "ShowRequest", "DeadlineRequest", "WhoRequest", "MapRequest", "HelpRequest"),
    *("PreviewRequest", "ExportRequest"),
    "WaitRequest",
}
"""Requests that a sentence may make: they change nothing. WAIT only takes a READY back."""
STANDARD = LIBRARY.variant("standard", {})


def read(text: str, *, power: str = "France", master: bool = False) -> LetterContents:
    context = LetterContext(STANDARD, STANDARD.start, power, master)
    return read_letter(list(enumerate(text.split("\n"), 1)), context)


def hinted(reading: LetterContents) -> list[str]:
    hints = [trouble for trouble in reading.troubles if trouble.key in HINTS]
    return [dict(hint.fields)["commands"].split()[0] for hint in hints]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_sentences_name_existing_commands(file) -> None:  # type: ignore[no-untyped-def]
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    known = {row.name for row in table().commands}
    for row in content["asks"]:
        asked = commands.read_command(row["line"], STANDARD)
        assert asked is not None
        assert type(asked.request).__name__ in LOOKUPS
    for row in content["means"]:
        assert set(row["commands"]) <= known
    for row in (*content["asks"], *content["means"]):
        for sentence in row["said"]:
            words = sentence.replace("(?P<", "(?p<")  # the name of a group
            assert words == words.lower() or "\\" in sentence
            re.compile(sentence.replace("{power}", "france"))


def test_a_hint_names_a_command_of_the_writers_role() -> None:
    line = "Please could you extend the deadline a bit?"
    assert hinted(read(line)) == ["extend-ask"]
    assert hinted(read(line, power="", master=True)) == ["extend"]
    assert hinted(read(line, power="")) == []


def test_no_hint_at_a_command_that_the_letter_has() -> None:
    assert hinted(read("I shall be away next week.")) == ["absence"]
    assert hinted(read("I shall be away next week.\nABSENCE 9 Mar TO 15 Mar")) == []


def test_a_letter_gets_few_hints_and_each_once() -> None:
    many = "I resign.\nI resign!\nI concede.\nI need an extension.\nI am on vacation."
    assert hinted(read(many)) == ["resign", "vote-concede", "extend-ask"]


def test_a_long_story_gets_no_hints() -> None:
    assert hinted(read("\n".join(["Once upon a time."] * 60 + ["I resign."]))) == []


PROPOSED = [
    ("en", "France", "I resign.", "RESIGN"),
    ("en", "France", "I have to stop, new job, sorry.", "RESIGN"),
    ("en", "France", "Please find somebody else for Italy.", "RESIGN"),
    ("en", "France", "Sorry, I can't continue.", "RESIGN"),
    ("en", "France", "I'm quitting the game.", "RESIGN"),
    ("en", "France", "I have to stop you in Galicia.", None),
    ("en", "France", "I'm out of ideas.", None),
    ("en", "France", "I'm leaving Brest open.", None),
    ("en", "France", "I'm giving up Picardy.", None),
    ("en", "France", "I have to go now, dinner is ready.", None),
    ("en", "France", "I can't continue to Burgundy.", None),
    ("en", "France", "I'm leaving, because of my job.", "RESIGN"),
    ("en", "France", "I will go to Spain, then.", None),
    ("de", "France", "Ich trete zurück.", "RÜCKTRITT"),
    ("de", "France", "Leider muss ich aufhören, neue Arbeit.", "RÜCKTRITT"),
    ("de", "France", "Ich kann leider nicht mehr mitspielen.", "RÜCKTRITT"),
    ("de", "France", "Bitte sucht jemand anderen für mich.", "RÜCKTRITT"),
    ("de", "France", "Ich höre gern von dir.", None),
    ("de", "France", "Ich muss die Picardie aufgeben.", None),
    ("de", "France", "Ich muss meine Befehle noch abgeben.", None),
    ("de", "France", "Ich will nach Paris zurück.", None),
    ("de", "France", "Ich verlasse das Spiel.", "RÜCKTRITT"),
    ("en", "", "Everybody is here. Let's start!", "START"),
    ("en", "", "undo the last turn please, I made a mistake", "ROLLBACK"),
    ("en", "", "Exclude Bob please, his mail bounces", "EJECT Bob"),
    ("en", "", "Please remove Austria from the game.", "EJECT Austria"),
    ("en", "", "new deadline: Thursday 9 pm, because Bob's mother is in hospital", "DEADLINE Thursday 9 pm"),
    ("en", "", "We should postpone it by 2 days", "EXTEND 2 days"),
    ("en", "", "Ok, approve Hans and Bob please.", "APPROVE Hans and Bob"),
    ("en", "", "Hans gets Austria.", "APPROVE Hans to Austria"),
    ("en", "", "Turkey goes to Ayşe Yılmaz, ayse@mail.example", "SEAT Turkey: Ayşe Yılmaz <ayse@mail.example>"),
    ("en", "", "Could you please process it now?", "PROCESS"),
    ("de", "", "Bitte jetzt auswerten", "AUSWERTEN"),
    ("de", "", "Alle sind da, los geht's, bitte starten!", "STARTEN"),
    ("de", "", "Macht bitte die letzte Runde rückgängig.", "ZURÜCKSETZEN"),
    ("de", "", "Wirf bitte Bob raus, seine Mails kommen zurück.", "HINAUSWERFEN Bob"),
    ("de", "", "Die neue Frist ist Donnerstag 21 Uhr, weil Bobs Mutter im Krankenhaus ist", "FRIST Donnerstag 21 Uhr"),
    ("de", "", "Hans und Bob dürfen mitspielen", "ANNEHMEN Hans und Bob"),
    ("de", "", "Hans bekommt Österreich", "ANNEHMEN Hans als Austria"),
    ("en", "", "Push the deadline back by 48 hours", "EXTEND 48 hours"),
    (
        "en",
        "",
        "The deadline has been extended to Saturday 14 March, 6pm, so relax",
        "EXTEND TO Saturday 14 March, 6pm",
    ),
    ("en", "", "Let's wait until Wednesday.", "EXTEND TO Wednesday"),
    ("en", "", "I can't wait until Wednesday!", None),
    ("en", "", "Extend to Friday, noon. No more extensions.", "EXTEND TO Friday, noon"),
    ("en", "", "Irina asks for 24 hours more. I refuse it.", None),
    ("en", "", "We will not extend it by two days.", None),
    ("en", "", "We waited two days longer than planned.", None),
    ("en", "", "Two days later, the king died.", None),
    ("en", "", "Could you bring the deadline forward by one day?", "SHORTEN one day"),
    ("en", "", "A draw: England, France and Turkey.", "CLOSE draw England, France and Turkey"),
    ("en", "", "The draw between England and France is a rumour.", None),
    ("en", "", "Please go back to sleep.", None),
    ("en", "", "Replace Anna with Paul Winter <paul@winter.example>", "SEAT Anna: Paul Winter <paul@winter.example>"),
    ("en", "", "Please remind Italy and France.", "REMIND Italy and France"),
    ("en", "", "Send out the reminders please", "REMIND"),
    ("en", "", "Pause the game from 1 to 12 April", "PAUSE FROM 1 TO 12 April"),
    ("de", "", "Bitte die Frist um zwei Tage nach hinten schieben", "VERLÄNGERN UM zwei Tage"),
    ("de", "", "Zieh die Frist bitte um einen Tag vor", "FRIST VERKÜRZEN UM einen Tag"),
    ("de", "", "Können wir bis Donnerstag warten?", None),
    ("de", "", "Wartet bitte bis Donnerstag, 18 Uhr", "VERLÄNGERN BIS Donnerstag, 18 Uhr"),
    ("de", "", "Tom muss leider aufhören", None),
    ("de", "", "Ersetze Tom durch Paul (paul@winter.example)", "PLATZ Tom: Paul (paul@winter.example)"),
    ("de", "", "Erinnere bitte alle, die noch fehlen", "ERINNERN"),
]


@pytest.mark.parametrize(("language", "power", "text", "line"), PROPOSED)
def test_a_sentence_that_says_all_of_a_command_proposes_it(
    language: str, power: str, text: str, line: str | None
) -> None:
    variant = localized(STANDARD, language)
    reading = read_letter([(1, text)], LetterContext(variant, variant.start, power, not power))
    meant = [trouble.suggestions for trouble in reading.troubles if trouble.key == "meant-plainly"]
    assert [lines[0] for lines in meant] == ([line] if line else [])
