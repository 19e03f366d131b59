"""Maps drawn apart from mail: in another process, given up after a few deaths, and never in a letter's way."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image
from support.shipped import map_drawer
from support.standard_game import Letterbox

from gm.errors import GmError
from gm.resources import folder
from gm.server.map_worker import TRIES, MapWorkers, draw_all, store_picture, take_pictures

GUARD = 60
SUNDAY = datetime(2026, 3, 15, 19, tzinfo=UTC)


@pytest.fixture
def box() -> Letterbox:
    box = Letterbox()
    box.fall_resolved(SUNDAY)
    return box


def want(box: Letterbox, form: str) -> int:
    return box.store.pictures.request(box.last, "", form, box.store.now())


def test_a_letters_picture_is_sharp_and_small(box: Letterbox) -> None:
    number = want(box, "turn.png")
    draw_all(box.services, box.store.transaction, map_drawer())
    picture = box.store.pictures.get(number)
    assert picture is not None
    assert picture.error == ""
    with Image.open(io.BytesIO(picture.content)) as image:
        assert (image.format, image.mode, image.width) == ("PNG", "P", 1400)
    assert len(picture.content) < 400_000


def test_pictures_are_drawn_in_another_process(box: Letterbox) -> None:
    asked = [want(box, form) for form in ("turn.svg", "board.svg", "board-colourblind.svg")]
    calls: list[int] = []
    map_workers = MapWorkers((folder("variants"),), cores=1)
    try:
        while map_workers.work(box.services, box.store.transaction, lambda: calls.append(1)):
            pass
    finally:
        map_workers.close()
    drawn = [picture.content.decode() for number in asked if (picture := box.store.pictures.get(number))]
    assert len(calls) == len(drawn) == len(set(drawn)) == 3
    assert 'class="move"' in drawn[0]
    assert 'class="move"' not in drawn[1]
    assert all(">Fall 1901</text>" in svg for svg in drawn)


DRAWING_SERVER = """
import os, time
from gm.resources import folder
from gm.server.map_worker import MapWorkers

if __name__ == "__main__":
    workers = MapWorkers((folder("variants"),), cores=1)
    print(workers._pool().submit(os.getpid).result(), flush=True)
    time.sleep(600)
"""


def test_no_process_that_draws_outlives_a_killed_server(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    program.write_text(DRAWING_SERVER)
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        drawing = int(server.stdout.readline())
        os.kill(drawing, 0)
        server.kill()
    until = time.monotonic() + GUARD
    while Path(f"/proc/{drawing}/cmdline").exists() and Path(f"/proc/{drawing}/cmdline").read_bytes():
        assert time.monotonic() < until, "it is still there"
        time.sleep(0.05)


def test_a_picture_whose_process_dies_is_given_up_in_the_end(box: Letterbox) -> None:
    number = want(box, "turn.png")
    deaths = 0
    while taken := take_pictures(box.services, box.store.transaction, 5):
        for picture, _ in taken:
            deaths += not store_picture(box.store.transaction, picture, dies)
    picture = box.store.pictures.get(number)
    assert deaths == TRIES
    assert picture is not None
    assert picture.made_at is not None
    assert (picture.content, picture.error) == (b"", f"given up after {TRIES} attempts")


def test_a_picture_that_was_started_before_is_drawn_alone(box: Letterbox) -> None:
    """So that one which kills its process takes no other with it more than once."""
    asked = [want(box, form) for form in ("turn.svg", "board.svg", "board-colourblind.svg")]
    for picture, _ in take_pictures(box.services, box.store.transaction, 5):
        store_picture(box.store.transaction, picture, dies)
    fresh = want(box, "turn.png")
    hands = [
        [picture.id for picture, _ in hand]
        for hand in iter(lambda: take_pictures(box.services, box.store.transaction, 5), [])
    ]
    assert hands == [[number] for number in (*asked, fresh)]


def test_a_process_that_hangs_is_ended_and_its_picture_given_up(box: Letterbox, hanging: None) -> None:
    number = want(box, "turn.svg")
    map_workers = MapWorkers((folder("variants"),), cores=1, limit=1)
    try:
        while map_workers.work(box.services, box.store.transaction, lambda: None):
            pass
    finally:
        map_workers.close()
    picture = box.store.pictures.get(number)
    assert picture is not None
    assert (picture.content, picture.error) == (b"", f"given up after {TRIES} attempts")


@pytest.fixture
def hanging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes started from now on never finish starting."""
    module = (
        "import sys, time, types\n"
        "sys.modules['gm.cli.map'] = types.SimpleNamespace(MapDrawer=lambda *_: time.sleep(600))\n"
    )
    (tmp_path / "usercustomize.py").write_text(module, encoding="utf-8")
    (tmp_path / "sitecustomize.py").write_text(module, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))


def dies() -> bytes:
    raise BrokenProcessPool


def fails() -> bytes:
    raise GmError("its board has not been drawn yet")


def test_a_failed_picture_delays_no_letter(box: Letterbox) -> None:
    lost = box.store.pictures.request(999, "", "turn.png", box.store.now())
    number = want(box, "turn.png")
    ((taken, _),) = take_pictures(box.services, box.store.transaction, 5)
    assert store_picture(box.store.transaction, taken, fails)
    for picture_id, error in ((lost, "KeyError: 999"), (number, "its board has not been drawn yet")):
        picture = box.store.pictures.get(picture_id)
        assert picture is not None
        assert picture.made_at is not None
        assert (picture.content, picture.error) == (b"", error)
