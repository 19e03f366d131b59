"""Votes to end the game: each power's is secret, and only the unanimous result is told.

The game ends when everybody still in it votes for the same: a draw of all who have units left, or a concession to one
or several. Where every vote carries OR END and they differ, it ends as that draw. A vote stands until its power
votes otherwise, and lapses with its player.
"""

from __future__ import annotations

from gm.desk import turn
from gm.desk.ballots import CONCEDE, DRAW, NONE, has_units, in_game, settled
from gm.desk.records import GameState, Vote
from gm.desk.report import Note
from gm.desk.sitting import Sitting, tell_all
from gm.desk.table import power_named
from gm.text import requests as ask

ENDINGS = {DRAW: ("draw", "voted-draw"), CONCEDE: ("conceded", "voted-concede")}
"""How the game ended, for the position (`ending.` in the catalogue), and the note that says so."""


def cast(sitting: Sitting, request: ask.Vote, line: int) -> None:
    found = _named(sitting, request, line)
    if found is None:
        return
    power, game = sitting.seat.power, sitting.game
    vote = Vote(game.id, power, sitting.person.id, request.choice, sitting.store.now(), found, request.or_end)
    sitting.store.turns.add_vote(vote)
    result = settled(sitting.store, sitting.table)
    if result is None:
        key = "vote-none" if request.choice == NONE else "vote-stored"
        sitting.note(key, line=line, headline=True)
        return
    _end(sitting, result, line)


def _named(sitting: Sitting, request: ask.Vote, line: int) -> tuple[str, ...] | None:
    """The powers conceded to, in the variant's order; None where the vote was refused."""
    table = sitting.table
    if not table.running:
        over = sitting.game.state is GameState.ENDED
        sitting.note("game-over" if over else "not-started", done=False, line=line, what="VOTE")
        return None
    names = {name: power_named(table.variant, name) for name in request.winners}
    unknown = next((name for name, power in names.items() if power is None), "")
    gone = next((power for power in names.values() if power and not in_game(table.position, power)), "")
    if not in_game(table.position, sitting.seat.power):
        sitting.note("vote-out", done=False, line=line)
    elif unknown:
        powers = ", ".join(power.name for power in table.variant.powers)
        sitting.note("unknown-power", done=False, line=line, name=unknown[:40], powers=powers)
    elif gone:
        sitting.note("vote-for-gone", done=False, line=line, power=gone)
    elif not request.choice:
        sitting.note("vote-what", done=False, line=line)
    else:
        return tuple(power.name for power in table.variant.powers if power.name in names.values())
    return None


def _end(sitting: Sitting, result: Vote, line: int) -> None:
    position = sitting.table.position
    winners = result.winners
    if result.choice == DRAW:
        powers = (power.name for power in sitting.table.variant.powers)
        winners = tuple(power for power in powers if has_units(position, power))
    sitting.flush()
    why, key = ENDINGS[result.choice]
    sitting.lay(turn.end(sitting.office, sitting.store, sitting.game, why, winners))
    note = sitting.note(key, line=line, headline=True, winners=", ".join(winners))
    sitting.log("VOTE", note)
    tell_all(sitting, Note(note.key, note.fields, headline=True), f"vote:{sitting.row.id}")
