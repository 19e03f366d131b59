"""Asks the running server at its health port whether all is well. A container's HEALTHCHECK does so each minute."""

from __future__ import annotations

from contextlib import closing
from http.client import HTTPConnection, HTTPException

from gm.config import Config
from gm.errors import GmError

ASK_SECONDS = 8


def ask_health(settings: Config) -> tuple[bool, str]:
    """Asks the server that runs with these settings; returns whether all is well, and its lines. Raises GmError."""
    if settings.health is None:
        raise GmError("there is no [health] in the settings: without its port nobody can be asked")
    host, port = settings.health.host, settings.health.port
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    try:
        with closing(HTTPConnection(near, port, timeout=ASK_SECONDS)) as connection:
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            return answer.status == 200, answer.read().decode("utf-8", "replace").strip()
    except (OSError, HTTPException) as error:
        raise GmError(f"nobody answers on {near} port {port} ({error}): is the server running?") from None
