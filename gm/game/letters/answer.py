"""The answer to a letter: its outcome, then line errors, then the whole sheet, then inserts such as STATUS.

    Re: [ostend S1902M] Winter 1901 results

An answer is in the thread of the letter it answers; a letter that answered none gets a subject of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gm.game.letters import answer_errors
from gm.game.letters.answer_errors import shown_problems
from gm.game.letters.answer_inserts import insert_sections
from gm.game.letters.answer_title import about, asks_for_whom, is_early, lines_to_correct, only_explains, title
from gm.game.letters.line_outcomes import outcome_rows
from gm.game.letters.proposals import proposals_button, proposals_section
from gm.game.letters.question import first_words, shown_words
from gm.game.model.choose_setting import note_fields
from gm.game.model.letter_report import IMPORTED, LetterReport, Note, SheetReport
from gm.game.model.loaded_game import load_game, stored_position
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient, reply_subject
from gm.game.model.records import Game, GameState, InboxRow, Letter, OutLetter, Seat
from gm.game.model.services import Services
from gm.game.phase.draw_votes import own_vote
from gm.game.phase.sheets import due_authors
from gm.game.views import exports, maps, overviews
from gm.game.views.orders import example_orders, planned_orders, what_to_do
from gm.game.views.orders import sheet as sheet_views
from gm.game.views.orders.sheet import is_lent, missing_words, sheet_sections
from gm.judge.model.position import Position
from gm.judge.model.sheets import ProblemEffect
from gm.language.rendering import order_text, plain_text
from gm.language.rendering.views import (
    AnswerView,
    BulletsView,
    ButtonView,
    LineErrorView,
    RowsView,
    RowView,
    SectionView,
)

NO_ORDERS = ("not-a-command", "command-near", "command-unclear")
"""Errors of lines that are no orders."""
RETURNED = ("unsent", "edits", IMPORTED)
"""Inserts that return the writer's own words, which the letter did not ask for."""
LONG_OUTCOME = 80
"""Characters of an outcome that a letter tells once."""
REMARK = re.compile(r"[@:]\s*\S|(\S+\s+){2}\S")
"""A remark that is listed: not a mere greeting or name."""


def render_answer(
    services: Services, store: Store, row: InboxRow, letter: Letter, game: Game, seat: Seat, report: LetterReport
) -> OutLetter:
    """`game` is the state after the letter, `report` what the letter did."""
    reader = Recipient.of(services, store, game, seat, report.language)
    position = _position(reader)
    subject, references = _thread(reader, letter, report)
    faults = answer_errors.line_errors(reader, position, report, subject)
    changed = _has_changed(report)
    ends = what_to_do.how_it_ends(reader, position) if changed and position is not None else ""
    lead = _lead(reader, position, report, letter, ends)
    if _does_something(report):
        lead = " ".join(filter(None, (lead, answer_errors.unanswered(reader, report))))
    frame = reader.frame(
        subject,
        title(reader, report),
        lead,
        act=_asks(reader, report),
        button=_button(reader, position, report, subject, faults),
    )
    asked_for = tuple(part for insert in report.inserts for part in insert_sections(reader, position, insert))
    first = not (changed or faults)
    to_begin = overviews.start_sections(reader) if report.proposals is None else ()
    view = AnswerView(
        frame=frame,
        deadline="" if ends or any(insert.kind == "status" for insert in report.inserts) else _deadline(reader, lead),
        notes=(*_notes(reader, report, lead), *to_begin, *(asked_for if first else ())),
        faults=faults,
        proposals=tuple(_proposals(reader, report)),
        sheets=(*_sheets(reader, position, report), *own_vote(reader)),
        inserts=() if first else asked_for,
        below=(*(() if ends else _held_open(reader, report)), *_not_read(reader, report)),
    )
    chronicle, awaited = exports.chronicle_file(reader, report.inserts)
    return reader.letter(
        "answer",
        view,
        reader.cause(f"inbox:{row.id}"),
        references=references,
        automatic="auto-replied",
        enclosed=maps.answer_map(reader, report, position),
        awaited=awaited,
        parts=(*exports.export_files(reader, position, report.inserts), *chronicle),
    )


def _proposals(reader: Recipient, report: LetterReport) -> Iterator[SectionView]:
    if report.proposals is not None:
        yield proposals_section(reader, report.proposals)
    yield from (proposals_section(reader, listed, by_code=True) for listed in report.listed)


def _does_something(report: LetterReport) -> bool:
    """Whether the letter brought anything but talk; else the answer quotes its first words."""
    heard = bool(
        report.stored
        or _has_changed(report)
        or report.asked
        or report.notes
        or report.heeded
        or report.keeps_orders
        or _brings(report)
    )
    return heard or report.proposals is not None or bool(report.late_for)


def _has_changed(report: LetterReport) -> bool:
    return any(sheet.changed for sheet in report.sheets)


def _asks(reader: Recipient, report: LetterReport) -> bool:
    """Whether the reader must write again."""
    lines = any(not trouble.obeyed for trouble in report.troubles)
    return lines or any(
        problem.effect not in (ProblemEffect.WARN, ProblemEffect.SEAL)
        and not sheet_views.is_accepted_illegal(reader, problem)
        for sheet in report.sheets
        for problem in shown_problems(reader, sheet)
    )


def _position(reader: Recipient) -> Position | None:
    at = reader.game.snapshot
    return stored_position(reader.store, at, reader.variant) if at else None


def _thread(reader: Recipient, letter: Letter, report: LetterReport) -> tuple[str, tuple[str, ...]]:
    """Subject and references of the answered letter's thread, or of a new one."""
    outbox = reader.store.outbox
    for message_id in letter.answers:
        thread = outbox.answered_letter(message_id)
        if thread is not None and thread.seat == reader.seat.id:
            first = (*thread.references, message_id)[0]
            return reply_subject(thread.subject), (first, message_id, letter.message_id)
    opening = outbox.thread_ids(reader.seat.id, reader.game.phase)[:1] if reader.game.phase else ()
    references = (*opening, letter.message_id)
    about_orders = (
        bool(report.stored) or report.keeps_orders or any(insert.kind == "sheet" for insert in report.inserts)
    )
    own = (sheet for sheet in report.sheets if reader.is_mine(sheet.power) and (sheet.changed or about_orders))
    mine = next((sheet.after for sheet in own if sheet.after is not None), None)
    if mine is not None and mine.version:
        key = "answer.subject-draft" if mine.preliminary else "answer.subject-sheet"
        words = reader.say(key, power=reader.role, version=mine.version)
    else:
        words = reader.say("answer.subject", role=reader.role, what=about(reader, report))
    return reader.subject(words), references


# ---- the first sentence


def _lead(reader: Recipient, position: Position | None, report: LetterReport, letter: Letter, ends: str) -> str:
    """The outcome: too late, headlines, lines stored, orders missing. `ends`: when the phase ends by this letter."""
    if report.late_for:
        return _late(reader, report)
    headlines = [_note(reader, note) for note in report.notes if note.headline]
    asked = lines_to_correct(report) or report.asked
    parts: list[str] = []
    if asked:
        parts += _with_lines_to_correct(reader, report, asked)
    elif report.stored or _has_changed(report):
        parts.append(_stored(reader, report))
    elif report.proposals is not None and report.proposals.requests and not report.notes:
        parts.append(reader.say("answer.meant", n=len(report.proposals.requests)))
    elif not headlines and _brings(report):
        parts.append(reader.say("answer.requested"))
    elif not headlines and asks_for_whom(report):
        parts.append(reader.say("answer.for-whom"))
    elif not headlines and report.sheets and not report.notes:
        heeded = report.heeded or report.keeps_orders
        parts.append(reader.say("answer.nothing-changed") if heeded else _nothing_found(reader, position, letter))
    if not asked or report.stored or _has_changed(report):
        parts += _still(reader, position, report)
    elif report.sheets:
        parts.append(reader.say("answer.as-it-was"))
    undone = {_note(reader, note): note.line for note in report.notes if not note.done}
    refused = list(undone)
    if not headlines and not parts:
        parts = [refused[0] if len(refused) == 1 else _empty(reader, report, letter) if not refused else ""]
    parts.append(ends)
    below = [line or words for words, line in undone.items() if words not in headlines and words not in parts]
    if more := len(set(below)):
        parts.append(reader.say("answer.more-refused", n=more))
    files = dict(report.other_ignored).get("attachments", 0)
    if files and not report.stored and not _brings(report):
        parts.insert(0, reader.say("answer.not-opened", n=files))
    parts = [part for part in parts if part]
    return " ".join((*headlines, *parts))


def _with_lines_to_correct(reader: Recipient, report: LetterReport, asked: int) -> list[str]:
    """What is stored, and what is to be done about the other lines."""
    proposed = report.proposals is not None and not report.proposals.remaining
    next_step = reader.say("answer.proposed" if proposed else "answer.another-word", n=asked)
    if report.stored:
        total = report.stored + asked
        return [reader.say("answer.some-stored", stored=report.stored, total=total, n=report.stored), next_step]
    if _has_changed(report):  # "cancel everything I sent; …"
        return [_stored(reader, report), next_step]
    return (
        [reader.say("answer.nothing-stored"), next_step] if proposed else [reader.say(_nothing_stored(report), n=asked)]
    )


def _nothing_stored(report: LetterReport) -> str:
    """The key of the sentence for a letter of which nothing is stored."""
    if any(problem.effect is ProblemEffect.REFUSE_SHEET for sheet in report.sheets for problem in sheet.problems):
        return "answer.refused"
    unread = [trouble for trouble in report.troubles if not trouble.obeyed]
    commands = unread and all(trouble.key in NO_ORDERS for trouble in unread)
    return "answer.not-a-command" if commands else "answer.none-stored"


def _nothing_found(reader: Recipient, position: Position | None, letter: Letter) -> str:
    """Nothing was found: with the letter's first words and an example for the reader."""
    words = first_words(letter)
    nothing = reader.say("answer.not-understood" if words else "answer.not-found", words=words)
    if position is not None and reader.power:
        example = example_orders.examples(reader, position)
        if example and reader.variant.step(position).letter == "M":
            line = order_text.statement(example[0], letter="M")
            return f"{nothing} {reader.say('answer.nothing-found', example=line)}"
        if owes := _first_of_task(reader, position):
            return f"{nothing} {reader.say('answer.nothing-found', example=owes)}"
    return f"{nothing} {reader.say('answer.nothing-found-else')}"


def _first_of_task(reader: Recipient, position: Position) -> str:
    """An example line for the reader's task in the open phase, with the heading above it; or ""."""
    doing = what_to_do.current_task(reader, position)
    rows = (
        [row.code for block in doing.section.blocks if isinstance(block, RowsView) for row in block.rows]
        if doing
        else []
    )
    heading = 1 if rows and rows[0].endswith(":") else 0
    return " ".join(rows[: heading + 1]) if len(rows) > heading else ""


def _late(reader: Recipient, report: LetterReport) -> str:
    key = "answer.late" if reader.game.state is GameState.RUNNING else "answer.late-over"
    if report.late_for == reader.game.phase:
        key = "answer.late-now"
    elif is_early(reader, report):
        key = "answer.early"
    elif report.proposals is not None and report.proposals.lines:
        key = "answer.late-proposed"
    elif report.keeps_orders:
        key = "answer.late-same"
    return reader.say(
        key,
        late=report.late_for,
        phase=reader.game.phase,
        old=reader.phase_words("phase.said", report.late_for),
        new=reader.phase_words("phase.said", reader.game.phase) if reader.game.phase else "",
    )


def _stored(reader: Recipient, report: LetterReport) -> str:
    changed = [sheet for sheet in report.sheets if sheet.changed and sheet.after is not None]
    return " ".join(_version(reader, report, sheet) for sheet in changed) or reader.say("answer.nothing-changed")


def _version(reader: Recipient, report: LetterReport, sheet: SheetReport) -> str:
    """The new version of a sheet, and its cause: orders, READY, WAIT, PRELIM, or the game master."""
    after, before = sheet.after, sheet.before
    mine = reader.is_mine(sheet.power)
    key = "answer.stored" if report.stored else "answer.changed"
    if after and after.preliminary and report.stored:
        key = "answer.stored-draft"
    if mine and after and not report.stored and after.lines == (before.lines if before else ()):
        key = "answer.ready" if after.ready else "answer.wait" if after.wait else key
        if after.preliminary != (before is not None and before.preliminary):
            key = "answer.draft" if after.preliminary else "answer.final"
    fields = {"version": after.version if after else 0, "season": reader.season(reader.game.phase)}
    whose = "" if mine else "-lent" if is_lent(reader, sheet) else "-for"
    return reader.say(f"{key}{whose}", **fields, power=sheet.power)


def _still(reader: Recipient, position: Position | None, report: LetterReport) -> list[str]:
    if position is None:
        return []
    mine = [sheet for sheet in report.sheets if reader.is_mine(sheet.author)]
    problems = [problem for sheet in mine for problem in shown_problems(reader, sheet)]
    void = [problem for problem in problems if problem.effect is ProblemEffect.VOID_LINE]
    held = sum(sheet_views.is_accepted_illegal(reader, problem) for problem in void)
    idle = [reader.say("answer.held", n=held)] if held else []
    idle += [reader.say("answer.no-effect", n=len(void) - held)] if len(void) > held else []
    idle += [reader.say(f"answer.{problem.key}") for problem in problems if problem.together]
    missing = [_of_sheet(reader, sheet, words) for sheet in mine if (words := missing_words(reader, sheet.missing))]
    if idle or missing:
        return [*idle, *missing]
    whole = report.stored and any(sheet.changed and not sheet.missing and sheet.after for sheet in mine)
    return [reader.choose("answer.complete", reader.variant.step(position).letter)] if whole else []


def _of_sheet(reader: Recipient, sheet: SheetReport, words: str) -> str:
    """What is missing on a sheet; a power whose orders the reader only gives is named."""
    return words if reader.is_mine(sheet.power) else reader.say("answer.missing-of", power=sheet.power, words=words)


def _brings(report: LetterReport) -> bool:
    """Whether the answer holds an insert that the letter asked for."""
    return any(insert.kind not in RETURNED for insert in report.inserts)


def _empty(reader: Recipient, report: LetterReport, letter: Letter) -> str:
    if _brings(report) or only_explains(report):
        return reader.say("answer.requested")
    if reader.power is None and not report.notes and (words := first_words(letter)):
        key = "answer.not-understood-hint" if report.troubles else "answer.not-understood-master"
        return reader.say(key, words=words)
    if len(report.notes) == 1:
        return _note(reader, report.notes[0])
    return reader.say("answer.done" if report.notes else "answer.nothing")


def _deadline(reader: Recipient, lead: str) -> str:
    due = reader.game.due_at
    if due is None or due <= reader.now or reader.game.state is not GameState.RUNNING:
        return ""
    when = reader.when(due)
    return "" if when in lead else reader.say("deadline.line", when=when)


# ---- what to do next


def _button(
    reader: Recipient, position: Position | None, report: LetterReport, subject: str, faults: tuple[LineErrorView, ...]
) -> ButtonView | None:
    """The button that says YES to proposals, else one for a letter with the lines on file and the units without
    orders.
    """
    if report.proposals is not None:
        return proposals_button(reader, report.proposals, subject)
    mine = next((sheet for sheet in report.sheets if reader.is_mine(sheet.power)), None)
    if mine is None or position is None or (not faults and not mine.missing):
        return None
    lines = [line.text for line in mine.after.lines] if mine.after else []
    lines += [f"{unit!s} " for unit in mine.missing.units]
    word = reader.variant.step(position).letter
    lines += [reader.choose("button.begin", word)] * (mine.missing.builds or mine.missing.removals)
    label = reader.say("answer.button-all" if faults else "answer.button")
    return reader.button(label, subject, "\n".join(lines))


# ---- the rest


def _note(reader: Recipient, note: Note) -> str:
    """The sentence of a note. `said.<key>` is for the person who acted, if it differs."""
    own = f"said.{note.key.removeprefix('desk.')}"
    return reader.say(own if own in reader.catalogue else note.key, **note_fields(reader, note))


def _sheets(reader: Recipient, position: Position | None, report: LetterReport) -> tuple[SectionView, ...]:
    """The sheets that the letter changed, unless it asks for all sheets."""
    if position is None or any(insert.kind == "all-sheets" for insert in report.inserts):
        return ()
    return tuple(
        section
        for sheet in report.sheets
        for section in (
            *sheet_sections(reader, position, sheet),
            *planned_orders.sections(reader, position, sheet.author, sheet.power),
        )
    )


def _notes(reader: Recipient, report: LetterReport, lead: str) -> tuple[SectionView, ...]:
    """Notes about requests, refusals first, without those in the lead; for a game master, line by line."""
    rows = _line_by_line(reader, report, lead) if reader.power is None and report.notes else ()
    listed = len(rows) > 1
    address = plain_text.header(report.came_from, 120)
    came_from = [reader.say("answer.came-from", address=address)] if address else []
    sections: dict[str, list[str]] = {"answer.not-done": [], "answer.notes": came_from}
    for note in report.notes:
        if report.lines.get(note.line) and listed:
            continue
        words = _note(reader, note)
        items = sections["answer.notes" if note.done else "answer.not-done"]
        if words not in items and words not in lead:
            items.append(words)
    each = (SectionView(reader.say("answer.line-by-line"), (RowsView(rows),)),) if listed else ()
    return (
        *each,
        *(SectionView(reader.say(key), (BulletsView(tuple(items)),)) for key, items in sections.items() if items),
    )


def _line_by_line(reader: Recipient, report: LetterReport, lead: str) -> tuple[RowView, ...]:
    """What became of each line of a game master, remarks that might have asked for something included.

    A long sentence that the letter begins with is not repeated.
    """
    remarks = (line for line in report.remarks if REMARK.search(report.lines.get(line, "")))
    notes = (*report.notes, *(Note("answer.remark", line=line) for line in remarks))

    def outcome(note: Note) -> str:
        words = _note(reader, note)
        return reader.say("answer.above") if len(words) > LONG_OUTCOME and words in lead else words

    return outcome_rows(report.lines, notes, outcome)


def _held_open(reader: Recipient, report: LetterReport) -> tuple[str, ...]:
    """That the phase does not end before its deadline because of the reader's lines; () where it would not anyhow, or
    does not wait for them.

    Lines of an earlier letter, which this answer does not show, are quoted.
    """
    game = reader.game
    if reader.power is None or game.state is not GameState.RUNNING or reader.settings.wait_policy == "deadline":
        return ()
    own = reader.store.turns.sheet(game.id, game.snapshot, reader.power, reader.power)
    if own is None or not own.open_questions or not _owes_orders(reader):
        return ()
    if _asks(reader, report) or (report.proposals is not None and report.proposals.lines):
        return (reader.say("answer.held-open"),)
    words = shown_words(own.open_questions[0])
    return (reader.say("answer.held-open-before", n=len(own.open_questions), words=words),)


def _not_read(reader: Recipient, report: LetterReport) -> tuple[str, ...]:
    """What was ignored, in one sentence."""
    ignored = (("quoted", report.quoted_lines), ("signature", report.signature_lines), *report.other_ignored)
    above = () if report.stored or _brings(report) else ("attachments",)  # in the first sentences
    parts = [reader.choose("read", key, n=n, what=key) for key, n in ignored if n and key not in above]
    return (reader.say("read.not", what=reader.every(parts)),) if parts else ()


def _owes_orders(reader: Recipient) -> bool:
    """Whether the open phase waits for a sheet of the reader's."""
    loaded_game = load_game(reader.services, reader.store, reader.game)
    return any(author == reader.power for author, _ in due_authors(loaded_game))
