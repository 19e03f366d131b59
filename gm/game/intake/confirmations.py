"""YES or NO to a question of ours that needs no seat: to register, an invitation, a hand-over, one more address.

Whoever brings the code reads the address it was sent to, and answers for that address, from wherever he writes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from msgspec import Struct

from gm.game.commands import no_seat as lobby
from gm.game.intake import registration as registering
from gm.game.letters import reply_limits as replies
from gm.game.model.letter_report import Note
from gm.game.model.ports import Store
from gm.game.model.records import InboxRow, InboxState, Letter, Question
from gm.game.model.services import Services
from gm.game.players import people as persons
from gm.game.players import seats as admitting
from gm.game.session import confirmation_requests as pleas
from gm.game.session import no_seat
from gm.game.session.session import LetterSession
from gm.language.commands import players as seats
from gm.language.commands import requests as ask

YES = ("YES", "CONFIRM", "ACCEPT", "JOIN", "REGISTER")
NO = ("NO", "DECLINE", "REFUSE")
BESIDE = (seats.PreferRequest, seats.NameRequest, seats.LanguageRequest, ask.TimeZoneRequest)
"""What may stand in the same letter."""


class ConfirmationKind(Struct, frozen=True):
    """`yes` gives the letter being worked through, whose notes are its answer; None where that was seen to."""

    yes: Callable[[pleas.ConfirmationRequest], LetterSession | None]
    no: Callable[[pleas.ConfirmationRequest], None] = lambda plea: None


def _address(plea: pleas.ConfirmationRequest) -> None:
    persons.confirmed(plea)


def _claim(plea: pleas.ConfirmationRequest) -> None:
    persons.claimed(plea)


KINDS: Mapping[str, ConfirmationKind] = {
    registering.REGISTER: ConfirmationKind(registering.confirmed),
    admitting.INVITE: ConfirmationKind(admitting.accepted, admitting.declined),
    admitting.HANDOVER: ConfirmationKind(admitting.took_over, admitting.declined),
    persons.ALSO: ConfirmationKind(_address),
    persons.CLAIM: ConfirmationKind(_claim),
}


def _consent(services: Services, letter: Letter) -> str:
    """One of YES and NO, in whatever language we know: whoever is asked may have chosen none yet."""
    said = (replies.first_word(letter, language) for language in services.letters.languages)
    return next((word for word in said if word in (*YES, *NO)), "")


def settle(services: Services, store: Store, row: InboxRow, letter: Letter, question: Question) -> bool:
    """Whether the letter was the answer to such a question; then it is done with."""
    kind, word = KINDS.get(question.kind), _consent(services, letter)
    if kind is None or not word:
        return False
    store.inbox.close(row.id, InboxState.DONE)
    plea = pleas.ConfirmationRequest(services, store, row, letter, question, json.loads(question.payload))
    if question.answered or store.now() - question.at > pleas.VALID:
        person = store.people.by_address(plea.said.get("address", ""))
        if person is not None:
            key = "confirmed-before" if question.answered else "question-too-old"
            replies.plainly(services, store, row, letter, person, Note(f"desk.{key}", (), False))
        return True
    store.turns.answered(question.code)
    if word in NO:
        kind.no(plea)
    elif (session := kind.yes(plea)) is not None:
        _beside(session)
        registering.answer(plea, session)
    return True


def _beside(session: LetterSession) -> None:
    """The other lines of a letter that says YES, as far as they are about its writer himself."""
    reading = no_seat.read_anywhere(session.services, session.letter, session.person)
    wanted = tuple(given for given in reading.requests if isinstance(given.request, BESIDE))
    lobby.serve(session, type(reading)(requests=wanted))
