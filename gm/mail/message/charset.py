"""Decodes bytes whose charset label may be wrong: declared codec, UTF-8, Windows-1252, then with replacements.

Mail labelled ASCII or Latin-1 is usually Windows-1252 (as in the WHATWG Encoding standard), and East Asian labels mean
the wider code pages that programs use. UTF-7 is refused, because `+AC0-` would become a hyphen that nobody saw; so are
Python codecs that are not character sets or take quadratic time.
"""

from __future__ import annotations

import codecs
import re

WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "iso8859-11": "cp874",
}
GUESSED = {"ascii", "iso8859-1", "utf-8", "cp1252"}
NOT_CHARSETS = {"utf-7", "punycode", "idna", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
INVISIBLE = re.compile(
    "[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What shows nothing: Unicode's format characters (Cf) and all others to be ignored (Default_Ignorable_Code_Point)."""
JOINERS = re.compile("(?<![^\x00-\u02ff])[\u200c\u200d\ufe00-\ufe0f]+|[\u200c\u200d]+(?![^\x00-\u02ff])")
"""Joiners and variation selectors stay between letters that need them, which no command is written in."""
BREAKS = re.compile("\r\n|[\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")


def decode(raw: bytes, declared: str = "") -> str:
    """Never raises."""
    if not declared and raw.isascii():  # fast path
        return raw.decode("ascii")
    if raw.startswith(codecs.BOM_UTF8):
        return raw[3:].decode("utf-8", "replace")
    name = _codec(declared)
    if name in GUESSED:
        return _guess(raw, likely_utf8=name == "utf-8")
    wide = WIDER.get(name, name)
    try:
        return raw.decode(wide)
    except (UnicodeError, ValueError):
        return _guess(raw, likely_utf8=False) if _is_utf8(raw) else raw.decode(wide, "replace")


def normalize_text(text: str) -> str:
    """Normalises line ends to LF; removes control characters and all that is invisible.

    Every text of a letter goes through here before anything looks at it.
    """
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():  # fast path
        return text
    return JOINERS.sub("", INVISIBLE.sub("", CONTROLS.sub("", BREAKS.sub("\n", text))))


def _codec(declared: str) -> str:
    try:
        info = codecs.lookup(declared.strip().strip("'\"").lower()) if declared.isascii() else None
    except (LookupError, ValueError):
        info = None
    if info is None or not getattr(info, "_is_text_encoding", True) or info.name in NOT_CHARSETS:
        return "ascii"
    return info.name


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _guess(raw: bytes, likely_utf8: bool) -> str:
    """Text declared as UTF-8 stays UTF-8 if it has a few broken bytes; anything else is Windows-1252."""
    if _is_utf8(raw):
        return raw.decode("utf-8")
    if likely_utf8:
        text = raw.decode("utf-8", "replace")
        broken = text.count("\ufffd")
        if broken < sum(character > "\x7f" for character in text) - broken:
            return text
    return raw.decode("cp1252", "replace")
