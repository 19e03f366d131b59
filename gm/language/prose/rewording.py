"""Writes a line in the words of its kind of sheet. The text keeps its length, so that columns stay."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from gm.language.i18n.needed_words import may_match
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.lines import heading
from gm.language.orders.parsing.lexer import Scanner, Token
from gm.language.prose.clauses import blank
from gm.language.prose.phrases.sheet_phrases import Signs

ACTS_OF_UNITS = frozenset({"ARROW", "TO", "MOVE", "HOLD", "SUPPORT", "CONVOY", "WORD", "TALK"})
"""Token types behind a unit that say what it does."""


AGAIN = re.compile(r"\([^()]{2,40}\)")
"""A short bracket."""
SMILEY = re.compile(
    r"(?<!\S)[:;=8][-o']?[)(\[\]DPp|/\\]+(?=\s|$)|[\u2600-\u2711\u2713-\u2793\U0001f300-\U0001faff][\ufe0f\u200d]*"
)
"""":-)" or a pictograph, but for arrows: people end sentences with one."""
INITIAL = re.compile(r"(?:^|(?<=, )|(?<=,))[HSC]\.(?=\s*[A-Z][a-z]+\s*$)")
"""Of a name below a letter, no word of order: "Yours, H. Pemberton"."""

DASH_AT_COMMA = re.compile(r"(?<= - )(?P<inside>[^-]{2,40} )-+(?= ?,)")
"""The end of an insertion, no sign of a move: "Armenia - no, Syria -, Con to Bulgaria"."""


def without_smileys(text: str) -> str:
    """With a full stop for each smiley, and without the initial of a name or a dash before a comma."""
    text = INITIAL.sub("  ", text)
    text = DASH_AT_COMMA.sub(lambda match: match["inside"].ljust(len(match.group())), text)
    return SMILEY.sub(lambda match: ".".ljust(len(match.group())), text)


def without_open_phase(text: str, later: re.Pattern[str], context: LetterContext) -> str:
    """Without the words of another phase that name the open one: "in the spring", and it is spring."""
    low = text.lower()
    for match in later.finditer(low) if may_match(later, low) else ():
        named = heading(match.group(), context.variant, context.phase)
        if named is not None and named.is_phase and not named.other_phase:
            text = blank(text, *match.span())
    return text


def with_signs(text: str, signs: Signs, but: str = "") -> str:
    """With the words of order for those that people write instead, but for one of these words."""
    return signs.rewritten(text, lambda sign, words: words if sign.sign == but else with_sign(words, *sign))


def with_sign(text: str, pattern: re.Pattern[str], sign: str) -> str:
    for match in list(pattern.finditer(text.lower())):
        if len(sign) <= len(match.group()):
            text = text[: match.start()] + sign.ljust(len(match.group())) + text[match.end() :]
    return text


def without_names_again(text: str, scanner: Scanner) -> str:
    """ "Nedschd (Nejd)": without another name of the place before it."""
    for match in AGAIN.finditer(text):
        tokens = scanner.scan(text[: match.end()])
        places = [token for token in tokens if token.type == "PLACE"][-2:]
        inside = [token for token in tokens if token.start_pos > match.start()]
        if len(places) == 2 and inside == places[1:] and not text[places[0].end_pos : match.start()].strip():
            same = set(places[0].value.provinces) & set(places[1].value.provinces)
            text = blank(text, *match.span()) if same else text
    return text


def without_rivals(
    text: str, start: int, end: int, tokens: Sequence[Token], rival: re.Pattern[str], units: Set[str]
) -> str:
    """ "Budapest, not Vienna, goes to Galicia" -> "Budapest goes to Galicia": what is about the first unit alone.

    `units`: where the writer's stand.
    """
    for match in rival.finditer(text[:end].lower(), start):
        named = [token for token in tokens if start <= token.start_pos < end and token.type not in ("SEP", "KIND")]
        before = [token for token in named if token.end_pos <= match.start()]
        of_unit = [token.type for token in before] == ["PLACE"] and units & set(before[0].value.provinces)
        behind = [token for token in named if token.start_pos >= match.end()]
        acts = len(behind) > 1 and behind[0].type == "PLACE" and behind[1].type in ACTS_OF_UNITS
        if of_unit and acts:
            comma = 1 if text[behind[0].end_pos : behind[0].end_pos + 1] == "," else 0
            past = behind[0].end_pos + comma
            text = text[: match.start()] + " " * (past - match.start()) + text[past:]
    return text
