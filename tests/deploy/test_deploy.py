"""The files of deploy/ that an operator copies: they say what the programs they are for understand, and what we do.

Postfix's and Dovecot's lines are run in tests/mail.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.mail_server_fixtures import needs
from support.paths import ROOT

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
    told: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return told


def test_compose_names_nothing_that_is_not_there(compose: dict[str, Any]) -> None:
    services = compose["services"]
    build = services["gm"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
    assert set(services["gm"]["depends_on"]) <= set(services)
    assert services["database"]["healthcheck"]["test"]
    mounted = {one.partition(":")[0] for service in services.values() for one in service.get("volumes", ())}
    assert mounted <= set(compose["volumes"])


def test_compose_gives_settings_that_the_program_takes(
    compose: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [one for one in os.environ if one.startswith("GM_")]:
        monkeypatch.delenv(name)
    for name, value in compose["services"]["gm"]["environment"].items():
        monkeypatch.setenv(name, VARIABLE.sub(_told, value))
    settings = load_config(None)
    assert settings.database == "postgresql+psycopg://gm:elephant@database/gm"
    assert settings.masters == ("ruth@example.org",)
    assert settings.imap is not None
    assert (settings.imap.host, settings.relay.host, settings.zone) == ("imap.example.org", "smtp.example.org", "UTC")


def _told(variable: re.Match[str]) -> str:
    name, sign, default = variable.groups()
    return TOLD[name] if name in TOLD or sign != "-" else default


@pytest.mark.parametrize("script", sorted(DEPLOY.glob("*.sh")), ids=lambda path: path.name)
def test_scripts_are_good_shell(script: Path) -> None:
    subprocess.run(["sh", "-n", str(script)], check=True)
