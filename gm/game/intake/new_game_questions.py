"""The question whether a game is created as a letter describes it, which a YES answers."""

from __future__ import annotations

import json

from gm.game.identity.sender import may_create_games
from gm.game.letters import seatless_inserts
from gm.game.letters.question import language_for
from gm.game.model.ports import Store
from gm.game.model.records import InboxRow, Person, Question
from gm.game.model.services import Services

NEW_GAME = "new-game"
"""The kind of question that YES answers."""


def ask_to_create(
    services: Services, store: Store, row: InboxRow, person: Person, letters: seatless_inserts.Letters
) -> str:
    """Stores the question, and returns its code; "" where the letters say nothing of a game, or who may create none."""
    may = bool(person.id) and may_create_games(services, person)
    if not may or not seatless_inserts.describes_game(services, person, letters):
        return ""
    code = question_code(services, row.id)
    lines = seatless_inserts.creation_lines(services, store, person, letters)
    written = {"person": person.id, "letters": letters, "lines": lines, "language": language_shown(store, person)}
    payload = json.dumps(written, ensure_ascii=False)
    store.turns.add_question(Question(code, NEW_GAME, 0, 0, row.id, payload, store.now()))
    return code


def language_shown(store: Store, person: Person) -> str:
    """The language in which somebody reads letters about no game."""
    return person.language or language_for(store, person)


def question_code(services: Services, letter: int) -> str:
    return services.post.code(NEW_GAME, str(letter))
