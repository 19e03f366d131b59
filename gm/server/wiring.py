"""The composition root: builds an `Application` from the settings.

`assemble` opens the database (`gm.store`). `Application.services` hands variants, templates and mail to the game, when
they are first used (`gm.server.game_services`). `Application.accept` is where every letter comes in, whatever brought
it: SMTP, LMTP, IMAP or `gm deliver`. `gm.server.service` runs the application, `gm tick` and the demo run it once.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from gm.config import Config, user_name
from gm.errors import GmError
from gm.game.intake import arrivals
from gm.game.model.records import OutLetter
from gm.game.model.reply_addresses import MAILBOX_MOST, ReplyAddresses
from gm.mail.incoming.received import Received, inbox_row
from gm.resources import folder
from gm.setting_errors import SECRET_LEAST
from gm.store.sqlite_file import SqliteFile, open_private, sqlite_file

if TYPE_CHECKING:
    from gm.cli.map import MapDrawer
    from gm.game.model.services import Services
    from gm.store.database import Database
    from gm.variant_files.library import Library


class Application(Struct, frozen=True, dict=True):
    """The assembled game master: what `serve`, `tick`, `deliver` and the demo need.

    `library` and `services` are built when they are first used: their imports take half a second.
    """

    settings: Config
    database: Database
    post: ReplyAddresses

    @cached_property
    def library(self) -> Library:
        """Raises GmError."""
        from gm.variant_files.library import Library

        return Library(variant_folders(self.settings))

    @cached_property
    def map_drawer(self) -> MapDrawer:
        """For pictures drawn in this process. It keeps the boards that it has read."""
        from gm.cli.map import MapDrawer

        return MapDrawer(self.library)

    @cached_property
    def services(self) -> Services:
        """Raises GmError."""
        from gm.server.game_services import build_services

        return build_services(self.settings, self.post, self.library, self.database.reading)

    def accept(self, *letters: Received) -> None:
        """Stores the bytes of letters. Committed when this returns; raises Unavailable if they cannot be stored."""
        rows = map(inbox_row, letters)
        arrivals.accept(self.database.transaction, *rows, pushed=any(letter.pushed for letter in letters))

    def recognises(self, address: str) -> bool | None:
        """Tells whether mail for an address belongs here, without the database; None if it takes one."""
        post = self.post
        if not post.catch_all or not post.ours(address) or address.lower().partition("@")[0] == post.mailbox:
            return post.ours(address)
        return True if post.mailbox in post.games((address,)) else None

    def is_known(self, address: str) -> bool:
        """Tells whether mail for an address belongs here. Other mail is refused while its sender still holds it.

        If a whole domain is ours, this is the mailbox with anything after a plus, and the names of games.
        """
        recognised = self.recognises(address)
        if recognised is not None:
            return recognised
        with self.database.transaction() as store:
            return any(store.games.by_name(name) is not None for name in self.post.games((address,)))


def variant_folders(settings: Config) -> tuple[Path, ...]:
    """The folders with variants: the package's and the operator's. Raises GmError if one is missing."""
    extra = [Path(variant).expanduser() for variant in settings.variants]
    for path in extra:
        if not path.is_dir():
            raise GmError(f"variants: there is no folder {path}")
    return (folder("variants"), *extra)


def assemble(settings: Config, *, alone: bool = True, clock: Callable[[], datetime] | None = None) -> Application:
    """Opens the database and puts the parts together.

    `alone` False: beside a running server, on a database that there is. Raises GmError, one line.
    """
    from gm.store.database import Database

    file = sqlite_file(settings.database)
    if file is not None and not alone:
        file.require()
    variant_folders(settings)
    post = reply_addresses(settings)

    def bounce_address(letter: OutLetter) -> str:
        return post.bounce_address(letter.message_id)

    database = Database(settings.database, alone=alone, clock=clock, envelope=bounce_address)
    return Application(settings, database, post)


def open_beside_server(settings: Config) -> Application:
    """Opens a database of this version while a server may be running. Raises GmError."""
    app = assemble(settings, alone=False)
    app.database.check()
    return app


def reply_addresses(settings: Config) -> ReplyAddresses:
    """Raises GmError."""
    form = settings.addresses
    post = ReplyAddresses(settings.address, _load_secret(settings), catch_all=form == "domain", plain=form == "plain")
    if len(post.mailbox) > MAILBOX_MOST:
        raise GmError(f"address: {post.mailbox}@ is too long for reply addresses: at most {MAILBOX_MOST} characters")
    return post


def _load_secret(settings: Config) -> bytes:
    """Returns the key of all reply addresses: from the settings, else from a file beside the database, made once."""
    if settings.secret is not None:
        return settings.secret.get_secret_value().encode()
    if "://" in settings.database:
        raise GmError("secret: with PostgreSQL, give every node the same long random `secret` (or GM_SECRET)")
    path = Path(settings.database).expanduser().with_name("secret")
    try:
        return _read_secret(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise GmError(f"{path}: cannot be read by {user_name()} ({error.strerror})") from None
    if not path.parent.is_dir():
        raise GmError(f"database {settings.database}: there is no folder {path.parent}; create it first")
    if SqliteFile(path.with_name(Path(settings.database).name)).holds_letters_sent():
        raise GmError(f"{path} is missing, and only with it the reply addresses of {settings.database} work: {LOST}")
    return _create_secret(path)


LOST = (
    "put it back, from the old machine or by `gm restore` from a backup; if it is lost, make a new one, and players "
    "get new addresses with their next letters: (umask 077; head -c 24 /dev/urandom | base64 > secret)"
)


def _read_secret(path: Path) -> bytes:
    """Reads the secret. A truncated one (full disk, half a restore) would let anybody make reply addresses."""
    secret = path.read_bytes().strip()
    if len(secret) < SECRET_LEAST:
        raise GmError(f"{path}: is too short for a secret; restore it, or remove it (reply addresses then change)")
    return secret


def _create_secret(path: Path) -> bytes:
    secret = secrets.token_urlsafe(32).encode()
    try:
        handle = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    except FileExistsError:  # another process was faster: use its secret
        return _read_secret(path)
    except OSError as error:
        raise GmError(f"{path}: cannot be written ({error.strerror})") from None
    with os.fdopen(handle, "wb") as file:
        file.write(secret + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return secret
