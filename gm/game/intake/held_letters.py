"""Letters that are not proven: they are held, and a YES from the address of record releases them.

Of a letter that only a seat's reply address proves, the part is held that concerns more than the seat (`PERSON`).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from gm.game.identity.sender import HOLD, PERSON, ProvenSender, hold_code
from gm.game.intake.incoming_letter import DONE, ClosedAs, IncomingLetter
from gm.game.letters import reply_limits
from gm.game.letters.question import render_question
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import load_game
from gm.game.model.records import Game, InboxRow, InboxState, Person, Question, Seat
from gm.game.model.settings import language_of
from gm.language.commands.press_or_orders import looks_like_orders


def hold(
    incoming: IncomingLetter,
    person: Person,
    seat: Seat | None,
    withheld: Mapping[int, str] | None = None,
    row: InboxRow | None = None,
) -> ClosedAs:
    """Keep the letter back (or an earlier `row`) and ask the address of record whether it is genuine.

    `withheld`: only these lines wait, with the keywords of their requests; the rest of the letter is done.
    """
    services, store, row = incoming.services, incoming.store, row or incoming.row
    game: Game | None = store.games.get(seat.game) if seat else None
    code, kind = hold_code(services, row), PERSON if withheld else HOLD
    withheld = withheld or {}
    reader = f"{person.id} {services.post.code(person.addresses[0])} {' '.join(map(str, withheld))}".strip()
    asked = Question(code, kind, game.id if game else 0, seat.id if seat else 0, row.id, reader, store.now())
    store.turns.add_question(asked)
    fields = {"what": ", ".join(dict.fromkeys(withheld.values()))}
    person = replace(person, language=person.language or incoming.written_in(game))
    letter = render_question(services, person, game, seat, asked, incoming.letter, fields)
    reply_limits.send_answer(services, store, letter, reply_limits.HOLD_QUESTIONS_MOST)
    return DONE if withheld else (InboxState.HELD, "From is not proven")


def confirmed_lines(incoming: IncomingLetter) -> frozenset[int]:
    """The lines that the address of record has now confirmed, of a letter that is done but for them."""
    if incoming.row.person is None:  # it was never read, so nobody was asked
        return frozenset()
    question = incoming.store.turns.question(hold_code(incoming.services, incoming.row))
    if question is None or question.kind != PERSON or not question.answered:
        return frozenset()
    return frozenset(map(int, question.payload.split()[2:]))


def answers_about_held_letters(incoming: IncomingLetter) -> ClosedAs | None:
    """The code of a held letter came back: whoever has it reads the address of record. YES releases the letter.

    The answer to the released letter is the only answer. A letter that was held too long is gone.
    """
    store, question = incoming.store, incoming.question
    if (
        question is None
        or question.kind not in (HOLD, PERSON)
        or question.inbox == incoming.row.id
        or sends_orders(incoming)
    ):
        return None
    held = store.inbox.get(question.inbox)
    person = _asked_person(incoming, held, question)
    state = InboxState.DONE if question.kind == PERSON else InboxState.HELD
    waits = held.state is state and bool(held.raw) and _has_asked_address(incoming, person, question)
    if waits and not question.answered and _says_yes(incoming):
        store.turns.mark_answered(question.code)
        store.inbox.close(held.id, InboxState.NEW)
    elif waits and not question.answered and _asks_something(incoming):
        return None
    elif person is not None:
        key = "confirmed-before" if question.answered else "hold-open" if waits else "hold-gone"
        incoming.reply(person, Note(f"desk.{key}", (), False), code=question.code if key == "hold-open" else "")
    return DONE


def _says_yes(incoming: IncomingLetter) -> bool:
    """In any language: that of the question may not be the person's own."""
    languages = incoming.services.letters.languages
    return any(reply_limits.first_word(incoming.letter, language) in reply_limits.YES for language in languages)


def _asks_something(incoming: IncomingLetter) -> bool:
    """Whether the letter, proven by the code it brings, asks for something itself. The question stays open."""
    sender = incoming.sender
    return isinstance(sender, ProvenSender) and bool(incoming.reading.requests)


def sends_orders(incoming: IncomingLetter) -> bool:
    """Whether a player answers the question with orders to the seat's own address."""
    match incoming.mail_sender:
        case ProvenSender(person, seat) if seat is not None:
            game = incoming.store.games.get(seat.game)
            language = language_of(person, game)
            context = load_game(incoming.services, incoming.store, game).context(seat.power, language=language)
            letter = incoming.letter
            return reply_limits.first_word(letter, language) not in reply_limits.YES and looks_like_orders(
                letter.lines, context
            )
    return False


def _has_asked_address(incoming: IncomingLetter, person: Person | None, question: Question) -> bool:
    """Whether the person still has the address that was asked; older questions do not say which."""
    asked = question.payload.split()[1:2]
    return not asked or (person is not None and asked[0] in map(incoming.services.post.code, person.addresses))


def _asked_person(incoming: IncomingLetter, held: InboxRow, question: Question) -> Person | None:
    """The person the question went to. Older questions do not say: it is the held letter's sender or, once that letter
    is emptied, who answers it or has the seat now.
    """
    store = incoming.store
    if question.payload:
        return store.people.get(int(question.payload.partition(" ")[0]))
    sender = (incoming.services.open_letter(held) if held.raw else incoming.letter).sender
    seat = store.games.seat(question.seat) if question.seat and not held.raw else None
    holder = store.people.get(seat.person) if seat is not None and seat.person is not None else None
    return store.people.by_address(sender) or holder
