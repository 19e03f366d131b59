"""Handler of LEAGUE: a game master puts the game into a league; everybody else reads its table.

A league is the setting `league` of its games. Whoever runs one of them may add another; nobody else may.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.model.records import LEAGUE
from gm.game.model.reply_addresses import slug
from gm.game.session.session import Handlers, LetterSession
from gm.game.views.chronicle.leagues import LONGEST_NAME, league_of, may_enter
from gm.language.commands.gm import LeagueRequest

LEAVE = ("none", "no", "off")


def league(session: LetterSession, request: LeagueRequest, line: int) -> None:
    """LEAGUE name. A game that is in another league stays there: SET league moves it."""
    name, own = slug(request.name), league_of(session.game)
    free = session.master and not own and name and name not in LEAVE
    if free and may_enter(session.store, session.person, name, session.game):
        put_into_league(session, name, line)
    else:
        session.insert(LEAGUE, name)


def put_into_league(session: LetterSession, value: str, line: int) -> None:
    """SET league name, or SET league none."""
    name = slug(value)
    if len(name) > LONGEST_NAME or not name:
        session.note("league-name", done=False, line=line, most=str(LONGEST_NAME))
        return
    others = tuple((key, kept) for key, kept in session.game.settings if key != LEAGUE)
    if name in LEAVE:
        session.save(replace(session.game, settings=others))
        note = session.note("league-left", line=line, headline=True)
    elif not may_enter(session.store, session.person, name, session.game):
        session.note("league-of-others", done=False, line=line, name=name)
        return
    else:
        session.save(replace(session.game, settings=(*others, (LEAGUE, name))))
        note = session.note("league-entered", line=line, headline=True, name=name)
        session.insert(LEAGUE, name)
    session.log(f"SET {LEAGUE} {name}", note)


HANDLERS: Handlers = {LeagueRequest: league}
