"""The composition root: the only module that knows every part, and puts them together from the settings."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from msgspec import Struct

from gm.config import SECRET_LEAST, Config
from gm.errors import GmError
from gm.game.intake import inbox as intake
from gm.game.model.records import InboxRow, Letter, OutLetter
from gm.game.model.reply_addresses import MAILBOX_MOST, ReplyAddresses
from gm.game.model.services import Services
from gm.judge.model.variant import Variant
from gm.language.rendering.templates import LetterTemplates
from gm.mail.incoming.received import Received, content_key
from gm.mail.message.attachments import text_attachments
from gm.mail.message.open_letter import open_letter, read_headers
from gm.resources import folder
from gm.store.database import Database
from gm.variant_files.library import Library


class Application(Struct, frozen=True):
    """A game master put together: everything `serve`, `tick`, `deliver` and the demo need."""

    settings: Config
    database: Database
    library: Library
    services: Services

    def accept(self, *letters: Received) -> None:
        """Keep letters' bytes. Committed when this returns; raises Unavailable when they could not be kept."""
        rows = [
            InboxRow(
                id=0,
                account=letter.account,
                content_key=content_key(letter),
                received_at=letter.received_at,
                raw=letter.raw,
                envelope_from=letter.envelope_from,
                envelope_to=letter.envelope_to,
            )
            for letter in letters
        ]
        intake.accept(self.database.transaction, *rows, pushed=any(letter.pushed for letter in letters))

    def told(self, address: str) -> bool | None:
        """As `known`, by the address alone; None where it takes a look at the games there are."""
        post = self.services.post
        if not post.catch_all or not post.ours(address) or address.lower().partition("@")[0] == post.mailbox:
            return post.ours(address)
        return True if post.mailbox in post.games((address,)) else None

    def known(self, address: str) -> bool:
        """Does mail for this address belong here? Anything else is refused while its sender still holds it.

        Where all of a domain is ours, it is the mailbox with whatever stands behind a plus, and the games there are.
        """
        told = self.told(address)
        if told is not None:
            return told
        with self.database.transaction() as store:
            return any(store.games.by_name(name) is not None for name in self.services.post.games((address,)))


def variants(settings: Config | None = None) -> Library:
    """Our own variants, and those of the operator's folders."""
    return Library(shelves(settings))


def shelves(settings: Config | None = None) -> tuple[Path, ...]:
    """Where variants lie."""
    extra = [Path(variant).expanduser() for variant in (settings.variants if settings else ())]
    for one in extra:
        if not one.is_dir():
            raise GmError(f"variants: there is no folder {one}")
    return (folder("variants"), *extra)


def assemble(settings: Config, *, alone: bool = True, clock: Callable[[], datetime] | None = None) -> Application:
    """Open the database and put the parts together. `alone` False: beside a running server, only to hand letters in.

    Raises GmError with one line for anything that is not as it should be.
    """
    library = variants(settings)
    post = ReplyAddresses(settings.address, _secret(settings), catch_all=settings.addresses == "domain")
    if len(post.mailbox) > MAILBOX_MOST:
        raise GmError(
            f"address: {post.mailbox}@ is too long a mailbox for reply addresses; {MAILBOX_MOST} letters are the most"
        )
    database = Database(settings.database, alone=alone, clock=clock, envelope=partial(_envelope, post))
    services = Services(
        variant=partial(_variant, library),
        variant_ids=library.ids(),
        post=post,
        letters=LetterTemplates(folder("templates")),
        open_letter=partial(_open, settings, post),
        headers=read_headers,
        attached=partial(text_attachments, max_bytes=settings.max_letter_bytes),
        masters=frozenset(settings.masters),
        operators=settings.operators,
        trust_from=settings.trust_from and bool(settings.authserv_id),
        zone=settings.zone,
        registration=settings.registration == "open",
        map_wait=timedelta(seconds=settings.map_wait_seconds),
        outage=_outage(settings),
        reading=database.reading,
    )
    return Application(settings, database, library, services)


def _outage(settings: Config) -> timedelta:
    """A mailbox that is read seldom is no outage."""
    polls = timedelta(seconds=2 * settings.imap.poll_seconds) if settings.imap else timedelta(0)
    return max(timedelta(minutes=settings.outage_minutes), polls) if settings.outage_minutes else timedelta(0)


def _variant(library: Library, name: str, options: Mapping[str, str]) -> Variant:
    return library.variant(name, options)


def _envelope(post: ReplyAddresses, letter: OutLetter) -> str:
    """Bounces come back to an address that names the letter and can't be made up."""
    return post.bounce_address(letter.message_id)


def _open(settings: Config, post: ReplyAddresses, row: InboxRow) -> Letter:
    return open_letter(row, post.ours, settings.authserv_id, settings.max_letter_bytes)


def _secret(settings: Config) -> bytes:
    """The seed of all reply addresses: from the settings, else from a file beside the database, made once."""
    if settings.secret is not None:
        return settings.secret.get_secret_value().encode()
    if "://" in settings.database:
        raise GmError("secret: with PostgreSQL give the same long random `secret` to every node (or GM_SECRET)")
    path = Path(settings.database).with_name("secret")
    try:
        return _old_secret(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise GmError(f"{path}: cannot be read ({error.strerror})") from None
    if not path.parent.is_dir():
        raise GmError(f"database {settings.database}: there is no folder {path.parent}; make it first")
    return _new_secret(path)


def _old_secret(path: Path) -> bytes:
    """One that was cut short (a full disk, a backup half restored) would let anybody make reply addresses."""
    secret = path.read_bytes().strip()
    if len(secret) < SECRET_LEAST:
        raise GmError(f"{path}: is too short to be our secret; restore it, or remove it (reply addresses then change)")
    return secret


def _new_secret(path: Path) -> bytes:
    secret = secrets.token_urlsafe(32).encode()
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:  # another process was quicker: its secret is the one
        return _old_secret(path)
    except OSError as error:
        raise GmError(f"{path}: cannot be written ({error.strerror})") from None
    with os.fdopen(handle, "wb") as file:
        file.write(secret + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return secret
