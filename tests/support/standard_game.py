"""A game of seven and a game master on the twin store, and turns played in it, for tests of letters out.

Golden letters lie in tests/game/letters/golden. GM_WRITE_GOLDEN=1 writes them anew; read the difference before
keeping it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace
from support.paths import LETTERS_GOLDEN
from support.shipped import LIBRARY, letter_templates
from support.stores.memory_store import MemoryStore

from gm.game.model.map_attachment import attach_map
from gm.game.model.records import (
    MASTER,
    Game,
    GameState,
    InboxRow,
    Letter,
    OutLetter,
    Person,
    Seat,
    Sheet,
    SheetLine,
    Snapshot,
)
from gm.game.model.reply_addresses import ReplyAddresses
from gm.game.model.services import Services
from gm.judge.board.board import Place, locate
from gm.judge.model.calendar import resolve_phase
from gm.judge.model.orders import Entry
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import Decree, Submissions
from gm.judge.model.variant import Variant
from gm.language.formats import stored_values as codec
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders.sheet_reader import read_order
from gm.variant_files.library import Library

NAMES = {
    "Austria": "Ada Lind",
    "England": "Hannah Osei",
    "France": "Luc Marchand",
    "Germany": "Tom Ashby",
    "Italy": "Chiara Bellini",
    "Russia": "Irina Sokolova",
    "Turkey": "Deniz Kaya",
    MASTER: "Ruth Amsel",
}
FALL = {
    "Austria": ("F Alb, A Ser, A Vie", "F Alb - Gre; A Ser S F Alb - Gre; A Vie - Tri"),
    "England": ("F ENG, F NTH, A Yor", "F ENG - Pic; F NTH C A Yor - Bel; A Yor - Bel"),
    "France": ("A Bur, F MAO, A Pic", "A Bur - Bel; F MAO - Por; A Pic S A Bur - Bel"),
    "Germany": ("F Den, A Mun, A Ruh", "F Den - Swe; A Mun - Bur; A Ruh S A Mun - Bur"),
    "Italy": ("A Apu, F ION, A Ven", "A Apu - Tun; F ION C A Apu - Tun; A Ven - Tri"),
    "Russia": ("F BOT, F Rum, A Ukr, A War", "F BOT - Swe; F Rum H; A Ukr S F Rum; A War - Gal"),
    "Turkey": ("F BLA, A Bul, A Con", "F BLA - Rum; A Bul S F BLA - Rum"),
}
"""Units and orders of the model letters' Fall of 1901."""


def golden(name: str, text: str) -> None:
    path = LETTERS_GOLDEN / f"{name}.txt"
    if os.environ.get("GM_WRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def as_sent(letter: OutLetter) -> str:
    """Subject and text of a letter that takes its map along."""
    sent = attach_map(letter, b"map") if letter.picture else letter
    return f"Subject: {sent.subject}\n\n{sent.text}"


@dataclass
class Letterbox:
    store: MemoryStore = field(default_factory=lambda: MemoryStore(datetime(2026, 3, 8, 19, 30, tzinfo=UTC)))
    library: Library = LIBRARY
    settings: tuple[tuple[str, str], ...] = (("moves", "Sundays 20:00 Europe/Berlin"), ("zone", "Europe/Berlin"))

    def __post_init__(self) -> None:
        self.variant: Variant = self.library.variant("standard", {})
        self.services = Services(
            variant=lambda name, options: self.library.variant(name, dict(options)),
            variant_ids=self.library.ids(),
            post=ReplyAddresses("gm@gm.example", b"a secret of thirty-two bytes ....", False),
            letters=letter_templates(),
            open_letter=_no_opener,
            map_wait=timedelta(minutes=5),
        )
        self.game = self.store.games.add(Game(0, "ostend", self.variant.id, settings=self.settings))
        self.seats: dict[str, Seat] = {}
        for power, name in NAMES.items():
            zone = "Europe/Lisbon" if power == "France" else "Europe/Berlin"
            person = self.store.people.add(Person(0, name, (f"{power.lower()}@example.org",), zone))
            self.seats[power] = self.store.games.add_seat(Seat(0, self.game.id, power, person.id))
        self.last = 0

    def unit(self, power: str, text: str) -> Unit:
        kind, _, place = text.partition(" ")
        province, _, coast = place.partition("/")
        at = locate(self.variant.start.board, self.variant.kinds[kind], Place(province, coast))
        assert at is not None, text
        return Unit(power, kind, at)

    def fall_resolved(self, due: datetime) -> Snapshot:
        """The model letters' Fall of 1901, played."""
        before = self.fall()
        opening = self.enter(before, due)
        orders = self.book(before, {power: orders for power, (_, orders) in FALL.items()})
        return self.resolve(before, orders, due, previous=opening.id)

    def position(self, units: Mapping[str, str], centres: Mapping[str, str], phase: str) -> Position:
        year, at = self.variant.phase_at(phase)
        return replace(
            self.variant.start,
            year=year,
            at=at,
            units=tuple(self.unit(power, text) for power, some in units.items() for text in some.split(", ")),
            centres={centre: power for power, some in centres.items() for centre in some.split()},
            before=dict(self.variant.start.centres),
        )

    def fall(self) -> Position:
        centres = {power.name: " ".join(self.variant.start.centres_of(power.name)) for power in self.variant.powers}
        return self.position({power: units for power, (units, _) in FALL.items()}, centres, "F1901M")

    def book(self, position: Position, orders: Mapping[str, str], decrees: Sequence[Decree] = ()) -> Submissions:
        sheets: dict[tuple[str, str], tuple[Entry, ...]] = {}
        for power, lines in orders.items():
            context = LetterContext(self.variant, position, power, any_unit=True)
            read = [read_order(line.strip(), context) for line in lines.split(";")]
            assert not [order for order in read if isinstance(order, LineError)], read
            sheets[power, power] = tuple(Entry(order) for order in read if not isinstance(order, LineError))
        return Submissions(sheets, decrees=tuple(decrees))

    def enter(self, position: Position, due: datetime | None, **more: object) -> Snapshot:
        """Make this the present position. `more` are fields of the snapshot."""
        snapshot = Snapshot(
            id=0,
            game=self.game.id,
            previous=self.last,
            replaces=0,
            resolved="",
            phase="" if position.ended else self.variant.phase_name(position),
            version=1,
            at=self.store.now(),
            position=codec.position_to_text(position, self.variant),
            events=codec.events_to_text(()),
            book="",
        )
        snapshot = self.store.turns.add_snapshot(replace(snapshot, **more))  # type: ignore[arg-type]
        state = GameState.RUNNING if snapshot.phase else GameState.ENDED
        self.last = snapshot.id
        self.game = replace(self.game, snapshot=snapshot.id, phase=snapshot.phase, due_at=due, state=state)
        self.store.games.save(self.game)
        return snapshot

    def resolve(self, position: Position, book: Submissions, due: datetime | None, **more: object) -> Snapshot:
        legs = resolve_phase(self.variant, position, book)
        fields = {"events": codec.events_to_text(legs), "resolved": self.variant.phase_name(position), **more}
        return self.enter(legs[-1].turn.position, due, **fields)

    def send(self, letter: OutLetter) -> OutLetter:
        assert self.store.outbox.add(letter, self.store.now())
        return letter

    def row(self, number: int = 1) -> InboxRow:
        return InboxRow(number, "inbox", f"key {number}", self.store.now(), b"")

    def sheet(self, power: str, version: int, *lines: str, **more: object) -> Sheet:
        kept = tuple(SheetLine(self._slot(line), line) for line in lines)
        sheet = Sheet(self.game.id, self.game.phase, self.game.snapshot, power, power, version, kept)
        return replace(sheet, **more)  # type: ignore[arg-type]

    def _slot(self, line: str) -> tuple[str, str]:
        words = line.split()
        return ("unit", f"{words[0]} {words[1].partition('/')[0]}")


def a_letter(subject: str = "", answers: tuple[str, ...] = (), words: str = "") -> Letter:
    lines = tuple(enumerate(words.split("\n"), 1))
    return Letter("luc@example.org", "Luc", (), subject, "player-1@example.org", answers, lines)


def _no_opener(row: InboxRow) -> Letter:
    raise AssertionError("no letter is opened here")
