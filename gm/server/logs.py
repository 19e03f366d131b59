"""Logs of the running server: one event a line on stderr. Never a letter's words, never an address of a person.

If a log cannot be written (full disk, closed pipe), the line is lost and the server goes on.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Literal, TextIO, cast

import structlog

ADDRESS = re.compile(r"[^\s<>\"'(),;:]+@[^\s<>\"'(),;:]+")
HIDDEN = "(address)"


class _ErrorTolerantFile:
    """A text file that ignores write errors."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, words: str) -> None:
        with suppress(OSError, ValueError):
            self._file.write(words)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._file.flush()


def configure_logs(form: Literal["text", "json"], own: str = "", *, quiet: bool = False) -> None:
    """`own` is the game master's address, which may be shown. `quiet`: warnings alone."""

    def hide_addresses(logger: object, method: str, event: MutableMapping[str, object]) -> MutableMapping[str, object]:
        """Relays and libraries put addresses into what they say."""
        for name, value in event.items():
            if isinstance(value, str) and "@" in value:
                event[name] = ADDRESS.sub(lambda match: own if match[0] == own else HIDDEN, value)
        return event

    render: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if form == "json" else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            hide_addresses,
            render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING if quiet else logging.NOTSET),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _ErrorTolerantFile(sys.stderr))),
    )
