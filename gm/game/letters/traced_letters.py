"""Finds the letters of a game that a game master may look at (DEBUG), within bounds whatever was written.

Letters are known by our answers and questions about them. A letter that holds nothing but press, votes or notes, or
names another game, is not told of. To decide that, a letter has to be read: so the list opens and reads only so many
characters, and a single letter is read only as far as `LINES_SHOWN`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from gm.game.identity import sender, which_phase
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.records import InboxRow, Letter, Seat, Snapshot
from gm.game.model.services import Services
from gm.game.model.settings import plain_names, takes_illegal
from gm.game.views import maps
from gm.language.commands import gm, observers, requests
from gm.language.commands.planning import CheckRequest
from gm.language.formats.stored_values import position_from_text
from gm.language.i18n.localized_variant import localized
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext

DEBUG = "debug"
CODE_LENGTH = 8
LISTED_MOST = 20
LOOKED_AT = 400
"""The last answers and questions that are searched."""
BYTES_OPENED = 400_000
"""Of the letters that are listed, together. A larger one can be asked for by its Message-ID."""
CHARACTERS_READ = 40_000
"""Of all letters that are looked at for the list, and …"""
CHARACTERS_OF_ONE = 2_000
"""… of each. What is below them does not decide whether a letter is listed."""
LINES_SHOWN = 300
"""Own lines of a letter that are shown as they were read."""
PRIVATE = (
    requests.PressRequest,
    requests.VoteRequest,
    gm.BallotRequest,
    observers.DiaryRequest,
    observers.MuteRequest,
    observers.UnmuteRequest,
    CheckRequest,
)
"""Private requests. A letter that holds nothing else is not listed."""


class TracedLetter(Struct, frozen=True):
    """A letter of a seat; `word` is its code in DEBUG."""

    word: str
    seat: Seat
    row: InboxRow
    letter: Letter


class AnsweredRow(Struct, frozen=True):
    """A letter in the inbox that we answered or asked about, not opened yet. `ids` holds its Message-ID."""

    inbox: int
    seat: Seat
    ids: tuple[str, ...]


class GameLetters(Struct, frozen=True, dict=True):
    """The letters of one game. The cached properties are for one look at them."""

    services: Services
    store: Store
    loaded_game: LoadedGame

    def last(self) -> tuple[TracedLetter, ...]:
        """The last letters, the newest first."""
        return tuple(sorted(self._listed(), key=lambda traced: (traced.row.received_at, traced.row.id), reverse=True))

    def find(self, asked: str) -> TracedLetter | None:
        """A letter by its code or its Message-ID; None also for one that is not told of."""
        wanted = asked.lower()
        for row in self._answered:
            if wanted == self._word(row.inbox) or wanted in row.ids:
                traced = self._open(row, self.store.inbox.get(row.inbox))
                known = wanted in (traced.word, traced.letter.message_id.lower())
                if known and self._is_shown(traced, LINES_SHOWN):
                    return traced
        return None

    def read(self, traced: TracedLetter, lines: int = LINES_SHOWN) -> LetterContents:
        """The first lines of a letter as they were read, with the position at its arrival."""
        loaded_game = self.loaded_game
        variant, position = loaded_game.variant, loaded_game.position
        then = next((snapshot for snapshot in self._snapshots if snapshot.at <= traced.row.received_at), None)
        position = position_from_text(then.position, variant) if then is not None else position
        language = "" if traced.seat.person is None else self.store.people.get(traced.seat.person).language
        power = traced.seat.power if loaded_game.seat_of(traced.seat.power) in loaded_game.power_seats else ""
        master = traced.seat in loaded_game.masters
        spoke, illegal = localized(variant, language or loaded_game.settings.language), takes_illegal(loaded_game.game)
        context = LetterContext(spoke, position, power, master=master, illegal=illegal, plain_settings=plain_names())
        return read_letter(traced.letter.lines[:lines], context)

    @cached_property
    def _snapshots(self) -> tuple[Snapshot, ...]:
        game = self.loaded_game.game
        return maps.snapshots_back(self.store, game) if game.snapshot else ()

    @cached_property
    def _answered(self) -> tuple[AnsweredRow, ...]:
        """The newest answers and questions first, each letter once."""
        seats = {seat.id: seat for seat in (*self.loaded_game.seats, *self.loaded_game.observers)}
        rows: dict[int, AnsweredRow] = {}
        for cause, seat, references in self.store.outbox.answers_about(tuple(seats), LOOKED_AT):
            inbox = self._inbox_of(cause)
            if inbox:
                rows.setdefault(inbox, AnsweredRow(inbox, seats[seat], tuple(name.lower() for name in references)))
        return tuple(rows.values())

    def _inbox_of(self, cause: str) -> int:
        kind, _, rest = cause.partition(":")
        if kind == "inbox":
            return int(rest.partition(":")[0])
        question = self.store.turns.question(rest)
        return question.inbox if question is not None and question.kind in (sender.HOLD, sender.PERSON) else 0

    def _listed(self) -> Iterator[TracedLetter]:
        bytes_left, characters_left, listed = BYTES_OPENED, CHARACTERS_READ, 0
        for answered in self._answered:
            row = self.store.inbox.get(answered.inbox)
            if len(row.raw) > bytes_left:
                continue
            bytes_left -= len(row.raw)
            traced = self._open(answered, row)
            lines, characters = _first_lines(traced.letter)
            characters_left -= characters
            if characters_left < 0 or listed == LISTED_MOST:
                return
            if self._is_shown(traced, lines):
                listed += 1
                yield traced

    def _word(self, inbox: int) -> str:
        return self.services.post.code(DEBUG, str(self.loaded_game.game.id), str(inbox))[:CODE_LENGTH]

    def _open(self, answered: AnsweredRow, row: InboxRow) -> TracedLetter:
        letter = self.services.open_letter(row)
        return TracedLetter(self._word(answered.inbox), answered.seat, row, letter)

    def _is_shown(self, traced: TracedLetter, lines: int) -> bool:
        """Whether the letter is about this game only, and is neither press nor private."""
        store, letter = self.store, replace(traced.letter, lines=traced.letter.lines[:lines])
        if which_phase.find_press_channel(store, letter, traced.seat):
            return False
        named = {name for name in sender.named_games(self.services, letter) if store.games.by_name(name) is not None}
        reading = self.read(traced, lines)
        asked = [given.request for given in reading.requests]
        shows = bool(reading.orders or reading.troubles) or not asked or not all(isinstance(r, PRIVATE) for r in asked)
        return named <= {self.loaded_game.game.name} and shows


def _first_lines(letter: Letter) -> tuple[int, int]:
    """How many of a letter's lines decide whether it is listed, and how many characters they have."""
    characters = 0
    for count, (_, words) in enumerate(letter.lines):
        if count and characters + len(words) > CHARACTERS_OF_ONE:
            return count, characters
        characters += len(words) + 1
    return len(letter.lines), characters
