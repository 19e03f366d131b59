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
from gm.game.model.services import Office
from gm.game.players import people as persons
from gm.game.players import seats as admitting
from gm.game.session import confirmation_requests as pleas
from gm.game.session.session import Sitting
from gm.language.commands import players as seats
from gm.language.commands import requests as ask

YES = ("YES", "CONFIRM", "ACCEPT", "JOIN", "REGISTER")
NO = ("NO", "DECLINE", "REFUSE")
BESIDE = (seats.Prefer, seats.CallMe, seats.Language, ask.TimeZone)
"""What may stand in the same letter."""


class Kind(Struct, frozen=True):
    """`yes` gives the letter being worked through, whose notes are its answer; None where that was seen to."""

    yes: Callable[[pleas.Plea], Sitting | None]
    no: Callable[[pleas.Plea], None] = lambda plea: None


def _address(plea: pleas.Plea) -> None:
    persons.confirmed(plea)


def _claim(plea: pleas.Plea) -> None:
    persons.claimed(plea)


KINDS: Mapping[str, Kind] = {
    registering.REGISTER: Kind(registering.confirmed),
    admitting.INVITE: Kind(admitting.accepted, admitting.declined),
    admitting.HANDOVER: Kind(admitting.took_over, admitting.declined),
    persons.ALSO: Kind(_address),
    persons.CLAIM: Kind(_claim),
}


def _consent(office: Office, letter: Letter) -> str:
    """One of YES and NO, in whatever language we know: whoever is asked may have chosen none yet."""
    said = (replies.first_word(letter, language) for language in office.letters.languages)
    return next((word for word in said if word in (*YES, *NO)), "")


def settle(office: Office, store: Store, row: InboxRow, letter: Letter, question: Question) -> bool:
    """Whether the letter was the answer to such a question; then it is done with."""
    kind, word = KINDS.get(question.kind), _consent(office, letter)
    if kind is None or not word:
        return False
    store.inbox.close(row.id, InboxState.DONE)
    plea = pleas.Plea(office, store, row, letter, question, json.loads(question.payload))
    if question.answered or store.now() - question.at > pleas.VALID:
        person = store.people.by_address(plea.said.get("address", ""))
        if person is not None:
            key = "confirmed-before" if question.answered else "question-too-old"
            replies.plainly(office, store, row, letter, person, Note(f"desk.{key}", (), False))
        return True
    store.turns.answered(question.code)
    if word in NO:
        kind.no(plea)
    elif (sitting := kind.yes(plea)) is not None:
        _beside(sitting)
        registering.answer(plea, sitting)
    return True


def _beside(sitting: Sitting) -> None:
    """The other lines of a letter that says YES, as far as they are about its writer himself."""
    reading = lobby.read_anywhere(sitting.office, sitting.letter, sitting.person)
    wanted = tuple(given for given in reading.requests if isinstance(given.request, BESIDE))
    lobby.serve(sitting, type(reading)(requests=wanted))
