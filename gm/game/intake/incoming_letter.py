"""A letter from the inbox with what is known about it: the sender, the question it answers, its requests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gm.game.identity.hidden_tokens import hide_in_letter
from gm.game.identity.references import settle_reference
from gm.game.identity.sender import Sender, find_question, identify_sender
from gm.game.identity.which_power import choose_power
from gm.game.intake.new_game_questions import ask_to_create
from gm.game.letters import reply_limits, seatless_inserts
from gm.game.model.letter_report import AnswerInsert, Note
from gm.game.model.ports import Store
from gm.game.model.records import Game, InboxRow, InboxState, Letter, Person, Question
from gm.game.model.services import Services
from gm.game.model.settings import GameSettings, stored_value
from gm.game.players.game_variant import only_talks_of_creating
from gm.game.players.joining_in_words import with_joining
from gm.game.session.no_seat import read_in_best_language, read_in_language
from gm.kept_property import kept_property
from gm.language.commands.in_words import plain_questions
from gm.language.commands.players import InviteRequest
from gm.language.commands.requests import CreateRequest, SeatPlayerRequest, SetRequest
from gm.language.i18n.guess_language import guess_language, is_plain_english
from gm.language.i18n.vocabulary import ENGLISH
from gm.language.lines.letter_contents import LetterContents, Request
from gm.language.rendering.views import SectionView

CERTAIN = 2
"""Different words of a language that show that a letter is in it."""
GAMES = "games"
"""The kind of insert that lists games, and does not show how to create one."""
CREATE = "create"
"""The row of grammars/commands at which sentences about a new game hint."""
NOTHING_ASKED = "desk.no-seat"
"""How the keys begin of notes that a letter asks for nothing."""
ABOUT_NEW_GAME = (CreateRequest, SeatPlayerRequest, InviteRequest, SetRequest)


class IncomingLetter(Struct, frozen=True, dict=True):
    """The cached properties are computed once, when the first route asks for them. `opened`: the letter as it came;
    `notes`: what its answer says of parts that were read already.
    """

    services: Services
    store: Store
    row: InboxRow
    opened: Letter
    notes: tuple[Note, ...] = ()

    @kept_property
    def _settled(self) -> Letter:
        """The letter with the Ref line that counts."""
        return settle_reference(self.services, self.store, self.opened)

    @kept_property
    def letter(self) -> Letter:
        """The letter as it is read and passed on: without tokens."""
        return hide_in_letter(self.services, self.store, self._settled, self.mail_sender)

    @kept_property
    def question(self) -> Question | None:
        """The question whose code the letter brings."""
        return find_question(self.store, self._settled)

    @kept_property
    def mail_sender(self) -> Sender:
        """The sender by addresses, thread and tags. Stores a new person for a game master who writes first."""
        return identify_sender(self.services, self.store, self.row, self._settled)

    @kept_property
    def _of_power(self) -> tuple[Sender, Letter]:
        return choose_power(self.services, self.store, self.letter, self.mail_sender)

    @property
    def sender(self) -> Sender:
        """The sender with the seat that a "Country:" line names."""
        return self._of_power[0]

    @property
    def words(self) -> Letter:
        """The letter without its "Country:" line."""
        return self._of_power[1]

    @property
    def person(self) -> Person | None:
        return getattr(self.sender, "person", None)

    @kept_property
    def _reading(self) -> tuple[LetterContents, str]:
        return read_in_best_language(self.services, self._read_in, self.person)

    def _read_in(self, language: str) -> LetterContents:
        if language not in self._readings:
            self._readings[language] = read_in_language(self.services, self.words, language)
        return self._readings[language]

    @kept_property
    def _readings(self) -> dict[str, LetterContents]:
        """Without a game, by language. Kept only for speed: several routes ask for them."""
        return {}

    @kept_property
    def reading(self) -> LetterContents:
        """The requests of the letter, read without a game, with what its sentences ask for."""
        return with_joining(self.services, self.store, self.words, self._reading[0])

    @property
    def has_commands(self) -> bool:
        """Whether the letter has requests in a line of their own."""
        return bool(self._reading[0].requests)

    @property
    def language(self) -> str:
        """The language that its commands are in."""
        return self._reading[1]

    @property
    def creates_game(self) -> bool:
        creations = [given for given in self.reading.requests if isinstance(given.request, CreateRequest)]
        return any(not only_talks_of_creating(self.services, given) for given in creations)

    @property
    def wants_game(self) -> bool:
        """Whether sentences ask for a new game, and the letter for nothing else."""
        if self.creates_game:
            return False
        titled, languages = self._titled, self.services.letters.languages
        read = self._read_in if titled is self.words else partial(read_in_language, self.services, titled)
        about = ABOUT_NEW_GAME if self._may_seat_people else (CreateRequest,)
        return any(_only_wants_game(read(language), about) for language in languages)

    @property
    def _may_seat_people(self) -> bool:
        """Whether lines of SEAT or SET can be about a new game: it has a name or a variant, or the writer no game."""
        described = self.person is not None and seatless_inserts.names_game(self.services, self.person, (self._lines,))
        return described or getattr(self.sender, "seat", None) is None

    @property
    def _lines(self) -> tuple[str, ...]:
        return tuple(line for _, line in self.words.lines if line.strip())

    @property
    def speaks_of_new_game(self) -> bool:
        """Whether a sentence asks for a new game, whatever else the letter says."""
        languages = self.services.letters.languages
        return any(_hints_at_game(self._read_in(language)) for language in languages)

    @property
    def _titled(self) -> Letter:
        """The letter below its subject, where that may ask for the game which the words describe: "new game"."""
        letter, person = self.words, self.person
        if letter.answers or not letter.subject or person is None:
            return letter
        describes = seatless_inserts.describes_game(self.services, person, (self._lines,))
        return replace(letter, lines=((0, letter.subject), *letter.lines)) if describes else letter

    def written_in(self, game: Game | None) -> str:
        """The language of the letter's words, if it is not that of the game; "" where they do not tell."""
        words, known = [words for _, words in self.words.lines], self.services.letters.languages
        usual = stored_value(game, GameSettings.language)
        if usual != ENGLISH:
            return ENGLISH if is_plain_english(words, known) else ""
        language = guess_language(words, known, CERTAIN)
        return "" if language == ENGLISH else language

    def reply(
        self,
        person: Person,
        *notes: Note,
        inserts: Sequence[AnswerInsert] = (),
        sections: tuple[SectionView, ...] = (),
        code: str = "",
    ) -> None:
        """Answer with these notes, sections and inserts, in a letter about no game.

        `code`: of the question that still waits. Where the answer shows the game that the letter describes, it is the
        question whether to create it.
        """
        words = [self.letter.subject, *(line for _, line in self.letter.lines)]
        if not code and any(insert.kind != GAMES for insert in inserts):  # it shows how a game is created
            code = ask_to_create(self.services, self.store, self.row, person, (words,))
            notes = tuple(note for note in notes if not (code and note.key.startswith(NOTHING_ASKED)))
        sections = (*sections, *seatless_inserts.sections(self.services, self.store, person, inserts, words))
        reply_limits.send_plain_answer(
            self.services, self.store, self.row, self.letter, person, *notes, sections=sections, code=code
        )


ClosedAs: TypeAlias = tuple[InboxState, str]
"""The state in which a letter is left, and why."""
DONE: ClosedAs = (InboxState.DONE, "")

Route: TypeAlias = Callable[[IncomingLetter], ClosedAs | IncomingLetter | None]
"""Handles a letter and returns how it is closed; None leaves the letter to the next route, a letter is what it leaves
to them of it."""


def _only_wants_game(reading: LetterContents, about: tuple[type[Request], ...]) -> bool:
    """`about`: requests that are about the new game."""
    hints = [trouble for trouble in reading.troubles if trouble.key in plain_questions.HINTS]
    speaks = _hints_at_game(reading) or any(isinstance(given.request, CreateRequest) for given in reading.requests)
    talks = all(isinstance(given.request, about) for given in reading.requests)
    return speaks and talks and len(hints) == len(reading.troubles)


def _hints_at_game(reading: LetterContents) -> bool:
    hints = (dict(trouble.fields) for trouble in reading.troubles if trouble.key in plain_questions.HINTS)
    return any(CREATE in hint["commands"].split() for hint in hints)
