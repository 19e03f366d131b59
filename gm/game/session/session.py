"""State while one incoming letter is processed: sender, game, drafts, notes for the answer; and the type of handlers.

Each subject module has a table `HANDLERS` of functions that do what a request in a letter asks for;
`gm.game.commands.perform` collects them. Who may ask for what, and how often, stands in the rows of grammars/commands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from gm.game.letters import answer
from gm.game.letters.notify import format_instant, queue_notice
from gm.game.model.letter_report import AnswerInsert, LetterReport, Note, SheetReport, StateBefore, note_to_text
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.observer_records import OBSERVER_SEATS
from gm.game.model.ports import Store
from gm.game.model.proposals import Proposals
from gm.game.model.records import MASTER, Game, GmAct, InboxRow, Letter, OutLetter, Person, Question, Seat
from gm.game.model.services import Services
from gm.game.phase import planned_orders, sheets
from gm.game.phase.readiness import check_again
from gm.game.phase.sheets import SheetDraft
from gm.judge.model.orders import Statement
from gm.judge.model.sheets import Decree
from gm.language.commands.requests import MapRequest
from gm.language.lines.letter_contents import LetterContext, LineError, Request

TROUBLES_SHOWN = 40
"""Line errors beyond this number are counted, not shown."""
NO_LETTER = Letter("", "", (), "", "", (), ())
"""Stands for the letter that a letter of ours answers, if it answers none."""


class Overrule(Struct, frozen=True):
    """OVERRULE: a decree, its reason, the text and the line of the request."""

    decree: Decree
    reason: str
    text: str
    line: int


class StatementsOnFile(Struct):
    """Loads a sheet's statements at the first call. Kept only for speed: a reading asks for them several times."""

    load: Callable[[], tuple[Statement, ...]]
    loaded: tuple[Statement, ...] | None = None

    def __call__(self) -> tuple[Statement, ...]:
        if self.loaded is None:
            self.loaded = self.load()
        return self.loaded


class News(Struct):
    """What a letter changes for others: `notes` for everybody but the seats `welcomed`. `introduced`: seats of new game
    masters before the start. `opened`: a seat looks for a player since. `waiting`: announcements that name the
    deadline, which the next requests of the letter may move.
    """

    notes: list[Note] = field(default_factory=list)
    welcomed: set[int] = field(default_factory=set)
    introduced: set[int] = field(default_factory=set)
    opened: bool = False
    waiting: list[Callable[[], object]] = field(default_factory=list)


class LetterProposals(Struct):
    """What a YES takes: `made` of the letter, and `offered`, lines besides of which its answer tells.

    `settled`: those of an earlier letter that this one takes. `still_open` are lines of an earlier letter that still
    need a correction. `waiting` stand beside those of this letter, as its YES does not take them yet. `listed`: several
    of which its YES does not say which it takes.
    """

    made: Proposals | None = None
    offered: list[str] = field(default_factory=list)
    settled: Question | None = None
    still_open: tuple[str, ...] = ()
    waiting: Proposals | None = None
    listed: tuple[Proposals, ...] = ()


class LetterSession(Struct):
    """`author` is the power whose sheet is written: the seat's own, or that of an AS block.

    `has_errors`: a line was not understood, so nothing irreversible is done. `late_for`: the phase that the letter is
    for, if that is over. `create_failed`: CREATE has made no game, and no other may be touched. `last_line`: number
    of the last order or request. `left`: the writer has given up the seat. `seat_only`: nothing but the seat's reply
    address proves the letter, so what concerns more than the seat is `withheld` (keywords by line).
    """

    services: Services
    store: Store
    row: InboxRow
    letter: Letter
    person: Person
    seat: Seat
    loaded_game: LoadedGame
    author: str
    has_errors: bool = False
    late_for: str = ""
    was_late: bool = False
    create_failed: bool = False
    notes: list[Note] = field(default_factory=list)
    troubles: list[LineError] = field(default_factory=list)
    remarks: tuple[int, ...] = ()
    unanswered: tuple[str, ...] = ()
    inserts: list[AnswerInsert] = field(default_factory=list)
    drafts: dict[tuple[str, str], SheetDraft] = field(default_factory=dict)
    done: list[SheetReport] = field(default_factory=list)
    copies: dict[str, list[Note]] = field(default_factory=dict)
    stored: int = 0
    decrees: list[Overrule] = field(default_factory=list)
    requests: Counter[str] = field(default_factory=Counter)
    keeps_orders: bool = False
    map: MapRequest | None = None
    news: News = field(default_factory=News)
    last_line: int = 0
    left: bool = False
    seat_only: bool = False
    withheld: dict[int, str] = field(default_factory=dict)
    proposed: LetterProposals = field(default_factory=LetterProposals)

    @property
    def game(self) -> Game:
        return self.loaded_game.game

    @property
    def language(self) -> str:
        """The language that the letter may use besides English."""
        return self.person.language or self.loaded_game.settings.language

    @property
    def context(self) -> LetterContext:
        return self.context_in(self.language)

    @property
    def contexts(self) -> Iterator[tuple[str, LetterContext]]:
        """Contexts for each language the letter may be in, the writer's and the game's first."""
        for language in self.languages:
            yield language, self.context_in(language)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the letter may be in, the writer's and the game's first."""
        others = (self.loaded_game.settings.language, *self.services.letters.languages)
        return tuple(dict.fromkeys((self.language, *others)))

    def context_in(self, language: str) -> LetterContext:
        return self._with_file(self.loaded_game.context(self.seat.power, language=language))

    def _with_file(self, context: LetterContext) -> LetterContext:
        """With the writer's sheets as they were before the letter."""
        if not self.plays or not self.loaded_game.running:
            return context
        return replace(context, on_file=StatementsOnFile(self._statements), planned=self._planned)

    def _planned(self, phase: str) -> tuple[str, ...]:
        sheet = planned_orders.planned_sheet(self.store, self.game.id, self.author, self.author)
        return tuple(line.text for line in planned_orders.lines_for(sheet, phase))

    def _statements(self) -> tuple[Statement, ...]:
        return sheets.load_draft(self.store, self.loaded_game, self.author, self.author).statements()

    @property
    def master(self) -> bool:
        return self.seat.power == MASTER

    @property
    def observes(self) -> bool:
        return self.seat.power in OBSERVER_SEATS

    @property
    def may_observe(self) -> bool:
        """Whether an observer may still observe."""
        return any(chair.id == self.seat.id for chair in self.loaded_game.observers)

    @property
    def plays(self) -> bool:
        return self.seat.power != MASTER and self.seat.power not in OBSERVER_SEATS

    @property
    def closed(self) -> bool:
        """Whether the game master has closed the sheets of the phase (LOCK)."""
        return self.game.locked and not self.master

    def note(self, key: str, /, *, done: bool = True, line: int = 0, headline: bool = False, **fields: str) -> Note:
        note = Note(f"desk.{key}", tuple(fields.items()), done, line, headline)
        self.notes.append(note)
        return note

    def note_once(self, key: str, /, *, headline: bool = False, **fields: str) -> None:
        """Note a refusal that a long letter may repeat."""
        note = Note(f"desk.{key}", tuple(fields.items()), done=False, headline=headline)
        if note not in self.notes:
            self.notes.append(note)

    def unknown_power(self, name: str, line: int) -> None:
        self.has_errors = True
        powers = ", ".join(self.loaded_game.variant.seated)
        self.note("unknown-power", done=False, line=line, name=name[:40], powers=powers)

    def send(self, letter: OutLetter) -> None:
        self.store.outbox.add(letter, self.store.now())

    def cause(self, line: int) -> str:
        """The cause of letters about an act: the letter and its line."""
        return f"act:{self.row.id}:{line}"

    @property
    def is_idle(self) -> bool:
        """Whether the letter has had no effect, and there is nothing to answer."""
        return not (self.notes or self.troubles or self.done or self.inserts or self.map or self.was_late)

    def counted(self, word: str) -> int:
        """How often the letter has asked for this, with this time."""
        self.requests[word] += 1
        return self.requests[word]

    def insert(self, kind: str, topic: str = "") -> None:
        if (wanted := AnswerInsert(kind, topic)) not in self.inserts:
            self.inserts.append(wanted)

    def show(self, wanted: AnswerInsert) -> None:
        """Add an insert that holds results of this letter, without the check for doubles of `insert`."""
        self.inserts.append(wanted)

    @property
    def former(self) -> StateBefore:
        """The present state, to be compared after a change."""
        return StateBefore(self.loaded_game.position, self.game.due_at, self.game.snapshot)

    def draft(self, power: str, author: str = "") -> SheetDraft:
        """The sheet of a power; `author` is the power whose player writes it, if not its own."""
        key = author or power, power
        if key not in self.drafts:
            self.drafts[key] = sheets.load_draft(self.store, self.loaded_game, power, key[0])
        return self.drafts[key]

    def own_sheets(self) -> tuple[SheetDraft, ...]:
        """All sheets that the author writes in this phase, the own first."""
        others = (*self.loaded_game.controlled(self.author), *self.loaded_game.lenders(self.author))
        return (self.draft(self.author), *(self.draft(other, self.author) for other in others))

    def copy(self, power: str, *notes: Note) -> None:
        """Send the power's player a copy of the sheet that the game master writes."""
        self.copies.setdefault(power, []).extend(notes)

    def flush(self) -> None:
        """Store the drafts, and send copies of those that the game master wrote."""
        for draft in self.drafts.values():
            draft.settle()
            self.stored += draft.stored
            report = draft.finish(self.store, self.row)
            self.done.append(report)
            if draft.author in self.copies:
                self._send_copy(draft.author, report)
        if self.drafts:
            check_again(self.store, self.loaded_game)
        self.drafts.clear()
        self.copies.clear()

    def _send_copy(self, power: str, sheet: SheetReport) -> None:
        seat = self.loaded_game.seat_of(power)
        if seat is None or seat.person is None:
            return
        report = LetterReport(notes=tuple(self.copies[power]), sheets=(sheet,))
        letter = answer.render_answer(self.services, self.store, self.row, NO_LETTER, self.game, seat, report)
        cause = f"{letter.cause}:{sheet.after.snapshot if sheet.after else 0}"
        message_id = self.services.post.message_id(cause, "copy", letter.address)
        copy = replace(letter, cause=cause, kind="copy", message_id=message_id, automatic="auto-generated")
        self.send(copy)

    def reload_game(self, game: Game | None = None) -> None:
        """Load the game again after a change."""
        self.loaded_game = load_game(self.services, self.store, game or self.store.games.get(self.game.id))

    def save(self, game: Game) -> None:
        self.store.games.save(game)
        self.reload_game(game)

    def tell(self, announce: Callable[[], object]) -> None:
        """Announce something now, or behind what waits."""
        if self.news.waiting:
            self.news.waiting.append(announce)
        else:
            announce()

    def tell_waiting(self) -> None:
        waiting, self.news.waiting = self.news.waiting, []
        for announce in waiting:
            announce()

    def move_to(self, game: Game, seat: Seat) -> None:
        """The rest of the letter is about the game that it created."""
        self.flush()
        self.seat, self.author, self.late_for, self.create_failed = seat, seat.power, "", False
        self.reload_game(game)

    def report(self) -> LetterReport:
        letter = self.letter
        if len(self.troubles) > TROUBLES_SHOWN:
            self.note("more-troubles", done=False, n=str(len(self.troubles) - TROUBLES_SHOWN))
        return LetterReport(
            notes=tuple(self.notes),
            sheets=tuple(self.done),
            troubles=tuple(self.troubles[:TROUBLES_SHOWN]),
            inserts=tuple(self.inserts),
            map=self.map,
            late_for=self.late_for if self.was_late else "",
            stored=self.stored,
            asked=sum(not trouble.obeyed for trouble in self.troubles),
            proposals=self.proposed.made,
            listed=self.proposed.listed,
            heeded=bool(self.requests),
            keeps_orders=self.keeps_orders,
            remarks=self.remarks,
            unanswered=self.unanswered,
            quoted_lines=letter.quoted_lines,
            signature_lines=letter.signature_lines,
            other_ignored=letter.other_ignored,
            lines=dict(letter.lines),
            language=self.person.language,
            came_from="" if letter.sender.lower() in self.person.addresses else letter.sender,
        )

    def log(self, text: str, note: Note) -> None:
        """Add an act of the game master to the log of the game."""
        self.store.turns.log(GmAct(self.game.id, self.store.now(), self.person.id, text, note_to_text(note)))

    def say(self, key: str, /, **fields: str) -> str:
        """A word or sentence in the writer's language, for a field of a note."""
        return self.services.letters.catalogue(self.language).say(key, **fields)

    def hear_for_once(self, language: str) -> None:
        """Answer this letter in its language, if its writer has chosen none."""
        if not self.person.language and language != self.language:
            self.person = replace(self.person, language=language)

    def when(self, instant: datetime | None, person: Person | None = None) -> str:
        return format_instant(self.services, self.store, self.game, person or self.person, instant)


def tell_all(
    session: LetterSession,
    note: Note,
    line: int,
    *,
    text: str = "",
    subject: str = "",
    due: datetime | None = None,
    former: StateBefore | None = None,
) -> int:
    """Queue a notice for every seat and observer but the writer, who reads it in the answer; how many these are."""
    words, cause = {"text": text, "subject": subject}, session.cause(line)
    readers = [seat for seat in session.loaded_game.public if seat.id != session.seat.id]
    for seat in readers:
        queue_notice(session.services, session.store, session.game, seat, note, cause, **words, due=due, former=former)
    return len(readers)


Handler: TypeAlias = Callable[[LetterSession, Any, int], None]
"""Takes the session, the request and the number of its line."""
Handlers: TypeAlias = Mapping[type[Request] | tuple[type[Request], str], Handler]
