"""Parses the header block of a letter or part: splits, unfolds, decodes RFC 2047 words, finds addresses.

The standard library's policies crash, recurse or take gigabytes on hostile headers (`Message-ID: <[a@b`, twenty
thousand encoded words, five thousand opening brackets). Everything here is one pass.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence

from gm.mail import limits
from gm.mail.message import charset

NAME = re.compile(rb"([!-9;-~]{1,100})[ \t]*:(.*)", re.DOTALL)
PLAIN_FIELD = re.compile(r"([!-9;-~]{1,100})[ \t]*:(.*(?:\n[ \t].*)*)(?:\n|$)")
PLAIN_FIELDS = re.compile(rf"(?:{PLAIN_FIELD.pattern})+")
ENCODED_WORD = re.compile(r"=\?([\w.:+*-]{1,60})\?([bBqQ])\?([^?]{0,8192})\?=")
ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\]{1,250}@[^\s@<>,;:\"()\[\]\\]{1,250}")
PLAIN_MAILBOX = re.compile(
    r"(?P<only>[\w.+-]{1,250}@[\w.-]{1,250})|(?P<name>[\w. -]{0,250})<(?P<address>[\w.+-]{1,250}@[\w.-]{1,250})>",
    re.ASCII,
)
"""A mailbox without quotes and comments, whose name needs no decoding."""
MESSAGE_ID = re.compile(r"<([^<>\s]{1,500})>")
MOST_ADDRESSES = 100
TOKEN = re.compile(
    r'"(?P<quoted>(?:[^"\\]|\\.)*)"?|<(?P<spec>[^>]*)>?|\((?P<comment>[^()]*)\)|(?P<end>[,;])|(?P<group>:)|[^"<(,;:]+|\('
)
QUOTED_PAIR = re.compile(r"\\(.)")


class Headers:
    """Names are lower case, values unfolded and still encoded. Decoded ones are kept, only for speed."""

    __slots__ = ("_addresses", "_named", "_texts", "fields")

    def __init__(self, fields: tuple[tuple[str, str], ...] = ()) -> None:
        self.fields = fields
        self._named: dict[str, list[str]] = {}
        self._addresses: dict[str, list[tuple[str, str]]] = {}
        self._texts: dict[str, str] = {}
        for name, value in fields:
            self._named.setdefault(name, []).append(value)

    def all(self, name: str) -> Sequence[str]:
        return self._named.get(name, ())

    def get(self, name: str) -> str:
        """The first header of that name, else ""."""
        return self._named[name][0] if name in self._named else ""

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._named)

    def has_any(self, names: frozenset[str]) -> bool:
        return not names.isdisjoint(self._named)

    def __contains__(self, name: str) -> bool:
        return name in self._named

    def text(self, name: str) -> str:
        """Decoded, on one line."""
        text = self._texts.get(name)
        if text is None:
            words = charset.normalize_text(decode_words(self.get(name)))
            text = self._texts[name] = " ".join(words.split())
        return text

    def addresses(self, *names: str) -> list[tuple[str, str]]:
        """(display name, address in lower case) from these headers, in the order of names."""
        return [pair for name in names if name in self._named for pair in self._parsed_addresses(name)]

    def _parsed_addresses(self, name: str) -> list[tuple[str, str]]:
        pairs = self._addresses.get(name)
        if pairs is None:
            pairs = [pair for value in self._named[name] for pair in parse_addresses(value)]
            self._addresses[name] = pairs
        return pairs

    def ids(self, name: str) -> list[str]:
        return [identifier for value in self.all(name) for identifier in MESSAGE_ID.findall(value)]


def split_headers(raw: bytes) -> tuple[Headers, bytes]:
    """Headers and body; `raw` has LF line ends. A line that is no header begins the body."""
    if (plain := _plain_headers(raw)) is not None:  # fast path
        return plain
    fields: list[tuple[str, bytearray]] = []
    place, kept = 0, 0
    while place < len(raw):
        end = raw.find(b"\n", place)
        end = len(raw) if end < 0 else end
        line = raw[place : min(end, place + limits.ONE_HEADER)]
        if not line:
            return _headers(fields), raw[end + 1 :]
        header = NAME.match(line)
        if line[:1] in b" \t" and fields:
            kept += _append_limited(fields[-1][1], line, kept)
        elif header:
            fields.append((header[1].decode("ascii").lower(), bytearray()))
            kept += 20 + _append_limited(fields[-1][1], header[2], kept)
        elif not (place == 0 and line.startswith((b"From ", b">From "))):
            return _headers(fields), raw[place:]
        place = end + 1
    return _headers(fields), b""


def _plain_headers(raw: bytes) -> tuple[Headers, bytes] | None:
    """The same for a short block of printable ASCII in which each line is a header or goes on with one."""
    end = raw.find(b"\n\n", 0, limits.ONE_HEADER)
    block = raw[:end] if end > 0 else b""
    if not block.isascii() or not (text := block.decode("ascii")).replace("\n", "").replace("\t", "").isprintable():
        return None
    if PLAIN_FIELDS.fullmatch(text) is None:
        return None
    fields = [(name.lower(), value.replace("\n", "").strip()) for name, value in PLAIN_FIELD.findall(text)]
    return Headers(tuple(fields)), raw[end + 2 :]


def _append_limited(value: bytearray, piece: bytes, kept: int) -> int:
    room = max(0, min(limits.ONE_HEADER - len(value), limits.HEADER_BLOCK - kept))
    value += piece[:room]
    return min(len(piece), room)


def _headers(fields: list[tuple[str, bytearray]]) -> Headers:
    """Removes control characters."""
    kept = fields[: limits.HEADER_BLOCK // 20]
    lines = (charset.normalize_text(charset.decode(bytes(value))).replace("\n", " ").strip() for _, value in kept)
    return Headers(tuple(zip((name for name, _ in kept), lines, strict=True)))


def decode_words(value: str) -> str:
    """RFC 2047, leniently: also words inside quotes, with blanks, and characters split over two words."""
    if "=?" not in value:  # fast path
        return value
    out: list[str] = []
    pending, pending_charset, place = b"", "", 0
    for word in ENCODED_WORD.finditer(value):
        between = value[place : word.start()]
        name = word[1].partition("*")[0].lower()
        if pending and (between.strip() or name != pending_charset):
            out.append(charset.decode(pending, pending_charset))
            pending = b""
        if between.strip() or (not out and not pending):
            out.append(between)
        pending += _decode_word(word[2], word[3])
        pending_charset, place = name, word.end()
    if pending:
        out.append(charset.decode(pending, pending_charset))
    out.append(value[place:])
    return "".join(out)


def _decode_word(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    if encoding in "qQ":
        return binascii.a2b_qp(raw.replace(b" ", b"_"), header=True)
    try:
        return base64.b64decode(raw + b"=" * (-len(raw) % 4))
    except (binascii.Error, ValueError):
        return raw


def parse_addresses(value: str) -> list[tuple[str, str]]:
    """(display name, address) of each mailbox in a header with groups, comments and quotes."""
    if plain := PLAIN_MAILBOX.fullmatch(value):  # fast path
        return [(" ".join((plain["name"] or "").split()), (plain["only"] or plain["address"]).lower())]
    mailboxes: list[tuple[str, str]] = []
    words, comment, specs = "", "", list[str]()
    for token in (*TOKEN.finditer(value), None):
        if token is None or token["end"]:
            mailboxes += _mailboxes(words, comment, specs)
            words, comment, specs = "", "", []
        elif token["spec"] is not None:
            specs.append(token["spec"])
        elif token["comment"] is not None:
            comment += token["comment"]
        elif token["group"]:
            words = ""
        else:
            words += QUOTED_PAIR.sub(r"\1", token["quoted"]) if token["quoted"] is not None else token[0]
    return mailboxes[:MOST_ADDRESSES]


def _mailboxes(words: str, comment: str, specs: list[str]) -> list[tuple[str, str]]:
    """Two addresses in one mailbox count as two, so that neither passes for the only sender."""
    mailboxes = []
    for spec in specs or [words]:
        address = ADDRESS.fullmatch("".join(spec.split()).strip("'")) or ADDRESS.search(spec)
        name = words if specs else comment
        if address:
            mailboxes.append(
                (" ".join(charset.normalize_text(decode_words(name)).split()).strip("'"), address[0].lower())
            )
    return mailboxes
