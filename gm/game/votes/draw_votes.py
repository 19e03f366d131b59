"""Votes to end the game: each power's is secret, and only the unanimous result is told.

The game ends when everybody still in it votes for the same: a draw of all who have units left (of some of them, where
draws need not include all survivors), or a concession to one or several. Where every vote carries OR END and they
differ, it ends as that draw. A vote stands until its power votes otherwise, and lapses with its player, or with its
phase where the game says so. The settings dias, concede, unanimous and draw_votes change this.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.model.records import GameState, Vote
from gm.game.model.setting_choices import Anonymity
from gm.game.phase.draw_votes import CONCEDE, DRAW, NONE, in_game, settled, survivors
from gm.game.session.session import LetterSession, tell_all
from gm.game.turns import resolve as turn
from gm.language.commands import requests as ask

ENDINGS = {DRAW: ("draw", "voted-draw"), CONCEDE: ("conceded", "voted-concede")}
"""How the game ended, for the position (`ending.` in the catalogue), and the note that says so."""


def cast(sitting: LetterSession, request: ask.VoteRequest, line: int) -> None:
    found = _named(sitting, request, line)
    if found is None:
        return
    power, game = sitting.seat.power, sitting.game
    shown, now = sitting.table.settings.draw_votes.shown, sitting.store.now()
    vote = Vote(game.id, power, sitting.person.id, request.choice, now, found, request.or_end, shown)
    sitting.store.turns.add_vote(vote)
    result = settled(sitting.store, sitting.table)
    if result is None:
        key = "vote-none" if request.choice == NONE else "vote-stored-shown" if shown else "vote-stored"
        sitting.note(key, line=line, headline=True)
        return
    _end(sitting, result, line)


def _named(sitting: LetterSession, request: ask.VoteRequest, line: int) -> tuple[str, ...] | None:
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
        key = "vote-draw-gone" if request.choice == DRAW else "vote-for-gone"
        sitting.note(key, done=False, line=line, power=gone)
    elif request.choice == CONCEDE and not table.settings.concede:
        sitting.note("vote-no-concession", done=False, line=line)
    elif not _fair(sitting, request, [power for power in names.values() if power]):
        sitting.note("vote-all-survivors", done=False, line=line, powers=", ".join(survivors(table)))
    elif not request.choice:
        sitting.note("vote-what", done=False, line=line)
    else:
        return tuple(power.name for power in table.variant.powers if power.name in names.values())
    return None


def _fair(sitting: LetterSession, request: ask.VoteRequest, winners: Sequence[str]) -> bool:
    """Whether a draw includes whom it must."""
    named = request.choice == DRAW and bool(winners) and sitting.table.settings.dias
    return not named or set(winners) == set(survivors(sitting.table))


def _end(sitting: LetterSession, result: Vote, line: int) -> None:
    winners = result.winners or (survivors(sitting.table) if result.choice == DRAW else ())
    sitting.flush()
    why, key = ENDINGS[result.choice]
    sitting.lay(turn.end(sitting.office, sitting.store, sitting.game, why, winners))
    key = key if sitting.table.settings.unanimous else f"{key}-most"
    note = sitting.note(key, line=line, headline=True, winners=", ".join(winners))
    sitting.log("VOTE", note)
    if sitting.table.settings.anonymous is Anonymity.YES:
        sitting.insert("who")
    tell_all(sitting, Note(note.key, note.fields, headline=True), f"vote:{sitting.row.id}")
