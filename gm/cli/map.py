"""`gm map`: draws a position, from a line that `gm adjudicate` reads or prints, or from a phase of a game.

    in : {"position": {…}, "orders": {…}}     the position, with its orders and their outcomes
    out: {"results": […], "position": {…}}    the orders that led to the position, drawn where they were given
         {"variant": …, "units": {…}, …}      a position alone

Only public facts are drawn, whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from gm.cli.adjudicate import Adjudicator, find_variant, parse_line
from gm.errors import GmError
from gm.game.model.ports import Transaction
from gm.game.model.recipient import variant_options
from gm.game.phase.orders_picture import own_results
from gm.game.views import maps
from gm.game.views.chronicle.centre_history import CentreHistory
from gm.game.views.maps import SVG, MapDocuments, MapForm
from gm.judge.model.calendar import early_census, resolve_phase
from gm.judge.model.events import Event, OrderResult, visible
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.formats import stored_values
from gm.language.formats.json_position import position_from_json
from gm.language.formats.json_retrace import retraced
from gm.language.formats.json_values import ExchangeError
from gm.language.i18n.catalogue import FALLBACK, Catalogue
from gm.language.i18n.localized_variant import local_names
from gm.language.rendering.templates import LetterTemplates
from gm.maps.drawing.centre_chart import CentreChart, draw_centre_chart
from gm.maps.drawing.crops import crop_areas
from gm.maps.drawing.draw import draw_map
from gm.maps.drawing.geometry import Geometry, GeometryError, read_geometry
from gm.maps.drawing.palette import PaletteError, build_palette
from gm.maps.drawing.png import crops_to_png, svg_to_png
from gm.maps.drawing.scene import MapScene
from gm.maps.redrawing.redraw import draw_present_board
from gm.resources import folder
from gm.variant_files.library import Library


class MapDrawer:
    """Draws positions of the library's variants. Each board is read once. Raises GmError, one line."""

    def __init__(self, library: Library, *, colourblind: bool = False) -> None:
        self._library = library
        self._colourblind = colourblind
        self._letters = LetterTemplates(folder("templates"))
        self._boards: dict[str, tuple[Geometry, Mapping[str, Any]]] = {}

    def scene(
        self,
        variant: Variant,
        position: Position,
        events: Iterable[Event] = (),
        game: str = "",
        *,
        after: Position | None = None,
        history: Iterable[Sequence[Event]] = (),
        clear: bool = False,
        language: str = FALLBACK,
    ) -> MapScene:
        """Returns what is drawn. Of the events, only public ones are.

        Centres have the owners that they have `after` the events; a census that only waits for retreats counts as
        held. If borders have moved in that position, it shows that board instead of the orders.
        `history`: the events of the game's phases, as far as they are known. `clear`: colours for colour-blind readers.
        """
        titled = position
        if after is not None and after.board != position.board:
            position, events = after, ()
        owners = _owners(variant, after) if after is not None else None
        results = tuple(event for event in visible(events, None) if isinstance(event, OrderResult))
        try:
            geometry, pinned = self.board(variant)
            catalogue = self._letters.catalogue(language, variant)
            geometry, notes = draw_present_board(geometry, variant, position, history, catalogue)
            colours = build_palette(variant, pinned, colourblind=clear or self._colourblind)
            title, subtitle = captions(catalogue, variant, titled, game)
            names = local_names(variant, catalogue.language)

            def word(key: str) -> str:
                return names.get(key) or (catalogue.say(f"chart.{key}") if f"chart.{key}" in catalogue else key)

            return MapScene(geometry, variant, position, colours, results, title, subtitle, word, notes, owners)
        except (GeometryError, PaletteError) as error:
            raise GmError(f"{variant.title}: {error}") from None

    def draw(self, scene: MapScene) -> str:
        """Returns the SVG."""
        try:
            return draw_map(scene)
        except GeometryError as error:
            raise GmError(f"{scene.variant.title}: {error}") from None

    def shades(self, variant: Variant) -> Mapping[str, tuple[str, str]]:
        """Returns the colours of tokens and land of every nation."""
        inks = build_palette(variant, self.board(variant)[1], colourblind=self._colourblind).inks
        return {name: (ink.key, ink.tint) for name, ink in inks.items()}

    def draw_file(self, documents: MapDocuments) -> bytes:
        """Returns a picture as its form says: SVG or PNG; the parts round a power's units, or nothing without any."""
        if documents.power:
            scene = self.scene_of(documents)
            areas = crop_areas(scene, documents.power)
            return crops_to_png(self.draw(replace(scene, title="")), areas) if areas else b""
        svg = self.render(documents)
        return svg.encode("utf-8") if documents.form.file == SVG else svg_to_png(svg)

    def render(self, documents: MapDocuments) -> str:
        """Returns the SVG."""
        if documents.history is not None:
            return self._chart(documents, documents.history)
        return self.draw(self.scene_of(documents))

    def scene_of(self, documents: MapDocuments) -> MapScene:
        """Returns what a picture shows."""
        variant = self._library.variant(documents.variant, dict(documents.options))
        texts = filter(None, (*documents.past, documents.events))
        history = [events for text in texts for _, events in stored_values.events_from_text(text)]
        legs = stored_values.events_from_text(documents.events) if documents.events else ()
        form = documents.form
        position = stored_values.position_from_text(documents.position, variant)
        own = own_results(variant, position, documents.power, documents.orders)
        return self.scene(
            variant,
            position,
            legs[0][1] if legs else tuple(own),
            documents.game,
            after=stored_values.position_from_text(documents.after, variant) if documents.after else None,
            history=history,
            clear=form.clear,
            language=form.language,
        )

    def _chart(self, documents: MapDocuments, history: CentreHistory) -> str:
        """Returns the chart of centres, in the colours of the variant's maps."""
        variant = self._library.variant(documents.variant, dict(documents.options))
        catalogue = self._letters.catalogue(documents.form.language, variant)
        inks = build_palette(variant, self.board(variant)[1], colourblind=documents.form.clear or self._colourblind)
        return draw_centre_chart(
            CentreChart(
                title=" \u00b7 ".join(filter(None, (catalogue.say("summary.title"), documents.game))),
                years=(catalogue.say("chronicle.start"), *map(str, history.years)),
                rows=history.rows,
                names={power: catalogue.called(power) for power in history.counts},
                colours={power: inks.ink(power).key for power in history.counts},
                goal=(variant.victory, catalogue.say("chronicle.goal", n=variant.victory)),
            )
        )

    def board(self, variant: Variant) -> tuple[Geometry, Mapping[str, Any]]:
        """Returns the drawn board of a variant and its pinned colours."""
        if variant.id not in self._boards:
            geometry, pinned = self._library.drawing(variant.id)
            self._boards[variant.id] = read_geometry(geometry), pinned
        return self._boards[variant.id]

    def line(self, text: str) -> str:
        """Draws one line of JSON."""
        try:
            return self._draw_document(parse_line(text))
        except ExchangeError as error:
            raise GmError(str(error)) from None

    def _draw_document(self, line: Mapping[str, Any]) -> str:
        document = line if "units" in line else line.get("position")
        if not isinstance(document, dict):
            raise ExchangeError("there is no position: give a line that gm adjudicate reads or prints")
        variant = find_variant(document, self._library)
        after = position_from_json(variant, document)
        if isinstance(line.get("results"), list):
            before, results = retraced(variant, after, line["results"])
            return self.draw(self.scene(variant, before, results))
        orders = line.get("orders")
        if not orders:
            return self.draw(self.scene(variant, after))
        legs = resolve_phase(variant, after, Adjudicator(self._library).read_submissions(variant, after, orders))
        if not legs:
            return self.draw(self.scene(variant, after))
        events = [leg.turn.events for leg in legs]
        return self.draw(self.scene(variant, after, events[0], after=legs[-1].turn.position, history=events))

    def game(self, transaction: Transaction, name: str, phase: str = "") -> str:
        """Draws a phase with its orders; the present position if no phase is named."""
        with transaction() as store:
            game = store.games.by_name(name)
            if game is None:
                names = ", ".join(other.name for other in store.games.running())
                raise GmError(f"no game {name!r}; " + (f"running are {names}" if names else "no game is running"))
            snapshot = maps.find_snapshot(store, game, phase.upper())
            if not game.snapshot:
                variant = self._library.variant(game.variant, variant_options(self._library.variant, game))
                return self.draw(self.scene(variant, variant.start, game=game.name))
            if snapshot is None:
                snapshots = maps.snapshots_back(store, game)
                known = ", ".join(filter(None, [*(other.resolved for other in reversed(snapshots)), game.phase]))
                raise GmError(f"{game.name} has no phase {phase}; there are {known}")
            form = MapForm(turn=snapshot.resolved == phase.upper() != "")
            documents = maps.map_documents(self._library.variant, store, game, snapshot, form)
        return self.render(documents)


def _owners(variant: Variant, after: Position) -> Mapping[str, str]:
    early = early_census(variant, after)
    return (after if early is None else early.position).centres


def captions(catalogue: Catalogue, variant: Variant, position: Position, game: str) -> tuple[str, str]:
    """Returns a picture's title and subtitle: "Fall 1901" and "Movement · Standard · ostend"."""
    step = variant.step(position)
    title = catalogue.say("phase.short", season=catalogue.say(f"season.{step.season}"), year=position.year)
    phase = catalogue.choose("chart.phase", step.letter)
    return title, " \u00b7 ".join(filter(None, (phase, variant.title, game)))


def save_picture(svg: str, path: Path, width: int) -> None:
    """Writes an SVG or PNG, as the file's suffix says. A name without one of them may be a file of another kind."""
    if path.suffix.lower() not in (f".{SVG}", ".png"):
        raise GmError(f"{path}: a map is a PNG or an SVG: name a file like map.png or map.svg")
    try:
        path.write_bytes(svg.encode("utf-8") if path.suffix.lower() == f".{SVG}" else svg_to_png(svg, width))
    except OSError as error:
        raise GmError(f"{path}: cannot be written ({error.strerror})") from None
