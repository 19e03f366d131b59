"""The game master's address, secret and first day, the same in every test of the desk."""

from __future__ import annotations

from datetime import UTC, datetime

from gm.game.model.records import OutLetter
from gm.game.model.reply_addresses import ReplyAddresses

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
POST = ReplyAddresses("gm@gm.example", b"a secret for tests")

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
