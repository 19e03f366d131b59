"""`gm init`: writes gm.toml, the database and the secret, and names the first game master."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from gm.config import Config, load_config
from gm.errors import ConfigError
from gm.server.wiring import assemble

TEMPLATE = """# The game master's settings. Every key may come from the environment instead: GM_RELAY__PASSWORD=…
# To use a line that begins with "# key =", remove the "#"; of a section that begins with "# [name]", all its lines.
address = {address}  # players write to it; reply addresses are made from it
# addresses = "domain"  # if all mail of the domain comes here (default: "plus", one mailbox)
database = {database}
masters = [{master}]  # may create games
zone = {zone}  # for players and games without a time zone of their own
# registration = "closed"  # by invitation only; default "open": who confirms an address may ask for a seat
# dkim = false  # if no name server can be asked (default: signatures prove the From address)
# authserv_id = "mx.example.org"  # our mail server in Authentication-Results, which proves From too
# outage_minutes = 120  # after a longer outage, deadlines within it move by a day; 0: never (default: 60)
# map_wait_seconds = 60  # how long a letter waits for its map before it leaves without; 0: no maps (default: 300)
# keep_letters_days = 90  # how long raw letters are kept; games are kept for good (default: 180)
# log = "json"  # for log collectors (default: "text")

# Who gets a letter when mail is broken or late (default: the first of `masters`), and a command for when no mail leaves
# operators = [{master}]
# alarm_command = "/usr/local/bin/page-me"

# Where letters come from: a mailbox …
# [imap]
# host = "imap.example.org"
# port = 993
# security = "tls"  # or "starttls" (port 143), "none"
# user = {address}
# password = "sesame"  # better in the environment, as GM_IMAP__PASSWORD; for OAuth2 write token_command instead
# folder = "INBOX"

# … or a port that your mail server delivers to (remove this section if it is the mailbox alone)
[listen]
protocol = "lmtp"  # or "smtp"
port = 8025
# host = "127.0.0.1"
# relays = ["127.0.0.1"]  # only these mail servers may deliver

# Where letters go out: a mail server on this machine, or your provider's, with a login
[relay]
host = "127.0.0.1"
port = 25  # a provider's: 465, or 587
security = "none"  # "tls" at port 465, "starttls" at port 587
# user = {address}
# password = "sesame"  # better in the environment, as GM_RELAY__PASSWORD; for OAuth2 write token_command instead

# A port for monitoring: /healthz and /metrics
# [health]
# port = 9125
"""


def initialise(folder: Path, address: str, master: str, *, force: bool = False, zone: str = "UTC") -> Iterator[str]:
    """Yields lines for the operator. Raises ConfigError or GmError; an old gm.toml stays unless `force`."""
    config = folder / "gm.toml"
    if config.exists() and not force:
        raise ConfigError(f"{config} exists already; edit it, or overwrite it with --force")
    text = TEMPLATE.format(
        address=_quote(address.strip().lower()),
        master=_quote(master.strip().lower()),
        database=_quote(str(folder.absolute() / "gm.sqlite")),
        zone=_quote(zone),
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


def _quote(text: str) -> str:
    """Writes a TOML string: one of JSON is one of TOML too, if DEL is escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


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
