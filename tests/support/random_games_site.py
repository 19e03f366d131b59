"""Whole games by dice on the twin store, and a site published of them, for tests and for looking at.

cd tests; python -m gallery /tmp/site      a site of games of several variants, to open in a browser
"""

from __future__ import annotations

import re
import sys
from concurrent.futures import Future
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zlib import crc32

from msgspec.structs import replace
from PIL import Image
from support import scripted_players as player
from support.shipped import map_drawer, site_templates
from support.standard_game import Letterbox

from gm.cli.publish import Draw, Publisher
from gm.game.model.ports import Transaction
from gm.game.model.records import Game, GameState
from gm.game.model.services import Services
from gm.game.views.maps import MapDocuments
from gm.resources import folder
from gm.server.map_worker import MapWorkers

TITLE = "Games by letter"
PNG_HEAD = 33
"""Bytes of a PNG before the chunks that may hold text: its signature, and a header of 13 bytes."""
DAY = timedelta(days=7)
MARK = re.compile(r"zq\d{4}x")
"""Written beside every secret line of `twin_games`: a word of no meaning, to be found again."""


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


def publish(
    services: Services,
    tx: Transaction,
    where: Path,
    draw: Draw | None = None,
    *,
    anew: bool = False,
    url: str = "",
) -> list[str]:
    """What was said of it. `draw`: instead of real pictures."""
    messages: list[str] = []
    with closing(MapWorkers((folder("variants"),))) as map_workers:
        publisher = Publisher(services, tx, site_templates(url), map_drawer(), draw or map_workers.submit)
        publisher.publish(where, TITLE, messages.append, anew=anew)
    return messages


class Sketches:
    """Stands in for pictures: a tiny one for each, that has what was drawn beside its one pixel."""

    def __init__(self) -> None:
        self.asked: list[MapDocuments] = []

    def __call__(self, asked: MapDocuments) -> Future[bytes]:
        self.asked.append(asked)
        done: Future[bytes] = Future()
        done.set_result(map_sketch(asked))
        return done


@lru_cache(maxsize=4096)
def map_sketch(asked: MapDocuments) -> bytes:
    """Drawn once: two runs without a leak ask for the same pictures."""
    return sketch(map_drawer().render(asked))


def sketch(drawing: str) -> bytes:
    """A tiny picture that has a digest of this text, and the secrets' marks in it, beside its one pixel.

    Two are the same if their drawings are. The drawing itself would fill each letter that takes the picture along.
    """
    words = " ".join((sha256(drawing.encode()).hexdigest(), *MARK.findall(drawing)))
    text = b"tEXt" + b"drawing\0" + words.encode("latin-1")
    plain = _plain_picture()
    chunk = (len(text) - 4).to_bytes(4) + text + crc32(text).to_bytes(4)
    return plain[:PNG_HEAD] + chunk + plain[PNG_HEAD:]


@lru_cache(maxsize=1)
def _plain_picture() -> bytes:
    out = BytesIO()
    Image.new("RGB", (140, 140), "#bad4e0").save(out, "PNG")
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
    print(*publish(box.services, box.store.transaction, Path(sys.argv[1])), sep="\n")


if __name__ == "__main__":
    main()
