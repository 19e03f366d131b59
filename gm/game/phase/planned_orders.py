"""FOR: orders for later phases, kept until their phase opens.

They are stored as a sheet under snapshot 0, each line with its phase. Opening a phase does not remove them, so that
they are still there after a rollback. Writing new lines removes those older than `YEARS_KEPT`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.records import InboxRow, Sheet, SheetLine
from gm.game.phase.sheets import SheetDraft
from gm.judge.model.conditions import holds
from gm.judge.model.orders import Disband, Retreat, Statement, UnitOrder
from gm.judge.model.position import Position
from gm.judge.model.sheets import ProblemEffect
from gm.judge.model.variant import Variant
from gm.language.commands.blocks.planning_blocks import read_kept
from gm.language.commands.planning import PlannedLine
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders import retreat_preferences
from gm.language.orders.sheet_reader import read_order

PLANNED_SNAPSHOT = 0
"""The snapshot id under which the lines are stored."""
YEARS_KEPT = 1
MOST_LINES = 300
"""The most lines that an author may have stored for a power."""


def planned_sheet(store: Store, game: int, author: str, power: str) -> Sheet | None:
    return store.turns.sheet(game, PLANNED_SNAPSHOT, author, power)


def planned_sheets(store: Store, game: int) -> tuple[Sheet, ...]:
    return store.turns.sheets(game, PLANNED_SNAPSHOT)


def lines_for(sheet: Sheet | None, phase: str) -> tuple[SheetLine, ...]:
    return tuple(line for line in sheet.lines if line.slot[0] == phase) if sheet else ()


def later_lines(variant: Variant, position: Position, sheet: Sheet | None) -> dict[str, tuple[SheetLine, ...]]:
    """The lines for phases after the open one, by phase in the order of the calendar."""
    phases = dict.fromkeys(line.slot[0] for line in sheet.lines) if sheet else {}
    later = sorted((variant.phase_at(phase), phase) for phase in phases)
    now = position.year, position.at
    return {phase: lines_for(sheet, phase) for at, phase in later if at > now}


def add_lines(
    store: Store, loaded_game: LoadedGame, row: InboxRow, author: str, phase: str, new: Sequence[PlannedLine]
) -> bool:
    """Stores lines for a phase, replacing older ones about the same unit. False if there are too many."""
    by_power: dict[str, list[PlannedLine]] = {}
    for statement in new:
        by_power.setdefault(statement.power or author, []).append(statement)
    for power, mine in by_power.items():
        old = planned_sheet(store, loaded_game.game.id, author, power)
        about = {(phase, statement.about) for statement in mine}
        stay = [line for line in _recent(loaded_game, old) if line.slot not in about]
        lines = (*stay, *(SheetLine((phase, statement.about), statement.text) for statement in mine))
        if len(lines) > MOST_LINES:
            return False
        _save(store, loaded_game, row, old, author, power, lines)
    return True


def remove_lines(
    store: Store, loaded_game: LoadedGame, row: InboxRow, author: str, phase: str, provinces: Sequence[str]
) -> int:
    """Removes lines for later phases, or for `phase`, or only those about `provinces`. Returns how many."""
    gone = 0
    for power in (author, *loaded_game.controlled(author)):
        old = planned_sheet(store, loaded_game.game.id, author, power)
        if old is None:
            continue
        later = {
            line
            for later_phase, lines in later_lines(loaded_game.variant, loaded_game.position, old).items()
            if phase in ("", later_phase)
            for line in lines
        }
        unwanted = {line for line in later if not provinces or line.slot[1].rpartition(" ")[2] in provinces}
        stay = tuple(line for line in old.lines if line not in unwanted)
        if unwanted:
            _save(store, loaded_game, row, old, author, power, stay)
        gone += len(unwanted)
    return gone


def _recent(loaded_game: LoadedGame, sheet: Sheet | None) -> Iterator[SheetLine]:
    for line in sheet.lines if sheet else ():
        if loaded_game.variant.phase_at(line.slot[0])[0] >= loaded_game.position.year - YEARS_KEPT:
            yield line


def _save(
    store: Store,
    loaded_game: LoadedGame,
    row: InboxRow,
    old: Sheet | None,
    author: str,
    power: str,
    lines: tuple[SheetLine, ...],
) -> None:
    if old is not None and old.lines == lines:
        return
    version = old.version + 1 if old else 1
    sheet = Sheet(
        loaded_game.game.id, "", PLANNED_SNAPSHOT, author, power, version, lines, inbox=row.id, at=row.received_at
    )
    store.turns.add_sheet(sheet)


# ---- when the phase opens


class PlannedOrderFate(StrEnum):
    """The result of a planned line: entered on the sheet, its condition is false, or impossible now."""

    ENTERED = "entered"
    NOT_SO = "not-so"
    LOST = "lost"


class PlannedOrderReport(Struct, frozen=True):
    """`order` is the line on the sheet, "" for none; `trouble` says why it could not be read."""

    text: str
    fate: PlannedOrderFate
    order: str = ""
    trouble: LineError | None = None


class PhaseOpening(Struct, frozen=True):
    draft: SheetDraft
    reports: tuple[PlannedOrderReport, ...]


def read_openings(store: Store, loaded_game: LoadedGame) -> Iterator[PhaseOpening]:
    """The sheets that planned lines make for the open phase, for powers with due orders."""
    if loaded_game.running:
        due = loaded_game.step.due(loaded_game.position, loaded_game.variant)
        for sheet in planned_sheets(store, loaded_game.game.id):
            allowed = sheet.power in (sheet.author, *loaded_game.controlled(sheet.author))
            if sheet.power in due and allowed and (lines := lines_for(sheet, loaded_game.game.phase)):
                yield read_opening(loaded_game, sheet.author, sheet.power, lines)


def enter_planned_orders(store: Store, loaded_game: LoadedGame) -> None:
    """Stores the sheets from planned lines when a phase opens. Existing sheets stay."""
    for opening in read_openings(store, loaded_game):
        draft = opening.draft
        present = store.turns.sheet(loaded_game.game.id, loaded_game.game.snapshot, draft.author, draft.power)
        report = draft.report()
        if present is None and report.changed and report.after is not None:
            store.turns.add_sheet(replace(report.after, at=store.now()))


def read_opening(loaded_game: LoadedGame, author: str, power: str, lines: Iterable[SheetLine]) -> PhaseOpening:
    """The sheet that planned lines make, read for the present position."""
    draft = SheetDraft(loaded_game, power, author, None)
    context = loaded_game.context(power)
    read = [(line.text, *_read(draft, context, line.text)) for line in lines]
    draft.settle()
    on_sheet = {line.slot: line.text for line in draft.lines.values()}
    reports: list[PlannedOrderReport] = []
    for text, order, trouble in read:
        if isinstance(order, PlannedOrderFate):
            reports.append(PlannedOrderReport(text, order, trouble=trouble))
        elif order is not None and on_sheet.get(order.slot) == draft.written(order):
            reports.append(PlannedOrderReport(text, PlannedOrderFate.ENTERED, draft.written(order)))
        elif order is not None and order.slot not in on_sheet:
            reports.append(PlannedOrderReport(text, PlannedOrderFate.LOST))
    return PhaseOpening(draft, tuple(reports))


def _read(
    draft: SheetDraft, context: LetterContext, text: str
) -> tuple[Statement | PlannedOrderFate | None, LineError | None]:
    """The order of a planned line; None if it is about a unit that need not retreat."""
    guard, words = read_kept(text, replace(context, power=draft.power))
    if guard is not None and not holds(guard, draft.loaded_game.position):
        return PlannedOrderFate.NOT_SO, None
    if draft.loaded_game.step.grammar == retreat_preferences.SHEET:
        return _retreat(draft, context, words)
    read = read_order(words, context)
    if isinstance(read, LineError):
        return PlannedOrderFate.LOST, read
    draft.put(read)
    return read, None


def _retreat(
    draft: SheetDraft, context: LetterContext, words: str
) -> tuple[Statement | PlannedOrderFate | None, LineError | None]:
    """The first possible retreat of a list that no other unit of the sheet takes."""
    wanted = _read_choices(words, context)
    dislodged = (dislodgement.unit for dislodgement in draft.loaded_game.position.dislodged)
    mine = {unit.at.province for unit in dislodged if unit.power == draft.power}
    if isinstance(wanted, LineError):
        return PlannedOrderFate.LOST, wanted
    if not wanted:
        return PlannedOrderFate.LOST, None
    if wanted[0].unit.at.province not in mine:
        return None, None
    trouble: LineError | None = None
    for order in wanted:
        read = read_order(draft.written(order), context)
        if isinstance(read, LineError):
            trouble = trouble or read
        elif not _is_rejected(draft, read):
            draft.put(read)
            return read, None
    return PlannedOrderFate.LOST, trouble


def _read_choices(words: str, context: LetterContext) -> tuple[Retreat | Disband, ...] | LineError:
    anyhow = replace(context, any_unit=True)
    listed = retreat_preferences.read_retreat_wish(words, anyhow)
    if listed is not None and not isinstance(listed, LineError):
        return tuple(retreat_preferences.choices(listed))
    read = read_order(words, anyhow)
    if isinstance(read, LineError):
        return read
    return (read,) if isinstance(read, Retreat | Disband) else ()


def _is_rejected(draft: SheetDraft, order: Statement) -> bool:
    """Whether the order is invalid or retreats to the same province as another unit of the sheet."""
    loaded_game = draft.loaded_game
    others = tuple(
        statement
        for statement in draft.statements()
        if isinstance(statement, UnitOrder) and statement.slot != order.slot
    )
    problems = loaded_game.step.check(loaded_game.position, loaded_game.variant, draft.power, (*others, order))
    return any(
        problem.statement == order and (problem.effect is not ProblemEffect.WARN or problem.key == "same-retreat")
        for problem in problems
    )
