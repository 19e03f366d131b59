"""Which part of a letter holds the sender's words, and which of its lines they are.

Of alternatives the plain text, unless it holds no words of the sender; of a mixture all inline parts in order (a
picture splits what Apple Mail sends), unless two of them say the same; of signed parts the first. Attachments,
forwarded letters, calendars and cards stay closed and are counted.
"""

from __future__ import annotations

import re
from collections import Counter

from msgspec import Struct
from msgspec.structs import replace

from gm.mail import limits as caps
from gm.mail.message import format_flowed as flowed
from gm.mail.message import html_to_lines as html
from gm.mail.message import mime, quotes
from gm.mail.message import pgp_smime as armour
from gm.mail.message import quote_phrases as phrases
from gm.mail.message import ref_line as reference
from gm.mail.message.mime import MimePart
from gm.mail.message.quotes import LineKind

NOT_WORDS = {"text/calendar", "text/vcard", "text/x-vcard", "text/directory", "text/x-amp-html", "text/csv", "text/css"}
NOT_WORDS |= {"text/rtf", "text/rfc822-headers", "text/xml", "text/javascript", "text/x-moz-deleted"}
PAGE = re.compile(r"\s{0,50}<(!doctype\s|html[\s>])", re.IGNORECASE)
"""HTML that calls itself plain text."""
STUB = re.compile(
    r".{0,80}(does not|doesn't|cannot|can't|unable to|not) (support|display|view|show|read).{0,20}html|"
    r".{0,40}(html[- ](format|message|version|email|e-mail|only)|ansicht als html|version html)|"
    r"view (this|it) in (your|a) browser",
    re.IGNORECASE,
)


class OwnWords(Struct, frozen=True):
    """Fields as in `gm.game.model.records.Letter`. `marked_up`: they come from HTML; `footer`: they begin with a
    rule."""

    lines: tuple[tuple[int, str], ...] = ()
    ref: tuple[str, ...] = ()
    quoted_lines: int = 0
    signature_lines: int = 0
    other_ignored: tuple[tuple[str, int], ...] = ()
    refused: str = ""
    total: int = 0
    marked_up: bool = False
    footer: bool = False

    @property
    def own(self) -> list[str]:
        return [" ".join(line.split()) for _, line in self.lines if line.strip()]


def read(tree: MimePart) -> OwnWords:
    leaves = list(tree.leaves())
    if armour.is_encrypted((part.type, part.parameters.get("smime-type", "")) for part in (tree, *leaves)):
        return OwnWords(refused="encrypted")
    closed = sum(not _is_text(part) for part in leaves if part.type.partition("/")[0] != "multipart")
    found = _of(tree)
    if found is None or not (found.own or found.refused):
        late = next((words for part in leaves if _is_late(part) and (words := _leaf(part)).own), None)
        closed -= late is not None
        found = late or found
    if found is None:
        refused = "" if all(not part.body.strip() for part in leaves) else "no text"
        return OwnWords(refused=refused, other_ignored=_counts(attachments=closed))
    if found.refused:
        return found
    capped = _capped(found)
    if not closed:
        return capped
    ignored = Counter(dict(capped.other_ignored)) + Counter(dict(_counts(attachments=closed)))
    return replace(capped, other_ignored=tuple(ignored.items()))


def _counts(**counted: int) -> tuple[tuple[str, int], ...]:
    return tuple((name, number) for name, number in counted.items() if number)


def closed(tree: MimePart) -> tuple[MimePart, ...]:
    """The leaves that are none of the letter's words."""
    return tuple(part for part in tree.leaves() if not _is_text(part))


def _is_text(part: MimePart) -> bool:
    inline = part.disposition != "attachment" and not (part.name and part.disposition)
    return part.type.startswith("text/") and part.type not in NOT_WORDS and inline


def _is_late(part: MimePart) -> bool:
    """Plain text that was sent as a file: read when the letter has no other words."""
    return part.type == "text/plain" and not _is_text(part)


def _of(part: MimePart) -> OwnWords | None:
    """The words of a part, None when it holds no text at all."""
    if part.type == "multipart/signed":
        return _of(part.parts[0]) if part.parts else None
    if part.type == "multipart/alternative":
        return _best([words for inner in part.parts if (words := _of(inner)) is not None])
    if part.parts:
        return _joined([words for inner in part.parts if (words := _of(inner)) is not None])
    return _leaf(part) if _is_text(part) else None


def _best(choices: list[OwnWords]) -> OwnWords | None:
    """The first plain one with words, else the first with words, else the first: its counts are true as well."""
    order = sorted(choices, key=lambda words: words.marked_up)
    told = [words for words in order if words.own and not _is_stub(words)]
    chosen = next(iter(told or order), None)
    if chosen is None or chosen.ref:
        return chosen
    return replace(chosen, ref=next((words.ref for words in choices if words.ref), ()))


def _is_stub(words: OwnWords) -> bool:
    return not words.marked_up and len(words.own) <= 3 and STUB.match(" ".join(words.own)) is not None


def _joined(some: list[OwnWords]) -> OwnWords | None:
    if not some:
        return None
    plain = {line for words in some if not words.marked_up for line in words.own}
    told = [words for words in some if words.own and not (words.marked_up and _repeats(words, plain))]
    told = [words for words in told if words is some[0] or not words.footer] or some[:1]
    lines: list[tuple[int, str]] = []
    offset = 0
    for words in told:
        lines += [(number + offset, line) for number, line in words.lines]
        offset += words.total
    ignored: Counter[str] = Counter()
    for words in some:
        ignored.update(dict(words.other_ignored))
    return OwnWords(
        lines=tuple(lines),
        ref=next((words.ref for words in some if words.ref), ()),
        quoted_lines=sum(words.quoted_lines for words in told),
        signature_lines=sum(words.signature_lines for words in told),
        other_ignored=tuple(ignored.items()),
        refused=next((words.refused for words in some if words.refused), ""),
        total=offset,
        marked_up=all(words.marked_up for words in told),
    )


def _repeats(words: OwnWords, plain: set[str]) -> bool:
    """Does HTML say again what a plain part beside it said?"""
    return bool(plain) and sum(line in plain for line in words.own) * 2 >= len(words.own)


def _leaf(part: MimePart) -> OwnWords:
    text = mime.text(part)
    signed_away = 0
    marked_up = part.type == "text/html" or PAGE.match(text) is not None
    if marked_up:
        lines, signed_away = html.to_lines(text)
    else:
        lines = text[: caps.TEXT].split("\n")
        if part.parameters.get("format", "").lower() == "flowed":
            lines = flowed.unflow(lines, part.parameters.get("delsp", "").lower() == "yes")
        if armour.holds_secret(lines):
            return OwnWords(refused="encrypted")
        lines = armour.strip(lines)
    return _sift(lines, signed_away, marked_up)


def _sift(lines: list[str], signed_away: int, marked_up: bool) -> OwnWords:
    beyond = sum(bool(line.strip()) for line in lines[caps.TEXT_LINES :])
    lines = lines[: caps.TEXT_LINES]
    references = reference.find(lines)
    cut = quotes.cut(lines, tuple(references))
    own = [
        (number, line.rstrip())
        for number, (line, kind) in enumerate(zip(lines, cut.kinds, strict=True), 1)
        if kind is LineKind.OWN and number - 1 not in references
    ]
    known = sorted((cut.kinds[index] is not LineKind.OWN, index) for index, fields in references.items() if fields)
    return OwnWords(
        lines=_squeezed(own),
        ref=references[known[0][1]] if known else (),
        quoted_lines=cut.count(LineKind.QUOTE, lines),
        signature_lines=cut.count(LineKind.SIGNATURE, lines) + signed_away,
        other_ignored=_counts(disclaimer=cut.count(LineKind.FOOTER, lines), beyond=beyond),
        total=len(lines),
        marked_up=marked_up,
        footer=phrases.LONG_UNDERSCORES.fullmatch(next((line for line in lines if line.strip()), "")) is not None,
    )


def _squeezed(own: list[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """No blank lines at the ends, at most one between two lines."""
    kept: list[tuple[int, str]] = []
    for number, line in own:
        if line.strip() or (kept and kept[-1][1]):
            kept.append((number, line if line.strip() else ""))
    if kept and not kept[-1][1]:
        kept.pop()
    return tuple(kept)


def _capped(words: OwnWords) -> OwnWords:
    """Long lines are folded at blanks, all under one number; what is beyond the caps is counted, not kept."""
    kept: list[tuple[int, str]] = []
    room = caps.OWN_CHARACTERS
    folded = [(number, piece) for number, line in words.lines for piece in _fold(line)]
    for number, line in folded:
        room -= len(line) + 1
        if len(kept) >= caps.OWN_LINES or room < 0:
            break
        kept.append((number, line))
    if len(kept) == len(folded):
        return replace(words, lines=tuple(kept))
    ignored = Counter(dict(words.other_ignored)) + Counter({"beyond": len(folded) - len(kept)})
    return replace(words, lines=tuple(kept), other_ignored=tuple(ignored.items()))


def _fold(line: str) -> list[str]:
    pieces = []
    while len(line) > caps.LINE:
        place = line.rfind(" ", caps.LINE // 2, caps.LINE)
        place = caps.LINE if place < 0 else place
        pieces.append(line[:place])
        line = line[place:].lstrip()
        if len(pieces) > caps.OWN_LINES:
            break
    return [*pieces, line[: caps.LINE]]
