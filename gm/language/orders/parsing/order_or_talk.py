"""Decides whether a line that no grammar takes is a mistaken order or plain talk.

"A Burgindy - Par" and "Paris hodls" are orders gone wrong and are answered. "A big thank you", "F. Müller",
"El vie, 20 nov" and "A war is coming" are talk.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.language.i18n.similar_words import similar_words
from gm.language.orders.parsing.grammar_words import GrammarWords
from gm.language.orders.parsing.lexer import Token

UNKNOWN = frozenset({"WORD", "TALK", "IF"})
WAYS = frozenset({"ARROW", "TO", "MOVE"})
VERBS = frozenset(
    {"ARROW", "MOVE", "HOLD", "SUPPORT", "CONVOY", "DISBAND", "BUILD", "REMOVE", "RETREAT", "BOMB", "INTERCEPT"}
)
STAKE = frozenset({"NUMBER", "POINTS", "COLON"})
"""Token types in front of an order that points are put on."""
LEAVING = frozenset({"RETREAT", "DISBAND", "PLACE", "TO", "OF", "ARROW", "COAST"})
"""Token types of a line about a dislodged unit that does not name it."""
SHORT = 5
NAME_WORDS = 3
ALIKE = 75
"""From here on (of 100) a word is taken for a misspelt keyword."""
NO_BUILD = frozenset({"NO", "BUILD", "PLACE", "OF"})
"""Token types of "no build in Berlin", which is read as a sentence."""


def looks_like_an_order(tokens: Sequence[Token], words: GrammarWords) -> bool:
    tokens = _behind_a_stake(tokens)
    kinds = [token.type for token in tokens if token.type not in ("MINUS", "PLUS", "SEP")]
    if set(kinds) <= LEAVING and ("DISBAND" in kinds or {"RETREAT", "PLACE"} <= set(kinds)):
        return True  # "disband", "retreat to Albania": whose unit?
    if len(kinds) < 2 or {"NO", "BUILD"} <= set(kinds) <= NO_BUILD:
        return False
    if kinds == ["PLACE", "PLACE"]:
        return all(token.type != "SEP" for token in tokens)  # "Par Bur", but not "Paris, Brest"
    unknown = sum(kind in UNKNOWN for kind in kinds)
    short = len(kinds) <= SHORT
    if unknown > len(kinds) - unknown and not short:
        return False
    if not unknown and "PLACE" in kinds and VERBS & set(kinds):
        return True
    if kinds[0] == "TALK":
        return "KIND" in kinds and _way_between_places(kinds)
    if kinds[0] == "KIND" and kinds[1] == "PLACE":
        return not _article(tokens, kinds, words)
    if _way_between_places(kinds) or _verb_after_unit(kinds):
        return True
    if len(kinds) <= SHORT + 2 and _one_name_missing(kinds):
        return True
    return short and kinds[0] in ("PLACE", "KIND") and "PLACE" in kinds and _misspelt_verb(tokens, words)


def is_pair_of_initials(tokens: Sequence[Token]) -> bool:
    """ "R-V": a move beside orders, but somebody's name alone."""
    initials = [token.value for token in tokens if token.type == "WORD" and len(token.value) == 1]
    return (
        [token.type for token in tokens] == ["WORD", "ARROW", "WORD"]
        and "".join(initials).isupper()
        and len(initials) > 1
    )


def _behind_a_stake(tokens: Sequence[Token]) -> Sequence[Token]:
    """The order alone of "2: A Dut H" and "DP 2 A Dut H"."""
    past = next((at for at, token in enumerate(tokens) if token.type not in STAKE), 0)
    staked = {"POINTS", "COLON"} & {token.type for token in tokens[:past]}
    return tokens[past:] if staked else tokens


def _article(tokens: Sequence[Token], kinds: Sequence[str], words: GrammarWords) -> bool:
    """ "a war is coming": a small word after "A" that happens to be a province, and no word of command behind it."""
    named = [token for token in tokens if token.type in ("KIND", "PLACE")]
    small = len(named) > 1 and named[1].value.text.islower()
    unknown_next = len(kinds) > 2 and kinds[2] in UNKNOWN
    return small and unknown_next and not (WAYS & set(kinds)) and not _misspelt_verb(tokens, words)


def _way_between_places(kinds: Sequence[str]) -> bool:
    return any(
        kinds[at] in WAYS and kinds[at - 1] == "PLACE" and kinds[at + 1] in ("PLACE", "KIND", "NATION", "WORD")
        and "PLACE" in (kinds[at + 1], kinds[0], kinds[1])
        for at in range(1, len(kinds) - 1)
    )  # fmt: skip


def _verb_after_unit(kinds: Sequence[str]) -> bool:
    """ "F nwy s …", "Munich supports …": a unit and a word of command at the start, a place or a unit behind."""
    for at in range(1, min(3, len(kinds) - 1)):
        if kinds[at] in ("SUPPORT", "CONVOY") and kinds[at - 1] in ("PLACE", "WORD") and kinds[0] in ("KIND", "PLACE"):
            return True
    return kinds[0] in ("BUILD", "REMOVE", "DISBAND", "RETREAT") and kinds[1] in ("KIND", "PLACE", "NUMBER")


def _one_name_missing(kinds: Sequence[str]) -> bool:
    """ "A Xyz - Abc", "Mrs - Spa", "Build A Pris"."""
    if kinds[0] == "KIND" and kinds[1] == "WORD":
        behind = next((at for at, kind in enumerate(kinds) if at > 1 and kind not in ("WORD", "OF")), 0)
        if not behind or behind > NAME_WORDS + 1:
            return False
        if kinds[behind] == "TO":
            return "PLACE" in kinds[behind:]
        return kinds[behind] in VERBS and (len(kinds) <= SHORT - 1 or "PLACE" in kinds)
    if kinds[0] in ("BUILD", "REMOVE", "RETREAT", "DISBAND"):
        return kinds[1:2] == ["KIND"]
    return len(kinds) == 3 and kinds[1] == "ARROW" and "PLACE" in kinds and "WORD" in kinds


def _misspelt_verb(tokens: Sequence[Token], words: GrammarWords) -> bool:
    unknown = (token.value.lower() for token in tokens if token.type == "WORD" and len(token.value) >= 4)
    return any(similar_words(word, words.commands, ALIKE) for word in unknown)
