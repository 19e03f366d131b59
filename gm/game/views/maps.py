"""Which maps there are, who asks for which, and what each is drawn from.

Only public facts are drawn, so one picture of a snapshot serves all its letters. A form is what of the snapshot is
shown and how: "turn.png" the orders that led to it, on the position they were given in; "board-colourblind.svg" the
position it opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.map_attachment import AttachedMap
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient, variant_options
from gm.game.model.records import EVERYBODY, Game, Picture, Snapshot
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.model.variant import Variant
from gm.language.commands.requests import MapRequest
from gm.language.i18n.catalogue import FALLBACK
from gm.language.rendering.views import MapView

TURN = "turn"
BOARD = "board"
PNG = "png"
SVG = "svg"
CLEAR = "-colourblind"

Variants = Callable[[str, Mapping[str, str]], Variant]


class MapForm(Struct, frozen=True):
    """`turn`: with the orders that led to the snapshot. `clear`: in colours that colour-blind eyes tell apart.
    `language` is that of its words: "turn.png", "board-colourblind.de.svg".
    """

    turn: bool = True
    file: str = PNG
    clear: bool = False
    language: str = FALLBACK

    def __str__(self) -> str:
        language = "" if self.language == FALLBACK else f".{self.language}"
        return f"{TURN if self.turn else BOARD}{CLEAR if self.clear else ''}{language}.{self.file}"

    @classmethod
    def read(cls, text: str) -> MapForm:
        shown, *language, file = text.split(".")
        return cls(shown.removesuffix(CLEAR) == TURN, file, shown.endswith(CLEAR), *language[:1])


class MapDocuments(Struct, frozen=True):
    """All that a picture is drawn from, as documents of `gm.language.formats.stored_values`, so that another process
    can draw it.

    `position` is what the orders of `events` were given in; `after` where they led ("": the position is all there is
    to draw). `past` are the events that led to the position, where the map itself has changed since the start.
    """

    variant: str
    options: tuple[tuple[str, str], ...]
    game: str
    form: MapForm
    position: str
    events: str = ""
    after: str = ""
    past: tuple[str, ...] = ()


def of_results(reader: Recipient, snapshot: Snapshot) -> AttachedMap | None:
    """The map of a resolved phase: the orders of its first step."""
    return _asked(reader, snapshot, MapForm(turn=_has_turn(snapshot)))


def of_board(reader: Recipient) -> AttachedMap | None:
    """The map of the position now open."""
    if not reader.game.snapshot:
        return None
    return _asked(reader, reader.store.turns.snapshot(reader.game.snapshot), MapForm(turn=False))


def of_request(reader: Recipient, request: MapRequest) -> AttachedMap | None:
    """What MAP asks for."""
    snapshot = found(reader.store, reader.game, request.phase)
    if snapshot is None:
        return None
    return _asked(
        reader, snapshot, MapForm(snapshot.resolved == request.phase != "", request.file or PNG, request.clear)
    )


def found(store: Store, game: Game, phase: str) -> Snapshot | None:
    """What shows a phase: the snapshot its orders led to; for the open one ("" or its name) the present one."""
    line = line_of(store, game)
    if phase in ("", game.phase):
        return line[0] if line else None
    return next((snapshot for snapshot in line if snapshot.resolved == phase and _has_turn(snapshot)), None)


def _has_turn(snapshot: Snapshot) -> bool:
    return bool(snapshot.previous and snapshot.resolved)


def _asked(reader: Recipient, snapshot: Snapshot, form: MapForm) -> AttachedMap | None:
    """None where maps are off."""
    wait: timedelta = reader.services.map_wait
    if not wait:
        return None
    form = replace(form, language=reader.catalogue.language)
    number = reader.store.pictures.request(snapshot.id, EVERYBODY, str(form), reader.now)
    phase = snapshot.resolved if form.turn else snapshot.phase
    name = "-".join(filter(None, (reader.game.name, phase, "" if form.turn else BOARD))) + f".{form.file}"
    words = reader.phase_words("phase.said", phase) if phase else reader.game.name
    alt = reader.say("map.alt-turn" if form.turn else "map.alt-board", phase=words)
    return AttachedMap(number, reader.now + wait, MapView(name, alt, inline=form.file == PNG))


# ---- for those who draw


def line_of(store: Store, game: Game) -> tuple[Snapshot, ...]:
    """The snapshots that led to the present position, newest first, without what was corrected or rolled back."""
    return _back(store, game.snapshot)


def _back(store: Store, at: int) -> tuple[Snapshot, ...]:
    snapshots: list[Snapshot] = []
    while at:
        snapshots.append(store.turns.snapshot(at))
        at = snapshots[-1].previous
    return tuple(snapshots)


def commission(variants: Variants, store: Store, picture: Picture) -> MapDocuments:
    """KeyError where its snapshot or variant is not there."""
    snapshot = store.turns.snapshot(picture.snapshot)
    return commissioned(variants, store, store.games.get(snapshot.game), snapshot, MapForm.read(picture.form))


def commissioned(variants: Variants, store: Store, game: Game, snapshot: Snapshot, form: MapForm) -> MapDocuments:
    chosen = variant_options(variants, game)
    variant = variants(game.variant, chosen)
    shown = store.turns.snapshot(snapshot.previous) if form.turn else snapshot
    past: tuple[str, ...] = ()
    if isinstance(variant.start.board, PlanarBoard):
        past = tuple(earlier.events for earlier in reversed(_back(store, shown.id)))
    return MapDocuments(
        variant=game.variant,
        options=tuple(chosen.items()),
        game=game.name,
        form=form,
        position=shown.position,
        events=snapshot.events if form.turn else "",
        after=snapshot.position if form.turn else "",
        past=past,
    )
