"""Answers, reminders, press, questions: as golden files, and what threads and proofs hang on."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace
from support.standard_game import Letterbox, a_letter, golden

from gm.game.letters import results
from gm.game.letters.answer import render_answer
from gm.game.letters.answer_inserts import INSERTS
from gm.game.letters.press import render_press
from gm.game.letters.question import render_plain_answer, render_question
from gm.game.letters.reminder import IncompleteSheet, render_reminder
from gm.game.model.choose_setting import setting_views
from gm.game.model.letter_report import AnswerInsert, LetterReport, Note, SheetReport
from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, GameState, OutLetter, PressRow, Question, Sheet, SheetLine
from gm.game.views.help.help_fields import help_fields
from gm.judge.model.position import Position
from gm.judge.model.sheets import DueOrders
from gm.language.commands.parser import read_command
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders.sheet_reader import read_order
from gm.language.rendering import help_pages
from gm.language.rendering.plain_text import WIDTH
from gm.language.rendering.views import RowsView

SUNDAY = datetime(2026, 3, 15, 19, tzinfo=UTC)
FRIDAY = datetime(2026, 3, 13, 14, tzinfo=UTC)
UNITS = {"France": "A Mar, A Par, A Pic, F Por", "Germany": "A Bur, F Den, A Ruh"}
CENTRES = {"France": "Bre Mar Par Por", "Germany": "Ber Kie Mun Den"}


class Spring(Letterbox):
    """Spring 1902, France: the model letters' second season."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.store.clock = FRIDAY
        self.board = self.position(UNITS, CENTRES, "S1902M")
        snapshot = self.enter(self.board, SUNDAY)
        self.root = self.send(
            results.render_results(self.services, self.store, self.game, self.seats["France"], snapshot)
        )

    def report(self, before: Sheet | None, after: Sheet | None, **more: object) -> SheetReport:
        owed = _missing(self, self.board, after)
        return SheetReport("France", "France", before, after, owed, **more)  # type: ignore[arg-type]

    def answer(
        self, report: LetterReport, power: str = "France", answers_to: tuple[str, ...] | None = None
    ) -> OutLetter:
        letter = a_letter("Re: x", (self.root.message_id,) if answers_to is None else answers_to)
        seat = self.seats[power]
        return render_answer(self.services, self.store, self.row(), letter, self.game, seat, report)


def _missing(box: Letterbox, position: Position, sheet: Sheet | None) -> DueOrders:
    context = LetterContext(box.variant, position, "France")
    read = [read_order(line.text, context) for line in sheet.lines] if sheet else []
    lines = tuple(order for order in read if not isinstance(order, LineError))
    return box.variant.step(position).missing(position, box.variant, "France", lines)


@pytest.fixture
def spring() -> Spring:
    return Spring()


def test_an_answer_to_orders_that_are_all_well(spring: Spring) -> None:
    before = spring.sheet("France", 2, "A Mar H", "A Pic - Bel")
    after = spring.sheet("France", 3, "A Mar H", "A Pic H", "A Par - Bur", ready=True)
    forced = SheetLine(("unit", "F Por"), "F Por - MAO", forced=True)
    after = replace(after, lines=(*after.lines, forced))
    report = LetterReport(sheets=(spring.report(before, after),), stored=2, quoted_lines=23, signature_lines=4)
    letter = spring.answer(report)
    golden("answer-well", f"Subject: {letter.subject}\n\n{letter.text}")
    assert letter.references == (spring.root.message_id, "player-1@example.org")
    assert letter.automatic == "auto-replied"
    assert letter.subject == f"Re: {spring.root.subject}"
    assert letter.phase == "S1902M"


def test_an_answer_with_problems(spring: Spring) -> None:
    lines = ("A Mar - Burgindy", "F Por - Spa", "A Par S A Pic - Bel", "A Pic - Bel")
    reading = read_letter(tuple(enumerate(lines, 1)), LetterContext(spring.variant, spring.board, "France"))
    before = spring.sheet("France", 1, "A Mar H")
    after = spring.sheet("France", 2, "A Mar H", "A Pic - Bel")
    report = LetterReport(
        sheets=(spring.report(before, after),),
        troubles=reading.troubles,
        stored=1,
        asked=len(reading.troubles),
        quoted_lines=31,
    )
    letter = spring.answer(report)
    golden("answer-problems", letter.text)
    for trouble in reading.troubles:
        assert f"   {trouble.text}\n" in letter.text
        assert "   " + " " * trouble.start + "^" * (trouble.end - trouble.start) + "\n" in letter.text
    assert "mailto:" in letter.html


def test_names_in_passing_are_told_together(spring: Spring) -> None:
    lines = (
        LineError(1, "Greece is far, Rome is near.", 0, 13, "named-in-passing", obeyed=True),
        LineError(1, "Greece is far, Rome is near.", 15, 27, "named-in-passing", obeyed=True),
        LineError(2, "A Mar", 2, 5, "not-taken"),
        LineError(3, "Kiel!", 0, 4, "named-in-passing", obeyed=True),
    )
    text = spring.answer(LetterReport(troubles=lines, asked=1)).text
    assert text.count("NAMED IN PASSING") == 1
    assert "   Greece is far, Rome is near.\n   ^^^^^^^^^^^^^  ^^^^^^^^^^^^\n   Kiel!\n   ^^^^\n" in text


def test_a_reminder_shows_the_lines_that_were_asked_back(spring: Spring) -> None:
    sheet = replace(spring.sheet("France", 2, "A Mar H"), open_questions=("F Por - Spa",))
    owed = _missing(spring, spring.board, sheet)
    seat = spring.seats["France"]
    letter = render_reminder(
        spring.services, spring.store, spring.game, seat, (IncompleteSheet(seat.power, sheet, owed),), "reminder:1"
    )
    assert "STILL NEEDS A CORRECTION\n  F Por - Spa\n" in letter.text


def test_unread_parts_are_named_in_words(spring: Spring) -> None:
    ignored = (("attachments", 1), ("disclaimer", 3), ("beyond", 2))
    text = spring.answer(LetterReport(other_ignored=ignored)).text.replace("\n", " ")
    assert "1 attachment was not opened: write orders into the letter itself." in text
    assert "Not read: a disclaimer of 3 lines and 2 lines beyond what one letter may hold." in text


def test_a_letter_that_is_no_reply_gets_its_own_subject(spring: Spring) -> None:
    report = LetterReport(sheets=(spring.report(None, spring.sheet("France", 1, "A Mar H")),), stored=1)
    letter = spring.answer(report, answers_to=())
    assert letter.subject == "[ostend S1902M] France: orders, version 1"
    assert letter.references == (spring.root.message_id, "player-1@example.org")


def test_somebody_elses_thread_is_not_joined(spring: Spring) -> None:
    letter = spring.answer(LetterReport(), power="Germany", answers_to=(spring.root.message_id,))
    assert spring.root.message_id not in letter.references
    assert not letter.subject.startswith("Re:")


def test_a_late_letter_says_where_to_send_it(spring: Spring) -> None:
    letter = spring.answer(LetterReport(late_for="F1901M"))
    assert letter.text.startswith("Your letter came too late for F1901M: Fall 1901 is over")
    assert "S1902M" in letter.text
    assert letter.text.rstrip().split("\n")[-1].startswith("Ref: ostend S1902M ")
    now = spring.answer(LetterReport(late_for="S1902M"))
    assert "the deadline of Spring 1902 has passed" in now.text.replace("\n", " ")
    spring.game = replace(spring.game, state=GameState.ENDED, phase="", due_at=None)
    assert "so is the game" in spring.answer(LetterReport(late_for="S1902M")).text.replace("\n", " ")


def test_builds_not_used_are_shown_as_waived(spring: Spring) -> None:
    winter = spring.position({"France": "A Pic"}, {"France": "Bre Mar Par"}, "W1901A")
    spring.enter(winter, SUNDAY)
    after = replace(spring.sheet("France", 1), lines=(SheetLine(("build", "Par"), "Build A Par"),))
    owed = _missing(spring, winter, after)
    letter = spring.answer(LetterReport(sheets=(SheetReport("France", "France", None, after, owed),), stored=1))
    assert "One build is left: without a line it is waived." in letter.text
    assert "Build A Par  new" in letter.text


def test_a_removal_that_is_left_names_the_unit(spring: Spring) -> None:
    winter = spring.position({"France": "A Mar, A Par, F Por"}, {"France": "Mar Par"}, "W1901A")
    spring.enter(winter, SUNDAY)
    owed = _missing(spring, winter, None)
    report = SheetReport("France", "France", None, None, owed, changed=False)
    letter = spring.answer(LetterReport(sheets=(report,)))
    assert "Without a line the rules choose: Remove F Por." in letter.text


def test_notes_appear_once(spring: Spring) -> None:
    notes = (
        Note("desk.zone", (("zone", "Europe/Paris"),), headline=True),
        Note("desk.press-empty", done=False, line=3),
        Note("desk.press-empty", done=False, line=5),
    )
    letter = spring.answer(LetterReport(notes=notes))
    assert letter.text.startswith("Your time zone is Europe/Paris.")
    assert letter.text.count("There is nothing to pass on") == 1
    refused = spring.answer(LetterReport(notes=notes[1:2]))
    assert refused.text.startswith("There is nothing to pass on")
    assert refused.text.count("There is nothing to pass on") == 1


@pytest.mark.parametrize("topic", ["", "orders", "retreats", "builds", "changes", "press", "deadline", "seats", "gm"])
@pytest.mark.parametrize("power", ["France", MASTER])
def test_every_page_of_the_manual_can_be_sent(spring: Spring, topic: str, power: str) -> None:
    letter = spring.answer(LetterReport(inserts=(AnswerInsert("help", topic),)), power)
    _is_fit(letter)
    assert "no page on" not in letter.text


def test_the_manual_can_be_read_before_the_game_begins() -> None:
    box = Letterbox()
    for kind in INSERTS:
        for power in ("France", MASTER):
            report = LetterReport(inserts=(AnswerInsert(kind, ""),))
            letter = render_answer(
                box.services, box.store, box.row(), a_letter("HELP"), box.game, box.seats[power], report
            )
            _is_fit(letter)
            assert letter.text.rstrip().split("\n")[-1] == f"Ref: ostend {box.services.post.token(box.seats[power])}"


def test_an_unknown_page_names_the_known_ones(spring: Spring) -> None:
    letter = spring.answer(LetterReport(inserts=(AnswerInsert("help", "../gm"),)))
    assert "There is no page on “../gm”" in letter.text
    assert "ORDERS" in letter.text


@pytest.mark.parametrize("kind", ["status", "history", "rules", "missing", "all-sheets"])
def test_a_player_learns_nothing_of_others_sheets(spring: Spring, kind: str) -> None:
    spring.store.turns.add_sheet(spring.sheet("Germany", 1, "A Bur - Par", ready=True))
    letter = spring.answer(LetterReport(inserts=(AnswerInsert(kind),)))
    assert "A Bur - Par" not in letter.text + letter.html
    assert "READY" not in letter.text
    master = spring.answer(LetterReport(inserts=(AnswerInsert(kind),)), MASTER)
    assert ("A Bur - Par" in master.text) is (kind == "all-sheets")
    if kind == "missing":
        assert "no order for A Mar, A Par, A Pic and F Por." in master.text


def test_a_reminder_names_what_is_due_and_nothing_else(spring: Spring) -> None:
    spring.store.clock = datetime(2026, 3, 14, 7, tzinfo=UTC)
    sheet = spring.sheet("France", 2, "A Mar H", "A Pic - Bel")
    owed = _missing(spring, spring.board, sheet)
    letter = render_reminder(
        spring.services,
        spring.store,
        spring.game,
        spring.seats["France"],
        (IncompleteSheet("France", sheet, owed),),
        "36 h",
    )
    golden("reminder", f"Subject: {letter.subject}\n\n{letter.text}")
    assert letter.expires_at == SUNDAY
    assert letter.references == (spring.root.message_id,)
    again = render_reminder(
        spring.services,
        spring.store,
        spring.game,
        spring.seats["France"],
        (IncompleteSheet("France", sheet, owed),),
        "36 h",
    )
    assert again.message_id == letter.message_id


HOSTILE = """Dear Paris,

the German in Burgundy is far from home.
:: Deadline: S1902M 2026-01-01
Ref: ostend S1902M aaaaaaaaaaaaaaaaaaaaaaaaaa
DECREED BY THE GAME MASTER (Ruth Amsel)
----------------------------------------
<script>alert(1)</script> \u202egnirts
--\x20
St Petersburg"""


def test_press_is_passed_on_and_forges_nothing(spring: Spring) -> None:
    row = spring.store.turns.add_press(
        PressRow(0, spring.game.id, "S1902M", "Russia", ("France",), HOSTILE, spring.store.now())
    )
    letter = render_press(spring.services, spring.store, spring.game, spring.seats["France"], row)
    golden("press", f"From: {letter.from_name}\nSubject: {letter.subject}\n\n{letter.text}")
    assert "<script>" not in letter.html
    assert letter.channel == "France-Russia"
    assert letter.phase == ""
    assert "irina" not in (letter.text + letter.html + letter.subject + letter.from_name).lower()


def test_a_channel_is_one_thread(spring: Spring) -> None:
    sent: list[OutLetter] = []
    for sender in ("Russia", "Germany", "Russia"):
        to = tuple(sorted({"France", "Germany", "Russia"} - {sender}))
        row = PressRow(0, spring.game.id, "S1902M", sender, to, f"{sender} speaks", spring.store.now())
        row = spring.store.turns.add_press(row)
        letter = render_press(spring.services, spring.store, spring.game, spring.seats["France"], row)
        sent.append(spring.send(letter))
    assert {message.subject for message in sent} == {"[ostend] France, Germany and Russia"}
    assert sent[0].references == ()
    assert sent[1].references == (sent[0].message_id,)
    assert sent[2].references == (sent[0].message_id, sent[1].message_id)
    assert sent[0].text.startswith("Russia writes to Germany and you (France):")


@pytest.mark.parametrize(("kind", "words"), [("hold", ["YES"]), ("press", ["PRESS", "ORDERS"])])
def test_a_question_carries_its_code(spring: Spring, kind: str, words: list[str]) -> None:
    seat = spring.seats["France"]
    code = spring.services.post.code("hold", "1")
    asked = Question(code, kind, spring.game.id, seat.id, 1, "", spring.store.now())
    person = spring.store.people.get(seat.person or 0)
    held = a_letter("my orders", words="A Par - Bur")
    fields = {"readers": "Germany"}
    letter = render_question(spring.services, person, spring.game, seat, asked, held, fields)
    assert letter.cause == f"question:{code}"
    assert letter.address == "france@example.org"
    assert letter.text.endswith(f"\n\nRef: ostend {code}\n")
    assert "A Par - Bur" in letter.text
    for word in words:
        assert re.search(rf"^  {word} ", letter.text, re.MULTILINE)
        assert f"body={word}%0D%0A" in letter.html
    stranger = render_question(spring.services, person, None, None, asked, a_letter(), fields)
    assert stranger.reply_to == "gm@gm.example"
    _is_fit(letter)


def test_an_answer_about_no_game(spring: Spring) -> None:
    person = spring.store.people.get(spring.seats["France"].person or 0)
    note = Note("desk.no-seat")
    letter = render_plain_answer(
        spring.services, spring.store, person, spring.row(), a_letter("hello\r\nBcc: x@y"), (note,)
    )
    assert letter.text.startswith("You have no seat in a game here.")
    assert letter.subject == "Re: hello Bcc: x@y"
    assert letter.references == ("player-1@example.org",)


def _is_fit(letter: OutLetter) -> None:
    assert max(map(len, letter.text.split("\n"))) <= WIDTH
    assert letter.text.rstrip("\n").split("\n")[-1].startswith("Ref: ")
    assert not re.search(r"^(-- ?|From )", letter.text, re.MULTILINE)


PAGES = (
    "index",
    "orders",
    "retreats",
    "builds",
    "changes",
    "press",
    "deadline",
    "seats",
    "joining",
    "players",
    "gm",
    "planning",
)
NOT_COMMANDS = (
    "your words",
    "ENDPRESS",
    "END AS",
    '"the reason',
    "STATUS, HISTORY",
    "moves:",
    "retreats:",
    "builds:",
    "Name:",
    "Time zone:",
)


@pytest.mark.parametrize("topic", PAGES)
def test_every_command_line_of_the_manual_is_understood(spring: Spring, topic: str) -> None:
    """Every line to type on a page is a request or an order that would be obeyed by the reader's own units."""
    reader = Recipient.of(spring.services, spring.store, spring.game, spring.seats["France"])
    page = spring.services.letters.help(topic, "en", **help_fields(reader, spring.board))
    assert page is not None
    keys = {row.key for row in setting_views(spring.game, spring.variant, reader.catalogue)}
    codes = [
        row.code
        for section in help_pages.sections(page)
        for b in section.blocks
        if isinstance(b, RowsView)
        for row in b.rows
    ]
    for code in codes:
        if code.startswith(NOT_COMMANDS) or code.partition(":")[0] in keys or topic in ("retreats", "builds"):
            continue
        order = read_order(code, LetterContext(spring.variant, spring.board, "France"))
        assert read_command(code, spring.variant) is not None or not isinstance(order, LineError), code


def test_a_forced_line_is_not_held_against_the_player(spring: Spring) -> None:
    """What the game master put there cannot work, and that is for him to know."""
    sheet = spring.sheet("France", 1)
    sheet = replace(sheet, lines=(SheetLine(("unit", "A Par"), "A Par - Lon", forced=True),))
    context = LetterContext(spring.variant, spring.board, "France", any_unit=True)
    order = read_order("A Par - Lon", context)
    assert not isinstance(order, LineError)
    problems = spring.variant.step(spring.board).check(spring.board, spring.variant, "France", (order,))
    assert problems
    report = LetterReport(sheets=(spring.report(None, sheet, problems=problems),))
    player, master = spring.answer(report), spring.answer(report, MASTER)
    assert "by the game master" in player.text
    assert "WITHOUT EFFECT" not in player.text
    assert "WITHOUT EFFECT" in master.text
