"""`ROUTES`: who handles a letter. The first route that takes a letter has it, as in Mailman's pipeline."""

from __future__ import annotations

from gm.game.commands import no_seat
from gm.game.identity.sender import (
    ProvenSender,
    QuotedReference,
    SeveralSeats,
    UnknownSender,
    UnprovenSender,
    WrongPower,
    excluded_from,
    may_create_games,
)
from gm.game.intake import bounces
from gm.game.intake.confirmations import confirmations
from gm.game.intake.from_no_seat import excluded_note, in_language_of_letter, letters_from_no_seat
from gm.game.intake.from_seat import letters_from_seats
from gm.game.intake.held_letters import answers_about_held_letters, hold
from gm.game.intake.incoming_letter import DONE, ClosedAs, IncomingLetter, Route
from gm.game.intake.new_game_replies import new_game_replies, new_games
from gm.game.intake.registration import answer_stranger
from gm.game.intake.several_games import several_games
from gm.game.intake.several_powers import several_powers
from gm.game.letters import alarms, reply_limits
from gm.game.letters.question import language_for, render_plain_answer
from gm.game.model.letter_report import AnswerInsert, Note
from gm.game.model.records import InboxState, SenderVerdict
from gm.game.session.no_seat import session_without_game
from gm.game.session.session import NO_LETTER
from gm.game.views.own_games import own_games


def machines(incoming: IncomingLetter) -> ClosedAs | None:
    """Bounces, vacation replies, mailing lists: nobody reads an answer."""
    services, store, row, letter = incoming.services, incoming.store, incoming.row, incoming.letter
    if letter.verdict is not SenderVerdict.IGNORE:
        return None
    bounces.record_bounce(services, store, letter)
    alarms.raise_mail_loop(services, store, row, letter)
    return InboxState.IGNORED, letter.why


def reachable_again(incoming: IncomingLetter) -> None:
    """Takes no letter. Releases what was kept for an unreachable address whose owner writes."""
    if isinstance(incoming.sender, ProvenSender | SeveralSeats | WrongPower):
        bounces.release_kept_letters(incoming.store, incoming.sender.person)


def wrong_powers(incoming: IncomingLetter) -> ClosedAs | None:
    """A "Country:" line that names a power of somebody else."""
    if not isinstance(incoming.sender, WrongPower):
        return None
    sender = incoming.sender
    fields = (("name", sender.name[:40]), ("mine", ", ".join(sender.powers)))
    incoming.reply(sender.person, Note("desk.country-not-yours", fields, done=False))
    return DONE


def unclear_seats(incoming: IncomingLetter) -> ClosedAs | None:
    """A sender with several seats, none of which the letter names: the answer shows all of them."""
    if not isinstance(incoming.sender, SeveralSeats):
        return None
    services, store, person, seats = incoming.services, incoming.store, incoming.sender.person, incoming.sender.seats
    games = sorted({store.games.get(seat.game).name for seat in seats})
    key = "which-game" if len(games) > 1 else "which-seat"
    fields = (("games", ", ".join(games)), ("first", games[0]), ("power", seats[0].power))
    catalogue = services.letters.catalogue(person.language or language_for(store, person))
    sections = (own_games(services, store, seats, catalogue),)
    incoming.reply(person, Note(f"desk.{key}", fields, done=False), sections=sections)
    return DONE


def unproven_letters(incoming: IncomingLetter) -> ClosedAs | None:
    """A registered From address that nothing proves: held, if the letter could have an effect."""
    if not isinstance(incoming.sender, UnprovenSender):
        return None
    services, person, seat = incoming.services, incoming.sender.person, incoming.sender.seat
    if seat is not None or incoming.store.games.seats_of(person.id):
        return hold(incoming, person, seat)
    game = excluded_from(services, incoming.store, incoming.letter, person)
    if game is not None:
        incoming.reply(person, excluded_note(game))
        return DONE
    person = in_language_of_letter(incoming, person)
    requests = no_seat.read_of_stranger(services, incoming.store, incoming.letter)[0]
    lookups = no_seat.only_lookups(requests)
    if requests.requests and lookups.requests == requests.requests:
        session = session_without_game(services, incoming.store, incoming.row, incoming.letter, person)
        no_seat.serve(session, lookups)
        incoming.reply(person, *session.notes, inserts=session.inserts)
    elif requests.requests or may_create_games(services, person):
        return hold(incoming, person, seat)
    elif not incoming.letter.ref and not services.post.keys(incoming.letter.delivered_to):
        incoming.reply(person, Note("desk.no-seat", (), done=False), inserts=(AnswerInsert("help"),))
    return DONE


def quoted_references(incoming: IncomingLetter) -> ClosedAs | None:
    """Words that quote a player's `Ref:` line, from an address that is nobody's: the player is told, and shown nothing.

    They may be those of somebody who answers a letter into which that player put the line.
    """
    if not isinstance(incoming.sender, QuotedReference):
        return None
    person, seat = incoming.sender.person, incoming.sender.seat
    game = incoming.store.games.get(seat.game)
    answer = render_plain_answer(
        incoming.services,
        incoming.store,
        person,
        incoming.row,
        NO_LETTER,
        [Note("desk.quoted-reference", (("game", game.name),), False)],
    )
    reply_limits.send_answer(incoming.services, incoming.store, answer, reply_limits.HOLD_QUESTIONS_MOST)
    return DONE


def strangers(incoming: IncomingLetter) -> ClosedAs | None:
    """An address that is nobody's."""
    if not isinstance(incoming.sender, UnknownSender):
        return None
    answer_stranger(incoming)
    return DONE


ROUTES: tuple[Route, ...] = (
    machines,
    answers_about_held_letters,
    confirmations,
    reachable_again,
    wrong_powers,
    new_game_replies,
    new_games,
    letters_from_no_seat,
    several_games,
    several_powers,
    letters_from_seats,
    unclear_seats,
    unproven_letters,
    quoted_references,
    strangers,
)


def route(incoming: IncomingLetter) -> ClosedAs:
    """Handle a letter and close its row, within the caller's transaction. Returns as what."""
    for handle in ROUTES:
        closed = handle(incoming)
        if isinstance(closed, IncomingLetter):
            incoming = closed
        elif closed is not None:
            _close(incoming, *closed)
            return closed
    raise AssertionError("the last route takes every letter")


def _close(incoming: IncomingLetter, state: InboxState, why: str) -> None:
    person = incoming.person if state is not InboxState.IGNORED else None
    incoming.store.inbox.close(incoming.row.id, state, why, person.id if person is not None else None)
