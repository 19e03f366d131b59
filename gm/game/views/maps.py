"""Maps attached to letters: their forms, the requests for them, and the data they are drawn from.

Maps show only public facts, so all letters share one picture of a snapshot. The form "turn.png" shows the orders that
led to the snapshot, on the position before; "board-colourblind.svg" shows the position after.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.letter_report import LetterReport
from gm.game.model.mail_preferences import mail_choices_of
from gm.game.model.map_attachment import ORDERS, PNG, AttachedMap
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient, variant_options
from gm.game.model.records import EVERYBODY, Game, Picture, Snapshot
from gm.game.phase.orders_picture import lines_of_picture, order_lines, orders_form, own_results
from gm.game.views.chronicle.centre_history import CentreHistory, centre_history
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.commands.requests import MapRequest
from gm.language.i18n.catalogue import FALLBACK
from gm.language.rendering.views import MapView

TURN = "turn"
BOARD = "board"
CHART = "chart"
SVG = "svg"
COLOUR_BLIND = "-colourblind"

ORDERS_WAIT = timedelta(seconds=5)
"""An answer leaves without the picture of its orders if that is not drawn by then: the words never wait for long."""

Variants = Callable[[str, Mapping[str, str]], Variant]


class MapForm(Struct, frozen=True):
    """A form of a picture, written as "turn.png", "board-colourblind.de.svg" or "chart.png".

    `turn`: a map with the orders that led to the snapshot. `clear`: in colours for colour-blind readers. `chart`: no
    map, but the chart of centres up to the snapshot.
    """

    turn: bool = True
    file: str = PNG
    clear: bool = False
    language: str = FALLBACK
    chart: bool = False

    @property
    def kind(self) -> str:
        return CHART if self.chart else TURN if self.turn else BOARD

    def __str__(self) -> str:
        language = "" if self.language == FALLBACK else f".{self.language}"
        return f"{self.kind}{COLOUR_BLIND if self.clear else ''}{language}.{self.file}"

    @classmethod
    def read(cls, text: str) -> MapForm:
        shown, *language, file = text.split(".")
        kind, clear = shown.removesuffix(COLOUR_BLIND), shown.endswith(COLOUR_BLIND)
        return cls(kind == TURN, file, clear, "".join(language[:1]) or FALLBACK, kind == CHART)


class MapDocuments(Struct, frozen=True):
    """The data of a picture, in the formats of `gm.language.formats.stored_values`; another process draws it.

    `position` is the position before `events`, `after` the one after them ("": draw only `position`). `past` has all
    earlier events, for boards whose borders move. `history`: what a chart shows. `power`: only the parts round this
    power's units are shown; with `orders`, lines of its sheet, these are drawn.
    """

    variant: str
    options: tuple[tuple[str, str], ...]
    game: str
    form: MapForm
    position: str
    events: str = ""
    after: str = ""
    past: tuple[str, ...] = ()
    power: str = ""
    orders: tuple[str, ...] = ()
    history: CentreHistory | None = None


def results_map(reader: Recipient, snapshot: Snapshot) -> AttachedMap | None:
    """The map of a resolved phase, with the orders of its first step."""
    return _attach_map(reader, snapshot, MapForm(turn=_has_orders(snapshot)))


def board_map(reader: Recipient) -> AttachedMap | None:
    """The map of the current position; None before the first."""
    if not reader.game.snapshot:
        return None
    return _attach_map(reader, reader.store.turns.snapshot(reader.game.snapshot), MapForm(turn=False))


def centre_chart(reader: Recipient) -> AttachedMap | None:
    """The chart of centres up to now. Order it before a map of the same letter: pictures are drawn in that order."""
    return _attach_map(reader, reader.store.turns.snapshot(reader.game.snapshot), MapForm(turn=False, chart=True))


def requested_map(reader: Recipient, request: MapRequest) -> AttachedMap | None:
    """The map that MAP asks for; None for an unknown phase."""
    snapshot = find_snapshot(reader.store, reader.game, request.phase)
    if snapshot is None:
        return None
    return _attach_map(
        reader, snapshot, MapForm(snapshot.resolved == request.phase != "", request.file or PNG, request.clear)
    )


def answer_map(reader: Recipient, report: LetterReport, position: Position | None) -> AttachedMap | None:
    """The map that a letter asked for, else a picture of the orders that it changed."""
    return requested_map(reader, report.map) if report.map else own_orders_map(reader, report, position)


def own_orders_map(reader: Recipient, report: LetterReport, position: Position | None) -> AttachedMap | None:
    """The picture of the reader's own sheet, if the letter changed it; None where it shows nothing or is unwanted."""
    own = next((sheet.after for sheet in report.sheets if sheet.changed and reader.is_mine(sheet.power)), None)
    if own is None or own.author != own.power or position is None:
        return None
    if not reader.services.map_wait or not reader.settings.order_maps or not reader.power:
        return None
    if not mail_choices_of(reader.store, reader.seat).order_maps:
        return None
    texts = order_lines(own)
    if not any(own_results(reader.variant, position, reader.power, texts)):
        return None
    number = reader.store.pictures.request(reader.game.snapshot, reader.power, orders_form(texts), reader.now)
    name = f"{reader.game.name}-{reader.game.phase}-{ORDERS.rstrip('-')}.png"
    alt = reader.say("map.alt-orders", phase=reader.phase_words("phase.said", reader.game.phase))
    return AttachedMap(number, reader.now + ORDERS_WAIT, MapView(name, alt, own=True))


def find_snapshot(store: Store, game: Game, phase: str) -> Snapshot | None:
    """The snapshot that the orders of `phase` led to; the current one for "" or the open phase."""
    line = snapshots_back(store, game)
    if phase in ("", game.phase):
        return line[0] if line else None
    return next((snapshot for snapshot in line if snapshot.resolved == phase and _has_orders(snapshot)), None)


def _has_orders(snapshot: Snapshot) -> bool:
    return bool(snapshot.previous and snapshot.resolved)


def _attach_map(reader: Recipient, snapshot: Snapshot, form: MapForm) -> AttachedMap | None:
    """Return None if maps are off."""
    wait: timedelta = reader.services.map_wait
    if not wait:
        return None
    form = replace(form, language=reader.catalogue.language)
    number = reader.store.pictures.request(snapshot.id, EVERYBODY, str(form), reader.now)
    cropped = bool(reader.power) and form.file == PNG and not form.chart
    if cropped:
        number = reader.store.pictures.request(snapshot.id, reader.power or "", str(form), reader.now)
    phase = snapshot.resolved if form.turn else snapshot.phase
    name = "-".join(filter(None, (reader.game.name, phase, "" if form.turn else form.kind))) + f".{form.file}"
    words = reader.phase_words("phase.said", phase) if phase else reader.game.name
    alt = reader.say(f"map.alt-{form.kind}", phase=words)
    shown = MapView(name, alt, inline=form.file == PNG, crop="crop" if cropped else "")
    return AttachedMap(number, reader.now + wait, shown)


# ---- data for the map worker


def snapshots_back(store: Store, game: Game) -> tuple[Snapshot, ...]:
    """The snapshots that led to the current position, newest first, without corrected or undone ones."""
    return snapshots_back_from(store, game.snapshot)


def snapshots_back_from(store: Store, at: int) -> tuple[Snapshot, ...]:
    snapshots: list[Snapshot] = []
    while at:
        snapshots.append(store.turns.snapshot(at))
        at = snapshots[-1].previous
    return tuple(snapshots)


def documents_for_picture(variants: Variants, store: Store, picture: Picture) -> MapDocuments:
    """Raise KeyError if the snapshot or the variant does not exist."""
    snapshot = store.turns.snapshot(picture.snapshot)
    game = store.games.get(snapshot.game)
    if not picture.form.startswith(ORDERS):
        documents = map_documents(variants, store, game, snapshot, MapForm.read(picture.form))
        return replace(documents, power=picture.audience)
    documents = map_documents(variants, store, game, snapshot, MapForm(turn=False))
    return replace(documents, power=picture.audience, orders=lines_of_picture(store, game.id, picture))


def map_documents(variants: Variants, store: Store, game: Game, snapshot: Snapshot, form: MapForm) -> MapDocuments:
    chosen = variant_options(variants, game)
    variant = variants(game.variant, chosen)
    shown = store.turns.snapshot(snapshot.previous) if form.turn else snapshot
    past: tuple[str, ...] = ()
    if isinstance(variant.start.board, PlanarBoard):
        past = tuple(earlier.events for earlier in reversed(snapshots_back_from(store, shown.id)))
    return MapDocuments(
        variant=game.variant,
        options=tuple(chosen.items()),
        game=game.name,
        form=form,
        position=shown.position,
        events=snapshot.events if form.turn else "",
        after=snapshot.position if form.turn else "",
        past=past,
        history=centre_history(variant, reversed(snapshots_back_from(store, snapshot.id))) if form.chart else None,
    )
