"""Handlers of JOIN, PREFER, TAKEOVER, RESIGN and WHO.

Before the start approved people are on a list, and START assigns the powers (`gm.game.players.power_assignment`);
later an empty seat is taken at once. The setting `joining` says whether the game master is asked first. A person has
one seat in a game; only the game master can give another (SEAT, INVITE … to a power).
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.identity import sender
from gm.game.model.conduct_records import PlayingRecord
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.model.recipient import variant_of
from gm.game.model.records import MASTER, Applicant, ApplicantState, Game, GameState, Seat
from gm.game.model.reply_addresses import GAME_NAME
from gm.game.model.setting_types import APPROVAL, CLOSED
from gm.game.model.settings import GameSettings, stored_value
from gm.game.phase import conduct
from gm.game.players import power_assignment
from gm.game.session import notices, seat_changes
from gm.game.session.no_seat import session_in_game
from gm.game.session.session import Handler, Handlers, LetterSession
from gm.language.commands import players
from gm.language.commands.preferences import example_of_wishes, read_preferences
from gm.language.i18n.localized_variant import localized
from gm.language.lines.letter_contents import Request

GAMES_SHOWN = 12
OTHERS_SHOWN = 200
"""Characters of words about others that the answer quotes."""


def join(session: LetterSession, request: players.JoinRequest, line: int) -> None:
    place = _game_meant(session, request.words, line, forming=True)
    if place is not None:
        (_ask_for_seat if place[0].loaded_game.running else _enter)(*place, line, request.of_others)


def takeover(session: LetterSession, request: players.TakeoverRequest, line: int) -> None:
    place = _game_meant(session, request.words, line)
    if place is not None and place[0].loaded_game.running:
        _ask_for_seat(*place, line)
    elif place is not None:
        session.note("takeover-forming", done=False, line=line, game=place[0].game.name)


def prefer(session: LetterSession, request: players.PreferRequest, line: int) -> None:
    place = _game_meant(session, request.words, line, listed=True)
    if place is None:
        return
    there, rest = place
    listed = entry_of(there)
    if listed is None:
        key = "prefer-seated" if there.loaded_game.plays(there.person.id) else "prefer-join"
        session.note(key, done=False, line=line, game=there.game.name)
    elif (wish := _wish(there, rest, line)) is not None:
        session.store.games.save_applicant(replace(listed, wish=wish))
        session.note("preferred" if wish else "prefers-nothing", line=line, wish=wish, game=there.game.name)


def resign(session: LetterSession, request: players.ResignRequest, line: int) -> None:
    """Empties the seat; its sheet stays."""
    place = _game_meant(session, request.words, line, own=True)
    if place is None:
        return
    there, _ = place
    if entry_of(there) is not None and (not there.loaded_game.plays(there.person.id) or there.seat.id == 0):
        session.store.games.remove_applicant(there.game.id, session.person.id)
        session.note("withdrawn", line=line, headline=True, game=there.game.name)
        notices.tell_gms(there, Note("desk.entry-withdrawn", _who(session)), session.cause(line))
    elif there.seat.id == 0:
        key = "resign-from-seat" if there.loaded_game.plays(there.person.id) else "resign-nothing"
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
    if session.loaded_game.running:
        conduct.record_resignation(session.store, seat)
    seat_changes.change_holder(session, seat, None, seat_changes.RESIGNED)
    note = session.note("resigned", line=line, headline=True, power=seat.power, game=session.game.name)
    session.log("RESIGN", note)
    session.left = True
    if not session.loaded_game.running:
        notices.tell_gms(session, Note("desk.seat-resigned", (("power", seat.power),)), session.cause(line))


def _resign_chair(session: LetterSession, line: int) -> None:
    """Refused to the last game master."""
    others = [seat for seat in session.loaded_game.masters if seat.person not in (None, session.person.id)]
    if not others:
        session.note("resign-only-master", done=False, line=line)
        return
    seat_changes.assign_seat(session, session.seat, None)
    session.reload_game()
    note = session.note("resigned-chair", line=line, headline=True, game=session.game.name)
    session.log("RESIGN", note)
    notices.add_notice(session, Note("desk.master-left", (("name", session.person.name),)))
    session.left = True


def who(session: LetterSession, request: players.WhoRequest, line: int) -> None:
    if not request.words and session.game.id:
        session.insert("who")
        return
    place = _game_meant(session, request.words, line, own=True)
    if place is None:
        return
    there, _ = place
    if there.game.id == session.game.id:
        session.insert("who")
        return
    listed_already = "-listed" if not there.loaded_game.running and entry_of(there) is not None else ""
    taken = [seat.power for seat in there.loaded_game.taken_seats]
    free = [seat.power for seat in there.loaded_game.vacant_seats]
    session.note(
        f"who-{there.game.state.value}{listed_already}",
        line=line,
        headline=True,
        game=there.game.name,
        title=there.loaded_game.variant.title,
        taken=", ".join(taken) or "-",
        free=", ".join(free) or "-",
        listed=str(len(power_assignment.approved(there.store, there.loaded_game))),
    )


# ---- which game


def _game_meant(
    session: LetterSession, words: str, line: int, *, forming: bool = False, listed: bool = False, own: bool = False
) -> tuple[LetterSession, str] | None:
    """The game that is meant, and the words behind its name; None after a note says why there is none.

    It is the game the words begin with, else one that the letter names elsewhere; else, as the caller allows, the one
    whose list the writer is on (`listed`), the writer's only one (`own`), or the only one that is `forming`.
    """
    store, (first, _, rest) = session.store, words.strip().partition(" ")
    game = store.games.by_name(first.strip("?.,:;").lower()) if first else None
    if game is None:
        rest = words.strip()
        names = sender.named_games(session.services, session.letter)
        game = next((by_name for name in names if (by_name := store.games.by_name(name)) is not None), None)
        game = game or _guessed(session, forming=forming, listed=listed, own=own)
        if game is not None and rest and (own or (forming and _no_wish(session, game, rest))):
            game = None
    if game is None:
        if not (listed and _which_list(session, line)):
            _which(session, words.strip("?.,:; "), line)
        return None
    there = session_in_game(session, game)
    if game.state is GameState.ENDED:
        session.note("join-over", done=False, line=line, game=game.name)
        return None
    return there, rest


def _no_wish(session: LetterSession, game: Game, words: str) -> bool:
    """Whether the words behind JOIN name no power; then they are the name of an unknown game."""
    variant = localized(variant_of(session.services, game), session.language)
    return bool(read_preferences(words, variant).unknown)


def _guessed(session: LetterSession, *, forming: bool, listed: bool, own: bool) -> Game | None:
    store = session.store
    if (own or not forming) and session.game.id:
        return session.game
    entries = store.games.applications_of(session.person.id) if listed or own else ()
    if len(entries) == 1:
        return store.games.get(entries[0].game)
    games = open_games(session) if forming else ()
    return store.games.by_name(games[0]) if len(games) == 1 else None


def _which_list(session: LetterSession, line: int) -> bool:
    """Asks for which of the games that the writer wants to play in; False if there is none."""
    store = session.store
    games = [store.games.get(entry.game).name for entry in store.games.applications_of(session.person.id)]
    if games:
        session.note("prefer-which", done=False, line=line, games=", ".join(games), first=games[0])
    return bool(games)


def _which(session: LetterSession, name: str, line: int) -> None:
    """`name`: the words in which a game should be named."""
    games = open_games(session)
    if games:
        key = "join-unknown" if GAME_NAME.fullmatch(name.lower()) else "join-which"
        session.note(key, done=False, line=line, games=", ".join(games), first=games[0], name=name[:40])
    else:
        session.note("join-none" if name else "registered-no-games", done=False, line=line, name=name[:40])


def open_games(session: LetterSession) -> tuple[str, ...]:
    """Games that look for players."""
    forming = session.store.games.forming()
    open_to_all = (game.name for game in forming if stored_value(game, GameSettings.joining) != CLOSED)
    return tuple(open_to_all)[:GAMES_SHOWN]


# ---- before the start


def _enter(there: LetterSession, words: str, line: int, of_others: str) -> None:
    loaded_game, store, game = there.loaded_game, there.store, there.game
    known = entry_of(there)
    wish = _wish(there, words, line)
    if wish is None:
        return
    if there.loaded_game.plays(there.person.id):
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
    if _is_refused(there, line):
        return
    room = power_assignment.places_left(store, loaded_game)
    state = ApplicantState.ASKED if joining == APPROVAL or room <= 0 else ApplicantState.APPROVED
    store.games.save_applicant(Applicant(game.id, there.person.id, state, store.now(), wish))
    key = "join-asked" if joining == APPROVAL else "join-waiting" if room <= 0 else "joined"
    likes = example_of_wishes(loaded_game.variant)
    there.note(key, line=line, headline=True, game=game.name, title=loaded_game.variant.title, likes=likes)
    if key != "join-waiting":
        key_of_wish = "join-wish" if wish else "join-how"
        there.note(key_of_wish, line=line, headline=True, game=game.name, wish=wish, likes=likes)
    fields = (*_who(there), ("wish", wish or "-"), ("left", str(max(0, room - 1))), *_record(there).fields)
    note = Note(f"desk.entry-{state.value}", fields)
    _tell_gms(there, note, line, of_others)


def _tell_gms(there: LetterSession, note: Note, line: int, of_others: str) -> None:
    """Tells game masters of somebody who wants to play, with what they write of others who would as well."""
    notices.tell_gms(there, note, there.cause(line), of_others)
    if of_others:
        there.note("join-others", line=line, headline=True, words=of_others[:OTHERS_SHOWN])


def _is_refused(there: LetterSession, line: int) -> bool:
    """Whether the game asks for more reliability than the writer has; then a note says so."""
    least, mine = there.loaded_game.settings.reliability, _record(there)
    if mine.reliability >= least:
        return False
    fields = (*mine.fields, ("least", str(least)), ("game", there.game.name))
    there.notes.append(Note("desk.join-unreliable", fields, done=False, line=line))
    return True


def _record(there: LetterSession) -> PlayingRecord:
    return conduct.record_for_others(there.services, there.store, there.person.id)


def _wish(there: LetterSession, words: str, line: int) -> str | None:
    wish = read_preferences(words, localized(there.loaded_game.variant, there.language))
    if not wish.unknown:
        return wish.text
    powers = ", ".join(f"{power.name} ({power.letter})" for power in there.loaded_game.variant.powers)
    likes = example_of_wishes(there.loaded_game.variant)
    there.note("prefer-unknown", done=False, line=line, name=wish.unknown[:40], powers=powers, likes=likes)
    return None


# ---- an empty seat of a running game


def _ask_for_seat(there: LetterSession, words: str, line: int, of_others: str = "") -> None:
    """JOIN or TAKEOVER in a running game: an empty seat, by power or by preference."""
    loaded_game, game = there.loaded_game, there.game
    free = loaded_game.vacant_seats
    variant = localized(loaded_game.variant, there.language)
    power = power_named(variant, words) if words else ""
    wish = read_preferences(words, variant)
    names = ", ".join(seat.power for seat in free)
    if there.loaded_game.plays(there.person.id):
        there.note("join-seated", done=False, line=line, game=game.name)
    elif power is None and wish.unknown:
        powers = ", ".join(loaded_game.variant.seated)
        there.note("unknown-power", done=False, line=line, name=wish.unknown[:40], powers=powers)
    elif not free or (power and power not in {seat.power for seat in free}):
        key = "takeover-taken" if free else "takeover-none"
        there.note(key, done=False, line=line, power=power or "-", free=names, game=game.name)
    elif loaded_game.settings.joining == CLOSED:
        there.note("join-closed", done=False, line=line, game=game.name)
    elif _is_refused(there, line):
        return
    elif loaded_game.settings.joining == APPROVAL:
        _propose(there, power or "", wish.text, line, of_others)
    else:
        sit_down(there, power or "", wish.text)
        there.note("took-over", line=line, headline=True, game=game.name)
        notices.send_notices(there)


def _propose(there: LetterSession, power: str, wish: str, line: int, of_others: str) -> None:
    game, free = there.game, there.loaded_game.vacant_seats
    power = power or (free[0].power if len(free) == 1 else "")
    entry = Applicant(game.id, there.person.id, ApplicantState.ASKED, there.store.now(), wish, power)
    there.store.games.save_applicant(entry)
    there.note("takeover-asked", line=line, headline=True, game=game.name, power=power or wish or "-")
    fields = (*_who(there), ("power", power or wish or "-"), *_record(there).fields)
    _tell_gms(there, Note("desk.entry-takeover", fields), line, of_others)


def sit_down(there: LetterSession, power: str, wish: str) -> Seat | None:
    """Gives the writer the power, or the empty one they prefer most; None where there is none."""
    free = there.loaded_game.vacant_seats
    ranks = read_preferences(wish, there.loaded_game.variant)
    wanted = [seat for seat in free if not power or seat.power == power]
    if not wanted:
        return None
    return seat_changes.change_holder(there, min(wanted, key=lambda seat: ranks.rank(seat.power)), there.person)


def entry_of(there: LetterSession) -> Applicant | None:
    entries = there.store.games.applicants(there.game.id)
    return next((entry for entry in entries if entry.person == there.person.id), None)


def _who(session: LetterSession) -> tuple[tuple[str, str], ...]:
    return (("name", session.person.name), ("address", session.person.addresses[0]))


def _without_seat(handler: Handler) -> Handler:
    """For an observer, who has no seat that could be meant."""

    def perform(session: LetterSession, request: Request, line: int) -> None:
        seat = Seat(0, session.game.id, MASTER, session.person.id)
        handler(replace(session, seat=seat), request, line)

    return perform


HANDLERS: Handlers = {
    players.JoinRequest: join,
    players.PreferRequest: prefer,
    players.TakeoverRequest: takeover,
    players.ResignRequest: resign,
    (players.JoinRequest, "observer"): _without_seat(join),
    (players.PreferRequest, "observer"): _without_seat(prefer),
    (players.TakeoverRequest, "observer"): _without_seat(takeover),
    (players.ResignRequest, "observer"): _without_seat(resign),
    players.WhoRequest: who,
}
