"""Order sheets: merges a letter's lines into the stored sheet, and reads sheets for the judge.

A line is kept as canonical text under the slot its statement declares; a later line of the same slot replaces it,
unless the game master forced the one on file. Every change makes a new version; older versions stay in the store.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from gm.game.model import proxy_loans
from gm.game.model.letter_report import SheetReport
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.press_journal import journal, messages_paid_by
from gm.game.model.records import InboxRow, Sheet, SheetLine
from gm.game.model.services import Services
from gm.judge.mechanics.dips.dip_orders import DipOrder, NoDips
from gm.judge.model.calendar import sheet_writers
from gm.judge.model.orders import Allocate, Entry, Hold, Slot, Statement, UnitRef, Waive, WholeSetStatement
from gm.judge.model.position import ref
from gm.judge.model.sheets import DueOrders, Problem, ProblemEffect, Submissions
from gm.language.lines.letter_contents import LineError
from gm.language.orders.sheet_reader import KnownOrdersReader, read_order
from gm.language.rendering.order_text import statement as written

EMPTY: Mapping[tuple[str, str], SheetDraft] = MappingProxyType({})
WAIVE = "waive"
"""The slot of "waive the rest", which counts the builds that other lines leave."""
MOST_REFUSALS = 200
"""More than the lines that a letter may hold, so that taking back refused lines always ends."""


class SheetDraft(Struct):
    """One power's sheet while a letter changes it. `fresh` are the slots this letter wrote, `rejected` the lines of it
    that the step refused.

    `journal` is press that the power has paid for in this phase; it precedes the lines and cannot be taken back.

    Where lines compete (two builds written, one due) the judge takes the game master's first, then this letter's, then
    older ones.
    """

    loaded_game: LoadedGame
    power: str
    author: str
    before: Sheet | None
    lines: dict[Slot, SheetLine] = field(default_factory=dict)
    ready: bool = False
    wait: bool = False
    questions: tuple[str, ...] = ()
    refused: list[Problem] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    fresh: set[Slot] = field(default_factory=set)
    displaced: dict[Slot, SheetLine] = field(default_factory=dict)
    stored: int = 0
    journal: tuple[Statement, ...] = ()
    preliminary: bool = False
    letter: int = 0
    """The author's last letter with orders, for their own sheet (0: the present letter)."""
    known: dict[tuple[SheetLine, ...], tuple[Statement, ...]] = field(default_factory=dict)
    """Cache of read lines, only for speed; so is `judged` of checked statements."""
    judged: dict[tuple[Statement, ...], tuple[Problem, ...]] = field(default_factory=dict)

    def lend(self, unit: UnitRef, text: str, holder: str) -> bool:
        """Lends the unit to `holder`. False if the game master's own order for it stays."""
        slot = Hold(unit).slot
        old = self.lines.pop(slot, None)
        self.lines[slot] = old if old is not None and old.forced else SheetLine(slot, text, lent=holder)
        self.fresh.add(slot)
        self.stored += self.lines[slot] is not old
        return self.lines[slot] is not old

    def put(self, statement: Statement, forced: bool = False) -> bool:
        """Adds an order; False if a line of the game master in that slot stays."""
        if isinstance(statement, WholeSetStatement) and (statement.nothing or not forced):
            statement = self._allot(statement, nothing=statement.nothing)
        elif isinstance(statement, NoDips):
            return self._unpledge()
        elif isinstance(statement, Waive):
            self._empty_of_builds(statement)
        slot = statement.slot
        old = self.lines.get(slot)
        if old is not None and old.forced and not forced:
            return isinstance(statement, DipOrder) and old.text == self.written(statement)
        self.lines.pop(slot, None)
        self.lines[slot] = SheetLine(slot, self.written(statement), forced)
        self.stored += slot not in self.fresh or isinstance(statement, WholeSetStatement)
        self.fresh.add(slot)
        return True

    def _allot(self, statement: Statement, *, nothing: bool) -> Statement:
        """The first such line of a letter replaces those of earlier letters; equal allocations add up."""
        family = {slot for slot, line in self.lines.items() if slot[0] == statement.slot[0] and not line.forced}
        stay = set() if nothing else {slot for slot in family & self.fresh if slot[1]}
        for slot in family - stay:
            line = self.lines.pop(slot)
            if slot not in self.fresh:
                self.displaced[slot] = line
        same = self.lines.get(statement.slot)
        before = read_order(same.text, self.loaded_game.context(self.power, any_unit=True)) if same else None
        if isinstance(statement, Allocate) and isinstance(before, Allocate):
            return statement.more(before.points)
        return statement

    def _empty_of_builds(self, waive: Waive) -> None:
        """Removes the builds of earlier letters where a waive leaves room for none."""
        loaded_game = self.loaded_game
        due = loaded_game.step.missing(loaded_game.position, loaded_game.variant, self.power, ()).builds
        earlier = [slot for slot, line in self.lines.items() if slot not in self.fresh and not line.forced]
        for slot in earlier if 0 < due <= (waive.count or 0) else ():
            self.displaced[slot] = self.lines.pop(slot)

    def _unpledge(self) -> bool:
        """Removes all pledges: pledges add up until a line says that there are none."""
        for slot in [slot for slot, line in self.lines.items() if slot[0] == DipOrder.family and not line.forced]:
            del self.lines[slot]
        self.stored += 1
        return True

    def written(self, statement: Statement) -> str:
        return written(statement, self.loaded_game.step.letter)

    def clear(self, provinces: Iterable[str] = (), spared: Collection[Slot] = ()) -> tuple[SheetLine, ...]:
        """Removes the lines about these provinces, or all, but `spared` ones. Returns the forced lines, which stay."""
        wanted = set(provinces)
        about = (line for line in self.lines.values() if not wanted or line.province in wanted)
        chosen = [line for line in about if line.slot not in spared]
        for line in chosen:
            if not line.forced:
                del self.lines[line.slot]
                self.stored -= line.slot in self.fresh
                self.fresh.discard(line.slot)
        return tuple(line for line in chosen if line.forced)

    def places(self) -> set[str]:
        """The provinces that the lines are about, "" for lines about none."""
        return {line.province for line in self.lines.values()}

    def strike(self, province: str, number: int = 0) -> tuple[SheetLine, ...]:
        """Removes the lines about a province or one of several fleets there, forced ones too. Returns them."""
        own = f"#{number}" if number else ""
        gone = tuple(line for line in self.lines.values() if line.province == province and line.slot[1].endswith(own))
        for line in gone:
            del self.lines[line.slot]
        return gone

    def hold_rest(self) -> int:
        """Adds a hold for each unit without an order; returns how many lacked one."""
        owed = self.missing().units
        for unit in owed:
            order = Hold(ref(unit))
            if not self._refuses(order):
                self.put(order)
        return len(owed)

    @property
    def has_other_lines(self) -> bool:
        """Whether the letter has changed the lines on file."""
        return self.ordered() != (self.before.lines if self.before else ())

    def statements(self) -> tuple[Statement, ...]:
        return self._with_journal(self.ordered())

    def _with_journal(self, lines: tuple[SheetLine, ...]) -> tuple[Statement, ...]:
        statements = self.known.get(lines)
        if statements is None:
            statements = tuple(entry.statement for entry in read_entries(self.loaded_game, self.power, lines))
            self.known[lines] = statements
        return (*self.journal, *statements)

    def settled(self) -> tuple[Statement, ...]:
        """Settles the sheet and returns its statements, before the letter is read to its end."""
        self.settle()
        return self.statements()

    def spend(self, statement: Statement) -> None:
        self.journal = (*self.journal, statement)

    def ordered(self) -> tuple[SheetLine, ...]:
        """The lines in the order in which they count: as on file, unless the letter brings some."""
        if not self.fresh:
            return tuple(self.lines.values())

        def rank(line: SheetLine) -> int:
            fresh = line.slot in self.fresh
            last = int(fresh if line.slot[0] == DipOrder.family else not fresh)
            if line.slot[0] == WAIVE:  # an earlier waive yields to all builds
                last = 1 + (not fresh)
            return last if line.forced else 3 + last

        return tuple(sorted(self.lines.values(), key=rank))

    def sheet(self) -> Sheet:
        """The sheet as it would be stored, with version 0."""
        return self._version(0, self.ordered())

    def counted(self) -> tuple[SheetLine, ...]:
        return self.loaded_game.counted(self.sheet())

    def missing(self) -> DueOrders:
        lines = self.ordered()
        return missing_with(self.loaded_game, self.author, self.power, self._with_journal(lines), lines)

    def settle(self) -> None:
        """Takes back what the step refuses: a line (the earlier one returns) or the whole sheet.

        Removes older lines that conflict with this letter's.
        """
        self._make_room()
        for _ in range(MOST_REFUSALS):
            problems = self._problems()
            problem = next((refusal for refusal in problems if self._bars(refusal)), None)
            if problem is None:
                self._seal(problems)
                break
            self.refused.append(problem)
            if problem.effect is ProblemEffect.REFUSE_SHEET or problem.statement is None:
                self.rejected += [line.text for line in self.ordered() if line.slot in self.fresh]
                self._restore()
                return
            self._take_back(problem.statement.slot)
        self._restore_displaced()

    def _restore_displaced(self) -> None:
        """Restores lines that this letter replaced, if all the new lines were refused."""
        families = {problem.statement.slot[0] for problem in self.refused if problem.statement is not None}
        before = self.before.lines if self.before else ()
        new = {slot[0] for slot, line in self.lines.items() if slot in self.fresh and line not in before}
        for slot, line in self.displaced.items():
            if slot[0] in families - new:
                self.lines[slot] = line

    def _seal(self, problems: Iterable[Problem]) -> None:
        """Forces lines that have revealed information to their writer, so that they cannot be replaced."""
        for problem in problems:
            line = self.lines.get(problem.statement.slot) if problem.statement is not None else None
            if problem.effect is ProblemEffect.SEAL and line is not None and not line.forced:
                self.lines[line.slot] = replace(line, forced=True)

    def finish(self, store: Store, row: InboxRow) -> SheetReport:
        """Stores a new version if anything changed; questions alone update the present version (0: none yet)."""
        report, letter = self.report(), self.letter or row.id
        if not report.changed and self._other_questions():
            sheet = self.before or self.sheet()
            sheet = replace(sheet, open_questions=self.questions, inbox=letter, at=sheet.at and row.received_at)
            if self.before is None:
                store.turns.add_sheet(replace(sheet, at=row.received_at))
            else:
                store.turns.update_questions(sheet)
            return report
        if report.changed and report.after is not None:
            after = replace(report.after, inbox=letter, at=row.received_at)
            store.turns.add_sheet(after)
            return replace(report, after=after)
        return report

    def report(self) -> SheetReport:
        before, lines = self.before, self.ordered()
        statements = self._with_journal(lines)
        now = (lines, self.ready, self.wait, self.preliminary)
        old = (before.lines, before.ready, before.wait, before.preliminary) if before else ((), False, False, False)
        confirmed = before is not None and before.at is None and self.stored > 0
        changed = now != old or confirmed
        shown = before if before is not None and before.version else None
        after = self._version(before.version + 1 if before else 1, lines) if changed else shown
        problems = (*self.refused, *self._checked(statements))
        missing = missing_with(self.loaded_game, self.author, self.power, statements, lines)
        return SheetReport(self.power, self.author, before, after, missing, problems, changed, tuple(self.rejected))

    def _other_questions(self) -> bool:
        if self.before is None:
            return bool(self.questions)
        asked_anew = bool(self.questions) and self.letter != self.before.inbox and self.author == self.power
        return asked_anew or self.questions != self.before.open_questions

    def _version(self, version: int, lines: tuple[SheetLine, ...]) -> Sheet:
        game, kept = self.loaded_game.game, (lines, self.ready, self.wait, self.questions)
        mark = self.preliminary
        return Sheet(game.id, game.phase, game.snapshot, self.author, self.power, version, *kept, preliminary=mark)

    def _problems(self) -> tuple[Problem, ...]:
        return self._checked(self.statements())

    def _checked(self, statements: tuple[Statement, ...]) -> tuple[Problem, ...]:
        problems = self.judged.get(statements)
        if problems is None:
            loaded_game = self.loaded_game
            problems = self.judged[statements] = loaded_game.step.check(
                loaded_game.position, loaded_game.variant, self.power, statements
            )
        return problems

    def _bars(self, problem: Problem) -> bool:
        if problem.effect is ProblemEffect.REFUSE_SHEET:
            return self.has_other_lines
        if problem.effect is not ProblemEffect.REFUSE_LINE or problem.statement is None:
            return False
        line = self.lines.get(problem.statement.slot)
        return line is not None and not line.forced

    def _make_room(self) -> None:
        if self.fresh.issuperset(self.lines):  # fast path
            return
        old = tuple(line for line in self.ordered() if not line.forced and line.slot not in self.fresh)
        if not self.fresh or not old:
            return
        new = tuple(line for line in self.ordered() if line.forced or line.slot in self.fresh)
        hopeless, poor = self._void(new), self._void(old)
        for line in reversed(old):
            if not (self._void(self.ordered()) & self.fresh) - hopeless:
                break
            del self.lines[line.slot]
        for slot in self._void(self.ordered()) - self.fresh - poor:
            if not self.lines[slot].forced:
                del self.lines[slot]

    def _void(self, lines: tuple[SheetLine, ...]) -> set[Slot]:
        """The slots of lines that would be void."""
        problems = self._checked(self._with_journal(lines))
        return {
            problem.statement.slot
            for problem in problems
            if problem.effect is ProblemEffect.VOID_LINE and problem.statement is not None
        }

    def _refuses(self, order: Statement) -> bool:
        problems = self._checked((order,))
        return any(problem.effect is not ProblemEffect.WARN and problem.statement == order for problem in problems)

    def _restore(self) -> None:
        self.lines = {line.slot: line for line in self.before.lines} if self.before else {}
        self.stored = 0

    def _take_back(self, slot: Slot) -> None:
        gone = self.lines.pop(slot)
        self.rejected.append(gone.text)
        self.stored = max(0, self.stored - 1)
        earlier = next((line for line in self.before.lines if line.slot == slot), None) if self.before else None
        if earlier is not None and earlier != gone:
            self.lines[slot] = earlier


def load_draft(store: Store, loaded_game: LoadedGame, power: str, author: str) -> SheetDraft:
    """The sheet that the player of `author` writes for a power: their own or a controlled one."""
    game = loaded_game.game
    before = store.turns.sheet(game.id, game.snapshot, author, power)
    spent = (
        messages_paid_by(store, game.id, loaded_game.variant, loaded_game.position, game.phase, power)
        if author == power
        else ()
    )
    if before is None:
        return SheetDraft(loaded_game, power, author, None, journal=spent)
    lines = {line.slot: line for line in before.lines}
    state = before.ready, before.wait, before.open_questions
    letter = before.inbox if author == power else 0
    return SheetDraft(
        loaded_game, power, author, before, lines, *state, journal=spent, preliminary=before.preliminary, letter=letter
    )


def read_entries(loaded_game: LoadedGame, power: str, lines: Sequence[SheetLine]) -> tuple[Entry, ...]:
    """The lines of a sheet as orders for the judge, illegal ones included: they were checked when written."""
    if not lines:  # fast path
        return ()
    reader = KnownOrdersReader(loaded_game.variant, loaded_game.position, any_unit=True)
    orders = ((line, reader.orders(power, (line.text,))[0]) for line in lines if not line.lent)
    return tuple(Entry(order, line.forced) for line, order in orders if not isinstance(order, LineError))


def missing_with(
    loaded_game: LoadedGame, author: str, power: str, sheet: tuple[Statement, ...], lines: tuple[SheetLine, ...]
) -> DueOrders:
    """The orders that the author of this sheet has not given yet."""
    if power not in loaded_game.step.due(loaded_game.position, loaded_game.variant):
        return DueOrders()
    whole = loaded_game.step.missing(loaded_game.position, loaded_game.variant, power, sheet)
    return proxy_loans.due_from_author(whole, author, power, loaded_game.lent_with(author, power, lines))


def due_authors(loaded_game: LoadedGame) -> tuple[tuple[str, str], ...]:
    """Every sheet that is due in this phase, as (author, power)."""
    here = loaded_game.position, loaded_game.variant
    due = loaded_game.step.due(*here)
    lent = dict.fromkeys((loan.holder, loan.owner) for loan in loaded_game.loans)
    return (*((author, power) for power in due for author in sheet_writers(loaded_game.step, *here, power)), *lent)


def stored_sheets(store: Store, loaded_game: LoadedGame) -> dict[tuple[str, str], Sheet]:
    """The sheets of the open phase by author and power."""
    game = loaded_game.game
    return {(sheet.author, sheet.power): sheet for sheet in store.turns.sheets(game.id, game.snapshot)}


def sheets_on_file(store: Store, loaded_game: LoadedGame) -> dict[tuple[str, str], Sheet | None]:
    """The due sheets as stored, None for missing ones."""
    on_file = stored_sheets(store, loaded_game)
    return {key: on_file.get(key) for key in due_authors(loaded_game)}


def missing_from_sheet(
    loaded_game: LoadedGame, key: tuple[str, str], sheet: Sheet | None, *, drafts: bool = False
) -> DueOrders:
    """The orders that a sheet (author, power) lacks. `drafts`: lines of a draft count, too."""
    lines = () if sheet is None else sheet.lines if drafts else loaded_game.counted(sheet)
    statements = tuple(entry.statement for entry in read_entries(loaded_game, key[1], lines))
    return missing_with(loaded_game, *key, statements, lines)


def due_sheets(
    store: Store, loaded_game: LoadedGame, *, drafts: bool = False
) -> dict[tuple[str, str], tuple[Sheet | None, DueOrders]]:
    """For each due sheet: the stored sheet, and the orders that it lacks."""
    return {
        key: (sheet, missing_from_sheet(loaded_game, key, sheet, drafts=drafts))
        for key, sheet in sheets_on_file(store, loaded_game).items()
    }


def load_submissions(
    services: Services, store: Store, loaded_game: LoadedGame, drafts: Mapping[tuple[str, str], SheetDraft] = EMPTY
) -> Submissions:
    """Everything on file for the present phase; `drafts` replace stored sheets."""
    lines = {key: loaded_game.counted(sheet) for key, sheet in stored_sheets(store, loaded_game).items()}
    lines |= {key: draft.counted() for key, draft in drafts.items()}
    followed = proxy_loans.replace_loans(lines, loaded_game.lent_by(lines))
    written = {key: read_entries(loaded_game, key[1], kept) for key, kept in followed.items()}
    return Submissions(
        written,
        journal(
            services, store, loaded_game.game.id, loaded_game.variant, loaded_game.position, loaded_game.game.phase
        ),
    )


def copy_sheets(store: Store, loaded_game: LoadedGame, old: int, *, reopened: bool = False, without: str = "") -> None:
    """Copies the sheets of snapshot `old` to the loaded game's snapshot, which is at the same phase.

    Lines about units that no longer exist, READY, and sheets of the power `without` are not copied. In a `reopened`
    phase the sheets get no time, so that the phase does not end again before their writers confirm them.
    """
    for sheet in store.turns.sheets(loaded_game.game.id, old):
        if sheet.power == without:
            continue
        context = loaded_game.context(sheet.power)
        kept = tuple(
            line
            for line in sheet.lines
            if line.forced or line.lent or not isinstance(read_order(line.text, context), LineError)
        )
        at = None if reopened else sheet.at
        carried = replace(
            sheet, snapshot=loaded_game.game.snapshot, phase=loaded_game.game.phase, lines=kept, ready=False, at=at
        )
        store.turns.add_sheet(carried)
