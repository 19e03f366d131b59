"""`gm init`: writes gm.toml, the database and the secret, and names the first game master."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from gm.config import Config, load_config
from gm.errors import ConfigError
from gm.server.wiring import assemble

TEMPLATE = """# The game master's settings. Every key may come from the environment instead: GM_RELAY__PASSWORD=…
address = "{address}"          # players write to it; reply addresses are made from it
# addresses = "domain"         # if all mail of the domain comes here (default: "plus", one mailbox)
database = "{database}"
masters = ["{master}"]         # may create games
zone = "{zone}"                # for players and games without a time zone of their own
# registration = "closed"      # by invitation only; "open" (default): who confirms an address may ask for a seat
# dkim = false                 # if no name server can be asked (default: signatures prove the From address)
# authserv_id = "mx.example.org"  # our mail server in Authentication-Results, which proves From too
# outage_minutes = 60          # after a longer outage, deadlines within it move by a day; 0: never
# map_wait_seconds = 300       # how long a letter waits for its map before it leaves without; 0: no maps

# Where letters come from: a mailbox …
# [imap]
# host = "imap.example.org"
# user = "{address}"
# password = "…"               # or GM_IMAP__PASSWORD, or token_command for OAuth2

# … or a port that your mail server delivers to
[listen]
protocol = "lmtp"
port = 8025

# Who gets a letter when mail is broken or late (default: the first of `masters`), and a port for monitoring
# operators = ["{master}"]
# [health]
# port = 9125

# Where letters go out
[relay]
host = "127.0.0.1"
port = 25
"""


def initialise(folder: Path, address: str, master: str, *, force: bool = False, zone: str = "UTC") -> Iterator[str]:
    """Yields lines for the operator. Raises ConfigError or GmError; an old gm.toml stays unless `force`."""
    config = folder / "gm.toml"
    if config.exists() and not force:
        raise ConfigError(f"{config} exists already; edit it, or overwrite it with --force")
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
    yield f"Written: {config}"
    yield f"Made:    {settings.database} (and `secret` beside it: keep both, and keep them private)"
    yield f"First game master: {settings.masters[0]}"
    yield "Next: fill in [imap] or [listen], and [relay]; then start `gm serve`"
    yield f"and write a letter to {settings.address} with the line: HELP"


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
