"""Letters about several games of their writer: the words behind the name of a game are read for that game alone.

Each of the other games answers in a letter of its own. Where words that order something speak of another game and
cannot be told apart, nothing of the letter is done, and the writer is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gm.game.commands.no_seat import is_personal
from gm.game.identity.sender import ProvenSender, SeveralSeats
from gm.game.intake.from_seat import answer_letter, obey_letter
from gm.game.intake.incoming_letter import DONE, ClosedAs, IncomingLetter
from gm.game.intake.letter_parts import asks, seat_of, seats_of_letter
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import load_game, power_named
from gm.game.model.records import GameState, Person, Seat
from gm.game.session.session import LetterSession
from gm.language.commands.command_line import is_in_capitals
from gm.language.letter.headings.game_headings import TWO, GameHeadings, GamePart, joined_lines
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContents, RequestLine
from gm.language.lines.sentences import sentences_of
from gm.language.orders.parsing.order_context import place_names


class _Writer(Struct, frozen=True):
    """A person with seats in several games, each with a session of the letter. `here`: the seat that the letter came
    to, None where that is unclear; `keyed`: nothing but its reply address proves them.
    """

    person: Person
    here: Seat | None
    sessions: tuple[LetterSession, ...]
    keyed: bool

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(session.game.name for session in self.sessions))

    @property
    def own(self) -> LetterSession | None:
        """The session about the seat that the letter came to."""
        return next((session for session in self.sessions if session.seat == self.here), None)

    def session(self, part: GamePart) -> LetterSession | None:
        """The session about a part; None where it does not say which of several seats it is about."""
        sessions = [session for session in self.sessions if session.game.name == part.game]
        if len(sessions) > 1 and part.power:
            named = power_named(sessions[0].loaded_game.variant, part.power)
            sessions = [session for session in sessions if session.seat.power == named]
        if len(sessions) > 1 and self.here is not None:
            sessions = [session for session in sessions if session.seat.id == self.here.id] or sessions
        return sessions[0] if len(sessions) == 1 else None


def several_games(incoming: IncomingLetter) -> ClosedAs | IncomingLetter | None:
    """Read the parts of a letter about other games than its own, and leave the rest of it."""
    seats = _seats(incoming)
    if len({seat.game for seat in seats}) < TWO or not _may_speak_of_others(incoming, seats):
        return None
    writer = _writer(incoming, seats)
    headings = _headings(writer)
    if not headings.may_divide(incoming.words.lines):
        return None
    press = _press_lines(writer, incoming.words.lines)
    parts = _parts(writer, headings.divide(incoming.words.lines, press))
    unclear = _unclear(writer, headings, [part.without(press) for part in parts])
    if writer.here is None and (unclear == "" or _names_in_passing(writer, headings, parts)):
        whole = _read_whole(incoming, writer, headings)
        if whole is not None or not unclear:
            return whole
    if unclear is not None:
        fields = (("games", ", ".join(writer.names)), ("first", writer.names[0]), ("words", unclear))
        incoming.reply(writer.person, Note("desk.several-games", fields, done=False))
        return DONE
    return _read_apart(incoming, writer, parts)


# ---- whose letter it is


def _seats(incoming: IncomingLetter) -> tuple[Seat, ...]:
    """The writer's seats in games that are not over; none where they are in one game."""
    seats = seats_of_letter(incoming)
    if len({seat.game for seat in seats}) < TWO:  # fast path
        return ()
    games = incoming.store.games
    return tuple(seat for seat in seats if games.get(seat.game).state is not GameState.ENDED)


def _may_speak_of_others(incoming: IncomingLetter, seats: Sequence[Seat]) -> bool:
    """Only for speed: False only for a letter that names no other game, for which the games need not be loaded."""
    names = {seat.game: incoming.store.games.get(seat.game).name for seat in seats}
    here = seat_of(incoming.sender)
    own = names.get(here.game, "") if here is not None else ""
    languages = tuple(sorted(incoming.services.letters.languages))
    headings = GameHeadings(tuple(sorted({*names.values()})), own, languages)
    return headings.may_divide(incoming.words.lines)


def _writer(incoming: IncomingLetter, seats: Sequence[Seat]) -> _Writer:
    services, store, sender = incoming.services, incoming.store, incoming.sender
    assert isinstance(sender, ProvenSender | SeveralSeats)
    about_no_game = replace(incoming.words, subject="", answers=(), ref=(), refs=(), forwarded=(), answered=())
    letter = replace(about_no_game, quoted_lines=0, signature_lines=0, other_ignored=())
    sessions = []
    for seat in sorted(seats, key=lambda seat: seat.game):
        loaded_game = load_game(services, store, store.games.lock(seat.game))
        language = sender.person.language or incoming.written_in(loaded_game.game)
        person = replace(sender.person, language=language)
        sessions.append(LetterSession(services, store, incoming.row, letter, person, seat, loaded_game, seat.power))
    return _Writer(sender.person, seat_of(sender), tuple(sessions), bool(sender.keyed))


def _headings(writer: _Writer) -> GameHeadings:
    here = writer.own.game.name if writer.own is not None else ""
    known = [place_names(session.loaded_game.position.board, session.context.variant) for session in writer.sessions]
    places = frozenset(name for name in writer.names if any(names.find([name]) for names in known))
    languages = tuple(sorted({language for session in writer.sessions for language in session.languages}))
    return GameHeadings(writer.names, here, languages, places)


def _press_lines(writer: _Writer, lines: Sequence[NumberedLine]) -> frozenset[int]:
    reading = read_letter(lines, writer.own.context) if writer.own is not None else LetterContents()
    return reading.press_lines


# ---- what its parts are about


def _parts(writer: _Writer, divided: Iterable[GamePart]) -> tuple[GamePart, ...]:
    """The parts; one that asks for nothing only speaks of its game, and belongs to the part before."""
    parts: list[GamePart] = []
    for part in divided:
        session = writer.session(part)
        if parts and session is not None and part.game != parts[-1].game and not asks(session, part.lines):
            parts[-1] = parts[-1].going_on(part)
        else:
            parts.append(part)
    return tuple(parts)


def _unclear(writer: _Writer, headings: GameHeadings, parts: Sequence[GamePart]) -> str | None:
    """Words that order something in a game that is not clear: a sentence, or "" for words before any name; None if all
    is clear.
    """
    for part in parts:
        if part.game and writer.session(part) is None:
            return part.heading.strip()
        if not part.game and any(asks(session, part.lines) for session in writer.sessions):
            return ""
        for sentence in headings.others_named(part):
            lines = ((1, headings.without_names(sentence)),)
            if any(_is_command(session, sentence) for session in writer.sessions):
                continue
            if any(asks(session, lines, effects=True) for session in writer.sessions):
                return " ".join(sentence.split())
    several = next(filter(headings.names_several, sentences_of(parts[0].words)), "")
    if several and any(_is_command(session, several) for session in writer.sessions):
        return None
    if several and len(parts) == 1 and any(asks(session, parts[0].lines, effects=True) for session in writer.sessions):
        return " ".join(several.split())
    return None


def _names_in_passing(writer: _Writer, headings: GameHeadings, parts: Sequence[GamePart]) -> bool:
    """Whether names of games stand in sentences alone, "how is ostend going?", and in no heading or command."""
    if [part.game for part in parts] != [""]:
        return False
    sentences = headings.others_named(parts[0])
    return not any(_is_command(session, sentence) for sentence in sentences for session in writer.sessions)


def _is_command(session: LetterSession, sentence: str) -> bool:
    """Whether a sentence is a command that may name a game itself: "ABSENCE 1 Apr TO 2 Apr in harwich"."""
    reading = read_letter(((1, sentence),), session.context)
    if not reading.requests or reading.orders or reading.troubles:
        return False
    return is_in_capitals(sentence) or is_personal(reading) or any(map(_is_everywhere, reading.requests))


def _is_everywhere(given: RequestLine) -> bool:
    return bool(getattr(given.request, "everywhere", False))


# ---- reading them


def _read_apart(
    incoming: IncomingLetter, writer: _Writer, parts: Sequence[GamePart]
) -> ClosedAs | IncomingLetter | None:
    """Obey and answer the parts about other games; returns the letter with the rest."""
    apart: dict[int, list[GamePart]] = {}
    rest: list[GamePart] = []
    for part in parts:
        session = writer.session(part)
        if session is None or session.seat == writer.here:
            rest.append(part)
        else:
            apart.setdefault(session.seat.id, []).append(part)
    if not apart:
        return None
    sessions = [session for session in writer.sessions if session.seat.id in apart]
    names = ", ".join(session.game.name for session in sessions)
    for session in () if writer.keyed else sessions:
        session.letter = replace(session.letter, lines=_lines(apart[session.seat.id]))
        obey_letter(session, session.letter)
        answer_letter(session)
    lines = _lines(rest)
    if writer.own is None or not (writer.keyed or asks(writer.own, lines)):
        return DONE
    key = "desk.other-games-unproven" if writer.keyed else "desk.other-games-apart"
    note = Note(key, (("games", names),), done=not writer.keyed)
    known = {number for number, _ in incoming.words.lines}
    country = tuple(line for line in incoming.opened.lines if line[0] not in known)
    left = replace(incoming.opened, lines=tuple(sorted((*country, *lines))))
    return IncomingLetter(incoming.services, incoming.store, incoming.row, left, (note,))


def _read_whole(incoming: IncomingLetter, writer: _Writer, headings: GameHeadings) -> ClosedAs | None:
    """Obey a letter whose sentences name one of the games: "Move the deadline of ostend to Friday". None where they
    name none or several: the writer is asked which.
    """
    lines = incoming.words.lines
    game = headings.only_named(lines)
    session = writer.session(GamePart(game, lines)) if game and not writer.keyed else None
    if session is None:
        return None
    ways = headings.without_name(lines, session.language)
    session.letter = replace(session.letter, lines=next((way for way in ways if asks(session, way)), lines))
    obey_letter(session, session.letter)
    answer_letter(session)
    return DONE


def _lines(parts: Iterable[GamePart]) -> tuple[NumberedLine, ...]:
    return joined_lines(line for part in parts for line in part.lines)
