"""Answers letters from unknown addresses. REGISTER and JOIN need a YES from the address.

The address is asked once a day even if nothing proves the sender: the question is short and quotes nothing of the
letter. Nothing but the question is stored until the YES.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.commands import no_seat
from gm.game.intake.incoming_letter import IncomingLetter
from gm.game.letters import reply_limits
from gm.game.letters.question import render_stranger_answer
from gm.game.model.records import Person
from gm.game.players import joining, people
from gm.game.session import confirmation_requests
from gm.game.session.no_seat import session_without_game
from gm.game.session.session import NO_LETTER, LetterSession
from gm.language.commands import players
from gm.language.i18n.catalogue import FALLBACK

REGISTER = "register"
WORDS_MOST = 120
JOIN, TAKEOVER = "Join", "Takeover"
"""Stored in the question: what the stranger asks for besides."""


def answer_stranger(incoming: IncomingLetter) -> None:
    """One polite answer a day, only if our mail server vouches for the sender: else we would write to victims.

    Whoever asks to register or to join is asked back instead.
    """
    services, store, letter = incoming.services, incoming.store, incoming.letter
    if letter.failed or not letter.sender or services.post.ours(letter.sender):
        return
    if _ask_back(incoming) or not letter.proven:
        return
    person = Person(0, letter.sender_name, (letter.sender.lower(),), services.zone)
    key = "desk.stranger" if services.registration else "desk.stranger-closed"
    polite = render_stranger_answer(services, person, incoming.row, letter, key)
    cause = f"stranger:{store.now():%Y-%m-%d}"
    message_id = services.post.message_id(cause, polite.kind, polite.address)
    reply_limits.send_answer(services, store, replace(polite, cause=cause, message_id=message_id))


def _ask_back(incoming: IncomingLetter) -> bool:
    """Ask back about REGISTER, JOIN, TAKEOVER and I AM ALSO; False if the letter holds none of them."""
    services, store, letter = incoming.services, incoming.store, incoming.letter
    reading, language = no_seat.read_of_stranger(services, letter)
    requests = [given.request for given in reading.requests]
    sender = letter.sender.lower()
    claims = [request for request in requests if isinstance(request, players.IAmAlsoRequest)]
    if claims:
        stranger = Person(0, "", (sender,), services.zone)
        people.claim(session_without_game(services, store, incoming.row, NO_LETTER, stranger), claims[0], sender)
        return True
    form = next((request for request in requests if isinstance(request, players.RegisterRequest)), None)
    wish = next(
        (request for request in requests if isinstance(request, players.JoinRequest | players.TakeoverRequest)), None
    )
    if (form is None and wish is None) or not services.registration or not people.is_valid_address(services, sender):
        return False
    form = form or players.RegisterRequest()
    payload = {
        "name": people.tidy_name(form.name or letter.sender_name),
        "zone": form.zone[:60],
        "language": people.language_named(services, form.language) or _language_choice(language),
        "wish": _wish_name(wish),
        "words": wish.words[:WORDS_MOST] if wish else "",
    }
    confirmation_requests.ask_for_confirmation(services, store, REGISTER, sender, payload, language=payload["language"])
    return True


def _wish_name(wish: players.JoinRequest | players.TakeoverRequest | None) -> str:
    if wish is None:
        return ""
    return JOIN if isinstance(wish, players.JoinRequest) else TAKEOVER


def _language_choice(language: str) -> str:
    """The language of the letter. English is no choice: the person gets the language of their games."""
    return "" if language == FALLBACK else language


def register_confirmed(plea: confirmation_requests.ConfirmationRequest) -> LetterSession:
    """Store the person and obey what else they asked for."""
    payload, services = plea.payload, plea.services
    before = plea.store.people.by_address(plea.address)
    zone = payload["zone"] or services.zone
    person = people.find_or_add_person(plea.store, plea.address, payload["name"], zone, payload["language"])
    session = session_without_game(services, plea.store, plea.row, plea.letter, person)
    if before is None:
        session.note("registered", headline=True, name=person.name, address=plea.address, zone=person.zone)
    if payload["wish"] == JOIN:
        joining.join(session, players.JoinRequest(payload["words"]), 0)
    elif payload["wish"] == TAKEOVER:
        joining.takeover(session, players.TakeoverRequest(payload["words"]), 0)
    elif before is None:
        games = joining.open_games(session)
        key = "registered-games" if games else "registered-no-games"
        session.note(key, games=", ".join(games), first=games[0] if games else "")
    return session
