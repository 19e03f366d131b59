"""A game's public web page: positions, orders with outcomes, and centres, by power.

It is made for an observer (`Recipient.observing`), so events are filtered as for letters. It never names players and
never shows press, not even press to all: players wrote to the game, not to the public.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import EVERYBODY, GameState, Snapshot
from gm.game.views import maps
from gm.game.views.chronicle.pages import public_chronicle_page
from gm.game.views.maps import BOARD, MapDocuments, MapForm
from gm.game.views.public.event_words import due_words, standings
from gm.game.views.public.public_past import PublicPast
from gm.game.views.turns.centres import centres_view
from gm.game.views.turns.turn_events import TurnView, leg_view
from gm.game.views.turns.turn_summary import ending_words
from gm.language.rendering.site_pages import ChroniclePage, GamePage, PhasePage
from gm.language.rendering.views import LegView

START = "start"
NOW = "now"
FINAL = "final"


class WantedPicture(Struct, frozen=True):
    """A map of the page; `asked` is its data, for drawing it if no letter had the same map."""

    name: str
    snapshot: int
    asked: MapDocuments

    def kept(self, store: Store) -> bytes:
        """The same map as drawn for a letter; empty if there is none."""
        return store.pictures.content(self.snapshot, EVERYBODY, str(self.asked.form))


class PublicGame(Struct, frozen=True):
    """A game's page and its pictures, oldest first; the chronicle of a finished game, and the chart that it shows."""

    page: GamePage
    wanted: tuple[WantedPicture, ...]
    chronicle: ChroniclePage | None = None
    charts: tuple[WantedPicture, ...] = ()


def public_game(reader: Recipient, past: PublicPast) -> PublicGame | None:
    """Return None for a game that has no position yet."""
    game, scenes, history = reader.game, past.turns, past.centres
    if history is None:
        return None
    newest = scenes[-1].snapshot
    shown = [(scene, MapForm(turn=True)) for scene in scenes if scene.snapshot.resolved and scene.snapshot.previous]
    if len(scenes) > 1:
        shown.insert(0, (scenes[0], MapForm(turn=False)))
    shown.append((scenes[-1], MapForm(turn=False)))
    over = game.state is GameState.ENDED
    last = len(shown) - 1
    plates = [
        _phase_page(scene, form, START if at == 0 < last else FINAL if over else NOW)
        for at, (scene, form) in enumerate(shown)
    ]
    after = scenes[-1].after
    page = GamePage(
        name=game.name,
        variant=reader.variant.title,
        status=_status(scenes[-1]),
        over=over,
        season=reader.season(game.phase or newest.resolved),
        standings=standings(reader, after),
        plates=tuple(plates),
        years=("", *map(str, history.years)),
        counts=history.counts,
        language=reader.catalogue.language,
    )
    names = [plate.picture for plate in plates]
    wanted = (
        _wanted_picture(reader, scene.snapshot, form, name) for (scene, form), name in zip(shown, names, strict=True)
    )
    if after.ended is None:
        return PublicGame(page, tuple(wanted))
    chart = _wanted_picture(reader, newest, MapForm(turn=False, chart=True), f"chart-{_stamp(newest)}.png")
    return PublicGame(page, tuple(wanted), public_chronicle_page(reader), (chart,) if history.years else ())


def _wanted_picture(reader: Recipient, snapshot: Snapshot, form: MapForm, name: str) -> WantedPicture:
    return WantedPicture(
        name, snapshot.id, maps.map_documents(reader.services.variant, reader.store, reader.game, snapshot, form)
    )


def _status(scene: TurnView) -> str:
    reader, game = scene.reader, scene.reader.game
    if scene.after.ended is not None:
        return ending_words(scene)
    if game.state is GameState.ENDED:
        return reader.say("site.closed")
    return due_words(reader)


def _phase_page(scene: TurnView, form: MapForm, board: str) -> PhasePage:
    """The section of one phase. Its picture is named by phase and time, since a snapshot never changes."""
    reader, snapshot = scene.reader, scene.snapshot
    phase = snapshot.resolved if form.turn else snapshot.phase
    name = "-".join(filter(None, (phase or board, "" if form.turn else BOARD, _stamp(snapshot)))) + f".{form.file}"
    if form.turn:
        title, kind = reader.season(phase), reader.choose("site.kind", phase[-1:])
    else:
        title = reader.season(phase) or reader.say("site.final")
        kind = reader.say(f"site.board-{board}")
    words = reader.phase_words("phase.said", phase) if phase else reader.game.name
    return PhasePage(
        id=phase if form.turn else board,
        year=phase[1:-1] if form.turn else reader.say(f"site.tick-{board}"),
        tick=f"{phase[:1]}{reader.choose('site.tick', phase[-1:])}" if form.turn else "",
        title=title,
        kind=kind,
        alt=reader.say("map.alt-turn" if form.turn else "map.alt-board", phase=words),
        picture=name,
        legs=_legs(scene) if form.turn else (),
        centres=centres_view(scene) if form.turn else None,
    )


def _legs(scene: TurnView) -> tuple[LegView, ...]:
    """The results, titled by phase alone: the page already names the game."""
    title = scene.reader.phase_words
    views = ((leg.phase, leg_view(scene, leg)) for leg in scene.legs)
    return tuple(replace(view, title=title("phase.long", phase)) for phase, view in views if view is not None)


def _stamp(snapshot: Snapshot) -> str:
    """Differs for each snapshot."""
    return f"{int(snapshot.at.timestamp() * 1000):x}"
