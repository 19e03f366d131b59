"""Identifies the sender of a letter and their seat.

A seat's secret reply address, or its `Ref:` line, proves the seat and nothing else: what concerns the person in all
games needs more (`gm.game.commands.perform`). A registered From address proves the person if our mail server vouches
for it (DMARC); the game then comes from the thread, the subject's tag `[ostend S1902M]`, the game's address, or is the
only one the person plays. Without such proof the letter is held and the registered address asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from gm.game.identity import references
from gm.game.model.observer_records import EXCLUDED, OUTSIDE
from gm.game.model.ports import Store
from gm.game.model.records import Game, GameState, InboxRow, Letter, Person, Question, Seat
from gm.game.model.reply_addresses import TOKEN, TOKEN_LENGTH
from gm.game.model.services import Services

TAG = re.compile(
    r"\[\s{0,3}([a-z][a-z0-9-]{1,15})(?:\s{1,3}([a-z]\d{1,4}[a-z]))?(?:\s{1,3}v\d{1,3})?\s{0,3}\]", re.IGNORECASE
)
WORD = re.compile(r"[a-z][a-z0-9-]*")
SIGNON = re.compile(r"\s{0,20}sign ?-?on\s{1,5}\??(?P<name>\S{1,40})", re.IGNORECASE)
GAMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:game|partie|spiel|match)\b[\s:\"'“”„]{1,4}([a-z][a-z0-9-]{1,15})",
        r"([a-z][a-z0-9-]{1,15})[\"'“”]?[\s-](?:game|partie|spiel|match)\b",
        r"^\s{0,3}([a-z][a-z0-9-]{1,15})\s{0,2}[:,.!]?\s*$",
    )
)
"""What may name a game in a body: "Partie Ostend", "in the Ostend game", or a line of its own."""
THREAD_MOST = 6
"""Letters of a thread that may be a question of ours."""
LONGEST_LINE = 1000
"""Characters of a line in which a game's name is looked for."""
HOLD = "hold"
PERSON = "person"
"""Kinds of questions about held letters: about all of a letter, and about what a reply address does not prove."""
PRESS = "press"


class ProvenSender(Struct, frozen=True):
    """`seat` is None for a person without a seat in the game, or in any.

    `keyed` are the seats whose reply address is the only proof; empty if the person is proven.
    """

    person: Person
    seat: Seat | None
    keyed: tuple[Seat, ...] = ()


class SeveralSeats(Struct, frozen=True):
    """The letter may be for any of these seats of a person. `keyed` as in `ProvenSender`."""

    person: Person
    seats: tuple[Seat, ...]
    keyed: tuple[Seat, ...] = ()


class UnprovenSender(Struct, frozen=True):
    """The letter claims to be from this person without proof."""

    person: Person
    seat: Seat | None


class QuotedReference(Struct, frozen=True):
    """An address that is nobody's, and words that quote the `Ref:` line of this seat: they may be anybody's."""

    person: Person
    seat: Seat


class UnknownSender(Struct, frozen=True):
    pass


class WrongPower(Struct, frozen=True):
    """A proven person who names a power that they don't play; `powers` are those they play."""

    person: Person
    name: str
    powers: tuple[str, ...]


Sender: TypeAlias = ProvenSender | SeveralSeats | UnprovenSender | QuotedReference | UnknownSender | WrongPower


def identify_sender(services: Services, store: Store, row: InboxRow, letter: Letter) -> Sender:
    keyed = references.keyed_seats(services, store, letter)
    if keyed and keyed[0].person is not None:
        store.people.read_players(keyed[0].game)
        author = store.people.get(keyed[0].person)
        meant = tuple(dict.fromkeys((*keyed, *_seats_in_tagged_game(store, letter, keyed))))
        only = () if _proves(services, store, row, letter, author) else keyed
        return ProvenSender(author, meant[0], only) if len(meant) == 1 else SeveralSeats(author, meant, only)
    person = _person(services, store, letter)
    if person is None:
        return _unknown(services, store, letter)
    seats = _seats(services, store, person, letter)
    seat = seats[0] if len(seats) == 1 else None
    if not _proves(services, store, row, letter, person):
        return UnprovenSender(person, seat)
    return SeveralSeats(person, seats) if len(seats) > 1 else ProvenSender(person, seat)


def _unknown(services: Services, store: Store, letter: Letter) -> Sender:
    """From an address that is nobody's: a stranger, or somebody who answers or quotes a letter of ours."""
    quoted = references.quoted_seat(services, store, letter)
    if quoted is None or quoted.person is None:
        return UnknownSender()
    thread = references.find_thread(store, letter)
    answered = store.games.seat(thread.seat) if thread is not None and thread.seat else None
    if answered is None or answered.person is None:
        return QuotedReference(store.people.get(quoted.person), quoted)
    return UnprovenSender(store.people.get(answered.person), answered)


def _proves(services: Services, store: Store, row: InboxRow, letter: Letter, person: Person) -> bool:
    """Whether this person wrote the letter: their From address is proven, or the address of record said so."""
    vouched = (letter.proven and not letter.failed) or _answers_ours(services, store, row, letter)
    return (vouched and letter.sender.lower() in person.addresses) or is_released(services, store, row, person)


def hold_code(services: Services, row: InboxRow) -> str:
    return services.post.code(HOLD, str(row.id))


def is_released(services: Services, store: Store, row: InboxRow, person: Person | None = None) -> bool:
    """Whether the registered address of that person (default: of anybody) has confirmed this letter."""
    question = store.turns.question(hold_code(services, row)) if row.person is not None else None
    if question is None or not question.answered:
        return False
    return person is None or question.payload.partition(" ")[0] in ("", str(person.id))


def _answers_ours(services: Services, store: Store, row: InboxRow, letter: Letter) -> bool:
    """Whether a letter answers one of ours that only its From address has read.

    That is a letter about no seat, by its Message-ID, or a question, by its code.
    """
    thread, sender = references.find_thread(store, letter), letter.sender.lower()
    if letter.failed or (thread is not None and not thread.seat and thread.address == sender):
        return not letter.failed
    question = find_question(store, letter)
    return question is not None and question.inbox != row.id and _was_asked(services, question, sender)


def _was_asked(services: Services, question: Question, address: str) -> bool:
    """Whether the question went to this address."""
    if question.kind in (HOLD, PERSON):
        return question.payload.split()[1:2] == [services.post.code(address)]
    return question.kind != PRESS and json.loads(question.payload)["address"] == address


def find_question(store: Store, letter: Letter) -> Question | None:
    """The question whose code is in the letter: in its Ref line, subject, a line of its own, or by its thread."""
    for code in _codes(store, letter):
        question = store.turns.question(code)
        if question is not None:
            return question
    return None


def subject_tags(letter: Letter) -> tuple[tuple[str, str], ...]:
    """(game, phase or "") of each tag in the subject. Tags of mailing lists look alike."""
    return tuple((tag[1].lower(), (tag[2] or "").upper()) for tag in TAG.finditer(letter.subject))


def _codes(store: Store, letter: Letter) -> Iterator[str]:
    yield from (reference.fields[-1].lower() for reference in letter.refs)
    yield from TOKEN.findall(letter.subject.lower())
    for _, words in letter.lines[:20]:
        if len(words) >= TOKEN_LENGTH:  # fast path
            yield from TOKEN.findall(words.lower()[:200])
    for message_id in letter.answers[:THREAD_MOST]:
        thread = store.outbox.answered_letter(message_id)
        if thread is not None and thread.cause.startswith("question:"):
            yield thread.cause.removeprefix("question:")


def _seats_in_tagged_game(store: Store, letter: Letter, keyed: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The writer's seats in the game of the subject's tag, if the letter came to a seat of another game.

    Then it is unclear which of the two games is meant.
    """
    games = [game.id for name, _ in subject_tags(letter) if (game := store.games.by_name(name)) is not None]
    if not games or any(seat.game in games for seat in keyed):
        return ()
    return tuple(seat for seat in store.games.seats_of(keyed[0].person or 0) if seat.game in games)


def _person(services: Services, store: Store, letter: Letter) -> Person | None:
    """A registered person. People who may create games are registered by their first letter."""
    person = store.people.by_address(letter.sender)
    if person is None and letter.sender.lower() in services.masters:
        name = letter.sender_name or letter.sender.partition("@")[0]
        person = store.people.add(Person(0, name, (letter.sender.lower(),), services.zone))
    return person


def _seats(services: Services, store: Store, person: Person, letter: Letter) -> tuple[Seat, ...]:
    """The seats that the letter may be for: the thread's, the named game's, or those of running games.

    Empty if it names a game in which the person has no seat (any more).
    """
    beside = store.games.observer_seats_of(person.id)
    mine = (*store.games.seats_of(person.id), *(chair for chair in beside if chair.power not in OUTSIDE))
    thread = references.find_thread(store, letter)
    if thread is not None and thread.seat:
        return tuple(seat for seat in mine if seat.id == thread.seat)
    games = [game for name in named_games(services, letter) if (game := store.games.by_name(name)) is not None]
    for game in games:
        named = tuple(seat for seat in mine if seat.game == game.id)
        if named:
            return named
    if games:
        return ()
    mine = tuple(seat for seat in mine if seat not in beside) or mine
    live = tuple(seat for seat in mine if store.games.get(seat.game).state is not GameState.ENDED)
    names = frozenset(_possible_game_names(letter))
    return tuple(seat for seat in live if store.games.get(seat.game).name in names) or live or mine[-1:]


def excluded_from(services: Services, store: Store, letter: Letter, person: Person) -> Game | None:
    """The game from which its game master excluded the writer, if the letter is about that game and no seat in it."""
    chairs = [seat for seat in store.games.observer_seats_of(person.id) if seat.power == EXCLUDED]
    if not chairs:
        return None
    thread = references.find_thread(store, letter)
    seat = store.games.seat(thread.seat) if thread is not None and thread.seat else None
    named = [store.games.by_name(name) for name in named_games(services, letter)]
    about = {seat.game} if seat is not None else {game.id for game in named if game is not None}
    if not about and not store.games.seats_of(person.id):
        about = {chairs[-1].game}
    return next((store.games.get(chair.game) for chair in chairs if chair.game in about), None)


def _possible_game_names(letter: Letter) -> Iterator[str]:
    """Words that may name a game: of the subject, what a body calls one, njudge's "SIGNON Flisbon password" or
    "france@lisbon".
    """
    yield from WORD.findall(letter.subject.lower())
    for _, words in letter.lines:
        if signon := SIGNON.match(words):
            name = signon["name"].lower().rpartition("@")[2]
            yield from (name, name[1:])
        for pattern in GAMES:
            yield from pattern.findall(words[:LONGEST_LINE].lower())


def named_games(services: Services, letter: Letter) -> Iterator[str]:
    """The games named by Ref line, subject tags and addresses."""
    if letter.ref:
        yield letter.ref[0]
    yield from (game for game, _ in subject_tags(letter))
    yield from services.post.games(letter.delivered_to)


def may_create_games(services: Services, person: Person) -> bool:
    return any(address in services.masters for address in person.addresses)
