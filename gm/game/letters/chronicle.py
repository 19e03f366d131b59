"""The chronicle of a finished game, as a letter to everybody who played, ran or observed it."""

from __future__ import annotations

from collections.abc import Iterator

from gm.game.model import mail_preferences
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import Game, OutLetter, Seat
from gm.game.model.services import Services
from gm.game.views import maps
from gm.game.views.chronicle import sections
from gm.game.views.chronicle.chronicle import Chronicle, chronicle_of
from gm.game.views.turn_events import TurnView
from gm.game.views.turn_summary import ending_words
from gm.judge.model.position import Ending
from gm.language.rendering.views import ChronicleView, RowsView, RowView, SectionView

KIND = "chronicle"


def send(services: Services, store: Store, loaded_game: LoadedGame, game: Game) -> None:
    """Queue the chronicle for everybody. `game` has ended; `loaded_game` has its seats."""
    for seat in (*loaded_game.manned, *loaded_game.watchers(results_only=True)):
        mail_preferences.send(store, seat, render_chronicle(services, store, game, seat))


def render_chronicle(services: Services, store: Store, game: Game, seat: Seat) -> OutLetter:
    reader = Recipient.of(services, store, game, seat)
    chronicle = chronicle_of(reader)
    scene = TurnView.of(reader, store.turns.snapshot(game.snapshot))
    ending = scene.after.ended or Ending((), "")
    subject = reader.subject(reader.choose("chronicle.subject", ending.why, winners=reader.every(ending.winners)))
    frame = reader.frame(subject, reader.say("chronicle.title", game=game.name), ending_words(scene))
    more = (
        *sections.turning_point_sections(reader, chronicle),
        *sections.secret_sections(reader, chronicle, full=False),
        *_afterwards(reader, chronicle),
    )
    view = ChronicleView(frame, sections.tables(reader, chronicle), more)
    chart = maps.centre_chart(reader) if chronicle.history.years else None
    cause = reader.cause(f"chronicle:{game.snapshot}")
    return reader.letter(KIND, view, cause, enclosed=maps.board_map(reader), chart=chart)


def _afterwards(reader: Recipient, chronicle: Chronicle) -> tuple[SectionView, ...]:
    """Commands that still work after the game."""
    rows = tuple(
        RowView(reader.say(f"afterwards.{word}-word"), reader.say(f"afterwards.{word}"))
        for word in _words(reader, chronicle)
    )
    return (SectionView(reader.say("afterwards.title"), (RowsView(rows),)),)


def _words(reader: Recipient, chronicle: Chronicle) -> Iterator[str]:
    yield from ("export", "history")
    if chronicle.notebooks:
        yield "diaries"
