"""Logs on disks that are full and pipes that nobody reads."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
import structlog

from gm.server.monitoring.logs import configure_logs, line_of
from gm.server.worker import Worker


@pytest.fixture
def unlogged(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if request.param == "full":
        file = os.fdopen(os.open("/dev/full", os.O_WRONLY), "w", encoding="utf-8")
    else:
        read, write = os.pipe()
        os.close(read)
        file = os.fdopen(write, "w", encoding="utf-8")
    monkeypatch.setattr(sys, "stderr", file)
    configure_logs("json")
    yield
    structlog.reset_defaults()
    with pytest.raises(OSError, match=r"No space|Broken pipe"):
        file.close()


@pytest.mark.usefixtures("unlogged")
@pytest.mark.parametrize("unlogged", ["full", "gone"], indirect=True)
def test_a_log_that_cannot_be_written_stops_no_worker() -> None:
    """Else the desk ends with the first line that it has to say, and letters are taken and never read."""
    done: list[int] = []

    def work() -> bool:
        done.append(len(done))
        structlog.get_logger().warning("something to say")
        if len(done) == 1:
            raise ValueError("a fault")
        return len(done) < 3

    worker = Worker("desk", work, 0.01)
    worker.start()
    while len(done) < 4 and worker.is_alive():
        worker.join(0.01)
    assert worker.is_alive()
    worker.stop()
    worker.join(10)


def test_no_address_of_a_person_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("json", "gm@example.org")
    log = structlog.get_logger()
    log.warning("refused", error="550 5.1.1 <ann@players.test>: no such user", by="gm@example.org", letter=3)
    try:
        raise ValueError("ann@players.test, again")
    except ValueError:
        log.exception("failed")
    structlog.reset_defaults()
    written = capsys.readouterr().err
    assert "ann@" not in written
    assert "550 5.1.1 <(address)>: no such user" in written
    assert "gm@example.org" in written
    assert "ValueError: (address), again" in written


@pytest.mark.parametrize(
    "fields",
    [
        {
            "event": "letter read",
            "letter": 3,
            "state": "done",
            "game": "ostend",
            "why": 'not a letter, it\'s a "bounce"',
        },
        {
            "event": "an event whose words are longer than its column",
            "at": None,
            "words": "",
            "sum": "1=1",
            "line": "a\nb",
        },
        {"event": "stopped"},
        {"event": "failed", "exception": "Traceback\nValueError: no", "level": "exception"},
    ],
)
def test_a_line_is_the_one_that_structlog_writes(fields: dict[str, object]) -> None:
    event = {"level": "info", "timestamp": "2026-11-29T02:52:28.123456Z", **fields}
    assert line_of(None, "", dict(event)) == structlog.dev.ConsoleRenderer(colors=False)(None, "", dict(event))
