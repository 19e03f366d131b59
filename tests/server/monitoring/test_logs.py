"""Logs on disks that are full and pipes that nobody reads."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator

import pytest
import structlog

from gm.rare_lines import RareLines
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


def test_what_libraries_log_is_one_line_a_minute_without_what_it_speaks_of(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """asyncio logs each connection that it cannot accept, aiosmtpd each command that it does not know."""
    configure_logs("json")
    configure_logs("json")
    for number in range(3):
        try:
            raise OSError(24, "Too many open files")
        except OSError:
            words = f"socket.accept() out of system resource\nsocket: <socket fd={number}>"
            logging.getLogger("asyncio").error(words, exc_info=True)
        logging.getLogger("mail.log").warning("%r unrecognised: %s", "::1", "my order A Par - Bur")
        logging.getLogger("apscheduler").warning("the job %s", f"of {number}@x.example")
    structlog.reset_defaults()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["library"], line["line"], line.get("error")) for line in lines] == [
        ("asyncio", "socket.accept() out of system resource", "OSError: [Errno 24] Too many open files"),
        ("apscheduler", "the job %s", None),
    ]


def test_a_kind_of_line_is_let_through_again_after_a_minute() -> None:
    now = [0.0]
    rare = RareLines(lambda: now[0])
    answers = []
    for now[0] in (0.0, 1.0, 59.0, 61.0, 62.0):
        answers.append((rare.may_log("one"), rare.may_log(f"other {now[0]}")))
    assert answers == [(True, True), (False, True), (False, True), (True, True), (False, True)]


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
