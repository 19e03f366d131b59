"""`gm map`: a picture of a position, of what `gm adjudicate` reads or prints, or of a game's phase.

    in : {"position": {…}, "orders": {…}}     the position, with its orders as they would end
    out: {"results": […], "position": {…}}    the orders that led to the position, drawn where they were given
         {"variant": …, "units": {…}, …}      a position alone

Only public facts are drawn, whoever asks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gm.cli.adjudicate import Adjudicator
from gm.errors import GmError
from gm.game.model.ports import Transaction
from gm.game.model.recipient import options
from gm.game.views import maps as pictures
from gm.game.views.maps import SVG, MapDocuments
from gm.judge.model.calendar import walk
from gm.judge.model.events import Event, OrderResult, visible
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.formats import stored_values as codec
from gm.language.formats.json_position import ExchangeError, clipped, position_from_json
from gm.language.formats.json_retrace import retraced
from gm.language.i18n.catalogue import FALLBACK, Catalogue
from gm.language.i18n.localized_variant import shown
from gm.language.rendering.templates import LetterTemplates
from gm.maps import apply_border_events as quakes
from gm.maps.drawing.draw import draw_map
from gm.maps.drawing.geometry import Geometry, GeometryError, read_geometry
from gm.maps.drawing.moved_borders import DrawnChange
from gm.maps.drawing.palette import PaletteError, build_palette
from gm.maps.drawing.png import svg_to_png
from gm.maps.drawing.scene import MapScene
from gm.resources import folder
from gm.variant_files.library import Library

WORDS = (
    "minors", "minor-unit", "centre", "move", "failed", "convoyed", "retreat", "support", "cut", "support-hold",
    "bounce", "dislodged", "hold", "convoy", "build",
)  # fmt: skip


class MapDrawer:
    """Draws positions of the library's variants. Each board is read once. Raises GmError, one line."""

    def __init__(self, library: Library, *, colourblind: bool = False) -> None:
        self._library = library
        self._colourblind = colourblind
        self._letters = LetterTemplates(folder("templates"))
        self._boards: dict[str, tuple[Geometry, Mapping[str, Any]]] = {}

    def draw(
        self,
        variant: Variant,
        position: Position,
        events: Iterable[Event] = (),
        game: str = "",
        *,
        titled: Position | None = None,
        changes: tuple[DrawnChange, ...] = (),
        clear: bool = False,
        language: str = FALLBACK,
    ) -> str:
        """As SVG. Of the events only those that everybody may know are drawn.

        `titled`: whose phase the title names, where that is not the position's. `changes` have moved the borders since
        the start. `clear`: in colours for colour-blind eyes.
        """
        results = tuple(event for event in visible(events, None) if isinstance(event, OrderResult))
        try:
            geometry, pinned = self._board(variant)
            catalogue = self._letters.catalogue(language, variant)
            geometry, notes = quakes.follow_changes(geometry, variant.start.board, position.board, changes, catalogue)
            colours = build_palette(variant, pinned, colourblind=clear or self._colourblind)
            title, subtitle = captions(catalogue, variant, titled or position, game)
            words = {key: catalogue.say(f"chart.{key}") for key in WORDS} | shown(variant, catalogue.language)
            return draw_map(MapScene(geometry, variant, position, colours, results, title, subtitle, words, notes))
        except (GeometryError, PaletteError) as error:
            raise GmError(f"{variant.title}: {error}") from None

    def shades(self, variant: Variant) -> Mapping[str, tuple[str, str]]:
        """Of every nation the colours of its tokens and of its land."""
        inks = build_palette(variant, self._board(variant)[1], colourblind=self._colourblind).inks
        return {name: (ink.key, ink.tint) for name, ink in inks.items()}

    def draw_file(self, asked: MapDocuments) -> bytes:
        """The file of a picture."""
        svg = self.render(asked)
        return svg.encode("utf-8") if asked.form.file == SVG else svg_to_png(svg)

    def render(self, asked: MapDocuments) -> str:
        """As SVG. Where the phase moved borders, the board as it became says more than the orders."""
        variant = self._library.variant(asked.variant, dict(asked.options))
        before = board = codec.position_from_text(asked.position, variant)
        legs = codec.events_from_text(asked.events) if asked.events else ()
        events: tuple[Event, ...] = legs[0][1] if legs else ()
        past = asked.past
        if asked.after:
            after = codec.position_from_text(asked.after, variant)
            if after.board != before.board:
                board, events, past = after, (), (*past, asked.events)
        changes = quakes.drawn_changes(codec.events_from_text(one) for one in past)
        clear, language = asked.form.clear, asked.form.language
        return self.draw(
            variant, board, events, asked.game, titled=before, changes=changes, clear=clear, language=language
        )

    def _board(self, variant: Variant) -> tuple[Geometry, Mapping[str, Any]]:
        if variant.id not in self._boards:
            geometry, pinned = self._library.drawn(variant.id)
            self._boards[variant.id] = read_geometry(geometry), pinned
        return self._boards[variant.id]

    def line(self, text: str) -> str:
        """The picture of one line of JSON."""
        try:
            return self._told(_parsed(text))
        except ExchangeError as error:
            raise GmError(str(error)) from None

    def _told(self, told: Mapping[str, Any]) -> str:
        document = told if "units" in told else told.get("position")
        if not isinstance(document, dict):
            raise ExchangeError("there is no position: give a line that gm adjudicate reads or prints")
        variant = self._variant(document)
        after = position_from_json(variant, document)
        if isinstance(told.get("results"), list):
            before, results = retraced(variant, after, told["results"])
            return self.draw(variant, before, results)
        orders = told.get("orders")
        if not orders:
            return self.draw(variant, after)
        legs = walk(variant, after, Adjudicator(self._library).book(variant, after, orders))
        return self.draw(variant, after, legs[0].turn.events if legs else ())

    def _variant(self, document: Mapping[str, Any]) -> Variant:
        name, options = str(document.get("variant")), document.get("options") or {}
        known = next((one for one in self._library.ids() if one.casefold() == name.casefold()), None)
        if known is None or not isinstance(options, dict):
            raise ExchangeError(f"no variant {clipped(name)}; there are {', '.join(self._library.ids())}")
        return self._library.variant(known, {str(key): str(value) for key, value in options.items()})

    def game(self, transaction: Transaction, name: str, phase: str = "") -> str:
        """A phase that was played with its orders; the present position without any where no phase is named."""
        with transaction() as store:
            game = store.games.named(name)
            if game is None:
                names = ", ".join(one.name for one in store.games.running())
                raise GmError(f"no game {name!r}; " + (f"running are {names}" if names else "no game is running"))
            snapshot = pictures.found(store, game, phase.upper())
            if not game.snapshot:
                variant = self._library.variant(game.variant, options(self._library.variant, game))
                return self.draw(variant, variant.start, game=game.name)
            if snapshot is None:
                line = pictures.line_of(store, game)
                known = ", ".join(filter(None, [*(one.resolved for one in reversed(line)), game.phase]))
                raise GmError(f"{game.name} has no phase {phase}; there are {known}")
            form = pictures.MapForm(turn=snapshot.resolved == phase.upper() != "")
            asked = pictures.commissioned(self._library.variant, store, game, snapshot, form)
        return self.render(asked)


def captions(catalogue: Catalogue, variant: Variant, position: Position, game: str) -> tuple[str, str]:
    """The title of a picture and what stands under it: "Fall 1901" and "Movement · Standard · ostend"."""
    step = variant.step(position)
    title = catalogue.say("phase.short", season=catalogue.say(f"season.{step.season}"), year=position.year)
    kind = f"chart.phase.{step.letter}"
    phase = catalogue.say(kind if kind in catalogue else "chart.phase.else")
    return title, " \u00b7 ".join(filter(None, (phase, variant.title, game)))


def save_picture(svg: str, path: Path, width: int) -> None:
    """As the file's ending says: .svg, or else a PNG."""
    try:
        path.write_bytes(svg.encode("utf-8") if path.suffix.lower() == f".{SVG}" else svg_to_png(svg, width))
    except OSError as error:
        raise GmError(f"{path}: cannot be written ({error.strerror})") from None


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ExchangeError(f"not JSON: {error}") from None
    if not isinstance(told, dict):
        raise ExchangeError("a line must be a JSON object with a position")
    return told
