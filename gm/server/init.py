"""`gm init`: writes gm.toml, the database and the secret, and names the first game master."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from gm.config import Config, load_config
from gm.errors import ConfigError
from gm.server.settings_file import Answers, write_settings
from gm.server.wiring import assemble


def basic_answers(address: str, master: str, zone: str) -> Answers:
    """What `gm init` writes without questions: a port for a mail server on this machine, and its relay."""
    return {
        "": {"address": address.strip().lower(), "masters": (master.strip().lower(),), "zone": zone},
        "listen": {"protocol": "lmtp", "port": 8025},
        "relay": {"host": "127.0.0.1", "port": 25, "security": "none"},
    }


def refuse_existing(folder: Path, *, force: bool) -> None:
    """Raises ConfigError if there is a gm.toml that must stay."""
    config = folder / "gm.toml"
    if config.exists() and not force:
        raise ConfigError(f"{config} exists already; edit it, or overwrite it with --force")


def initialise(folder: Path, answers: Answers, *, force: bool = False) -> Iterator[str]:
    """Yields lines for the operator. Raises ConfigError or GmError; an old gm.toml stays unless `force`."""
    refuse_existing(folder, force=force)
    config = folder / "gm.toml"
    database = str(folder.absolute() / "gm.sqlite")
    draft = config.with_suffix(".toml.new")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(write_settings({**answers, "": {**answers[""], "database": database}}))
        try:
            settings = load_config(draft)
        except ConfigError as error:
            raise ConfigError(str(error).replace(f"{draft}: ", "")) from None
        draft.replace(config)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written ({error.strerror})") from None
    finally:
        draft.unlink(missing_ok=True)
    app = assemble(settings)
    app.database.upgrade()
    app.database.close()
    yield f"Written: {config} (only you can read it)"
    yield f"Made:    {settings.database} (and `secret` beside it: keep both, and keep them private)"
    yield f"First game master: {settings.masters[0]}"
    yield f"Next: see that [imap] or [listen], and [relay] in {config} are right; then `gm serve`"
    yield "and in another window `gm doctor`: it checks everything, and whether a letter arrives."
    yield f"Then write a letter to {settings.address} with the line: HELP"


def store_secret(settings: Config, secret: str) -> str:
    """Writes a restored secret where `serve` reads it; returns a line for the operator."""
    if settings.secret is not None:
        same = settings.secret.get_secret_value() == secret
        return "The secret is the one in the settings." if same else DIFFERENT
    if "://" in settings.database:
        return f"Put the secret into the settings of every node: secret = {secret!r}"
    path = Path(settings.database).with_name("secret")
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(secret + "\n")
    return f"Restored: {path}"


DIFFERENT = (
    "The backup has another secret than the settings: with this one, reply addresses of old letters do not work."
)
