"""Splits a letter into MIME parts (RFC 2045-2049), without the standard library's recursive parser.

`parse` builds a tree of at most `limits.PARTS` leaves and `limits.DEPTH` levels and decodes nothing; `content` and
`text` decode one leaf, so attachments, archives and bombs stay closed.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from msgspec import Struct, field

from gm.mail import limits
from gm.mail.message import charset
from gm.mail.message.headers import Headers, decode_words, split_headers

TYPE = re.compile(r"\s*([\w!#$&^.+-]{1,100}/[\w!#$&^.+*-]{1,100})")
PARAMETER = re.compile(r';\s*([\w-]{1,60})(\*\d{1,2})?(\*)?\s*=\s*("(?:[^"\\]|\\.)*"?|[^;\s]*)')
BASE64_LINE = re.compile(rb"[A-Za-z0-9+/=\s]*")


SMALL, SMALL_KEPT = 10_000, 200
"""Bytes of a letter whose parts are kept, and how many of them."""


class MimePart(Struct, frozen=True):
    """A leaf has a body and no parts, a container the reverse. `whole` is False when limits cut the tree."""

    headers: Headers
    type: str
    parameters: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    parts: tuple[MimePart, ...] = ()
    whole: bool = True

    @property
    def disposition(self) -> str:
        return self.headers.get("content-disposition").partition(";")[0].strip().lower()

    @property
    def name(self) -> str:
        """The file name, else ""."""
        given = parse_parameters(self.headers.get("content-disposition")).get("filename", "")
        return decode_words(given or self.parameters.get("name", ""))

    def leaves(self) -> Iterator[MimePart]:
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()


def parse(raw: bytes) -> MimePart:
    """Never raises; accepts any line ends; reads a broken multipart as text."""
    return _parse_small(raw) if len(raw) <= SMALL else _parse(raw)


def _parse(raw: bytes) -> MimePart:
    unix = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return _Splitter().part(unix.lstrip(b"\n"), "text/plain", 0)


_parse_small = lru_cache(maxsize=SMALL_KEPT)(_parse)
"""Cached only for speed: a letter is parsed when it comes, and again when it is read."""


def parse_parameters(value: str) -> dict[str, str]:
    """The `; name=value` pairs of a header, with RFC 2231 continuations joined."""
    if ";" not in value:
        return {}
    pieces: dict[str, list[str]] = {}
    coded: set[str] = set()
    for name, _, star, given in PARAMETER.findall(value):
        plain = re.sub(r"\\(.)", r"\1", given[1:].removesuffix('"')) if given.startswith('"') else given
        pieces.setdefault(name.lower(), []).append(plain)
        if star:
            coded.add(name.lower())
    return {name: _decode_rfc2231("".join(some)) if name in coded else "".join(some) for name, some in pieces.items()}


def _decode_rfc2231(value: str) -> str:
    name, _, rest = value.partition("'")
    return charset.decode(unquote_to_bytes(rest.partition("'")[2] or value), name)


class _Splitter:
    """Counts the parts of one letter while splitting it."""

    def __init__(self) -> None:
        self.left = limits.PARTS

    def part(self, raw: bytes, default: str, depth: int) -> MimePart:
        headers, body = split_headers(raw)
        given = headers.get("content-type")
        match = TYPE.match(given)
        kind = match[1].lower() if match else default
        values = parse_parameters(given[match.end() :]) if match else {}
        self.left -= 1
        if kind.startswith("multipart/"):
            return self._container(headers, kind, values, body, depth)
        return MimePart(headers, kind, values, body)

    def _container(self, headers: Headers, kind: str, values: dict[str, str], body: bytes, depth: int) -> MimePart:
        if depth >= limits.DEPTH:
            return MimePart(headers, kind, values, whole=False)
        default = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        parts: list[MimePart] = []
        for chunk in _split_at_boundary(body, values.get("boundary", "").rstrip()):
            if self.left <= 0:
                return MimePart(headers, kind, values, parts=tuple(parts), whole=False)
            parts.append(self.part(chunk, default, depth + 1))
        if not parts:
            return MimePart(headers, "text/plain", values, body)
        return MimePart(headers, kind, values, parts=tuple(parts), whole=all(part.whole for part in parts))


def _split_at_boundary(body: bytes, boundary: str) -> Iterator[bytes]:
    """The text between delimiter lines; accepts a missing last one and guesses a missing parameter."""
    mark = b"--" + boundary.encode("utf-8", "replace") if boundary else _first_dashes(body)
    if len(mark) <= 2:
        return
    start = -1
    for delimiter in re.finditer(rb"^" + re.escape(mark) + rb"(--)?[ \t]*$", body, re.MULTILINE):
        if start >= 0:
            yield body[start : max(start, delimiter.start() - 1)]
        start = delimiter.end() + 1
        if delimiter[1]:
            return
    if start >= 0:
        yield body[start:]


def _first_dashes(body: bytes) -> bytes:
    line = body.lstrip(b"\n")[:200].partition(b"\n")[0].rstrip()
    return line if line.startswith(b"--") else b""


def content(part: MimePart) -> bytes:
    """A leaf's bytes with the transfer encoding removed, leniently."""
    how = part.headers.get("content-transfer-encoding").partition(";")[0].strip().lower()
    if how == "quoted-printable":
        return binascii.a2b_qp(part.body)
    if how == "base64":
        return _decode_base64(part.body)
    return part.body


def _decode_base64(body: bytes) -> bytes:
    """A line of words, as in a mailing list's footer, ends the code."""
    good = bytearray()
    for line in body.splitlines():
        if not BASE64_LINE.fullmatch(line) or (b" " in line.strip() and good):
            break
        good += line
    code = bytes(good).translate(None, b" \t\r\n").rstrip(b"=")
    code = code[: len(code) - (len(code) % 4 == 1)]
    try:
        return base64.b64decode(code + b"=" * (-len(code) % 4))
    except (binascii.Error, ValueError):
        return b""


def text(part: MimePart) -> str:
    """A text leaf's characters, up to four times the limit: HTML shrinks when embedded pictures are cut."""
    return charset.normalize_text(charset.decode(content(part)[: 4 * limits.TEXT], part.parameters.get("charset", "")))
