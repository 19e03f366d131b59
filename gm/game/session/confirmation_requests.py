"""Asks an address to confirm a request: REGISTER, INVITE, HAND OVER, ALSO.

The address may be anybody's, so it is asked once a day about one matter, and the questions of a day are limited.
A question quotes nothing that a stranger wrote but their address.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace

from gm.game.identity.sender import HOLD
from gm.game.letters.question import render_question
from gm.game.model.ports import Store
from gm.game.model.records import Game, InboxRow, InboxState, Letter, Person, Question
from gm.game.model.services import Services
from gm.game.session.session import NO_LETTER, LetterSession
from gm.language.rendering.views import SectionView

DAY = timedelta(days=1)
DAILY_MOST = 100
"""Questions of one kind in a day, to all addresses together."""


class ConfirmationRequest(Struct, frozen=True):
    """The letter that answers a question; `payload` is what the question was about."""

    services: Services
    store: Store
    row: InboxRow
    letter: Letter
    question: Question
    payload: Mapping[str, str]

    @property
    def address(self) -> str:
        return self.payload["address"]


def ask_for_confirmation(
    services: Services,
    store: Store,
    kind: str,
    address: str,
    payload: Mapping[str, str],
    *,
    matter: str = "",
    game: Game | None = None,
    fields: Mapping[str, str] | None = None,
    sections: tuple[SectionView, ...] = (),
    language: str = "en",
    letter_kind: str = "question",
) -> bool:
    """Send the question `question.<kind>` to an address; False if it was asked today or too many were.

    `payload` is stored for the answer. Different `matter`s may be asked on one day. `letter_kind` is "plain" for an
    answer that needs no reply.
    """
    now = store.now()
    code = _code(services, store, kind, address, matter, game)
    about = json.dumps({**payload, "address": address}, sort_keys=True, ensure_ascii=False)
    if store.turns.question(code) is not None or store.turns.count_questions(kind, now - DAY) >= DAILY_MOST:
        return False
    asked = Question(code, kind, game.id if game else 0, 0, 0, about, now)
    store.turns.add_question(asked)
    reader = Person(0, "", (address,), services.zone, language)
    sentence_fields = {"address": address, **(fields or {})}
    letter = render_question(services, reader, game, None, asked, NO_LETTER, sentence_fields, sections)
    store.outbox.add(replace(letter, kind=letter_kind, automatic="auto-replied"), now)
    return True


def code_of_today(services: Services, store: Store, kind: str, address: str) -> str:
    """The code of the question of this kind that the address was asked today; "" where it was not."""
    code = _code(services, store, kind, address, "", None)
    return code if store.turns.question(code) is not None else ""


def note_nothing_to_confirm(session: LetterSession, line: int = 0) -> None:
    """A YES for which nothing waits here; a letter in its writer's name may wait for one in reply to its question."""
    asked = session.store.turns.questions_of(session.game.id, HOLD)
    mine = (each for each in asked if not each.answered and each.payload.split()[:1] == [str(session.person.id)])
    held = any(session.store.inbox.get(each.inbox).state is InboxState.HELD for each in mine)
    session.note("nothing-to-confirm-held" if held else "nothing-to-confirm", done=False, line=line)


def _code(services: Services, store: Store, kind: str, address: str, matter: str, game: Game | None) -> str:
    day = f"{store.now():%Y-%m-%d}"
    return services.post.code(kind, address, matter, str(game.id if game else 0), day)
