"""Writes a line in the words of its kind of sheet. The text keeps its length, so that columns stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set

from gm.language.i18n.needed_words import may_match
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.lines import heading
from gm.language.orders.parsing.lexer import Scanner, Token
from gm.language.prose.clauses import SENTENCE_END, blank, sentence_past, sentence_start
from gm.language.prose.guesses.clause import NAMES
from gm.language.prose.mentions import homes_of_minors
from gm.language.prose.phrases.prose_phrases import phrases_of
from gm.language.prose.phrases.sheet_phrases import Signs
from gm.language.prose.phrases.word_lists import word_lists

ACTS_OF_UNITS = frozenset({"ARROW", "TO", "MOVE", "HOLD", "SUPPORT", "CONVOY", "WORD", "TALK"})
"""Token types behind a unit that say what it does."""


MASK = "x"
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


def with_all_for_power(text: str, scanner: Scanner, context: LetterContext) -> str:
    """ "Germany stays put this spring": with "all" for the writer's power, where words follow that its units hold."""
    text = _without_own_power(text, scanner, context)
    phrases, low = phrases_of(context.variant), text.lower()
    if len(context.powers) > 1 or not may_match(phrases.whole_power, low) or not phrases.whole_power.search(low):
        return text
    for name in (token for token in scanner.scan(text) if token.type == "NATION" and token.value == context.power):
        start, past = name.start_pos, name.end_pos
        begins = not text[sentence_start(text, start) : start].strip()
        if begins and low[past : past + 1] == " " and phrases.whole_power.match(low, past + 1):
            every = sorted(word_lists(context.variant.language).all)
            word = next((word for word in every if phrases.hold_all.match(f"{word}{low[past:]}")), every[0])
            text = text[:start] + word.ljust(past - start) + text[past:]
    return text


def _without_own_power(text: str, scanner: Scanner, context: LetterContext) -> str:
    """ "Everything holds in the US": without the name of the writer's power, where all else says that all hold."""
    phrases = phrases_of(context.variant)
    if len(context.powers) > 1 or not may_match(phrases.hold_all, text.lower()):
        return text
    for first, past in _own_power_named(text, scanner, context):
        low, start, end = text.lower(), sentence_start(text, first), sentence_past(text, past)
        begins = (at for at in range(start, first) if not low[at - 1 : at].isalnum())
        lead = next((at for at in begins if phrases.in_power.fullmatch(low, at, first)), first)
        rest = text[start:lead] + text[past:end].lstrip()
        if rest.strip() and phrases.hold_all.fullmatch(rest.strip(" ,.;:!").lower()) is not None:
            return text[:start] + rest.ljust(end - start) + text[end:]
    return text


def _own_power_named(text: str, scanner: Scanner, context: LetterContext) -> Iterator[tuple[int, int]]:
    """Where a text names the writer's power, also by two capitals: "US"."""
    for token in scanner.scan(text):
        if token.type == "NATION" and token.value == context.power:
            yield token.start_pos, token.end_pos
    power = next((power for power in context.variant.powers if power.name == context.power), None)
    short = [name for name in (power.aliases if power is not None else ()) if name.isupper()]
    yield from (match.span() for name in short for match in re.finditer(rf"\b{re.escape(name)}\b", text))


def without_units_of_others(
    text: str, scanner: Scanner, context: LetterContext, is_staked: Callable[[str], bool]
) -> str:
    """ "Portugal is weak, its fleet should hold": without the kinds of units that are those of the power named before,
    unless the sentence `is_staked`: then that power is paid for what they do.
    """
    possessive, low = phrases_of(context.variant).possessive, text.lower()
    owners = [match.end() for match in possessive.finditer(low)] if may_match(possessive, low) else []
    tokens = scanner.scan(text) if owners else []
    for at, token in enumerate(tokens):
        named = next((each for each in reversed(tokens[:at]) if each.type in NAMES), None)
        beside = token.type == "KIND" and any(text[past : token.start_pos].isspace() for past in owners)
        if named is None or not beside or not _is_of_others(named, context):
            continue
        end = SENTENCE_END.search(text, token.end_pos)
        if not is_staked(text[sentence_start(text, token.start_pos) : end.start() if end is not None else len(text)]):
            text = text[: token.start_pos] + MASK * (token.end_pos - token.start_pos) + text[token.end_pos :]
    return text


def _is_of_others(name: Token, context: LetterContext) -> bool:
    """Whether a name is that of another power, or of a minor power's home."""
    if name.type == "NATION":
        return name.value not in context.powers
    homes = homes_of_minors(context).union(minor.home for minor in context.variant.minors)
    own = {unit.at.province for unit in context.own_units}
    return not homes.isdisjoint(name.value.provinces) and own.isdisjoint(name.value.provinces)


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
