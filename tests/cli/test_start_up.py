"""What commands import. A mail server starts `gm deliver` for each letter, cron starts `gm tick` each minute."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.mail.imap_double import PASSWORD, USER
from support.mail.imap_double import Double as ImapDouble
from support.stores.migrated_database import migrate

from gm.config import Config, HealthConfig
from gm.server.monitoring.health import HealthMonitor
from gm.server.wiring import assemble
from gm.store.queries.statistics import StoreFigures

GUARD = 60
RUN = """
import json, sys
from gm.__main__ import main
try:
    main(sys.argv[1:])
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
POSITION = {
    "position": {"variant": "standard", "phase": "S1901M", "units": {"Austria": ["A Vie"]}, "centers": {}},
    "orders": {"Austria": ["A Vie - Gal"]},
}
LETTER = b"From: ann@example.org\r\nTo: gm@gm.example\r\nSubject: orders\r\nMessage-ID: <1@x>\r\n\r\nA Vie - Gal\r\n"
DRAWING = {"numpy", "shapely", "PIL", "resvg_py"}
GAME = {"lark", "jinja2", "rapidfuzz", "selectolax", "dkim", "dns", "imapclient", "gm.judge", "gm.language", "gm.maps"}
SERVER = {"alembic", "apscheduler", "prometheus_client", "aiosmtpd", "sqlalchemy.dialects.postgresql"}


def loaded(*command: str, stdin: bytes = b"", code: int = 0) -> set[str]:
    """The modules that are loaded when the command has ended, with this exit code."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GM_")}
    done = subprocess.run(
        [sys.executable, "-c", RUN, *command], input=stdin, capture_output=True, timeout=GUARD, env=environment
    )
    assert done.returncode == code, done.stderr.decode()[-500:]
    modules: list[str] = json.loads(done.stderr.splitlines()[-1])
    return set(modules)


def ours(modules: set[str]) -> list[str]:
    return [name for name in modules if name.split(".")[0] == "gm"]


@pytest.fixture
def config(tmp_path: Path) -> str:
    file = tmp_path / "gm.toml"
    file.write_text(f'address = "gm@gm.example"\ndatabase = "{tmp_path}/gm.sqlite"\n', encoding="utf-8")
    app = assemble(Config(address="gm@gm.example", database=str(tmp_path / "gm.sqlite")))
    migrate(app)
    app.database.close()
    return str(file)


@pytest.mark.parametrize("command", [("deliver", "gm@gm.example"), ("tick",)])
def test_deliver_and_an_idle_tick_import_neither_sqlalchemy_nor_the_game(config: str, command: tuple[str, ...]) -> None:
    modules = loaded("-c", config, *command, stdin=LETTER)
    assert not modules & (DRAWING | GAME | SERVER | {"sqlalchemy", "asyncio", "structlog"})
    assert len(ours(modules)) <= 32, sorted(ours(modules))
    assert len(modules) <= 240, sorted(modules)


def test_a_tick_that_finds_its_mailbox_empty_imports_neither(config: str) -> None:
    with ImapDouble() as server, Path(config).open("a", encoding="utf-8") as file:
        file.write(f'[imap]\nhost = "127.0.0.1"\nport = {server.port}\nsecurity = "none"\nuser = "{USER}"\n')
        file.write(f'password = "{PASSWORD}"\n')
        file.flush()
        modules = loaded("-c", config, "tick")
    assert "imapclient" in modules
    assert not modules & (DRAWING | SERVER | {"sqlalchemy", "lark", "jinja2", "gm.judge", "gm.language"})


def test_a_container_asks_for_health_without_the_server(config: str) -> None:
    monitor = HealthMonitor(HealthConfig(port=0), StoreFigures, lambda _: (), str)
    with Path(config).open("a", encoding="utf-8") as file:
        file.write(f"[health]\nport = {monitor.port}\n")
    monitor.start()
    try:
        assert not loaded("-c", config, "healthy") & (DRAWING | GAME | SERVER | {"sqlalchemy", "asyncio", "structlog"})
    finally:
        monitor.stop()


def test_a_tick_that_reads_a_letter_draws_nothing(config: str) -> None:
    """One that is not answered: there is no relay here."""
    automatic = LETTER.replace(b"Subject", b"Auto-Submitted: auto-replied\r\nSubject")
    loaded("-c", config, "deliver", "gm@gm.example", stdin=automatic)
    modules = loaded("-c", config, "tick")
    assert modules >= {"lark", "gm.language"}
    assert not modules & (DRAWING | SERVER)
    assert "sqlalchemy" not in loaded("-c", config, "tick"), "nothing is left to do"


def test_a_server_leaves_drawing_to_its_other_processes(config: str) -> None:
    """This one ends when all is set up: nobody brings it letters."""
    modules = loaded("-c", config, "serve", code=1)
    assert {"gm.server.service", "gm.server.map_worker"} <= modules
    assert not modules & (DRAWING | {"gm.maps"})


def test_wrong_settings_are_told_before_a_server_is_imported(config: str) -> None:
    Path(config).write_text("address = 7\n", encoding="utf-8")
    assert not loaded("-c", config, "serve", code=1) & (DRAWING | GAME | SERVER | {"sqlalchemy"})


@pytest.mark.parametrize(
    ("command", "stdin"),
    [
        (("adjudicate",), json.dumps(POSITION).encode()),
        (("read", "--variant", "standard", "--power", "Austria"), LETTER),
    ],
)
def test_commands_without_a_server_import_no_database(command: tuple[str, ...], stdin: bytes) -> None:
    modules = loaded(*command, stdin=stdin)
    assert not modules & (DRAWING | SERVER | {"sqlalchemy", "jinja2", "structlog"})
