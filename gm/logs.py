"""Logs of the running server: one event a line on stderr. Never a letter's words, never a reply address."""

from __future__ import annotations

import sys
from typing import Literal

import structlog


def configure(form: Literal["text", "json"]) -> None:
    render: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if form == "json" else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            render,
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
