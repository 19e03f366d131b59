"""What games need from variants, templates and mail, as functions and values: it imports no store and no mail."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial

from gm.config import Config
from gm.game.model.records import InboxRow, Letter
from gm.game.model.reply_addresses import ReplyAddresses
from gm.game.model.services import Services
from gm.language.rendering.templates import LetterTemplates
from gm.mail.message.attachments import quoted_words, text_attachments
from gm.mail.message.dkim_keys import DkimKeys
from gm.mail.message.dkim_signatures import prove_by_signature
from gm.mail.message.open_letter import open_letter, read_headers
from gm.resources import folder
from gm.variant_files.library import Library

PAGE_WAIT = timedelta(minutes=5)


def build_services(
    settings: Config,
    post: ReplyAddresses,
    library: Library,
    reading: Callable[[], AbstractContextManager[Callable[[], bool]]],
) -> Services:
    def open_row(row: InboxRow) -> Letter:
        return open_letter(row, post.ours, settings.authserv_id, settings.max_letter_bytes)

    return Services(
        variant=library.variant,
        variant_ids=library.ids(),
        post=post,
        letters=LetterTemplates(folder("templates")),
        open_letter=open_row,
        headers=read_headers,
        prove=_signature_proof(settings, post),
        attached=partial(text_attachments, max_bytes=settings.max_letter_bytes),
        quoted=partial(quoted_words, max_bytes=settings.max_letter_bytes),
        masters=frozenset(settings.masters),
        operators=settings.operators,
        zone=settings.zone,
        registration=settings.registration == "open",
        map_wait=timedelta(seconds=settings.map_wait_seconds),
        outage=_outage_limit(settings),
        reading=reading,
        webhook_wait=_webhook_wait(settings),
    )


def _webhook_wait(settings: Config) -> timedelta | None:
    """How long an event waits for its page, which it links to; None without a webhook."""
    if settings.notify is None:
        return None
    return PAGE_WAIT if settings.site is not None and settings.site.url else timedelta(0)


def _signature_proof(settings: Config, post: ReplyAddresses) -> Callable[[InboxRow, Letter], Letter]:
    if not settings.dkim:
        return lambda row, letter: letter
    keys = DkimKeys()

    def names_game(address: str) -> bool:
        return any(True for _ in post.games((address,)))

    return lambda row, letter: prove_by_signature(row, letter, keys, post.ours, names_game)


def _outage_limit(settings: Config) -> timedelta:
    """Returns after how long a silence deadlines move: never less than two polls of the mailbox."""
    polls = timedelta(seconds=2 * settings.imap.poll_seconds) if settings.imap else timedelta(0)
    return max(timedelta(minutes=settings.outage_minutes), polls) if settings.outage_minutes else timedelta(0)
