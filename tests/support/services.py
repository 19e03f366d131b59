"""The services of the game in tests: the game master's address, secret and first day, with the server's own parts."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from support.dialogue import AUTHSERV
from support.shipped import letter_templates

from gm.game.model.records import InboxRow, Letter, OutLetter
from gm.game.model.reply_addresses import ReplyAddresses
from gm.game.model.services import Services
from gm.language.rendering.templates import LetterTemplates
from gm.mail.message.attachments import quoted_words, text_attachments
from gm.mail.message.open_letter import open_letter, read_headers
from gm.variant_files.library import Library

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
POST = ReplyAddresses("gm@gm.example", b"a secret for tests")
MOST_BYTES = 1_000_000

ORDERS = {
    "Austria": ("anna", "A Vie - Gal"),
    "England": ("hannah", "F Lon - NTH"),
    "France": ("luc", "A Par - Bur"),
    "Germany": ("tom", "A Mun - Bur"),
    "Italy": ("chiara", "A Ven - Tyr"),
    "Russia": ("irina", "A Mos - Ukr"),
    "Turkey": ("deniz", "A Con - Bul"),
}
"""An order for each power of Standard's first phase, with the name its player writes under in the dialogues."""


def envelope(letter: OutLetter) -> str:
    return POST.bounce_address(letter.message_id)


def server_services(library: Library, letters: LetterTemplates | None = None) -> Services:
    """As the server makes them, with one game master, ruth@example.org, and one operator, op@example.org."""
    return Services(
        variant=library.variant,
        variant_ids=library.ids(),
        post=POST,
        letters=letters or letter_templates(),
        open_letter=_opened,
        headers=read_headers,
        attached=partial(text_attachments, max_bytes=MOST_BYTES),
        quoted=partial(quoted_words, max_bytes=MOST_BYTES),
        masters=frozenset({"ruth@example.org"}),
        operators=("op@example.org",),
        zone="UTC",
    )


def _opened(row: InboxRow) -> Letter:
    return open_letter(row, POST.ours, AUTHSERV, MOST_BYTES)
