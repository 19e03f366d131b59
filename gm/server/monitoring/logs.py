"""Logs of the running server: one event a line on stderr. Never a letter's words, never an address of a person.

If a log cannot be written (full disk, closed pipe), the line is lost and the server goes on.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from datetime import UTC, datetime
from threading import Lock
from typing import Any, Literal, TextIO

import structlog

from gm.errors import one_line
from gm.rare_lines import RareLines
from gm.store.stored_values import sqlite_instant

ADDRESS = re.compile(r"[^\s<>\"'(),;:]+@[^\s<>\"'(),;:]+")
HIDDEN = "(address)"
LEVEL_WIDTH, EVENT_WIDTH = 9, 30
BREAKING = re.compile("[ \t=\r\n\"']")
"""What ends a value, unless it is quoted."""
Event = MutableMapping[str, Any]


class _ErrorTolerantPrinter:
    """What structlog hands lines to. Write errors are ignored."""

    def __init__(self, file: TextIO) -> None:
        self._file, self._lock = file, Lock()

    def msg(self, line: str) -> None:
        with self._lock, suppress(OSError, ValueError):
            self._file.write(f"{line}\n")
            self._file.flush()

    debug = info = warning = error = critical = msg


class _LibraryLines(logging.Handler):
    """Warnings that libraries log by themselves, such as asyncio: each kind once a minute, on one line.

    Without what they speak of, which may be words of a letter or of whoever connects.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._rare_lines = RareLines()

    def emit(self, record: logging.LogRecord) -> None:
        line = str(record.msg).partition("\n")[0]
        if self._rare_lines.may_log(f"{record.name} {line}"):
            fault = record.exc_info[1] if record.exc_info else None
            error = {} if fault is None else {"error": f"{type(fault).__name__}: {one_line(fault)}"}
            structlog.get_logger().warning("a library warns", library=record.name, line=line, **error)


def _take_library_lines() -> None:
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if isinstance(handler, _LibraryLines)]:
        root.removeHandler(handler)
    root.addHandler(_LibraryLines())
    logging.getLogger("mail.log").setLevel(logging.ERROR)  # of aiosmtpd: it warns of each wrong command of a client


def configure_logs(form: Literal["text", "json"], own: str = "", *, quiet: bool = False) -> None:
    """`own` is the game master's address, which may be shown. `quiet`: warnings alone."""

    def hide_addresses(logger: object, method: str, event: Event) -> Event:
        """Relays and libraries put addresses into what they say."""
        for name, value in event.items():
            if isinstance(value, str) and "@" in value:
                event[name] = ADDRESS.sub(lambda match: own if match[0] == own else HIDDEN, value)
        return event

    printer = _ErrorTolerantPrinter(sys.stderr)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            _add_time,
            structlog.processors.format_exc_info,
            hide_addresses,
            structlog.processors.JSONRenderer() if form == "json" else line_of,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING if quiet else logging.NOTSET),
        logger_factory=lambda *_: printer,
    )
    _take_library_lines()


def _add_time(logger: object, method: str, event: Event) -> Event:
    event["timestamp"] = f"{sqlite_instant(datetime.now(UTC))}Z".replace(" ", "T")
    return event


def line_of(logger: object, method: str, event: Event) -> str:
    """As structlog's ConsoleRenderer without colours, which takes several times as long: each letter has two lines."""
    exception = event.pop("exception", "")
    head = f"{event.pop('timestamp')} [{event.pop('level'):{LEVEL_WIDTH}}] {event.pop('event'):{EVENT_WIDTH}}"
    fields = [f"{name}={_shown(event[name])}" for name in sorted(event)]
    line = " ".join([head, *fields]).rstrip(" ")
    return f"{line}\n{exception}" if exception else line


def _shown(value: object) -> str:
    return value if isinstance(value, str) and BREAKING.search(value) is None else repr(value)
