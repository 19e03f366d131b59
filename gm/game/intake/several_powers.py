"""Letters of somebody with several powers: the words behind the name of a power are read for its seat.

So are lines that are orders of only one of the powers where they stand in the letter. Each other seat answers in a
letter of its own. Where the words for the seat that is not named ask for something, all of the letter is left to the
question which seat it is about.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gm.game.identity.sender import ProvenSender, SeveralSeats
from gm.game.intake.from_seat import answer_letter, obey_letter
from gm.game.intake.incoming_letter import DONE, ClosedAs, IncomingLetter
from gm.game.intake.letter_parts import asks, seat_of, seats_of_letter
from gm.game.intake.orders_elsewhere import with_subject
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import load_game
from gm.game.model.records import MASTER, GameState, Person, Seat
from gm.game.session.session import LetterSession
from gm.language.commands.in_words.plain_questions import joined_patterns
from gm.language.i18n.place_names import powers
from gm.language.letter.check_lines import FOREIGN
from gm.language.letter.headings.game_headings import TWO, joined_lines
from gm.language.letter.headings.power_headings import PowerHeadings, PowerPart
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContents
from gm.language.lines.sentences import sentences_of
from gm.language.lines.spans import Fate

MOST_WORDS_OF_GREETING = 3
"""In small letters: names and the first words of lines are written large."""


class _Writer(Struct, frozen=True):
    """A person with several powers, each with a session of the letter by the number of its seat. `here`: the session
    of the seat that the letter came to, None where that is unclear; `keyed`: the seats that alone are proven, () if the
    person is.
    """

    person: Person
    here: LetterSession | None
    sessions: dict[int, LetterSession]
    keyed: tuple[Seat, ...]


def several_powers(incoming: IncomingLetter) -> ClosedAs | IncomingLetter | None:
    """Read the parts of a letter about other powers than that it came to, and leave the rest of it."""
    seats = _seats(incoming)
    if len(seats) < TWO:
        return None
    writer = _writer(incoming, seats)
    first = writer.here or next(iter(writer.sessions.values()))
    kept = _kept_lines(first, incoming.words.lines)
    by_seat: dict[int | None, list[NumberedLine]] = {}
    for part in _parts(writer, _headings(writer).divide(incoming.words.lines, kept)):
        for seat, line in _by_unit(writer, part, kept):
            by_seat.setdefault(seat, []).append(line)
    here = writer.here.seat.id if writer.here is not None else None
    rest = joined_lines((*by_seat.pop(None, ()), *(by_seat.pop(here, ()) if here is not None else ())))
    if not by_seat or (writer.here is None and any(asks(session, rest) for session in writer.sessions.values())):
        return None
    return _read_apart(incoming, writer, {seat: joined_lines(lines) for seat, lines in by_seat.items() if seat}, rest)


def _seats(incoming: IncomingLetter) -> tuple[Seat, ...]:
    """The writer's powers that the letter may be about: in the game that it came to, or in those it may have come to,
    where no two have the same power.
    """
    sender, games = incoming.sender, incoming.store.games
    seats, here = seats_of_letter(incoming), seat_of(incoming.sender)
    if here is not None:
        seats = tuple(seat for seat in seats if seat.game == here.game)
    elif isinstance(sender, SeveralSeats):
        seats = tuple(seat for seat in seats if seat in sender.seats)
    running = (seat for seat in seats if games.get(seat.game).state is GameState.RUNNING)
    seats = tuple(seat for seat in running if seat.power != MASTER)
    if len({seat.power for seat in seats}) < max(TWO, len(seats)) or here not in (None, *seats):
        return ()
    return seats


def _writer(incoming: IncomingLetter, seats: Sequence[Seat]) -> _Writer:
    sender = incoming.sender
    assert isinstance(sender, ProvenSender | SeveralSeats)
    sessions = {seat.id: _session(incoming, sender.person, seat) for seat in sorted(seats, key=lambda seat: seat.game)}
    here = seat_of(sender)
    return _Writer(sender.person, sessions[here.id] if here is not None else None, sessions, sender.keyed)


def _session(incoming: IncomingLetter, person: Person, seat: Seat) -> LetterSession:
    """A session of the letter about a seat, with what is on file now."""
    services, store = incoming.services, incoming.store
    letter = replace(incoming.words, forwarded=(), answered=(), quoted_lines=0, signature_lines=0, other_ignored=())
    loaded_game = load_game(services, store, store.games.lock(seat.game))
    person = replace(person, language=person.language or incoming.written_in(loaded_game.game))
    return LetterSession(services, store, incoming.row, letter, person, seat, loaded_game, seat.power)


def _headings(writer: _Writer) -> PowerHeadings:
    names: dict[str, int] = {}
    languages: dict[str, None] = {}
    for seat, session in writer.sessions.items():
        for language, context in session.contexts:
            languages.setdefault(language)
            called = powers(context.variant.powers)
            names |= {name: seat for name, power in called.items() if power == session.seat.power and len(name) > TWO}
    return PowerHeadings(names, tuple(sorted(languages)))


# ---- what its parts are about


def _kept_lines(session: LetterSession, lines: Sequence[NumberedLine]) -> frozenset[int]:
    """The numbers of lines that stay where they are: words to others, and those below a command."""
    reading = read_letter(lines, session.context)
    asking = {given.line for given in reading.requests}
    apart = {span.line for span in reading.spans if span.fate in (Fate.PRESS, Fate.COMMAND)}
    return frozenset(apart - asking)


def _parts(writer: _Writer, divided: Iterable[PowerPart]) -> tuple[PowerPart, ...]:
    """The parts; one that asks for nothing only speaks of its power, and belongs to the part before."""
    parts: list[PowerPart] = []
    for part in divided:
        if parts and part.seat is not None and not asks(writer.sessions[part.seat], part.lines):
            parts[-1] = replace(parts[-1], lines=joined_lines((*parts[-1].lines, *part.with_heading)))
        else:
            parts.append(part)
    return tuple(parts)


def _by_unit(writer: _Writer, part: PowerPart, kept: Collection[int]) -> Iterable[tuple[int | None, NumberedLine]]:
    """Each line of a part with the seat that it is for: its heading's, or the only one whose orders it holds."""
    own = writer.here if part.seat is None else writer.sessions[part.seat]
    one_game = len({session.game.id for session in writer.sessions.values()}) == 1
    ordered = {seat: _ordered_lines(session, part.lines) for seat, session in writer.sessions.items() if one_game}
    for line in part.lines:
        pieces = _pieces(own, line) if one_game and line[0] not in kept else (line,)
        if len(pieces) > 1:
            for piece in pieces:
                yield from _of_piece(writer, part.seat, piece)
        elif one_game and (shared := _for_all(writer, line)):
            yield from ((seat, (line[0], shared)) for seat in writer.sessions)
        else:
            free = line[0] not in kept and (own is None or _is_foreign(own, line))
            able = [seat for seat, lines in ordered.items() if free and line[0] in lines]
            yield able[0] if len(able) == 1 else part.seat, line


def _pieces(own: LetterSession | None, line: NumberedLine) -> tuple[NumberedLine, ...]:
    """The sentences of a line with orders of several powers; the line where it has no others than its seat's."""
    sentences = tuple((line[0], sentence) for sentence in sentences_of(line[1]) if sentence.strip())
    if own is None or len(sentences) < TWO:
        return (line,)
    mixed = any(trouble.key in FOREIGN for trouble in read_letter((line,), own.context).troubles)
    return sentences if mixed else (line,)


def _of_piece(writer: _Writer, seat: int | None, piece: NumberedLine) -> Iterable[tuple[int | None, NumberedLine]]:
    """A sentence with the seat that it is for, or with all that it names together."""
    if shared := _for_all(writer, piece):
        yield from ((each, (piece[0], shared)) for each in writer.sessions)
        return
    able = [each for each, session in writer.sessions.items() if _ordered_lines(session, (piece,))]
    yield able[0] if len(able) == 1 else seat, piece


def _for_all(writer: _Writer, line: NumberedLine) -> str:
    """A request for all powers of the writer, without the words that say so: "READY for both"; "" for other lines."""
    session = next(iter(writer.sessions.values()))
    words = joined_patterns("several_powers", *session.languages)["all"]
    text = re.sub(rf"(?:^|[ ,]+)(?:{words})(?= *(?:[:.,!]|$))[ :,]*", " ", line[1], flags=re.IGNORECASE).strip()
    if text == line[1].strip() or not text:
        return ""
    readings = [read_letter(((line[0], text),), session.context) for session in writer.sessions.values()]
    return text if all((reading.requests or reading.orders) and not reading.troubles for reading in readings) else ""


def _ordered_lines(session: LetterSession, lines: Sequence[NumberedLine]) -> set[int]:
    """The numbers of lines that give orders of a seat's where they stand: below "not these:" they give none."""
    numbers: set[int] = set()
    for _, context in session.contexts:
        reading = read_letter(lines, context)
        numbers |= {order.line for order in reading.orders} - {
            trouble.line for trouble in reading.troubles if not (trouble.obeyed or trouble.key in FOREIGN)
        }
    return numbers


def _is_foreign(session: LetterSession, line: NumberedLine) -> bool:
    """Whether a line holds nothing but orders of units of other powers."""
    reading = read_letter((line,), session.context)
    keys = {trouble.key for trouble in reading.troubles}
    return bool(keys) and keys <= FOREIGN and not (reading.orders or reading.requests)


# ---- reading them


def _read_apart(
    incoming: IncomingLetter, writer: _Writer, apart: dict[int, tuple[NumberedLine, ...]], rest: Sequence[NumberedLine]
) -> ClosedAs | IncomingLetter | None:
    """Obey and answer the parts about other seats; returns the letter with the rest."""
    proven = {seat.id for seat in writer.keyed} or set(apart)
    unproven = ", ".join(writer.sessions[seat].seat.power for seat in apart if seat not in proven)
    notes: list[Note] = []
    for number in [number for number in apart if number in proven]:
        session = _session(incoming, writer.person, writer.sessions[number].seat)
        session.seat_only = bool(writer.keyed)
        session.letter = replace(session.letter, lines=apart[number])
        obey_letter(session, session.letter)
        answer_letter(session)
    if answered := ", ".join(writer.sessions[seat].seat.power for seat in apart if seat in proven):
        notes.append(Note("desk.other-games-apart", (("games", answered),)))
    if unproven and writer.here is not None:
        fields = (("powers", unproven), ("here", writer.here.seat.power))
        notes.append(Note("desk.other-powers-unproven", fields, done=False))
    here = writer.here
    if here is None or not (unproven or asks(here, rest) or _says_more(here, rest) or _in_subject(here)):
        return DONE
    known = {number for number, _ in incoming.words.lines}
    country = tuple(line for line in incoming.opened.lines if line[0] not in known)
    left = replace(incoming.opened, lines=tuple(sorted((*country, *rest))))
    return IncomingLetter(incoming.services, incoming.store, incoming.row, left, tuple(notes))


def _in_subject(session: LetterSession) -> bool:
    """Whether the letter's subject gives orders of the seat that it came to."""
    return bool(with_subject(session, session.letter, LetterContents(), session.context).orders)


def _says_more(session: LetterSession, lines: Sequence[NumberedLine]) -> bool:
    """Whether lines that ask for nothing are more than a greeting and a name: a person may have to see them."""
    talk = (span.text for span in read_letter(lines, session.context).spans if span.fate is Fate.TALK)
    return sum(word[:1].islower() for text in talk for word in text.split()) > MOST_WORDS_OF_GREETING
