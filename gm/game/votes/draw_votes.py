"""Handler of VOTE: votes to end the game are secret, and only a unanimous result is announced.

The game ends when everybody still in it votes for the same result: a draw of all survivors (or of some of them, where
draws need not include all), or a concession. Where votes differ and all have OR END, it ends in a draw of all
survivors. A vote counts until its power votes again, changes its player, or the phase ends where the game says so. The
settings `dias`, `concede`, `unanimous` and `draw_votes` change this.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.game.identity.which_phase import closed_reason
from gm.game.model.loaded_game import power_named
from gm.game.model.records import Vote
from gm.game.phase.draw_votes import CONCEDE, DRAW, NONE, agreed_end, may_vote, survivors
from gm.game.session.session import Handlers, LetterSession
from gm.game.turns import resolve
from gm.language.commands import requests

ENDINGS = {DRAW: ("draw", "voted-draw"), CONCEDE: ("conceded", "voted-concede")}
"""Choice -> ending of the position (`ending.` in the catalogue) and key of the note."""


def vote(session: LetterSession, request: requests.VoteRequest, line: int) -> None:
    winners = _named(session, request, line)
    if winners is None:
        return
    power, game = session.seat.power, session.game
    shown, now = session.loaded_game.settings.draw_votes.shown, session.store.now()
    cast = (each for each in session.store.turns.votes(game.id) if each.power == power and not each.lapsed)
    if request.choice == NONE and all(each.choice == NONE for each in cast):
        session.note("vote-none-cast", line=line, headline=True)
        return
    vote = Vote(game.id, power, session.person.id, request.choice, now, winners, request.or_end, shown)
    session.store.turns.add_vote(vote)
    result = agreed_end(session.store, session.loaded_game)
    if result is None:
        key = "vote-none" if request.choice == NONE else "vote-stored-shown" if shown else "vote-stored"
        session.note(key, line=line, headline=True)
        return
    _end(session, result, line)


def _named(session: LetterSession, request: requests.VoteRequest, line: int) -> tuple[str, ...] | None:
    """The winners, in the variant's order; None where the vote was refused."""
    loaded_game = session.loaded_game
    if not loaded_game.running:
        session.note(closed_reason(session.game), done=False, line=line, what="VOTE")
        return None
    names = {name: power_named(loaded_game.variant, name) for name in request.winners}
    unknown = next((name for name, power in names.items() if power is None), "")
    gone = next((power for power in names.values() if power and not may_vote(loaded_game.position, power)), "")
    if not may_vote(loaded_game.position, session.seat.power):
        session.note("vote-out", done=False, line=line)
    elif unknown:
        session.unknown_power(unknown, line)
    elif gone:
        key = "vote-draw-gone" if request.choice == DRAW else "vote-for-gone"
        session.note(key, done=False, line=line, power=gone)
    elif request.choice == CONCEDE and not loaded_game.settings.concede:
        session.note("vote-no-concession", done=False, line=line)
    elif not _fair(session, request, [power for power in names.values() if power]):
        session.note("vote-all-survivors", done=False, line=line, powers=", ".join(survivors(loaded_game)))
    elif not request.choice:
        session.note("vote-what", done=False, line=line)
    else:
        return tuple(power for power in loaded_game.variant.seated if power in names.values())
    return None


def _fair(session: LetterSession, request: requests.VoteRequest, winners: Sequence[str]) -> bool:
    """Whether a draw includes every power that it must."""
    named = request.choice == DRAW and bool(winners) and session.loaded_game.settings.dias
    return not named or set(winners) == set(survivors(session.loaded_game))


def _end(session: LetterSession, result: Vote, line: int) -> None:
    winners = result.winners or (survivors(session.loaded_game) if result.choice == DRAW else ())
    session.flush()
    why, key = ENDINGS[result.choice]
    session.reload_game(resolve.end_game(session.services, session.store, session.game, why, winners))
    key = key if session.loaded_game.settings.unanimous else f"{key}-most"
    note = session.note(key, line=line, headline=True, winners=", ".join(winners))
    session.log("VOTE", note)


HANDLERS: Handlers = {requests.VoteRequest: vote}
