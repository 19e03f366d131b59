"""Reads blocks of several lines: press, announcements, AS blocks, the reason of an overrule.

PRESS TO France, Russia        OVERRULE A Pic S A Bur - Bel: succeeds
every word here as it stands     "The attack of a line struck before does not cut."
ENDPRESS
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from gm.judge.model.events import Outcome
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import vocabulary_of

NumberedLine = tuple[int, str]

NEAR = 30
"""Lines below the first one of a block in which most blocks end."""

END_PRESS = re.compile(
    r"(?!\s*>)[\W_]*end(?:\s*-?\s*(?:of\s+)?(?:(?:the|my|this)\s+)?(?:press|broadcast|letter|message))?[\W_]*$",
    re.IGNORECASE,
)
END_AS = re.compile(r"\s*end\s*-?\s*(?:as\b.*|)$|\s*as\s+\S.*$", re.IGNORECASE)
END_ANNOUNCE = re.compile(r"\s*end\s*-?\s*(?:announce(?:ment)?|press|broadcast|)\s*[.!]?\s*$", re.IGNORECASE)
RULING = re.compile(
    r"(?P<order>.+?)\s*(?::|=+>?|->\s*(?=\w+\s*$))\s*(?P<outcome>[A-Za-z]+(?:[- ][Rr]oute)?)\b[.,;]?\s*(?P<rest>.*)$"
)
QUOTES = ' "“”„‟«»'
BECAUSE = re.compile(r"^(?:because|since|reason:?|as|for)\b[:\s]*", re.IGNORECASE)
OUTCOMES = {
    **{outcome.value: outcome for outcome in Outcome},
    **dict.fromkeys(("succeed", "success", "given", "moved", "moves", "held", "holds", "stands"), Outcome.SUCCEEDS),
    **dict.fromkeys(("bounce", "bounces", "fails", "failed", "fail"), Outcome.BOUNCED),
    **dict.fromkeys(("no route", "noroute"), Outcome.NO_ROUTE),
    **dict.fromkeys(("disrupt", "disrupts"), Outcome.DISRUPTED),
}
DECREED = (Outcome.SUCCEEDS, Outcome.BOUNCED, Outcome.CUT, Outcome.VOID, Outcome.DISRUPTED, Outcome.NO_ROUTE)
BARE_RULING = re.compile(
    rf"(?P<order>.+\S)\s+(?P<outcome>{'|'.join(outcome.value for outcome in DECREED)})"
    r"\s*(?:[.!]|,?\s*(?=because\b|since\b)(?P<rest>.*))?$",
    re.IGNORECASE,
)
"""Without a colon the outcome is one of the words that the help page lists: "holds" may be the order."""


def number_lines(text: str) -> tuple[NumberedLine, ...]:
    """Words as a letter of their own: its lines, counted from 1."""
    return tuple(enumerate(text.split("\n"), 1))


def until(
    lines: Sequence[NumberedLine], start: int, closing: re.Pattern[str], language: str = "en"
) -> tuple[int, bool]:
    """Where a block that begins at `start` ends: the index of its closing line, or past the last; whether it closes."""
    near = range(start, min(len(lines), start + NEAR))
    at = next((at for at in near if _closes(lines[at][1], closing, language)), None)
    if at is not None:
        return at, True
    closers = _cached_closers(tuple(lines), closing, language)
    place = bisect_left(closers, start)
    return (closers[place], True) if place < len(closers) else (len(lines), False)


def _closes(words: str, closing: re.Pattern[str], language: str) -> bool:
    vocabulary, text = vocabulary_of(language), clean(words).text
    return vocabulary.closes(text) or closing.match(vocabulary.english(text)) is not None


def without_closing(words: str, language: str) -> str:
    """Words without a last line that closes press."""
    lines = words.rstrip().split("\n")
    return "\n".join(lines[:-1]).rstrip() if _closes(lines[-1], END_PRESS, language) else words


@lru_cache(maxsize=16)
def _cached_closers(lines: tuple[NumberedLine, ...], closing: re.Pattern[str], language: str) -> tuple[int, ...]:
    """The lines that close a block. The cache is only for speed: each line that begins a block asks for them."""
    return tuple(at for at, (_, words) in enumerate(lines) if _closes(words, closing, language))


def text_of(lines: Sequence[NumberedLine], first: str = "") -> str:
    """The words as written, without empty lines around them."""
    every = [first, *(text for _, text in lines)] if first else [text for _, text in lines]
    while every and not every[0].strip():
        every.pop(0)
    while every and not every[-1].strip():
        every.pop()
    return "\n".join(line.rstrip() for line in every)


def ruling(words: str) -> tuple[str, Outcome | None, str] | None:
    """ "A Pic S A Bur - Bel: succeeds because …" -> order, outcome (None: not one we know), reason.

    The colon may be missing.
    """
    best = None
    for cut in (at for at, char in enumerate(words) if char in ":="):
        match = RULING.match(words[:cut].rstrip() + ":" + words[cut + 1 :])
        if match:
            best = best or match
            if match["outcome"].lower() in OUTCOMES:
                best = match
                break
    best = best or BARE_RULING.match(words)
    if best is None:
        return None
    outcome = OUTCOMES.get(best["outcome"].lower())
    return best["order"].strip(), outcome, unquoted(BECAUSE.sub("", (best["rest"] or "").strip()))


def reason(lines: Sequence[NumberedLine], start: int) -> tuple[str, int]:
    """A reason in the lines below an OVERRULE: in quotation marks, indented, or begun with "because"; and its end."""
    at = start
    kept: list[str] = []
    written: list[str] = []
    while at < len(lines) and at - start < 40:
        plain = clean(lines[at][1]).text
        opened = bool(kept) and kept[0].startswith('"') and not _closed(kept)
        if not plain.strip():
            break
        if not (opened or plain[:1].isspace() or plain.startswith('"') or (not kept and BECAUSE.match(plain))):
            break
        kept.append(plain.strip())
        written.append(lines[at][1].strip())
        at += 1
        if kept[0].startswith('"') and _closed(kept):
            break
    return BECAUSE.sub("", " ".join(written).strip(QUOTES)).strip(QUOTES), at


def _closed(lines: Sequence[str]) -> bool:
    text = " ".join(lines)
    return len(text) > 1 and text.endswith('"')


def unquoted(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].strip()
    return text.strip('"').strip() if text.startswith('"') else text


def after(text: str, mark: str, *, word: bool = False) -> str:
    """What stands behind the first colon, or behind the first word, as written."""
    return text.strip().partition(" ")[2].strip() if word else text.partition(mark)[2].strip()
