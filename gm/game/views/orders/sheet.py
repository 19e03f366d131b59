"""Sections about an order sheet: its lines, what is new, and units without an order."""

from __future__ import annotations

from collections.abc import Sequence

from gm.game.model import missing_order_policy, proxy_loans
from gm.game.model.letter_report import SheetReport
from gm.game.model.loaded_game import load_game
from gm.game.model.recipient import Recipient
from gm.game.model.records import Sheet, SheetLine
from gm.game.model.settings import takes_illegal
from gm.game.views.mechanics import diplomacy_points, influence
from gm.game.views.orders import what_to_do
from gm.game.views.turns.turn_events import sorted_units
from gm.judge.mechanics.dips.usage_windows import TURN
from gm.judge.model.orders import Entry, UnitOrder, slot_province
from gm.judge.model.position import Position
from gm.judge.model.sheets import DueOrders, Problem, ProblemEffect
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders.sheet_reader import read_order
from gm.language.rendering import order_text
from gm.language.rendering.views import (
    Block,
    LineErrorView,
    ParagraphView,
    QuotedLineView,
    RowsView,
    RowView,
    SectionView,
)


def sheet_sections(reader: Recipient, position: Position, report: SheetReport) -> tuple[SectionView, ...]:
    """The sheet, then the points that it spends."""
    lines = report.after.lines if report.after else ()
    allotted = filter(diplomacy_points.is_allotment, (*lines, *lines_gone(report)))
    spent = tuple(_line_row(reader, line, report) for line in allotted)
    below = (
        *diplomacy_points.spending_sections(reader, position, report, spent),
        *influence.bid_sections(reader, position, report),
    )
    return (sheet_section(reader, position, report), *below)


def sheet_section(reader: Recipient, position: Position, report: SheetReport) -> SectionView:
    """One sheet. Game masters also see sheets of other powers that they changed."""
    mine = reader.is_mine(report.power)
    version = report.after.version if report.after else 0
    key, own = ("sheet.title-lent", report.author) if is_lent(reader, report) else ("sheet.title", report.power)
    key = key if reader.is_mine(own) else f"{key}-of"
    whole = f"{key}-none" if not version else f"{key}-draft" if report.after and report.after.preliminary else key
    rows = sheet_rows(reader, position, report)
    blocks: list[Block] = [RowsView(rows)] if rows else [ParagraphView(reader.say("sheet.empty"))]
    without = _missing_adjustments(reader, position, report)
    blocks += [ParagraphView(line) for line in (*without, *_ready_sentences(reader, report.after, mine=mine))]
    return SectionView(reader.say(whole, version=version, power=report.power, author=report.author), tuple(blocks))


def is_lent(reader: Recipient, report: SheetReport) -> bool:
    """Is this a player's sheet for units that another player lent?"""
    return report.author != report.power and any(power.name == report.power for power in reader.variant.powers)


def sheet_rows(reader: Recipient, position: Position, report: SheetReport) -> tuple[RowView, ...]:
    """Orders on file and units without one, by province. Loans are shown only with the setting `proxy`."""
    lines = [*report.after.lines, *lines_gone(report)] if report.after else []
    lines = [line for line in lines if not diplomacy_points.is_allotment(line)]
    lines = [line for line in lines if not line.lent or reader.settings.proxy]
    rows = [(slot_province(line.slot).lower(), _line_row(reader, line, report)) for line in lines]
    doing = reader.variant.step(position).letter
    for unit in sorted_units(report.missing.units):
        remark = reader.choose("sheet.idle", doing)
        rows.append((unit.at.province.lower(), RowView(str(unit), remark, "warn")))
    return tuple(row for _, row in sorted(rows, key=lambda row: row[0]))


def lines_gone(report: SheetReport) -> tuple[SheetLine, ...]:
    """The lines that a letter took off a sheet on which others stand; a unit that is left without an order has a row of
    its own.
    """
    before, after = report.before, report.after
    if not report.changed or before is None or after is None or not after.lines:
        return ()
    known = {line.slot for line in after.lines} | {
        ("unit", f"{unit.kind} {unit.at.province}") for unit in report.missing.units
    }
    return tuple(line for line in before.lines if line.slot not in known and line.slot[1] and not line.lent)


def _line_row(reader: Recipient, line: SheetLine, report: SheetReport) -> RowView:
    if line.forced:
        return RowView(line.text, reader.choose("sheet.forced", line.slot[0]), "warn")
    if line.lent:
        return RowView(line.text, reader.say("sheet.lent", power=line.lent))
    void = (problem for problem in report.problems if problem.effect is ProblemEffect.VOID_LINE)
    why = next((problem for problem in void if problem.statement and problem.statement.slot == line.slot), None)
    if why is not None:
        return RowView(
            line.text, reader.say("sheet.illegal" if is_accepted_illegal(reader, why) else "sheet.void"), "bad"
        )
    same = report.before is not None and report.after is not None and report.before.lines == report.after.lines
    if not report.changed or same:
        return RowView(line.text)
    before = {earlier.slot: earlier.text for earlier in report.before.lines} if report.before else {}
    version = report.before.version if report.before else 1
    if report.after is not None and line not in report.after.lines:
        return RowView(line.text, reader.say("sheet.gone", version=version), "warn")
    if line.slot not in before:
        return RowView(line.text, reader.say("sheet.new"), "good")
    if before[line.slot] != line.text:
        return RowView(line.text, reader.say("sheet.changed", was=before[line.slot]), "good")
    return RowView(line.text, reader.say("sheet.from", version=version))


def _missing_adjustments(reader: Recipient, position: Position, report: SheetReport) -> tuple[str, ...]:
    """What happens to builds and removals that the sheet leaves open."""
    missing, mine = report.missing, "you" if reader.is_mine(report.power) else "other"
    if missing.builds:
        return (reader.say(f"sheet.builds-left-{mine}", n=missing.builds, power=report.power),)
    if missing.removals:
        lines = what_to_do.default_orders(reader, position, report.power, sheet_entries(reader, position, report))
        return (reader.say("sheet.removals-left", n=missing.removals, lines=reader.every(lines)),)
    return ()


def sheet_on_file(reader: Recipient, position: Position, power: str, author: str = "") -> SheetReport:
    """A power's sheet and its missing orders. `author` is the power whose player wrote it (default: `power`)."""
    step, game = reader.variant.step(position), reader.game
    author = author or power
    sheet = reader.store.turns.sheet(game.id, game.snapshot, author, power)
    report = SheetReport(power, author, sheet, sheet, DueOrders(), changed=False)
    lines = tuple(entry.statement for entry in sheet_entries(reader, position, report))
    missing = step.missing(position, reader.variant, power, lines)
    if reader.settings.proxy:
        loaded_game = load_game(reader.services, reader.store, game)
        missing = proxy_loans.due_from_author(
            missing, author, power, loaded_game.lent_with(author, power, sheet.lines if sheet else ())
        )
    return SheetReport(power, author, sheet, sheet, missing, changed=False)


def sheet_entries(reader: Recipient, position: Position, report: SheetReport) -> tuple[Entry, ...]:
    context = LetterContext(reader.variant, position, report.power, any_unit=True)
    lines = report.after.lines if report.after else ()
    read = ((line, read_order(line.text, context)) for line in lines if not line.lent)
    return tuple(Entry(statement, line.forced) for line, statement in read if not isinstance(statement, LineError))


def _ready_sentences(reader: Recipient, sheet: Sheet | None, *, mine: bool) -> tuple[str, ...]:
    who = "you" if mine else "other"
    if sheet is None:
        return ()
    draft = (reader.say(f"sheet.{draft_key(reader, sheet)}-{who}"),) if sheet.preliminary else ()
    if sheet.wait:
        return (*draft, reader.say(f"sheet.wait-{who}"))
    return (*draft, reader.say(f"sheet.ready-{who}")) if sheet.ready else draft


def draft_key(reader: Recipient, sheet: Sheet) -> str:
    """The catalogue key that says whether a draft counts at the deadline."""
    return "draft-counts" if missing_order_policy.is_counted(reader.game, reader.settings, sheet) else "draft-alone"


def missing_words(reader: Recipient, missing: DueOrders, key: str = "lacking") -> str:
    """What a sheet lacks, in a few words; "" for nothing.

    `key` begins the sentences' keys: "lacking" in answers, "owing" in reminders, "missing" for game masters, who read
    the names of all units.
    """
    names = [str(unit) for unit in sorted_units(missing.units)]
    if names:
        few = key == "missing" or len(names) <= NAMED_UNITS_MOST
        named = reader.every(names) if few else reader.say("lacking.units", n=len(names))
        return reader.choose(key, reader.game.phase[-1:], units=named, n=len(names))
    if missing.task:
        return reader.say(f"task.{missing.task}.{key}")
    if missing.builds:
        return reader.say(f"{key}.builds", n=missing.builds)
    return reader.say(f"{key}.removals", n=missing.removals) if missing.removals else ""


NAMED_UNITS_MOST = 3


def is_accepted_illegal(reader: Recipient, problem: Problem) -> bool:
    """Is this an illegal order that the setting for illegal orders accepts, so that no new order is needed?"""
    order = problem.effect is ProblemEffect.VOID_LINE and isinstance(problem.statement, UnitOrder)
    return order and reader.game.phase[-1:] == TURN and takes_illegal(reader.game)


def problem_view(reader: Recipient, number: int, problem: Problem, rejected: Sequence[str] = ()) -> LineErrorView:
    """A problem that the step found on a sheet; where the sheet is refused as a whole, with the words `rejected`."""
    letter = reader.game.phase[-1:]
    about = problem.together if problem.statement is None else (problem.statement,)
    quoted = [order_text.statement(statement, letter=letter) for statement in about]
    if not quoted and rejected and problem.effect is ProblemEffect.REFUSE_SHEET:
        quoted = [" / ".join(dict.fromkeys(rejected))]
    sentence = order_text.problem_sentence(reader.catalogue, problem, reader.variant, letter)
    own = problem.key if f"effect.{problem.key}" in reader.catalogue else problem.effect.name
    held = is_accepted_illegal(reader, problem)
    effect = reader.choose("effect", "held" if held else own.lower().replace("_", "-"))
    kind = problem.key if problem.together else problem.effect.name.lower().replace("_", "-")
    title = reader.say("fault.held" if held else f"fault.{kind}")
    quotes = tuple(QuotedLineView(text) for text in quoted if text)
    return LineErrorView(number, title, quotes, f"{sentence} {effect}".strip())
