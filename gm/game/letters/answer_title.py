"""What an answer is, in a few words, for its subject and heading."""

from __future__ import annotations

from gm.game.model.letter_report import LetterReport, SheetReport
from gm.game.model.recipient import Recipient
from gm.judge.model.sheets import ProblemEffect
from gm.language.commands.in_words import plain_questions

REFUSED = (ProblemEffect.REFUSE_LINE, ProblemEffect.REFUSE_SHEET)


def title(reader: Recipient, report: LetterReport) -> str:
    if trouble := _trouble(reader, report):
        return reader.say(f"answer.title-{trouble}", n=lines_to_correct(report))
    if report.stored or any(sheet.changed for sheet in report.sheets):
        return reader.say("answer.title-stored")
    return reader.say("answer.title-about", game=reader.game.name, what=about(reader, report))


def about(reader: Recipient, report: LetterReport) -> str:
    """What the answer is, in a few words: "who lacks orders"."""
    if trouble := _trouble(reader, report):
        return reader.say(f"answer.about.{trouble}", n=lines_to_correct(report))
    if report.proposals is not None and report.proposals.requests and not report.notes:
        return reader.say("answer.about.meant")
    if only_explains(report) and not report.notes:
        return reader.say("answer.about.help")
    if asks_for_whom(report) and not report.notes:
        return reader.say("answer.about.for-whom")
    kinds = [f"answer.about.{insert.kind}" for insert in report.inserts]
    refused = any(not note.done for note in report.notes)
    usual = "refused" if refused else "done" if report.notes else "nothing"
    return reader.say(next((key for key in kinds if key in reader.catalogue), f"answer.about.{usual}"))


def only_explains(report: LetterReport) -> bool:
    """Whether all that is said of the letter's lines tells how something is done."""
    return bool(report.troubles) and all(trouble.key.startswith(plain_questions.HOW) for trouble in report.troubles)


def asks_for_whom(report: LetterReport) -> bool:
    """Whether words for players were not sent because it is not clear who may read them."""
    return any(trouble.key.startswith("for-players") for trouble in report.troubles)


def _trouble(reader: Recipient, report: LetterReport) -> str:
    """What is told before anything else; "" where all was understood in time."""
    if report.late_for:
        return "early" if is_early(reader, report) else "late"
    return "asked" if lines_to_correct(report) else ""


def lines_to_correct(report: LetterReport) -> int:
    """The lines that were not understood or were refused; none that a game master forced."""
    unread = sum(not trouble.obeyed for trouble in report.troubles)
    return unread + sum(_refused_lines(sheet) for sheet in report.sheets)


def _refused_lines(sheet: SheetReport) -> int:
    forced = {line.slot for line in sheet.after.lines if line.forced} if sheet.after else set()
    refused = (problem.statement for problem in sheet.problems if problem.effect in REFUSED)
    return sum(statement is None or statement.slot not in forced for statement in refused)


def is_early(reader: Recipient, report: LetterReport) -> bool:
    """Whether a player's letter is for a later phase, for which orders may be planned."""
    if reader.power is None:
        return False
    try:
        return reader.variant.phase_at(report.late_for) > reader.variant.phase_at(reader.game.phase)
    except ValueError:  # no phase of this calendar, or the game is over
        return False
