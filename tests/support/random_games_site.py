"""Whole games by dice on the twin store, and a site published of them, for tests and for looking at.

cd tests; python -m gallery /tmp/site      a site of games of several variants, to open in a browser
"""

from __future__ import annotations

import sys
from concurrent.futures import Future
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path

from msgspec.structs import replace
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from support import scripted_players as player
from support.standard_game import Letterbox

from gm.cli.map import MapDrawer
from gm.cli.publish import Draw, Publisher
from gm.game.model.ports import Transaction
from gm.game.model.records import Game, GameState
from gm.game.model.services import Services
from gm.game.views.maps import MapDocuments
from gm.language.rendering.site_pages import SiteTemplates
from gm.resources import folder
from gm.server.map_worker import MapWorkers
from gm.variant_files.library import Library

TITLE = "Games by letter"
DAY = timedelta(days=7)


def played(box: Letterbox, name: str, variant: str, seed: int, phases: int, **settings: str) -> Game:
    """A game more in the box, so many phases on."""
    box.variant = box.library.variant(variant, {})
    box.store.clock = datetime(2026, 3, 8, 19, 30, tzinfo=UTC)
    box.game = box.store.games.add(Game(0, name, variant, settings=tuple(settings.items())))
    box.last = 0
    box.enter(box.variant.start, box.store.now() + DAY, at=box.store.now())
    for position, book, _ in player.game(box.variant, seed, phases):
        box.store.clock += DAY
        box.resolve(position, book, box.store.now() + DAY, previous=box.last, at=box.store.now())
    return box.game


@cache
def drawer(library: Library) -> MapDrawer:
    """One for all: it has read the boards."""
    return MapDrawer(library)


@cache
def our_library() -> Library:
    return Library((folder("variants"),))


def publish(
    services: Services,
    tx: Transaction,
    library: Library,
    where: Path,
    draw: Draw | None = None,
    *,
    anew: bool = False,
    url: str = "",
) -> list[str]:
    """What was said of it. `draw`: instead of real pictures."""
    said: list[str] = []
    with closing(MapWorkers((folder("variants"),))) as map_workers:
        site = SiteTemplates(folder("templates"), url)
        publisher = Publisher(services, tx, site, drawer(library), draw or map_workers.submit)
        publisher.publish(where, TITLE, said.append, anew=anew)
    return said


@lru_cache(maxsize=512)
def drawing(drawer: MapDrawer, asked: MapDocuments) -> str:
    """Drawn once: two runs without a leak ask for the same pictures."""
    return drawer.render(asked)


class Sketches:
    """Stands in for pictures: a tiny one for each, that has all of the drawing beside its one pixel."""

    def __init__(self, library: Library) -> None:
        self._drawer = drawer(library)
        self.asked: list[MapDocuments] = []

    def __call__(self, asked: MapDocuments) -> Future[bytes]:
        self.asked.append(asked)
        done: Future[bytes] = Future()
        done.set_result(sketch(drawing(self._drawer, asked)))
        return done


def sketch(drawing: str) -> bytes:
    """A tiny picture that has this text beside its one pixel."""
    about = PngInfo()
    about.add_text("drawing", drawing)
    out = BytesIO()
    Image.new("RGB", (140, 140), "#bad4e0").save(out, "PNG", pnginfo=about)
    return out.getvalue()


def files(where: Path) -> dict[str, bytes]:
    return {str(file.relative_to(where)): file.read_bytes() for file in sorted(where.rglob("*")) if file.is_file()}


def main() -> None:
    box = Letterbox()
    played(box, "lisbon", "standard", 3, 16)
    for number, variant in enumerate(box.library.ids()):
        played(box, f"game-{number}", variant, number, 4)
    ended = replace(played(box, "waterloo", "standard", 5, 6), state=GameState.ENDED, due_at=None, phase="")
    box.store.games.save(ended)
    print(*publish(box.services, box.store.transaction, box.library, Path(sys.argv[1])), sep="\n")


if __name__ == "__main__":
    main()
