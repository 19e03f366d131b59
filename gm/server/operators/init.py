"""`gm init`: writes gm.toml, the database and the secret, and names the first game master."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from gm.config import Config, load_config, user_name
from gm.errors import ConfigError, GmError
from gm.server.wiring import assemble
from gm.store.sqlite_file import open_private
from gm.store.upkeep.restore import move_aside

SettingValue = str | int | bool | tuple[str, ...]
Answers = Mapping[str, Mapping[str, SettingValue]]
"""Section ("" for the top) → key → value."""
TEMPLATE = Path(__file__).with_name("settings.toml")

SECTION = re.compile(r"# \[(\w+)\]$")
SETTING = re.compile(r"# (\w+) = (?:\"[^\"]*\"|\[[^\]]*\]|\w+)(  #.*)?$")
OWN_ADDRESS, OWN_MASTER = '"gm@example.org"', '"you@example.net"'
"""Examples in the template in whose place the operator's own addresses stand."""


def write_settings(answers: Answers) -> str:
    """Fills the template in. Each line that stays a comment works when uncommented; of a whole section, all lines."""
    lines: list[str] = []
    section = ""
    for line in TEMPLATE.read_text(encoding="utf-8").splitlines():
        if head := SECTION.match(line):
            section = head[1]
            lines.append(f"[{section}]" if section in answers else line)
        else:
            lines.extend(_fill(line, section, answers))
    return "\n".join(lines) + "\n"


def _fill(line: str, section: str, answers: Answers) -> Iterator[str]:
    setting = SETTING.match(line)
    if setting is None:
        yield line
        return
    key, values = setting[1], answers.get(section, {})
    if key == "password" and "token_command" in values:
        key = "token_command"  # a section takes one of them
    if key in values:
        yield f"{key} = {quote(values[key])}{setting[2] or ''}"
    elif not (key == "authserv_id" and answers.get("listen", {}).get("protocol") == "smtp"):  # refused by `Config`
        line = line.replace(OWN_ADDRESS, quote(answers[""]["address"]))
        yield line.replace(f"[{OWN_MASTER}]", quote(answers[""]["masters"]))


def quote(value: SettingValue) -> str:
    """Writes a TOML value: one of JSON is one of TOML too, if DEL is escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def basic_answers(address: str, master: str, zone: str) -> Answers:
    """What `gm init` writes without questions: a port for a mail server on this machine, and its relay."""
    return {
        "": {"address": address.strip().lower(), "masters": (master.strip().lower(),), "zone": zone},
        "listen": {"protocol": "lmtp", "port": 8025},
        "relay": {"host": "127.0.0.1", "port": 25, "security": "none"},
    }


def refuse_existing(folder: Path, *, force: bool) -> None:
    """Raises ConfigError if there is a gm.toml that must stay, or there can be none."""
    config = folder / "gm.toml"
    try:
        if folder.exists() and not folder.is_dir():
            raise ConfigError(f"{folder}: is a file: name a folder")
        if config.exists() and not force:
            raise ConfigError(f"{config} exists already; edit it, or overwrite it with --force")
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be read by {user_name()} ({error.strerror})") from None


def initialise(folder: Path, answers: Answers, *, force: bool = False) -> Iterator[str]:
    """Yields lines for the operator. Raises ConfigError or GmError; an old gm.toml stays unless `force`."""
    refuse_existing(folder, force=force)
    config = folder / "gm.toml"
    try:
        settings = _write(config, answers)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written by {user_name()} ({error.strerror})") from None
    except UnicodeEncodeError:
        raise ConfigError(f"{folder}: its name, or an answer, is not UTF-8 text") from None
    app = assemble(settings)
    app.database.upgrade()
    app.database.close()
    yield f"Written: {config} (only you can read it, and gm must)"
    yield f"Made:    {settings.database} (and `secret` beside it: keep both, and keep them private)"
    yield f"First game master: {settings.masters[0]}"
    yield f"Next: see that [imap] or [listen], and [relay] in {config} are right; then `gm serve`"
    yield "and in another window `gm doctor`: it checks everything, and whether a letter arrives."
    yield f"Then write a letter to {settings.address} with the line: HELP"


def _write(config: Path, answers: Answers) -> Config:
    """Writes the settings and reads them back. They stand in their file when they are right."""
    is_new = not config.parent.exists()
    config.parent.mkdir(parents=True, exist_ok=True)
    text = write_settings({**answers, "": {**answers[""], "database": str(config.parent.absolute() / "gm.sqlite")}})
    handle, name = tempfile.mkstemp(".toml", "gm.", config.parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        settings = load_config(draft)
        draft.replace(config)
    except ConfigError as error:
        raise ConfigError(str(error).replace(f"{draft}: ", "")) from None
    finally:
        draft.unlink(missing_ok=True)
        if is_new and not config.exists():
            config.parent.rmdir()
    return settings


def store_secret(settings: Config, secret: str) -> Iterator[str]:
    """Writes a restored secret where `serve` reads it; yields lines for the operator. An earlier one is kept."""
    if settings.secret is not None:
        same = settings.secret.get_secret_value() == secret
        yield "The secret is the one in the settings." if same else DIFFERENT
        return
    if "://" in settings.database:
        yield f"Put the secret into the settings of every node: secret = {secret!r}"
        return
    path = Path(settings.database).expanduser().with_name("secret")
    draft = path.with_name("secret.restoring")
    try:
        with os.fdopen(open_private(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "w", encoding="ascii") as file:
            file.write(secret + "\n")
        if path.exists() and path.read_text(encoding="ascii", errors="replace").strip() != secret:
            yield f"The secret that was there is kept: {move_aside(path)}"
        draft.replace(path)
    except OSError as error:
        raise GmError(
            f"{path}: cannot be written ({error.strerror}); when it can, restore again, with --force"
        ) from None
    yield f"Restored: {path}"


DIFFERENT = (
    "The backup has another secret than the settings: with this one, reply addresses of old letters do not work."
)
