"""Proposed commands about people name the power and the address: "replace Anna", "let them in", "swap Anna and Luc"."""

from __future__ import annotations

import re

from gm.game.model.loaded_game import power_named
from gm.game.model.records import MASTER, ApplicantState
from gm.game.players.seats import BETWEEN_NAMES, find_person, may_invite
from gm.game.session.session import LetterSession
from gm.language.commands import players, requests
from gm.language.commands.command_line import SEPARATORS
from gm.language.commands.deadlines import NmrPolicyRequest
from gm.language.commands.gm import RemindRequest
from gm.language.commands.in_words import named_powers, plain_questions
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import Request

NAME_MOST = 3
"""Words of a name."""


def called(session: LetterSession, power: str) -> str:
    return session.services.letters.catalogue(session.language, session.loaded_game.variant).called(power)


def player_named(session: LetterSession, name: str, line: int) -> str:
    """The power of the only player of that name; "" for none, which a note says."""
    seats = {seat.person: seat.power for seat in session.loaded_game.power_seats if seat.person is not None}
    person = find_person(session, name, list(seats))
    if person is None:
        session.note("plays-nothing", done=False, line=line, name=name[:60])
    return seats[person.id] if person is not None else ""


def seat(session: LetterSession, request: Request, line: int) -> str | None:
    """The power that a person plays, where the request names the person."""
    assert isinstance(request, requests.SeatPlayerRequest)
    power = power_named(session.loaded_game.variant, request.power) or player_named(session, request.power, line)
    if power == MASTER:
        return ""
    if not power:
        return None
    if "@" not in request.address:
        return _swap(session, power, request.address, line)
    who = f"{request.name} <{request.address}>" if request.name else request.address
    return session.say("proposals.seat", power=called(session, power), who=who)


def policy(session: LetterSession, request: Request, line: int) -> str | None:
    """NMR of the power that a named person plays: "wait for Anna"."""
    assert isinstance(request, NmrPolicyRequest)
    power = power_named(session.context.variant, request.power) or player_named(session, request.power, line)
    return session.say("proposals.policy", power=called(session, power), word=request.word.upper()) if power else None


def _swap(session: LetterSession, power: str, name: str, line: int) -> str | None:
    """Lines by which two players change places; `name` is the other one, or what they play."""
    other = power_named(session.context.variant, name) or player_named(session, name, line)
    seats = [session.loaded_game.seat_of(each) for each in (power, other)] if other else []
    people = [session.store.people.get(seat.person) for seat in seats if seat is not None and seat.person is not None]
    if len(people) != len((power, other)) or power == other:
        return None
    whose = zip((power, other), reversed(people), strict=True)
    return "\n".join(
        session.say("proposals.seat", power=called(session, each), who=f"{person.name} <{person.addresses[0]}>")
        for each, person in whose
    )


def hand_over(session: LetterSession, request: Request, line: int) -> str | None:
    """The address of a player who is named; None for a name that nobody has."""
    assert isinstance(request, players.HandOverRequest)
    if "@" in request.address:
        return ""
    person = find_person(session, request.address, [seat.person or 0 for seat in session.loaded_game.taken_seats])
    return session.say("proposals.hand-over", who=person.addresses[0]) if person is not None else None


def invite(session: LetterSession, request: Request, line: int) -> str | None:
    assert isinstance(request, players.InviteRequest)
    power = power_named(session.loaded_game.variant, request.power) if request.power else ""
    if power is None or len(request.addresses) > 1:
        return ""
    if not may_invite(session, request.addresses[0].lower(), power, line):
        return None
    key = "proposals.invite-to" if power else "proposals.invite"
    return session.say(key, who=request.addresses[0], power=called(session, power) if power else "")


def approve(session: LetterSession, request: Request, line: int) -> str | None:
    """APPROVE of those who ask to play: "let them in" means the only one, "approve all" each. No proposal for words
    about anything else.
    """
    assert isinstance(request, players.ApproveRequest)
    entries = session.store.games.applicants(session.game.id)
    waiting = [entry.person for entry in entries if entry.state is ApplicantState.ASKED]
    if both := _seats_for_one(session, request, [entry.person for entry in entries]):
        return both
    power = power_named(session.loaded_game.variant, request.power) if request.power else ""
    who = request.who if power is not None else f"{request.who} to {request.power}"
    parts = [name.strip(" .") for name in BETWEEN_NAMES.split(who) if name.strip(" .")]
    names = [players.TO_POWER.sub("", part) for part in parts]
    named = names and all(name[0].isupper() and len(name.split()) <= NAME_MOST for name in names)
    if power is not None and (named or "@" in who or find_person(session, who, waiting) is not None):
        return ""
    meant = _stands_for(session, "pronouns", who) if len(waiting) == 1 else False
    if not waiting or not (meant or (not power and _stands_for(session, "applicants", who))):
        return None
    addresses = ", ".join(session.store.people.get(number).addresses[0] for number in waiting)
    key = "proposals.approve-to" if power else "proposals.approve"
    return session.say(key, who=addresses, power=called(session, power) if power else "")


def _seats_for_one(session: LetterSession, request: players.ApproveRequest, applicants: list[int]) -> str:
    """SEAT for each of several powers that one applicant gets; "" for others."""
    context = session.context
    named = named_powers.powers_named(clean(request.power).text.lower(), context.variant)
    person = find_person(session, request.who, applicants) if len(named) > 1 else None
    if person is None:
        return ""
    who = f"{person.name} <{person.addresses[0]}>"
    return "\n".join(session.say("proposals.seat", power=called(session, power), who=who) for power in named)


def _stands_for(session: LetterSession, whom: str, words: str) -> bool:
    """Whether words are of a list of `[persons]` of grammars/plain_questions."""
    patterns = (plain_questions.joined_patterns("persons", language)[whom] for language in session.languages)
    low = clean(words).text.lower().strip(" .,!")
    return any(re.fullmatch(pattern, low) for pattern in patterns)


def remind(session: LetterSession, request: Request, line: int) -> str | None:
    """The powers of players who are named by their own names."""
    assert isinstance(request, RemindRequest)
    names = [name.strip(" .") for name in SEPARATORS.split(request.who) if name.strip(" .")]
    if all(power_named(session.loaded_game.variant, name) is not None for name in names):
        return ""
    power = player_named(session, request.who, line)
    return session.say("proposals.remind", power=called(session, power)) if power else None
