"""`gm init`: the first gm.toml, the database, the secret, and who the first game master is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from gm.config import Config, load
from gm.errors import ConfigError
from gm.server.wiring import assemble

TEMPLATE = """# The game master's settings. Every key may come from the environment instead: GM_RELAY__PASSWORD=…
address = "{address}"          # people write here; reply addresses are made from it
# addresses = "domain"         # when all mail of the domain comes to us (default: "plus", one mailbox)
database = "{database}"
masters = ["{master}"]         # who may create games
zone = "{zone}"                # for people and games that named none
# registration = "closed"      # by invitation only; "open" (default): whoever confirms his address may ask for a seat
# authserv_id = "mx.example.org"  # our mail server's name in Authentication-Results; then a proven From may act
# outage_minutes = 60          # after a longer outage deadlines that fell into it are moved by a day; 0: never
# map_wait_seconds = 300       # so long a letter waits for its map, then leaves without it; 0: no maps

# Where letters come from: a mailbox …
# [imap]
# host = "imap.example.org"
# user = "{address}"
# password = "…"               # or GM_IMAP__PASSWORD, or token_command for OAuth2

# … or a port that your mail server delivers to
[listen]
protocol = "lmtp"
port = 8025

# Who gets a letter when mail is broken or late (default: the first of `masters`), and a port for machines that watch
# operators = ["{master}"]
# [health]
# port = 9125

# Where letters go out
[relay]
host = "127.0.0.1"
port = 25
"""


def initialise(folder: Path, address: str, master: str, *, force: bool = False, zone: str = "UTC") -> Iterator[str]:
    """Lines that say what was done and what comes next. Raises SettingsError or GmError; an old gm.toml stays."""
    config = folder / "gm.toml"
    if config.exists() and not force:
        raise ConfigError(f"{config} is there already; edit it, or write over it with --force")
    text = TEMPLATE.format(
        address=address.strip().lower(),
        master=master.strip().lower(),
        database=folder.absolute() / "gm.sqlite",
        zone=zone,
    )
    draft = config.with_suffix(".toml.new")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, encoding="utf-8")
        draft.chmod(0o600)
        try:
            settings = load(draft)
        except ConfigError as error:
            raise ConfigError(str(error).replace(f"{draft}: ", "")) from None
        draft.replace(config)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written ({error.strerror})") from None
    finally:
        draft.unlink(missing_ok=True)
    works = assemble(settings)
    works.database.upgrade()
    works.database.close()
    yield f"Written: {config}"
    yield f"Made:    {settings.database} (and `secret` beside it: keep both, and keep them private)"
    yield f"First game master: {settings.masters[0]}"
    yield "Next: fill in [imap] or [listen], and [relay]; then start `gm serve`"
    yield f"and write a letter to {settings.address} with the line: HELP"


def keep_secret(settings: Config, secret: str) -> str:
    """Put a restored secret where `serve` looks for it; a line that says what was done, or what is to be done."""
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
