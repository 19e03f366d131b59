"""End-of-game statements: what players write about a finished game, sent to everybody together.

The chronicle asks for them. A round lasts as the setting `statements` says, or until every player has written. A game
that was reopened has a new round at its next end.
"""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from gm.game.letters import chronicle
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.ports import Store, Transaction
from gm.game.model.records import Game, GameState
from gm.game.model.services import Services
from gm.game.model.setting_types import Anonymity
from gm.game.model.statement_records import EndStatement, StatementRound
from gm.game.press.anonymize import remove_names
from gm.game.session.session import Handlers, LetterSession
from gm.language.commands.observers import StatementRequest

STATEMENT_MOST = 20_000
"""Most characters in a statement."""


def statement(session: LetterSession, request: StatementRequest, line: int) -> None:
    store, game = session.store, session.game
    if request.withdraw:
        _withdraw(session, line)
    elif not request.text:
        mine = [made for made in store.statements.of(game.id) if made.seat == session.seat.id]
        if mine:
            session.insert("statement")
        else:
            session.note("statement-none", done=False, line=line)
    elif refusal := refusal_of(session):
        session.note(refusal, done=False, line=line)
    else:
        _keep(session, request.text, line)


def refusal_of(session: LetterSession) -> str:
    """The key of the sentence that says why no statement is taken now; "" if it is."""
    if session.game.state is not GameState.ENDED:
        return "statement-running"
    statement_round = _round(session.store, session.game)
    if statement_round is None:
        return "statement-off"
    over = statement_round.closed_at is not None or session.row.received_at >= statement_round.ends_at
    return "statement-late" if over else ""


def _round(store: Store, game: Game) -> StatementRound | None:
    """The round of the game's present end."""
    statement_round = store.statements.round(game.id)
    return statement_round if statement_round is not None and statement_round.snapshot == game.snapshot else None


def _keep(session: LetterSession, words: str, line: int) -> None:
    store, game, seat, person = session.store, session.game, session.seat, session.person
    if len(words) > STATEMENT_MOST:
        session.note("statement-long", done=False, line=line, most=str(STATEMENT_MOST))
        return
    if session.loaded_game.settings.anonymous is Anonymity.ALWAYS:
        words, _ = remove_names(words, person, session.letter.sender_name)
    store.statements.add(EndStatement(0, game.id, seat.id, person.id, seat.power, store.now(), words))
    statement_round = _round(store, game)
    written = {made.seat for made in store.statements.of(game.id)}
    missing = [other for other in session.loaded_game.taken_seats if other.id not in written]
    if missing or statement_round is None:
        ends_at = statement_round.ends_at if statement_round is not None else None
        session.note("statement-kept", line=line, headline=True, when=session.when(ends_at))
        return
    session.note("statement-sent", line=line, headline=True)
    _close(session.services, store, session.loaded_game, statement_round)


def _withdraw(session: LetterSession, line: int) -> None:
    store, seat, person = session.store, session.seat, session.person
    if refusal := refusal_of(session):
        session.note(refusal, done=False, line=line)
        return
    store.statements.add(EndStatement(0, session.game.id, seat.id, person.id, seat.power, store.now(), ""))
    session.note("statement-withdrawn", line=line, headline=True)


# ---- the end of a round


def due_games(tx: Transaction) -> tuple[int, ...]:
    """Games whose round is over."""
    with tx() as store:
        return store.statements.due(store.now())


def send_due(services: Services, tx: Transaction, game: int, polled_until: datetime | None) -> int:
    """Sends the statements of a game whose round is over, once earlier letters are read. No phase is resolved: 0."""
    with tx() as store:
        locked = store.games.lock(game)
        statement_round = store.statements.round(game)
        if statement_round is not None and _is_read(store, statement_round, polled_until):
            _close(services, store, load_game(services, store, locked), statement_round)
    return 0


def _is_read(store: Store, statement_round: StatementRound, polled_until: datetime | None) -> bool:
    ends_at = statement_round.ends_at
    is_due = statement_round.closed_at is None and store.now() >= ends_at
    return is_due and (polled_until is None or polled_until >= ends_at) and not store.inbox.count_unread(ends_at)


def _close(services: Services, store: Store, loaded_game: LoadedGame, statement_round: StatementRound) -> None:
    store.statements.save_round(replace(statement_round, closed_at=store.now()))
    if statement_round.snapshot == loaded_game.game.snapshot and store.statements.of(loaded_game.game.id):
        chronicle.send_statements(services, store, loaded_game)


HANDLERS: Handlers = {StatementRequest: statement}
