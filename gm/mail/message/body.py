"""Finds the sender's own words in a letter: which MIME part holds them, and which of its lines.

Of alternatives it reads the plain text, unless that holds no words; of a mixture all inline parts in order (a picture
splits what Apple Mail sends), without repeats; of signed parts the first. Attachments, forwarded letters, calendars and
cards are not read, only counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.records import Reference
from gm.mail import limits
from gm.mail.message import mime, pgp_smime, quotes
from gm.mail.message.format_flowed import unflow
from gm.mail.message.hard_wraps import join_hard_wraps
from gm.mail.message.mail_program_words import LONG_UNDERSCORES, PhrasePattern, any_of
from gm.mail.message.mime import MimePart
from gm.mail.message.quotes import LineKind
from gm.mail.message.ref_line import find_ref_lines

NOT_WORDS = {"text/calendar", "text/vcard", "text/x-vcard", "text/directory", "text/x-amp-html", "text/csv", "text/css"}
NOT_WORDS |= {"text/rtf", "text/rfc822-headers", "text/xml", "text/javascript", "text/x-moz-deleted"}
PAGE = re.compile(r"\s{0,50}<(!doctype\s|html[\s>])", re.IGNORECASE)
"""HTML in a part labelled as plain text."""
QUOTE_MARKS = re.compile(r"^(?:\s{0,3}>)+ ?")
STUB = PhrasePattern(any_of("html", "stubs"))
MOST_ANSWERED = 6
"""Quoted lines above own ones that these may answer: more are a whole letter."""
NOTE = re.compile(r"(?P<quoted>[^<>*#]{3,60}?)\s*(?:<[-=]+|←|⟵|[-=]{2,}>|=>|→|⇒|\*{2,}|#{2,})\s*(?P<note>\w.{0,200})")
"""Words of the sender's in a quoted line, behind an arrow: "> A Bud - Ser   <-- Rum please"."""
MOST_NOTES = 40
FORWARDED_MOST = 2
"""Letters within forwarded letters that are opened."""


class OwnWords(Struct, frozen=True):
    """Fields as in `gm.game.model.records.Letter`. `marked_up`: from HTML; `footer`: the part begins with a ruler."""

    lines: tuple[tuple[int, str], ...] = ()
    answered: tuple[tuple[int, str], ...] = ()
    notes: tuple[tuple[int, str], ...] = ()
    refs: tuple[Reference, ...] = ()
    quoted_lines: int = 0
    signature_lines: int = 0
    other_ignored: tuple[tuple[str, int], ...] = ()
    refused: str = ""
    forwarded: tuple[tuple[int, str], ...] = ()
    total: int = 0
    marked_up: bool = False
    footer: bool = False

    @property
    def own(self) -> list[str]:
        return [" ".join(line.split()) for _, line in self.lines if line.strip()]


def read_body(tree: MimePart) -> OwnWords:
    leaves = list(tree.leaves())
    if pgp_smime.is_encrypted((part.type, part.parameters.get("smime-type", "")) for part in (tree, *leaves)):
        return OwnWords(refused="encrypted")
    forwarded = _attached_letter(leaves)
    unread = sum(not _is_text(part) for part in leaves if part.type.partition("/")[0] != "multipart")
    words = _read_part(tree)
    if words is None or not (words.own or words.refused):
        attached_texts = (_read_leaf(part) for part in leaves if _is_attached_text(part))
        attached = next((text for text in attached_texts if text.own), None)
        unread -= attached is not None
        words = attached or words
    if forwarded and (words is None or not (words.refs or words.refused)):
        words = replace(words or OwnWords(), forwarded=forwarded)
    if words is None:
        refused = "" if all(not part.body.strip() for part in leaves) else "no text"
        return OwnWords(refused=refused, other_ignored=_counts(attachments=unread))
    if words.refused:
        return words
    capped = _limit_length(words)
    if not unread:
        return capped
    ignored = Counter(dict(capped.other_ignored)) + Counter(dict(_counts(attachments=unread)))
    return replace(capped, other_ignored=tuple(ignored.items()))


def _attached_letter(leaves: list[MimePart]) -> tuple[tuple[int, str], ...]:
    """The words of a letter that is forwarded as an attachment."""
    attached = next((part for part in leaves if part.type == "message/rfc822"), None)
    words = _read_part(mime.parse(mime.content(attached))) if attached is not None else None
    return _limit_length(words).lines if words is not None and not words.refs else ()


def _counts(**counted: int) -> tuple[tuple[str, int], ...]:
    return tuple((name, number) for name, number in counted.items() if number)


def quoted_text(tree: MimePart) -> str:
    """What the letter quotes or forwards, without quote marks; "" for one of our letters, which has a Ref line."""
    for part in filter(_is_text, tree.leaves()):
        lines = _leaf_lines(part)[0][: limits.TEXT_LINES]
        cut = quotes.cut_quotes(lines)
        quoted = [line for line, kind in zip(lines, cut.kinds, strict=True) if kind is LineKind.QUOTE]
        if quoted:
            return "" if find_ref_lines(lines) else "\n".join(QUOTE_MARKS.sub("", line) for line in quoted)
    return ""


def unread_parts(tree: MimePart) -> tuple[MimePart, ...]:
    """The leaves that are not read as the letter's words."""
    return tuple(part for part in tree.leaves() if not _is_text(part))


def _is_text(part: MimePart) -> bool:
    inline = part.disposition != "attachment" and not (part.name and part.disposition)
    return part.type.startswith("text/") and part.type not in NOT_WORDS and inline


def _is_attached_text(part: MimePart) -> bool:
    """Plain text sent as a file: read when the letter has no other words."""
    return part.type == "text/plain" and not _is_text(part)


def _read_part(part: MimePart) -> OwnWords | None:
    """None when the part holds no text."""
    if part.type == "multipart/signed":
        return _read_part(part.parts[0]) if part.parts else None
    if part.type == "multipart/alternative":
        return _best_alternative([words for inner in part.parts if (words := _read_part(inner)) is not None])
    if part.parts:
        return _join([words for inner in part.parts if (words := _read_part(inner)) is not None])
    return _read_leaf(part) if _is_text(part) else None


def _best_alternative(choices: list[OwnWords]) -> OwnWords | None:
    """The first plain one with words, else the first one with words, else the first one."""
    order = sorted(choices, key=lambda words: words.marked_up)
    useful = [words for words in order if words.own and not _is_stub(words)]
    chosen = next(iter(useful or order), None)
    if chosen is None or chosen.refs:
        return chosen
    return replace(chosen, refs=next((words.refs for words in choices if words.refs), ()))


def _is_stub(words: OwnWords) -> bool:
    return not words.marked_up and len(words.own) <= 3 and STUB.match(" ".join(words.own)) is not None


def _join(parts: list[OwnWords]) -> OwnWords | None:
    if not parts:
        return None
    plain = {line for words in parts if not words.marked_up for line in words.own}
    kept = [words for words in parts if words.own and not (words.marked_up and _repeats(words, plain))]
    kept = [words for words in kept if words is parts[0] or not words.footer] or parts[:1]
    lines: list[tuple[int, str]] = []
    answered: list[tuple[int, str]] = []
    notes: list[tuple[int, str]] = []
    offset = 0
    for words in kept:
        lines += [(number + offset, line) for number, line in words.lines]
        answered += [(number + offset, line) for number, line in words.answered]
        notes += [(number + offset, line) for number, line in words.notes]
        offset += words.total
    ignored: Counter[str] = Counter()
    for words in parts:
        ignored.update(dict(words.other_ignored))
    return OwnWords(
        lines=tuple(lines),
        answered=tuple(answered),
        notes=tuple(notes),
        refs=_own_first(reference for words in parts for reference in words.refs),
        quoted_lines=sum(words.quoted_lines for words in kept),
        signature_lines=sum(words.signature_lines for words in kept),
        forwarded=next((words.forwarded for words in kept if words.forwarded), ()),
        other_ignored=tuple(ignored.items()),
        refused=next((words.refused for words in parts if words.refused), ""),
        total=offset,
        marked_up=all(words.marked_up for words in kept),
    )


def _repeats(words: OwnWords, plain: set[str]) -> bool:
    """Whether an HTML part repeats the plain part beside it."""
    return bool(plain) and sum(line in plain for line in words.own) * 2 >= len(words.own)


def _read_leaf(part: MimePart) -> OwnWords:
    lines, html_signature_lines, marked_up = _leaf_lines(part)
    if not marked_up:
        if pgp_smime.is_encrypted_block(lines):
            return OwnWords(refused="encrypted")
        lines = pgp_smime.remove_armour(lines)
    return _split_lines(lines, html_signature_lines, marked_up)


def _leaf_lines(part: MimePart) -> tuple[list[str], int, bool]:
    """The lines of a text, the number of those in an HTML signature, which are left out, and whether it is HTML."""
    text = mime.text(part)
    if part.type == "text/html" or PAGE.match(text) is not None:
        from gm.mail.message.html_to_lines import html_to_lines  # `gm read` of a plain letter does without its parser

        return (*html_to_lines(text), True)
    lines = text[: limits.TEXT].split("\n")
    if part.parameters.get("format", "").lower() == "flowed":
        lines = unflow(lines, part.parameters.get("delsp", "").lower() == "yes")
    return lines, 0, False


def _split_lines(lines: list[str], html_signature_lines: int, marked_up: bool, depth: int = 0) -> OwnWords:
    """`depth`: in how many forwarded letters the lines stand."""
    beyond = sum(bool(line.strip()) for line in lines[limits.TEXT_LINES :])
    lines = lines[: limits.TEXT_LINES]
    references = find_ref_lines(lines)
    cut = quotes.cut_quotes(lines, tuple(references))
    own = [
        (number, line.rstrip())
        for number, (line, kind) in enumerate(zip(lines, cut.kinds, strict=True), 1)
        if kind is LineKind.OWN and number - 1 not in references
    ]
    forwards = cut.forwarded is not None and depth < FORWARDED_MOST and not references
    inner = _split_lines(lines[cut.forwarded :], 0, marked_up, depth + 1) if forwards else OwnWords()
    return OwnWords(
        lines=_collapse_blank_lines(own if marked_up else join_hard_wraps(own)),
        answered=tuple(_answered(lines, cut.kinds)),
        notes=tuple(islice(_notes(lines, cut.kinds), 2 * MOST_NOTES)),
        refs=_own_first(
            Reference(fields, cut.kinds[index] is not LineKind.OWN) for index, fields in references.items() if fields
        ),
        quoted_lines=cut.count(LineKind.QUOTE, lines),
        signature_lines=cut.count(LineKind.SIGNATURE, lines) + html_signature_lines,
        other_ignored=_counts(disclaimer=cut.count(LineKind.FOOTER, lines), beyond=beyond),
        forwarded=_limit_length(inner).lines or inner.forwarded,
        total=len(lines),
        marked_up=marked_up,
        footer=LONG_UNDERSCORES.fullmatch(next((line for line in lines if line.strip()), "")) is not None,
    )


def _answered(lines: Sequence[str], kinds: Sequence[LineKind]) -> Iterator[tuple[int, str]]:
    """The few quoted lines right above own ones, with their marks: the sender answers them. Also those right below an
    own line that ends with a colon, which introduces them.
    """
    if LineKind.QUOTE not in kinds:  # fast path
        return
    run: list[tuple[int, str]] = []
    introduced = False
    for number, (line, kind) in enumerate(zip(lines, kinds, strict=True), 1):
        if kind is LineKind.QUOTE and line.lstrip().startswith(">"):
            run.append((number, line.rstrip()))
        elif line.strip():
            if (kind is LineKind.OWN or introduced) and len(run) <= MOST_ANSWERED:
                yield from run
            run.clear()
            introduced = kind is LineKind.OWN and line.rstrip().endswith(":")
    if introduced and len(run) <= MOST_ANSWERED:
        yield from run


def _notes(lines: Sequence[str], kinds: Sequence[LineKind]) -> Iterator[tuple[int, str]]:
    """Pairs of lines: a quoted one with its mark, and the words that the sender wrote behind it."""
    if LineKind.QUOTE not in kinds:  # fast path
        return
    for number, (line, kind) in enumerate(zip(lines, kinds, strict=True), 1):
        marks = QUOTE_MARKS.match(line) if kind is LineKind.QUOTE else None
        if marks is not None and (match := NOTE.match(line, marks.end())):
            yield number, f"> {match['quoted']}"
            yield number, match["note"].rstrip(" *#<>-=")


def _own_first(references: Iterable[Reference]) -> tuple[Reference, ...]:
    return tuple(sorted(references, key=lambda reference: reference.quoted))[: limits.REFERENCES]


def _collapse_blank_lines(own: list[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """No blank lines at the ends, at most one in a row."""
    kept: list[tuple[int, str]] = []
    for number, line in own:
        if line.strip() or (kept and kept[-1][1]):
            kept.append((number, line if line.strip() else ""))
    if kept and not kept[-1][1]:
        kept.pop()
    return tuple(kept)


def _limit_length(words: OwnWords) -> OwnWords:
    """Folds long lines at blanks, keeping their number; lines beyond the limits are counted, not kept."""
    if not words.lines:
        return words
    kept: list[tuple[int, str]] = []
    room = limits.OWN_CHARACTERS
    folded = [(number, piece) for number, line in words.lines for piece in _fold(line)]
    for number, line in folded:
        room -= len(line) + 1
        if len(kept) >= limits.OWN_LINES or room < 0:
            break
        kept.append((number, line))
    if len(kept) == len(folded):
        return replace(words, lines=tuple(kept))
    ignored = Counter(dict(words.other_ignored)) + Counter({"beyond": len(folded) - len(kept)})
    return replace(words, lines=tuple(kept), other_ignored=tuple(ignored.items()))


def _fold(line: str) -> list[str]:
    if len(line) <= limits.LINE:  # fast path
        return [line]
    pieces = []
    while len(line) > limits.LINE:
        place = line.rfind(" ", limits.LINE // 2, limits.LINE)
        place = limits.LINE if place < 0 else place
        pieces.append(line[:place])
        line = line[place:].lstrip()
        if len(pieces) > limits.OWN_LINES:
            break
    return [*pieces, line[: limits.LINE]]
