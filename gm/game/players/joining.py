"""JOIN, PREFER, TAKEOVER, RESIGN, WHO: into a game and out of it.

Before the start whoever is approved stands on a list, and powers are dealt at START
(`gm.game.players.power_assignment`); later an
empty seat is taken at once. The setting `joining` says whether the game master is asked first. A person has one
place in a game; a second one is the game master's to give (SEAT, INVITE … to a power).
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.identity import sender as identity
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame, power_named, variant_of
from gm.game.model.records import MASTER, Applicant, ApplicantState, Game, GameState, Seat
from gm.game.model.setting_types import APPROVAL, CLOSED
from gm.game.model.settings import GameSettings, stored_value
from gm.game.players import power_assignment as casting
from gm.game.session import notices as news
from gm.game.session import seat_changes as chairs
from gm.game.session.handler import Handler, Handlers
from gm.game.session.no_seat import session_in_game
from gm.game.session.session import LetterSession
from gm.language.commands import players as ask
from gm.language.commands.players import preferences
from gm.language.lines.letter_contents import Request

GAMES_SHOWN = 12


def join(session: LetterSession, request: ask.JoinRequest, line: int) -> None:
    found = _located(session, request.words, line, forming=True)
    if found is not None:
        (_ask_for_seat if found[0].loaded_game.running else _enter)(*found, line)


def takeover(session: LetterSession, request: ask.TakeoverRequest, line: int) -> None:
    found = _located(session, request.words, line)
    if found is not None and found[0].loaded_game.running:
        _ask_for_seat(*found, line)
    elif found is not None:
        session.note("takeover-forming", done=False, line=line, game=found[0].game.name)


def prefer(session: LetterSession, request: ask.PreferRequest, line: int) -> None:
    found = _located(session, request.words, line, listed=True)
    if found is None:
        return
    there, rest = found
    listed = entry_of(there)
    if listed is None:
        key = "prefer-seated" if _sits(there) else "prefer-join"
        session.note(key, done=False, line=line, game=there.game.name)
    elif (wish := _wish(there, rest, line)) is not None:
        session.store.games.save_applicant(replace(listed, wish=wish))
        session.note("preferred" if wish else "prefers-nothing", line=line, wish=wish, game=there.game.name)


def resign(session: LetterSession, request: ask.ResignRequest, line: int) -> None:
    """The seat is empty from now on; what is on its sheet stays."""
    found = _located(session, request.words, line, own=True)
    if found is None:
        return
    there, _ = found
    if entry_of(there) is not None and (not _sits(there) or there.seat.id == 0):
        session.store.games.remove_applicant(there.game.id, session.person.id)
        session.note("withdrawn", line=line, headline=True, game=there.game.name)
        news.tell_gms(there, Note("desk.entry-withdrawn", _who(session)), _cause(session, line))
    elif there.seat.id == 0:
        key = "resign-from-seat" if _sits(there) else "resign-nothing"
        session.note(key, done=False, line=line, game=there.game.name)
    elif line != session.last_line:
        session.note("resign-last", done=False, line=line)
    elif there.game.state is GameState.ENDED:
        session.note("game-over", done=False, line=line, what="RESIGN")
    elif session.master:
        _resign_chair(session, line)
    else:
        _leave(session, line)


def _leave(session: LetterSession, line: int) -> None:
    session.flush()
    seat = session.seat
    chairs.change_holder(session, seat, None, chairs.RESIGNED)
    note = session.note("resigned", line=line, headline=True, power=seat.power, game=session.game.name)
    session.log("RESIGN", note)
    session.left = True
    if not session.loaded_game.running:
        news.tell_gms(session, Note("desk.seat-resigned", (("power", seat.power),)), _cause(session, line))


def _resign_chair(session: LetterSession, line: int) -> None:
    """A game is never without a game master."""
    others = [seat for seat in session.loaded_game.masters if seat.person not in (None, session.person.id)]
    if not others:
        session.note("resign-only-master", done=False, line=line)
        return
    chairs.assign_seat(session, session.seat, None)
    session.lay()
    note = session.note("resigned-chair", line=line, headline=True, game=session.game.name)
    session.log("RESIGN", note)
    news.add_notice(session, Note("desk.master-left", (("name", session.person.name),)))
    session.left = True


def who(session: LetterSession, request: ask.WhoRequest, line: int) -> None:
    if not request.words and session.game.id:
        session.insert("who")
        return
    found = _located(session, request.words, line, own=True)
    if found is None:
        return
    there, _ = found
    if there.game.id == session.game.id:
        session.insert("who")
        return
    taken = [seat.power for seat in there.loaded_game.power_seats if seat.person is not None]
    free = [seat.power for seat in chairs.vacant_seats(there.loaded_game)]
    session.note(
        f"who-{there.game.state.value}",
        line=line,
        headline=True,
        game=there.game.name,
        title=there.loaded_game.variant.title,
        taken=", ".join(taken) or "-",
        free=", ".join(free) or "-",
    )


# ---- which game


def _located(
    session: LetterSession, words: str, line: int, *, forming: bool = False, listed: bool = False, own: bool = False
) -> tuple[LetterSession, str] | None:
    """The game that is meant, and the words behind its name. None where the writer was told why not.

    It is the one the words begin with, else the one that the letter names elsewhere; else, as the caller allows, the
    one whose list the writer is on (`listed`), his own (`own`), or the only one that is `forming`.
    """
    store, (first, _, rest) = session.store, words.strip().partition(" ")
    game = store.games.by_name(first.strip("?.,:;").lower()) if first else None
    if game is None:
        rest = words.strip()
        names = identity.named_games(session.services, session.letter)
        game = next((one for name in names if (one := store.games.by_name(name)) is not None), None)
        game = game or _guessed(session, forming=forming, listed=listed, own=own)
        if game is not None and rest and (own or (forming and _no_wish(session, game, rest))):
            game = None
    if game is None:
        _which(session, first, line)
        return None
    there = session_in_game(session, game)
    if game.state is GameState.ENDED:
        session.note("join-over", done=False, line=line, game=game.name)
        return None
    return there, rest


def _no_wish(session: LetterSession, game: Game, words: str) -> bool:
    """Words behind JOIN that are no power's are the name of a game there is not."""
    return bool(preferences(words, variant_of(session.services, game)).unknown)


def _guessed(session: LetterSession, *, forming: bool, listed: bool, own: bool) -> Game | None:
    store = session.store
    if (own or not forming) and session.game.id:
        return session.game
    entries = store.games.applications_of(session.person.id) if listed or own else ()
    if len(entries) == 1:
        return store.games.get(entries[0].game)
    games = open_games(session) if forming else ()
    return store.games.by_name(games[0]) if len(games) == 1 else None


def _which(session: LetterSession, name: str, line: int) -> None:
    games = open_games(session)
    if games:
        session.note("join-which", done=False, line=line, games=", ".join(games), first=games[0])
    else:
        session.note("join-none" if name else "registered-no-games", done=False, line=line, name=name[:40])


def open_games(session: LetterSession) -> tuple[str, ...]:
    """Games that players are looked for."""
    forming = session.store.games.forming()
    open_to_all = (game.name for game in forming if stored_value(game, GameSettings.joining) != CLOSED)
    return tuple(open_to_all)[:GAMES_SHOWN]


# ---- before the start


def _enter(there: LetterSession, words: str, line: int) -> None:
    loaded_game, store, game = there.loaded_game, there.store, there.game
    known = entry_of(there)
    wish = _wish(there, words, line)
    if wish is None:
        return
    if _sits(there):
        there.note("join-seated", done=False, line=line, game=game.name)
        return
    if known is not None:
        store.games.save_applicant(replace(known, wish=wish or known.wish))
        there.note("join-again", line=line, game=game.name, wish=wish or known.wish or "-")
        return
    joining = loaded_game.settings.joining
    if joining == CLOSED:
        there.note("join-closed", done=False, line=line, game=game.name)
        return
    room = len(chairs.vacant_seats(loaded_game)) - len(casting.approved(store, loaded_game))
    state = ApplicantState.ASKED if joining == APPROVAL or room <= 0 else ApplicantState.APPROVED
    store.games.save_applicant(Applicant(game.id, there.person.id, state, store.now(), wish))
    key = "join-asked" if joining == APPROVAL else "join-waiting" if room <= 0 else "joined"
    there.note(key, line=line, headline=True, game=game.name, title=loaded_game.variant.title)
    if key != "join-waiting":
        there.note("join-wish" if wish else "join-how", line=line, headline=True, game=game.name, wish=wish)
    fields = (*_who(there), ("wish", wish or "-"), ("left", str(max(0, room - 1))))
    told = Note(f"desk.entry-{state.value}", fields)
    news.tell_gms(there, told, _cause(there, line))


def _wish(there: LetterSession, words: str, line: int) -> str | None:
    wish = preferences(words, there.loaded_game.variant)
    if not wish.unknown:
        return wish.text
    powers = ", ".join(f"{power.name} ({power.letter})" for power in there.loaded_game.variant.powers)
    there.note("prefer-unknown", done=False, line=line, name=wish.unknown[:40], powers=powers)
    return None


# ---- an empty seat of a running game


def _ask_for_seat(there: LetterSession, words: str, line: int) -> None:
    """A power by its name, or any of the empty ones, by preference."""
    loaded_game, game = there.loaded_game, there.game
    free = chairs.vacant_seats(loaded_game)
    power = power_named(loaded_game.variant, words) if words else ""
    wish = preferences(words, loaded_game.variant)
    names = ", ".join(seat.power for seat in free)
    if _sits(there):
        there.note("join-seated", done=False, line=line, game=game.name)
    elif power is None and wish.unknown:
        powers = ", ".join(one.name for one in loaded_game.variant.powers)
        there.note("unknown-power", done=False, line=line, name=wish.unknown[:40], powers=powers)
    elif not free or (power and power not in {seat.power for seat in free}):
        key = "takeover-taken" if free else "takeover-none"
        there.note(key, done=False, line=line, power=power or "-", free=names, game=game.name)
    elif loaded_game.settings.joining == CLOSED:
        there.note("join-closed", done=False, line=line, game=game.name)
    elif loaded_game.settings.joining == APPROVAL:
        _propose(there, power or "", wish.text, line)
    else:
        sit_down(there, power or "", wish.text)
        there.note("took-over", line=line, headline=True, game=game.name)
        news.send_notices(there)


def _propose(there: LetterSession, power: str, wish: str, line: int) -> None:
    game, free = there.game, chairs.vacant_seats(there.loaded_game)
    power = power or (free[0].power if len(free) == 1 else "")
    entry = Applicant(game.id, there.person.id, ApplicantState.ASKED, there.store.now(), wish, power)
    there.store.games.save_applicant(entry)
    there.note("takeover-asked", line=line, headline=True, game=game.name, power=power or wish or "-")
    fields = (*_who(there), ("power", power or wish or "-"))
    news.tell_gms(there, Note("desk.entry-takeover", fields), _cause(there, line))


def sit_down(there: LetterSession, power: str, wish: str) -> Seat | None:
    """The writer takes the power, or of the empty ones the dearest to him; None where there is none."""
    free = chairs.vacant_seats(there.loaded_game)
    ranks = preferences(wish, there.loaded_game.variant)
    wanted = [seat for seat in free if not power or seat.power == power]
    if not wanted:
        return None
    return chairs.change_holder(there, min(wanted, key=lambda seat: ranks.rank(seat.power)), there.person)


def entry_of(there: LetterSession) -> Applicant | None:
    entries = there.store.games.applicants(there.game.id)
    return next((entry for entry in entries if entry.person == there.person.id), None)


def _sits(there: LetterSession) -> bool:
    return plays(there.loaded_game, there.person.id)


def plays(loaded_game: LoadedGame, person: int) -> bool:
    return any(seat.person == person for seat in loaded_game.power_seats)


def _who(session: LetterSession) -> tuple[tuple[str, str], ...]:
    return (("name", session.person.name), ("address", session.person.addresses[0]))


def _cause(session: LetterSession, line: int) -> str:
    return f"act:{session.row.id}:{line}"


def _without_seat(handler: Handler) -> Handler:
    """For an observer, who has no seat that could be meant."""

    def perform(session: LetterSession, request: Request, line: int) -> None:
        seat = Seat(0, session.game.id, MASTER, session.person.id)
        handler(replace(session, seat=seat), request, line)

    return perform


HANDLERS: Handlers = {
    ask.JoinRequest: join,
    ask.PreferRequest: prefer,
    ask.TakeoverRequest: takeover,
    ask.ResignRequest: resign,
    (ask.JoinRequest, "observer"): _without_seat(join),
    (ask.PreferRequest, "observer"): _without_seat(prefer),
    (ask.TakeoverRequest, "observer"): _without_seat(takeover),
    (ask.ResignRequest, "observer"): _without_seat(resign),
    ask.WhoRequest: who,
}
