"""Replaces typographic characters by plain ASCII, and maps columns back to the original text.

Every dash becomes "-", every arrow ">" or "<-", every blank " ", curly quotes straight ones; letters lose their accents
and compatibility forms ("Ａ" is "A"). Invisible characters go. `CleanText.column` gives the column in the original.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from msgspec import Struct

DASHES = (
    "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2053\u2212\u2500"
    "\u2501\u2796\u30fc\ufe58\ufe63\uff0d\u0096\u0097\u301c\u02d7"
)
ARROWS = (
    "\u2192\u2194\u21d2\u21e8\u21fe\u2794\u2799\u279c\u279d\u279e\u27a1\u27a4\u27f6\u27f9"
    "\u2b62\u203a\u00bb\u25b6\u25ba\u2023\u21a6\u21fb\u21aa\u2911\u2a2f"
)
BACK_ARROWS = "\u2190\u21d0\u21e6\u27f5\u2b05"
QUOTES = "\u2018\u2019\u201a\u201b\u02bc\u2032\u0060\u00b4\u0091\u0092"
DOUBLE = "\u201c\u201d\u201e\u201f\u2033\u00ab\u0093\u0094"
BULLETS = "\u2022\u00b7\u25e6\u25aa\u25cf\u25cb\u25a0\u2219\u2217"
STARS = "\u2605\u2606\u2731\u2736"

_ONE = {ord(c): "-" for c in DASHES}
_ONE |= {ord(c): ">" for c in ARROWS}
_ONE |= {ord(c): "<-" for c in BACK_ARROWS}
_ONE |= {ord(c): "'" for c in QUOTES} | {ord(c): '"' for c in DOUBLE} | {ord(c): "*" for c in BULLETS + STARS}
_ONE |= {ord("ß"): "ss", ord("ẞ"): "SS"}
_ONE |= {ord(c): " " for c in "\t\v\f\r\n\u0085\u2028\u2029"}
_ONE_IN_ASCII = {code: plain for code, plain in _ONE.items() if code < 128}


class CleanText(Struct, frozen=True, gc=False):
    """`columns` maps each index of `text` to the original; None where they are the same."""

    text: str
    columns: tuple[int, ...] | None = None

    def column(self, index: int) -> int:
        return index if self.columns is None else self.columns[index]


def clean(text: str) -> CleanText:
    if text.isascii():  # fast path
        plain = text if text.isprintable() else text.translate(_ONE_IN_ASCII)
        if plain.isprintable():
            return CleanText(plain)
    letters = list(map(_plain, text))
    columns = (at for at, plain in enumerate(letters) for _ in plain)
    return CleanText("".join(letters), (*columns, len(text)))


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    known = _ONE.get(ord(char))
    if known is not None:
        return known
    if char.isascii():
        return char if char.isprintable() else ""
    category = unicodedata.category(char)
    if category in ("Cf", "Mn", "Cc", "Me"):
        return ""
    if category in ("Zs", "Zl", "Zp"):
        return " "
    if category == "Pd":
        return "-"
    base = unicodedata.normalize("NFKD", char)
    plain = "".join(_ONE.get(ord(c), c) for c in base if unicodedata.category(c) != "Mn")
    return plain[:4] if plain else ""
