"""The files of deploy/ that an operator copies: they say what the programs they are for understand, and what we do.

Postfix's and Dovecot's lines are run in tests/mail.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.mail_server_fixtures import needs
from support.paths import ROOT

from gm.__main__ import main
from gm.config import load_config

DEPLOY = ROOT / "deploy"
EXPOSED_MOST = 20
"""In tenths, as systemd-analyze has it: below 2.0 of 10."""
TOLD = {
    "GM_ADDRESS": "gm@example.org",
    "GM_MASTER": "ruth@example.org",
    "GM_SECRET": "0123456789abcdef",
    "GM_DATABASE_PASSWORD": "elephant",
    "GM_IMAP_HOST": "imap.example.org",
    "GM_MAIL_PASSWORD": "tortoise",
    "GM_RELAY_HOST": "smtp.example.org",
}
VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


@pytest.mark.parametrize("look", [("verify",), ("security", "--offline=yes", f"--threshold={EXPOSED_MOST}")])
def test_systemd_understands_the_unit_and_finds_it_locked_up(look: tuple[str, ...], tmp_path: Path) -> None:
    analyze = needs("systemd-analyze", "systemd")
    unit = tmp_path / "gm.service"
    text = (DEPLOY / "systemd" / "gm.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/gm/bin/gm", "/bin/true"), encoding="utf-8")
    done = subprocess.run(
        [analyze, *look, "--no-pager", str(unit)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "gm.service:" not in done.stderr, done.stderr


@pytest.fixture
def compose() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return document


def test_compose_names_only_files_services_and_volumes_that_exist(compose: dict[str, Any]) -> None:
    services = compose["services"]
    build = services["gm"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
    assert services["gm-sqlite"]["build"] == build
    assert set(services["gm"]["depends_on"]) <= set(services)
    assert services["database"]["healthcheck"]["test"]
    assert {name: service["profiles"] for name, service in services.items()} == {
        "gm": ["postgresql"],
        "database": ["postgresql"],
        "gm-sqlite": ["sqlite"],
    }
    mounted = {volume.partition(":")[0] for service in services.values() for volume in service.get("volumes", ())}
    assert mounted <= set(compose["volumes"])


@pytest.mark.parametrize(
    ("service", "database"),
    [("gm", "postgresql+psycopg://gm:elephant@database/gm"), ("gm-sqlite", "/var/lib/gm/gm.sqlite")],
)
def test_compose_gives_settings_that_the_program_takes(
    service: str, database: str, compose: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [variable for variable in os.environ if variable.startswith("GM_")]:
        monkeypatch.delenv(name)
    for name, value in compose["services"][service]["environment"].items():
        monkeypatch.setenv(name, VARIABLE.sub(_told, value))
    settings = load_config(None)
    assert settings.database == database
    assert settings.masters == ("ruth@example.org",)
    assert settings.imap is not None
    assert (settings.imap.host, settings.relay.host, settings.zone) == ("imap.example.org", "smtp.example.org", "UTC")


def _told(variable: re.Match[str]) -> str:
    name, sign, default = variable.groups()
    return TOLD[name] if name in TOLD or sign != "-" else default


def test_the_sqlite_profile_asks_for_no_password_of_postgresql_and_keeps_its_database(compose: dict[str, Any]) -> None:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    asked = {name for name, sign, _ in VARIABLE.findall(text) if sign == "?"}
    assert asked == set(TOLD) - {"GM_DATABASE_PASSWORD"}
    service = compose["services"]["gm-sqlite"]
    (place,) = (volume.partition(":")[2] for volume in service["volumes"])
    assert service["environment"]["GM_DATABASE"].startswith(place + "/")
    assert f" {place}\n" in (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def test_the_image_holds_all_that_the_wheel_is_built_from() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept = {line[1:] for line in lines if line.startswith("!")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["packages"], *wheel["force-include"], *project["project"]["license-files"], "README.md"}
    assert "*" in lines
    assert kept == needed | {"pyproject.toml"}


def test_the_image_asks_the_server_whether_it_is_well() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    (command,) = re.findall(r"^HEALTHCHECK .*CMD (\[.*\])$", text, re.MULTILINE)
    program, *words = json.loads(command)
    assert program == "gm"
    assert words[0] in main.commands
    assert "ENV GM_HEALTH__PORT=" in text


@pytest.mark.parametrize("script", sorted(DEPLOY.glob("*.sh")), ids=lambda path: path.name)
def test_scripts_are_good_shell(script: Path) -> None:
    subprocess.run(["sh", "-n", str(script)], check=True)


QUOTED = re.compile(r"^\| (?:an operator sees )?`([^`]+)`(?:; `[^`]+`)? \|", re.MULTILINE)
EXAMPLE = re.compile(r"…|127\.0\.0\.1|8025|process 4711|user nobody|INBOX|\bprocessed\b")
LEAST = 5


def test_the_lines_that_operators_look_for_are_those_that_are_printed() -> None:
    """Of each line quoted in "When something is stuck", the pieces between examples are in the program."""
    page = (DEPLOY / "README.md").read_text(encoding="utf-8")
    table = page.partition("## When something is stuck")[2].partition("\n## ")[0]
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "gm").rglob("*.py")]
    program = re.sub(r"\"\s*\n\s*f?\"", "", "\n".join(texts))  # a text in several pieces is one
    lines = QUOTED.findall(table)
    assert len(lines) > 10
    pieces = [piece.strip(" ;:") for line in lines for piece in EXAMPLE.split(line.removeprefix("gm: "))]
    assert [piece for piece in pieces if len(piece) >= LEAST and piece not in program] == []
