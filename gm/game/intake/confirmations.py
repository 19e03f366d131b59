"""YES or NO to a question without a seat: REGISTER, INVITE, HAND OVER, ALSO.

Whoever knows the code reads the address it was sent to, and answers for it from any address.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from gm.game.commands.no_seat import only_lookups, read_of_stranger, serve
from gm.game.identity.sender import ProvenSender, SeveralSeats, UnprovenSender
from gm.game.intake import lobby_words, registration, strangers
from gm.game.intake.held_letters import sends_orders
from gm.game.intake.incoming_letter import DONE, ClosedAs, IncomingLetter
from gm.game.letters import reply_limits
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import load_game
from gm.game.model.records import INVITE, QUESTION_VALID_FOR, Letter, Person, Seat
from gm.game.model.services import Services
from gm.game.model.settings import language_of
from gm.game.players import letters_to_gm, people
from gm.game.players.seats import HANDOVER, accept_hand_over, accept_invitation, tell_declined
from gm.game.session import confirmation_requests, no_seat
from gm.game.session.session import LetterSession
from gm.language.commands import players, requests
from gm.language.letter.letter_reader import read_letter
from gm.language.letter.talk.asking_sentences import behind_greeting
from gm.language.lines.letter_contents import Request

YES = (*reply_limits.YES, "ACCEPT", "ACCEPTED", "JOIN", "REGISTER", "GLADLY", "OUI", "SI")
NO = ("NO", "NOPE", "DECLINE", "REFUSE", "NON")
FIRST_WORD = re.compile(r"^\W*\w+[\s,.;:!–-]*")
ALLOWED_WITH_YES: tuple[type[Request], ...] = (
    players.PreferRequest,
    players.NameRequest,
    players.LanguageRequest,
    requests.TimeZoneRequest,
)
"""Requests that are obeyed in the same letter."""


class ConfirmationKind(Struct, frozen=True):
    """`yes` returns a session whose notes are the answer, or None if nothing is to be answered."""

    yes: Callable[[confirmation_requests.ConfirmationRequest], LetterSession | None]
    no: Callable[[confirmation_requests.ConfirmationRequest], None] = lambda plea: None
    obeys: tuple[type[Request], ...] = ALLOWED_WITH_YES
    means_yes: Callable[[confirmation_requests.ConfirmationRequest], bool] = lambda plea: False
    """Whether a letter without YES consents all the same."""


def _accepts(plea: confirmation_requests.ConfirmationRequest) -> bool:
    """ "Count me in!" instead of YES."""
    languages = plea.services.letters.languages
    accepts, *against = (lobby_words.says(plea.letter, languages, what) for what in ("accepts", "declines", "leaves"))
    return accepts and not any(against)


REGISTRATION = ConfirmationKind(
    registration.register_confirmed,
    obeys=(players.LanguageRequest, requests.TimeZoneRequest),
    means_yes=registration.wants_in,
)
KINDS: Mapping[str, ConfirmationKind] = {
    registration.REGISTER: REGISTRATION,
    strangers.STRANGER: REGISTRATION,
    INVITE: ConfirmationKind(accept_invitation, tell_declined, means_yes=_accepts),
    HANDOVER: ConfirmationKind(accept_hand_over, tell_declined),
    people.ALSO: ConfirmationKind(people.confirm_address),
    people.CLAIM: ConfirmationKind(people.claimed),
}


def confirmations(incoming: IncomingLetter) -> ClosedAs | IncomingLetter | None:
    """YES or NO to one of these questions. Orders and requests beside a YES about an address are for later routes."""
    question, letter = incoming.question, incoming.letter
    kind = KINDS.get(question.kind) if question is not None else None
    if question is None or kind is None:
        return None
    services, store = incoming.services, incoming.store
    plea = confirmation_requests.ConfirmationRequest(
        services, store, incoming.row, letter, question, json.loads(question.payload)
    )
    closed = question.answered or store.now() - question.at > QUESTION_VALID_FOR
    word = _consent(services, letter) or ("YES" if not closed and kind.means_yes(plea) else "")
    if word in YES and kind is REGISTRATION and lobby_words.says(letter, services.letters.languages, "leaves"):
        word = "NO"  # "OK, never mind then, take me off the list"
    declines = not word and not closed and kind.no is tell_declined and _declines(incoming)
    word = "NO" if declines else word
    if not word and kind is REGISTRATION and not closed and _claims_address(incoming, plea):
        return DONE
    if not word:
        return None if closed else _ask_for_one_word(incoming, plea)
    if closed and any(not isinstance(each.request, requests.ConfirmRequest) for each in incoming.reading.requests):
        return None  # a new request in an old thread
    if closed:
        key = "confirmed-before" if question.answered else "question-too-old"
        incoming.reply(_asked_person(plea), Note(f"desk.{key}", (), False))
        return DONE
    store.turns.mark_answered(question.code)
    if word in NO:
        kind.no(plea)
        if declines:
            incoming.reply(_asked_person(plea), Note("desk.declined", (("game", store.games.get(question.game).name),)))
    elif (session := kind.yes(plea)) is not None:
        _obey_other_lines(session, kind.obeys)
        session.notes += lobby_words.public_answers(services, letter)
        if kind is REGISTRATION:  # an invited person's words go to the game master
            session.notes += lobby_words.unanswered(services, letter)
        if session.notes:
            incoming.reply(session.person, *session.notes, inserts=session.inserts)
    elif _asks_for_something(rest := _without_consent(incoming)):
        return rest
    return DONE


def _without_consent(incoming: IncomingLetter) -> IncomingLetter:
    """The letter from behind its YES on."""
    letter = _without_greeting(incoming.services, incoming.opened)
    at = next(number for number, words in letter.lines if words.strip())
    lines = ((number, FIRST_WORD.sub("", words, count=1) if number == at else words) for number, words in letter.lines)
    return IncomingLetter(incoming.services, incoming.store, incoming.row, replace(letter, lines=tuple(lines)))


def _asks_for_something(incoming: IncomingLetter) -> bool:
    """Whether a letter of a player holds orders, requests, or lines to correct."""
    match incoming.mail_sender:
        case SeveralSeats(person, seats):
            pass
        case ProvenSender(person, Seat() as seat) | UnprovenSender(person, Seat() as seat):
            seats = (seat,)
        case _:
            return False
    for seat in seats:
        game = incoming.store.games.get(seat.game)
        loaded_game = load_game(incoming.services, incoming.store, game)
        context = loaded_game.context(seat.power, language=language_of(person, game))
        reading = read_letter(incoming.letter.lines, context)
        if reading.orders or reading.requests or reading.troubles:
            return True
    return False


def _claims_address(incoming: IncomingLetter, plea: confirmation_requests.ConfirmationRequest) -> bool:
    """I AM ALSO instead of YES: the address that was asked is a new one of somebody who is registered."""
    reading, language = read_of_stranger(incoming.services, incoming.store, incoming.letter)
    claims = (each.request for each in reading.requests if isinstance(each.request, players.IAmAlsoRequest))
    claim = next(claims, None)
    if claim is not None:
        registration.claim_address(incoming, claim, plea.address, language or plea.payload.get("language", ""))
    return claim is not None


def _ask_for_one_word(incoming: IncomingLetter, plea: confirmation_requests.ConfirmationRequest) -> ClosedAs | None:
    """Answer other words than YES and NO: what they ask for, and that the question still waits. Whoever has its code
    reads the address that was asked. Letters that ask for something as a person or a player go on to their routes.
    """
    services, store, sender = incoming.services, incoming.store, incoming.sender
    if isinstance(sender, ProvenSender) and (sender.keyed or incoming.reading.requests or sends_orders(incoming)):
        return None
    person = _asked_person(plea)
    session = no_seat.session_without_game(services, store, incoming.row, incoming.letter, person)
    serve(session, only_lookups(read_of_stranger(services, store, incoming.letter)[0]))
    answers = lobby_words.public_answers(services, incoming.letter)
    waits = Note("desk.question-waits", (), False)
    if plea.question.kind == INVITE:
        game = store.games.get(plea.question.game)
        fields = (("game", game.name),)
        words = reply_limits.own_words(incoming.letter)
        talks = "?" in words or not session.inserts
        passed = talks and letters_to_gm.pass_on_reply(session, game, words)
        waits = Note("desk.invitation-waits-passed" if passed else "desk.invitation-waits", fields, False)
    notes = (*answers, *session.notes, waits) if answers or session.inserts else (waits, *session.notes)
    incoming.reply(person, *notes, inserts=() if answers else session.inserts, code=plea.question.code)
    return DONE


def _asked_person(plea: confirmation_requests.ConfirmationRequest) -> Person:
    """The person whose address was asked, known or not."""
    known, language = plea.store.people.by_address(plea.address), plea.payload.get("language", "")
    return known or Person(0, "", (plea.address,), plea.services.zone, language)


def _declines(incoming: IncomingLetter) -> bool:
    """ "Sorry, no time this month" instead of NO."""
    letter, languages = incoming.letter, incoming.services.letters.languages
    return "?" not in reply_limits.own_words(letter) and lobby_words.says(letter, languages, "declines")


def _consent(services: Services, letter: Letter) -> str:
    """One of YES and NO, in any language: the reader of the question may have chosen none yet."""
    letters = (letter, _without_greeting(services, letter))
    words = (reply_limits.first_word(each, language) for each in letters for language in services.letters.languages)
    return next((word for word in words if word in (*YES, *NO)), "")


def _without_greeting(services: Services, letter: Letter) -> Letter:
    """The letter from behind "Dear Ruth," on."""
    number, line = next(((number, words) for number, words in letter.lines if words.strip()), (0, ""))
    behind = behind_greeting(line, services.letters.languages)
    if behind == line:
        return letter
    rest = ((number, behind),) if behind.strip() else ()
    return replace(letter, lines=(*rest, *(each for each in letter.lines if each[0] > number)))


def _obey_other_lines(session: LetterSession, obeyed: tuple[type[Request], ...]) -> None:
    """Obey the other lines of a letter that says YES, if they are about its writer."""
    reading = no_seat.read_without_game(session.services, session.letter, session.person)
    wanted = tuple(given for given in reading.requests if isinstance(given.request, obeyed))
    serve(session, type(reading)(requests=wanted))
