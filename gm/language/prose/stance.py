"""What a sentence does with the orders in it: it affirms them, or doubts, asks, reports or postpones them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gm.language.i18n.needed_words import may_match
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.clauses import Sentence, first_word
from gm.language.prose.phrases.prose_phrases import ProsePhrases

STRUCK = re.compile(r"\s*(?:~~.*~~|-[^-\s].*\S-)\s*")
STRUCK_PART = re.compile(r"~~[^~]+~~")
NEGATED = re.compile(r"-/-|-\|-|=/=|!=")
BRACKETED = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])\s*")
EMPTY_BOX = re.compile(r"\s*[\[(]\s*[\])]\s*\S")
"""A box that is not ticked: "[ ] A Vie - Gal"."""
ANY_AMOUNT = frozenset({"NUMBER", "REST", "EVERYTHING", "WHOLE", "FREED", "HALF", "THIRD", "TWO_THIRDS", "QUARTER"})
"""Types of words for points: "the rest goes to Finland, just to annoy Russia"."""
AFFIRMS = ""
KEYS = {"condition": "conditional", "question": "question"}
"""Stances that have a sentence of their own for single orders."""
OFFERS = frozenset({"alternative", "hedge", "question"})
"""Stances of a sentence that begins with "or": it offers another goal for the order before."""
DENIED_OR_SAID = frozenset({"reported", "hedge"})
"""Stances of words that name what stands and what should stand instead: "my first mail said Wales, the second York"."""
ASKING = frozenset({"question", "alternative"})
"""Stances of sentences that the next one may answer: "Vienna to Galicia? Or stay? Let it stay."."""
DOUBTS = frozenset({"condition", "hedge", "later", "question"})
"""Stances of a bracket that make the order before it doubtful."""


def error_key(stance: str) -> str:
    return KEYS.get(stance, f"not-taken-{stance}" if stance else "not-taken")


def stance_of(low: str, sentence: Sentence, phrases: ProsePhrases) -> str:
    """`low` is the line in lower case without its reasons. "old" orders are passed over, others quoted."""
    start = sentence.start
    if NEGATED.search(low, start):
        return "negated"
    if sentence.bracketed and phrases.plan_of_others.search(low[:start].rstrip(" ([")):
        return "reported"
    if "?" in sentence.mark and not _ends_politely(low[start : sentence.end].strip(), phrases):
        return "question"
    if match := phrases.fallback.search(low, start):
        if not low[start : match.start()].strip():
            return "fallback"
        return "condition" if phrases.condition.search(low[: match.start()], start) else AFFIRMS
    if phrases.player.search(low, start) or phrases.addressed.match(low, first_word(low, start)):
        return "reported"
    for stance, pattern in (
        ("condition", phrases.condition),
        ("reported", phrases.reported),
        ("hedge", phrases.hedge),
        ("later", phrases.later),
        ("alternative", phrases.alternative),
    ):
        if may_match(pattern, low) and pattern.search(low, start):
            undecided = stance == "condition" and phrases.hedge.search(low, start)  # "if they agree I might …"
            return "hedge" if undecided else stance
    return AFFIRMS


def _ends_politely(low: str, phrases: ProsePhrases) -> bool:
    """Whether a question is none: "drop the point on Sweden, would you?"."""
    return any(match.end() == len(low) for match in phrases.request_end.finditer(low))


def stance_of_heading(low: str, phrases: ProsePhrases) -> str:
    """What a line with a colon at its end says of the lines below: "If Russia stays at peace:", "Italy proposes:"."""
    low = phrases.asides.sub(" ", low)
    if phrases.cancel.search(low) or phrases.cancelled.search(low):
        return "cancel"
    if phrases.doubt_letter.search(low):
        return "hedge"
    if phrases.negated.search(low) and not phrases.hedge.search(low):
        return "negated"
    return stance_of(low, Sentence(0, len(low), len(low), ""), phrases)


def reason_in(
    text: str, first: int, past: int, tokens: Sequence[Token], phrases: ProsePhrases, shortest: int = 3
) -> tuple[int, int]:
    """The columns of a clause's reason: behind an order, or all of a clause that begins with one; else empty.

    `shortest`: tokens of the shortest order.
    """
    low = text[:past].lower()
    begin = first_word(text, first, past)
    if phrases.reason_first.match(low, begin):
        return first, past
    inside = [token for token in tokens if first <= token.start_pos < past]
    for match in phrases.reason.finditer(low, first):
        if match.start() <= begin:
            return (past, past) if any(token.type == "PLACE" for token in inside) else (first, past)
        before = [token.type for token in inside if token.start_pos < match.start()]
        holds = "HOLD" in before and set(before) <= {"TALK", "HOLD", "KIND"}  # "it stays to guard the oil"
        if (
            holds
            or ("NATION" in before and ANY_AMOUNT & set(before))
            or ("PLACE" in before and (len(before) >= shortest or "HOLD" in before))
        ):
            return match.start(), past
    return past, past


def is_plain(low: str, start: int, phrases: ProsePhrases, *, holds: bool = True) -> bool:
    """Whether a stretch takes nothing back and says nothing of other units: then it may be read as orders.

    `holds`: "all hold" speaks of the writer's own units.
    """
    special = (
        phrases.cancel, phrases.cancelled, phrases.old, phrases.negated, phrases.keep, phrases.keep_unit,
        phrases.keep_standing, phrases.fallback, *((phrases.hold_all, phrases.hold_rest) if holds else ()),
    )  # fmt: skip
    return not any(may_match(pattern, low) and pattern.search(low, start) for pattern in special)


def is_marked(body: str) -> bool:
    """Whether a line of orders is struck out, negated by a sign, or in brackets as a whole."""
    return bool("~~" in body or STRUCK.fullmatch(body) or NEGATED.search(body) or BRACKETED.fullmatch(body))


def without_struck(body: str) -> str:
    """Without what is struck out in a line: "~~A Mos - Sev~~ A Mos - Ukr"."""
    return STRUCK_PART.sub(lambda match: " " * len(match.group()), body)
