"""Letters of registered people about none of their seats: CREATE, JOIN, and requests about themselves."""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.commands import no_seat
from gm.game.identity.sender import ProvenSender, Sender, SeveralSeats, excluded_from, may_create_games, named_games
from gm.game.identity.which_phase import find_press_channel
from gm.game.intake import lobby_words
from gm.game.intake.from_seat import answer_letter, obey
from gm.game.intake.held_letters import hold
from gm.game.intake.incoming_letter import DONE, ClosedAs, IncomingLetter
from gm.game.letters import reply_limits
from gm.game.letters.line_outcomes import error_rows, outcome_rows
from gm.game.letters.question import first_words
from gm.game.model.letter_report import Note
from gm.game.model.records import MASTER, Game, Person
from gm.game.model.reply_addresses import GAME_NAME
from gm.game.model.settings import language_of
from gm.game.players import game_variant
from gm.game.session.no_seat import session_without_game
from gm.game.session.session import LetterSession
from gm.language.commands.players import JoinRequest, ResignRequest
from gm.language.commands.requests import CreateRequest
from gm.language.i18n.guess_language import guess_language
from gm.language.i18n.vocabulary import ENGLISH
from gm.language.letter.talk import small_talk
from gm.language.lines.letter_contents import LetterContents, RequestLine
from gm.language.rendering.views import RowsView, RowView, SectionView

LINES_LOOKED_AT = 20
"""Lines of a letter in which a game may be named."""


def letters_from_no_seat(incoming: IncomingLetter) -> ClosedAs | None:
    sender = incoming.sender
    if not isinstance(sender, ProvenSender | SeveralSeats) or not is_about_no_seat(incoming, sender):
        return None
    person = sender.person
    if sender.keyed:  # it concerns more than the seats whose reply address is the only proof
        return hold(incoming, person, sender.keyed[0])
    if incoming.letter.refused:
        incoming.reply(person, reply_limits.refusal_note(incoming.services, incoming.letter))
    elif incoming.creates_game:
        create_game(incoming, person)
    else:
        game = excluded_from(incoming.services, incoming.store, incoming.words, person)
        if game is not None and not no_seat.is_personal(incoming.reading):
            incoming.reply(person, excluded_note(game))
            return DONE
        heard = _as_heard(incoming, person)
        session = session_without_game(incoming.services, incoming.store, incoming.row, incoming.words, heard)
        no_seat.serve(session, incoming.reading)
        _leave_other_list(incoming, session)
        if all(note.key == no_seat.SEATLESS for note in session.notes):  # one sentence says what is missing
            session.notes.clear()
            if not session.inserts and not _understood_in_words(incoming, session):
                key, words = _nothing_asked(incoming, person), first_words(incoming.words)
                rest, about = session.say(f"desk.{key}"), _game_spoken_of(incoming) if words else ""
                key = "no-seat-words-of" if about else "no-seat-words" if words else key
                session.note(key, done=False, words=words, rest=rest, game=about)
                session.insert("help")
        if all(note.done for note in session.notes) and session.notes:
            session.notes += lobby_words.unanswered(incoming.services, incoming.words)
        if heard.language != person.language and session.person.language == heard.language:
            session.note("language-heard")
        incoming.reply(session.person, *session.notes, inserts=session.inserts)
    return DONE


def _understood_in_words(incoming: IncomingLetter, session: LetterSession) -> bool:
    """Thanks, a wish about data or a list, and questions that anybody may ask."""
    services, store, letter = incoming.services, incoming.store, incoming.words
    languages = services.letters.languages
    if small_talk.is_thanks(reply_limits.own_words(letter), languages):
        session.note("you-are-welcome")
        return True
    listed = lobby_words.requests_of_listed(services, store, letter, session.person)
    wish = lobby_words.privacy_wish(letter, languages)
    if wish and not (listed.requests and wish == "stop"):
        lobby_words.tell_operators(services, store, wish, session.person.addresses[0])
        session.note(f"privacy-{wish}", headline=True)
        return True
    founder = may_create_games(services, session.person)
    answers = lobby_words.public_answers(services, letter) or lobby_words.unknown_game(services, store, letter)
    session.notes += (note for note in answers if not (founder and note.key == lobby_words.OWN_GAME))
    no_seat.serve(session, listed)
    if not listed.requests:
        no_seat.serve(session, lobby_words.requests_in_words(services, letter))
    return bool(session.notes or session.inserts)


def _leave_other_list(incoming: IncomingLetter, session: LetterSession) -> None:
    """Leave the lists that a letter with JOIN names for it, or the only other one of somebody who joins instead."""
    joins = [given.request for given in incoming.reading.requests if isinstance(given.request, JoinRequest)]
    into = {each.words.split(" ")[0].lower() for each in joins}
    left = lobby_words.left_lists(session.services, session.store, incoming.words, session.person) if joins else ()
    left = tuple(line for line in left if line.request not in [ResignRequest(name) for name in into])
    if left:
        no_seat.serve(session, LetterContents(requests=left))
        return
    listed = {
        session.store.games.get(entry.game).name for entry in session.store.games.applications_of(session.person.id)
    }
    joined = next((name for each in joins if (name := each.words.split(" ")[0].lower()) in listed), "")
    other = lobby_words.other_list(session.services, session.store, incoming.words, session.person, joined)
    if joined and other is not None:
        line = RequestLine(0, "", ResignRequest(other.name))
        no_seat.serve(session, LetterContents(requests=(line,)))


def _game_spoken_of(incoming: IncomingLetter) -> str:
    """The game that a letter names or answers, "" for none: its game master may be asked without a seat."""
    words = (
        word.strip(".,:;!?()\"'") for _, line in incoming.words.lines[:LINES_LOOKED_AT] for word in line.lower().split()
    )
    names = (*named_games(incoming.services, incoming.letter), *words)
    return next((name for name in names if GAME_NAME.fullmatch(name) and incoming.store.games.by_name(name)), "")


def _as_heard(incoming: IncomingLetter, person: Person) -> Person:
    """The person with the language of the letter; it is theirs from then on."""
    heard = in_language_of_letter(incoming, person)
    if heard.language != person.language:
        incoming.store.people.save(heard)
    return heard


def in_language_of_letter(incoming: IncomingLetter, person: Person) -> Person:
    """The person with the language of the letter, if they have never chosen one."""
    if person.language or incoming.store.games.seats_of(person.id):
        return person
    language = incoming.language
    if not incoming.has_commands:
        words = [text for _, text in incoming.words.lines] or [incoming.words.subject]
        known, header = incoming.services.letters.languages, incoming.letter.language
        language = guess_language(words, known, header=header) or language
    if language in (ENGLISH, language_of(person)):  # whose words everybody may use
        return person
    return replace(person, language=language)


def excluded_note(game: Game) -> Note:
    """For a letter of a player whom the game master has excluded."""
    return Note("desk.excluded-you", (("game", game.name),), done=False)


def is_about_no_seat(incoming: IncomingLetter, sender: Sender) -> bool:
    if not isinstance(sender, ProvenSender | SeveralSeats):
        return False
    if isinstance(sender, SeveralSeats):
        may = may_create_games(incoming.services, sender.person)
        return (may and (incoming.creates_game or incoming.wants_game)) or no_seat.is_personal(incoming.reading)
    seat = sender.seat
    if seat is None:
        return True
    # somebody who may create games does not do so as a power, nor in press, which is for others
    if not may_create_games(incoming.services, sender.person):
        return False
    creates = _begins_with_creation(incoming) if seat.power == MASTER else incoming.creates_game
    return (creates or incoming.wants_game) and not find_press_channel(incoming.store, incoming.letter, seat)


def _begins_with_creation(incoming: IncomingLetter) -> bool:
    """Whether nothing in a game master's letter is about the game of their seat."""
    first = min((given.line for given in incoming.reading.requests), default=0)
    created = (given.line for given in incoming.reading.requests if isinstance(given.request, CreateRequest))
    return incoming.creates_game and first in created


def create_game(incoming: IncomingLetter, person: Person, language: str = "") -> None:
    """CREATE and the lines after it, which are about the new game.

    `language`: that of the lines, where they were proposed; a writer who has chosen another keeps it for themselves.
    """
    written = language or incoming.language
    guessed = written if written != language_of(person) and not (language or person.language) else ""
    if written != language_of(person):
        person = replace(person, language=written)
    if guessed:
        incoming.store.people.save(person)
    session = session_without_game(incoming.services, incoming.store, incoming.row, incoming.words, person)
    session.create_failed = True
    if guessed:
        session.note("language-guessed")
    reading = game_variant.with_variant_line(incoming.reading)
    faults = _creation_faults(session, reading) if may_create_games(incoming.services, person) else ()
    if faults:
        words = session.say("create.faults")
        title = Note("desk.nothing-created", (("n", str(len(faults))),), done=False)
        incoming.reply(person, title, sections=(SectionView(words, (RowsView(faults),)),))
        return
    obey(session, reading)
    if session.game.id:
        answer_letter(session)
    else:
        incoming.reply(person, *session.notes)


def _creation_faults(session: LetterSession, reading: LetterContents) -> tuple[RowView, ...]:
    """The lines of a letter with CREATE that are not understood, and why."""
    catalogue = session.services.letters.catalogue(language_of(session.person))
    notes = game_variant.creation_faults(session, reading)
    wrong = outcome_rows(dict(session.letter.lines), notes, lambda note: catalogue.say(note.key, **dict(note.fields)))
    return (*error_rows(reading.troubles, catalogue), *wrong)


def _nothing_asked(incoming: IncomingLetter, person: Person) -> str:
    if incoming.store.games.seats_of(person.id):
        return "no-seat-there"
    if may_create_games(incoming.services, person):
        return "no-seat-master"
    return "no-seat-listed" if incoming.store.games.applications_of(person.id) else "no-seat"
