"""The parts of a letter (RFC 2045-2049), found without the standard library's recursive parser.

`parse` cuts the bytes into a tree with at most `caps.PARTS` leaves and `caps.DEPTH` levels and decodes no leaf;
`content` and `text` decode the one leaf they are asked for, so that attachments, archives and bombs stay closed.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from msgspec import Struct, field

from gm.mail import limits as caps
from gm.mail.message import charset
from gm.mail.message.headers import Headers, decode_words, split

TYPE = re.compile(r"\s*([\w!#$&^.+-]{1,100}/[\w!#$&^.+*-]{1,100})")
PARAMETER = re.compile(r';\s*([\w-]{1,60})(\*\d{1,2})?(\*)?\s*=\s*("(?:[^"\\]|\\.)*"?|[^;\s]*)')
BASE64_LINE = re.compile(rb"[A-Za-z0-9+/=\s]*")


class MimePart(Struct, frozen=True):
    """A leaf has a body and no parts; a container the reverse. `whole` is False when caps cut the tree."""

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
        """The file name, "" for an ordinary part."""
        given = parameters(self.headers.get("content-disposition")).get("filename", "")
        return decode_words(given or self.parameters.get("name", ""))

    def leaves(self) -> Iterator[MimePart]:
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()


def parse(raw: bytes) -> MimePart:
    """`raw` with any line ends. Never raises; a broken multipart is read as the text it holds."""
    unix = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return _Splitter().part(unix.lstrip(b"\n"), "text/plain", 0)


def parameters(value: str) -> dict[str, str]:
    """`; name=value` pairs of a header, RFC 2231 continuations joined."""
    pieces: dict[str, list[str]] = {}
    coded: set[str] = set()
    for name, _, star, given in PARAMETER.findall(value):
        plain = re.sub(r"\\(.)", r"\1", given[1:].removesuffix('"')) if given.startswith('"') else given
        pieces.setdefault(name.lower(), []).append(plain)
        if star:
            coded.add(name.lower())
    return {name: _uncode("".join(some)) if name in coded else "".join(some) for name, some in pieces.items()}


def _uncode(value: str) -> str:
    name, _, rest = value.partition("'")
    return charset.decode(unquote_to_bytes(rest.partition("'")[2] or value), name)


class _Splitter:
    """Counts the parts of one letter while cutting it."""

    def __init__(self) -> None:
        self.left = caps.PARTS

    def part(self, raw: bytes, default: str, depth: int) -> MimePart:
        headers, body = split(raw)
        given = headers.get("content-type")
        found = TYPE.match(given)
        kind = found[1].lower() if found else default
        values = parameters(given[found.end() :]) if found else {}
        self.left -= 1
        if kind.startswith("multipart/"):
            return self._container(headers, kind, values, body, depth)
        return MimePart(headers, kind, values, body)

    def _container(self, headers: Headers, kind: str, values: dict[str, str], body: bytes, depth: int) -> MimePart:
        if depth >= caps.DEPTH:
            return MimePart(headers, kind, values, whole=False)
        default = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        parts: list[MimePart] = []
        for chunk in _chunks(body, values.get("boundary", "").rstrip()):
            if self.left <= 0:
                return MimePart(headers, kind, values, parts=tuple(parts), whole=False)
            parts.append(self.part(chunk, default, depth + 1))
        if not parts:
            return MimePart(headers, "text/plain", values, body)
        return MimePart(headers, kind, values, parts=tuple(parts), whole=all(part.whole for part in parts))


def _chunks(body: bytes, boundary: str) -> Iterator[bytes]:
    """What stands between delimiter lines; a missing last one is forgiven, a missing parameter guessed."""
    mark = b"--" + boundary.encode("utf-8", "replace") if boundary else _first_dashes(body)
    if len(mark) <= 2:
        return
    start = -1
    for found in re.finditer(rb"^" + re.escape(mark) + rb"(--)?[ \t]*$", body, re.MULTILINE):
        if start >= 0:
            yield body[start : max(start, found.start() - 1)]
        start = found.end() + 1
        if found[1]:
            return
    if start >= 0:
        yield body[start:]


def _first_dashes(body: bytes) -> bytes:
    line = body.lstrip(b"\n")[:200].partition(b"\n")[0].rstrip()
    return line if line.startswith(b"--") else b""


def content(part: MimePart) -> bytes:
    """A leaf's bytes with the transfer encoding undone, leniently."""
    how = part.headers.get("content-transfer-encoding").partition(";")[0].strip().lower()
    if how == "quoted-printable":
        return binascii.a2b_qp(part.body)
    if how == "base64":
        return _from_base64(part.body)
    return part.body


def _from_base64(body: bytes) -> bytes:
    """A line of words below the code (a mailing list's footer) ends it."""
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
    """A text leaf's characters, up to a few times the cap: HTML shrinks when pictures inside it are cut."""
    return charset.tidy(charset.decode(content(part)[: 4 * caps.TEXT], part.parameters.get("charset", "")))
