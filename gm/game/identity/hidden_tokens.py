"""Takes the tokens of living seats out of the words of a letter, before anything can pass them on.

A player may quote one of our letters to another, or be made to. So words are compared with the tokens themselves,
whatever stands between their characters and in whatever form mail and web programs write them: percent and
quoted-printable codes, HTML entities and tags, base64, hexadecimal, rot13, backwards, full-width letters and those of
other alphabets that look alike, broken and quoted lines. Players who give away their own token by a cipher of their
own, or not by letters of ours, cannot be stopped.
"""

from __future__ import annotations

import base64
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from gm.game.identity.sender import ProvenSender, Sender, SeveralSeats
from gm.game.model.ports import Store
from gm.game.model.records import Letter, Seat
from gm.game.model.reply_addresses import ALPHABET, ReplyAddresses
from gm.game.model.services import Services

GONE = "…"
LENGTH = 26
CODED = re.compile(
    r"[%=](?P<byte>[0-9a-f]{2})|(?P<soft>=[ \t]*\n)|&\#x0{0,6}(?P<entity>[0-9a-f]{1,5});?"
    r"|&\#0{0,6}(?P<decimal>\d{1,6});?|\\(?:x|u00)(?P<escape>[0-9a-f]{2})|(?P<tag></?[a-z]{1,6}[1-6]?[ ]?/?>)"
    r"|(?P<quote>^[ \t]*(?:[a-z]{0,3}>[ \t]?)+)",
    re.IGNORECASE | re.MULTILINE,
)
CODE_SIGNS = "%=&\\<>"
"""Each code has one of these."""
DEEPEST = 3
"""So often may words be coded again: "%253A"."""
RUN = re.compile(r"[A-Za-z0-9+/_=-]{16,}(?:\s{1,4}[>\s]{0,8}[A-Za-z0-9+/_=-]{8,})*")
PAIRS = re.compile(r"(?:\b|0x|\\x)[0-9a-f]{2}(?:[\s:,;.-]{1,3}(?:0x|\\x)?[0-9a-f]{2}\b){25,}", re.IGNORECASE)
PAIR = re.compile(r"(?:0x|\\x)?([0-9a-f]{2})\b", re.IGNORECASE)
ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
ALIKE = str.maketrans("авсԁеԍһіјкмнпрԛгѕтѵԝхузбαβεηικμνρτυχωγı", "abcdeghijkmhnpqrstvwxy36abenikmvptuxwyi")
"""Small letters of other alphabets, and the letters and figures of tokens that they look like."""
BLANKS = re.compile(r"[>\s]+")
WHOLE = re.compile(rf"[{ALPHABET}]{{{LENGTH}}}")
BROKEN = re.compile(rf"(?=[a-z]{{0,24}}[2-9][a-z]{{0,24}}[2-9])[{ALPHABET}]{{{LENGTH}}}")
"""What may be a token: in one piece, or among blanks and punctuation with two figures or more, unlike prose."""
FEW = 40
"""Tokens of one game, each of them forwards and backwards."""
TWO_FIGURES = re.compile("[2-9][^2-9]*[2-9]")
ODD = re.compile(rf"[^{ALPHABET}]+")
NO_WORD = re.compile(r"[\W_]+")
FIELDS = {"lines": 0, "answered": 0, "notes": 1, "forwarded": 2}
"""Fields of a letter that hold its words, and those with the same figure stand among each other."""
NO_LETTERS = {pattern: bytes(code for code in range(128) if pattern.fullmatch(chr(code))) for pattern in (ODD, NO_WORD)}
"""What these patterns match in ASCII."""


class _Text(Struct, frozen=True):
    """Decoded words; the character at an index comes from `starts[index]` to `ends[index]` of the original."""

    words: str
    starts: Sequence[int]
    ends: Sequence[int]

    def without(self, pattern: re.Pattern[str]) -> _Text:
        """Without what the pattern matches."""
        gone = {index for match in pattern.finditer(self.words) for index in range(*match.span())}
        left = [index for index in range(len(self.words)) if index not in gone]
        return _Text(
            "".join(self.words[index] for index in left),
            tuple(self.starts[index] for index in left),
            tuple(self.ends[index] for index in left),
        )


def hide_in_letter(services: Services, store: Store, letter: Letter, sender: Sender) -> Letter:
    """The letter without tokens in all that it says, quotes and forwards, its subject and the name of its sender."""
    rows = [(field, number, words) for field in FIELDS for number, words in getattr(letter, field)]
    rows.sort(key=lambda row: (FIELDS[row[0]], row[1]))
    text = "\n".join((letter.subject, letter.sender_name, *(words for _, _, words in rows)))
    clean = services.post.hide(hide_tokens(services, store, text, sender))
    if clean == text:
        return letter
    subject, name, *lines = clean.split("\n")
    kept: dict[str, list[tuple[int, str]]] = {field: [] for field in FIELDS}
    for (field, number, _), words in zip(rows, lines, strict=True):
        kept[field].append((number, words))
    return replace(letter, subject=subject, sender_name=name, **{field: tuple(kept[field]) for field in FIELDS})


def hide_tokens(services: Services, store: Store, text: str, sender: Sender) -> str:
    """Line ends stay. The tokens of the writer and of their games are found even if other letters stand between."""
    readings = tuple(_readings(text))
    seats = sorted({(seat.id, seat.generation) for seat in _near_seats(store, sender)})
    near = _near_tokens(services.post, tuple(seats))
    runs = _coded_runs(text)
    asked = bool(runs) or any(map(_may_hold_token, readings))
    living = _living_tokens(services.post, store.games.living_seats()) if asked else frozenset()
    far = living | _both_ways(store.turns.open_codes()) if asked else living
    spans = [span for reading in readings for span in _spans(reading, ODD, _that_fit(near, reading))]
    spans += [span for reading in readings for span in _spans(reading, NO_WORD, far)]
    spans += [span for span, words in runs if _holds(ODD.sub(" ", words.lower()), far)]
    for start, end in _merged(spans):
        text = text[:start] + GONE + "\n" * text.count("\n", start, end) + text[end:]
    return text


def _may_hold_token(reading: _Text) -> bool:
    words = reading.words
    if WHOLE.search(words) is not None:
        return True
    broken = TWO_FIGURES.search(words) is not None  # fast path: most letters have none
    return broken and BROKEN.search(_without(NO_WORD, words)) is not None


def _that_fit(tokens: frozenset[str], reading: _Text) -> frozenset[str]:
    """Those that the words have figures for. Only for speed: most tokens have some, and most words none."""
    return tokens if TWO_FIGURES.search(reading.words) is not None else _with_few_figures(tokens)


def _without(pattern: re.Pattern[str], words: str) -> str:
    if words.isascii():  # fast path
        return words.encode().translate(None, NO_LETTERS[pattern]).decode()
    return pattern.sub("", words)


def _tokens_of(post: ReplyAddresses, seats: tuple[tuple[int, int], ...]) -> frozenset[str]:
    """`seats`: (id, generation)."""
    return _both_ways(post.token(Seat(seat, 0, "", generation=generation)) for seat, generation in seats)


_living_tokens = lru_cache(maxsize=1)(_tokens_of)
"""Cached only for speed: there may be many thousands."""
_near_tokens = lru_cache(maxsize=64)(_tokens_of)
"""Cached only for speed: letters about one game come together."""


@lru_cache(maxsize=64)
def _with_few_figures(tokens: frozenset[str]) -> frozenset[str]:
    return frozenset(token for token in tokens if TWO_FIGURES.search(token) is None)


def _both_ways(tokens: Iterable[str]) -> frozenset[str]:
    """Read forwards and backwards."""
    return frozenset(way for token in tokens for way in (token, token[::-1]))


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that do not overlap, the last first."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged[::-1]


def _near_seats(store: Store, sender: Sender) -> Iterator[Seat]:
    person = getattr(sender, "person", None)
    if person is None:
        return
    seats = (*store.games.seats_of(person.id), *store.games.observer_seats_of(person.id))
    yield from seats
    meant = (
        sender.seats if isinstance(sender, SeveralSeats) else (sender.seat,) if isinstance(sender, ProvenSender) else ()
    )
    for game in {seat.game for seat in meant if seat is not None}:
        yield from store.games.seats(game)


def _readings(text: str) -> Iterator[_Text]:
    """The words as they stand, and decoded, in small plain letters; each also by rot13."""
    reading = _Text(text, range(len(text)), range(1, len(text) + 1))
    for _ in range(DEEPEST + 1):
        plain = _plain(reading)
        yield plain
        yield replace(plain, words=plain.words.translate(ROT13))
        decoded = _decoded(reading)
        if decoded.words == reading.words:
            return
        reading = decoded


def _plain(reading: _Text) -> _Text:
    if reading.words.isascii():
        return replace(reading, words=reading.words.lower())
    letters = [
        (char, index)
        for index, given in enumerate(reading.words)
        for char in unicodedata.normalize("NFKD", given).casefold().translate(ALIKE)
    ]
    return _Text(
        "".join(char for char, _ in letters),
        tuple(reading.starts[index] for _, index in letters),
        tuple(reading.ends[index] for _, index in letters),
    )


def _decoded(reading: _Text) -> _Text:
    if not any(sign in reading.words for sign in CODE_SIGNS) or CODED.search(reading.words) is None:
        return reading
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    place = 0
    for match in CODED.finditer(reading.words):
        _append(reading, words, starts, ends, place, match.start())
        char = _char(match)
        if char:
            words.append(char)
            starts.append(reading.starts[match.start()])
            ends.append(reading.ends[match.end() - 1])
        place = match.end()
    _append(reading, words, starts, ends, place, len(reading.words))
    return _Text("".join(words), tuple(starts), tuple(ends))


def _append(reading: _Text, words: list[str], starts: list[int], ends: list[int], start: int, end: int) -> None:
    words += reading.words[start:end]
    starts += reading.starts[start:end]
    ends += reading.ends[start:end]


def _char(match: re.Match[str]) -> str:
    """The character that is coded, "" for a break between two lines."""
    number = match["byte"] or match["entity"] or match["escape"]
    code = int(number, 16) if number else int(match["decimal"]) if match["decimal"] else 0
    return chr(code) if 0 < code <= 0x10FFFF else ""


def _spans(reading: _Text, pattern: re.Pattern[str], tokens: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Where tokens stand in the words, but for what the pattern matches."""
    if not tokens or not _holds(_without(pattern, reading.words), tokens):
        return
    left = reading.without(pattern)
    for index in range(len(left.words) - LENGTH + 1):
        if left.words[index : index + LENGTH] in tokens:
            yield left.starts[index], left.ends[index + LENGTH - 1]


def _holds(words: str, tokens: frozenset[str]) -> bool:
    if len(tokens) <= FEW:  # fast path: fewer searches than places
        return any(len(token) == LENGTH and token in words for token in tokens)
    return not tokens.isdisjoint([words[index : index + LENGTH] for index in range(len(words) - LENGTH + 1)])


def _coded_runs(text: str) -> tuple[tuple[tuple[int, int], str], ...]:
    """(span, decoded words) of what may be base64 or hexadecimal."""
    runs = []
    for match in RUN.finditer(text):
        code = BLANKS.sub("", match[0])
        if len(code) > LENGTH * 4 // 3:
            runs.append((match.span(), " ".join(_decoded_run(code))))
    for match in PAIRS.finditer(text):
        runs.append((match.span(), bytes.fromhex("".join(PAIR.findall(match[0]))).decode("latin-1")))
    return tuple(runs)


def _decoded_run(code: str) -> Iterator[str]:
    letters = code.replace("-", "+").replace("_", "/").replace("=", "")
    for skipped in range(4):
        part = letters[skipped:]
        yield base64.b64decode(part + "A" * (-len(part) % 4)).decode("latin-1")
    if re.fullmatch(r"[0-9a-fA-F]+", code):
        for skipped in range(2):
            part = code[skipped:]
            yield bytes.fromhex(part[: len(part) // 2 * 2]).decode("latin-1")
