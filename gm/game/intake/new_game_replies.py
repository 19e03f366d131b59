"""Proposes the lines of a new game that a letter describes, and reads what its writer says to them.

YES creates the game as the lines say; other words about it make new lines; NO ends the question.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace

from gm.game.identity.sender import ProvenSender, SeveralSeats, may_create_games
from gm.game.intake.from_no_seat import create_game, in_language_of_letter, is_about_no_seat
from gm.game.intake.incoming_letter import DONE, ClosedAs, IncomingLetter
from gm.game.intake.new_game_questions import NEW_GAME, ask_to_create, question_code
from gm.game.letters import seatless_inserts
from gm.game.model.letter_report import Note
from gm.game.model.records import QUESTION_VALID_FOR, Person, Question
from gm.language.letter.talk.consent_words import only_agrees, refusal
from gm.language.letter.talk.named_answers import without_dropped
from gm.language.letter.talk.small_talk import is_thanks
from gm.language.lines.signatures import remove_signature

ANSWER = "inbox:"
"""How the cause of an answer begins, before the number of the letter that it answers."""


def new_games(incoming: IncomingLetter) -> ClosedAs | None:
    """A letter that describes a new game and asks for nothing else, by somebody who may create one."""
    person = _founder(incoming)
    if person is None or not is_about_no_seat(incoming, incoming.sender):
        return None
    if not (incoming.wants_game or (incoming.speaks_of_new_game and not incoming.reading.requests)):
        return None
    _propose(incoming, in_language_of_letter(incoming, person), ((incoming.letter.subject, *_words(incoming)),))
    return DONE


def new_game_replies(incoming: IncomingLetter) -> ClosedAs | None:
    """YES, NO or other wishes to the lines of a new game."""
    person, question = _founder(incoming), _question(incoming)
    if person is None or question is None or incoming.creates_game:
        return None
    payload = json.loads(question.payload)
    words = " ".join(" ".join(_words(incoming)).split())
    languages = incoming.services.letters.languages
    if not words or payload["person"] != person.id:
        return None
    if refusal(words, languages) == len(words):
        incoming.store.turns.mark_answered(question.code)
        incoming.reply(person, Note("desk.requests-declined", ()))
    elif only_agrees(_without_dropped(words, payload, languages), languages):
        incoming.store.turns.mark_answered(question.code)
        lines = tuple(enumerate(payload["lines"], 1))
        letter = replace(incoming.opened, lines=lines)
        creation = IncomingLetter(incoming.services, incoming.store, incoming.row, letter)
        create_game(creation, person, payload.get("language", ""))
    elif _is_about_the_lines(incoming, person, payload["letters"], words):
        incoming.store.turns.mark_answered(question.code)
        _propose(incoming, person, (*payload["letters"], _words(incoming)))
    else:
        return None
    return DONE


def _without_dropped(words: str, payload: dict[str, Any], languages: tuple[str, ...]) -> str:
    """Without sentences that drop a wish that the lines leave out: "Never mind the first deadline"."""
    spoken = "\n".join(line for letter in payload["letters"] for line in letter)
    return without_dropped(words, languages, spoken, "\n".join(payload["lines"])).strip() or words


def _is_about_the_lines(
    incoming: IncomingLetter, person: Person, letters: seatless_inserts.Letters, words: str
) -> bool:
    """Whether a reply says what should be different, or nothing that is understood: then the lines come once more."""
    services = incoming.services
    if seatless_inserts.changes_game(services, person, letters, _words(incoming)):
        return True
    return not incoming.reading.requests and "?" not in words and not is_thanks(words, services.letters.languages)


def _founder(incoming: IncomingLetter) -> Person | None:
    """The proven writer of a letter, if they may create games."""
    sender = incoming.sender
    if not isinstance(sender, ProvenSender | SeveralSeats) or sender.keyed or incoming.letter.refused:
        return None
    return sender.person if may_create_games(incoming.services, sender.person) else None


def _words(incoming: IncomingLetter) -> tuple[str, ...]:
    """The lines of the letter, without what its writer signs them with."""
    lines = "\n".join(line for _, line in incoming.letter.lines)
    names = (incoming.person.name,) if incoming.person is not None else ()
    return tuple(line for line in remove_signature(lines, names, unknown=True)[0].split("\n") if line.strip())


def _propose(incoming: IncomingLetter, person: Person, letters: seatless_inserts.Letters) -> None:
    """Answer with the lines of the game; a YES takes them if the letters say anything of it."""
    services, store = incoming.services, incoming.store
    code = ask_to_create(services, store, incoming.row, person, letters)
    incoming.reply(person, sections=seatless_inserts.how_to_create(services, store, person, letters), code=code)


def _question(incoming: IncomingLetter) -> Question | None:
    """The open question that the letter answers: by its code, or by the thread."""
    store = incoming.store
    threads = [thread for each in incoming.letter.answers if (thread := store.outbox.answered_letter(each)) is not None]
    letters = (thread.cause.removeprefix(ANSWER).partition(":")[0] for thread in threads)
    codes = (question_code(incoming.services, int(letter)) for letter in letters if letter.isdecimal())
    asked = (incoming.question, *(store.turns.question(code) for code in codes))
    open_questions = (
        question
        for question in asked
        if question is not None
        and question.kind == NEW_GAME
        and not question.answered
        and store.now() - question.at <= QUESTION_VALID_FOR
    )
    return next(open_questions, None)
