"""The chronicle of a finished game, as a letter to everybody who played, ran or observed it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.game.identity.which_phase import CHRONICLE
from gm.game.model import mail_preferences
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import Game, OutLetter
from gm.game.model.services import Services
from gm.game.model.statement_records import StatementRound
from gm.game.views import maps
from gm.game.views.chronicle import sections
from gm.game.views.chronicle.chronicle import Chronicle, chronicle_of
from gm.game.views.turns.turn_events import TurnView
from gm.game.views.turns.turn_summary import ending_words
from gm.judge.model.position import Ending
from gm.language.rendering.views import ChronicleView, LetterView, ParagraphView, RowsView, RowView, SectionView


def send(services: Services, store: Store, loaded_game: LoadedGame, game: Game) -> None:
    """Queue the chronicle for everybody, and begin the time for statements.

    `game` has ended; `loaded_game` has its seats.
    """
    length = loaded_game.settings.statements
    if length:
        store.statements.save_round(StatementRound(game.id, game.snapshot, store.now() + length))
    chronicle = chronicle_of(Recipient.observing(services, store, game))
    for seat in (*loaded_game.manned, *loaded_game.watchers(results_only=True)):
        mail_preferences.send(store, seat, _render_chronicle(Recipient.of(services, store, game, seat), chronicle))


def _render_chronicle(reader: Recipient, chronicle: Chronicle) -> OutLetter:
    game, store = reader.game, reader.store
    scene = TurnView.of(reader, store.turns.snapshot(game.snapshot))
    ending = scene.after.ended or Ending((), "")
    subject = reader.subject(reader.choose("chronicle.subject", ending.why, winners=reader.every(ending.winners)))
    invited = _invitation(reader)
    button = reader.button(reader.say("statements.button"), subject, _form(reader), _ref(reader)) if invited else None
    frame = reader.frame(subject, reader.say("chronicle.title", game=game.name), ending_words(scene), button=button)
    frame = replace(frame, ref=_ref(reader))
    more = (
        *invited,
        *sections.turning_point_sections(reader, chronicle),
        *sections.secret_sections(reader, chronicle, full=False),
        *_afterwards(reader, chronicle),
    )
    view = ChronicleView(frame, sections.tables(reader, chronicle), more)
    chart = maps.centre_chart(reader) if chronicle.history.years else None
    cause = reader.cause(f"chronicle:{game.snapshot}")
    return reader.letter(CHRONICLE, view, cause, enclosed=maps.board_map(reader), chart=chart)


def _ref(reader: Recipient) -> str:
    return reader.ref(CHRONICLE)


def _form(reader: Recipient) -> str:
    return f"{reader.say('statements.body')}\n\n\n{reader.say('statements.body-end')}"


def _invitation(reader: Recipient) -> tuple[SectionView, ...]:
    """What players are asked to write, and until when."""
    statement_round = reader.store.statements.round(reader.game.id)
    here = statement_round is not None and statement_round.snapshot == reader.game.snapshot
    if reader.observes or statement_round is None or not here or statement_round.closed_at is not None:
        return ()
    words = [reader.say("statements.invite", when=reader.when(statement_round.ends_at))]
    if reader.settings.list:
        words.append(reader.say("statements.invite-site"))
    return (SectionView(reader.say("statements.invite-title"), (ParagraphView(" ".join(words)),)),)


def send_statements(services: Services, store: Store, loaded_game: LoadedGame) -> None:
    """Queue the statements, in one letter to everybody."""
    game = loaded_game.game
    chronicle = chronicle_of(Recipient.observing(services, store, game))
    for seat in (*loaded_game.manned, *loaded_game.watchers(results_only=True)):
        mail_preferences.send(store, seat, _render_statements(Recipient.of(services, store, game, seat), chronicle))


def _render_statements(reader: Recipient, chronicle: Chronicle) -> OutLetter:
    game = reader.game
    subject = reader.subject(reader.say("statements.subject"))
    frame = reader.frame(
        subject,
        reader.say("statements.heading", game=game.name),
        reader.say("statements.lead", n=len(chronicle.statements)),
    )
    view = LetterView(frame, sections.statement_sections(reader, chronicle))
    cause = reader.cause(f"statements:{game.snapshot}")
    references = reader.store.outbox.thread_ids(reader.seat.id)[-1:]
    return reader.letter("notice", view, cause, references=references)


def _afterwards(reader: Recipient, chronicle: Chronicle) -> tuple[SectionView, ...]:
    """Commands that still work after the game."""
    rows = tuple(
        RowView(reader.say(f"afterwards.{word}-word"), reader.say(f"afterwards.{word}")) for word in _words(chronicle)
    )
    return (SectionView(reader.say("afterwards.title"), (RowsView(rows),)),)


def _words(chronicle: Chronicle) -> Iterator[str]:
    yield from ("export", "history")
    if chronicle.notebooks:
        yield "diaries"
