"""Words that commas part from a unit and what it does: "Vienna, my best army, goes to Galicia"."""

from __future__ import annotations

from collections.abc import Sequence

from gm.language.prose.clauses import blank, first_word
from gm.language.prose.mentions import mentions_of
from gm.language.prose.phrases.phrase_tables import fits_any
from gm.language.prose.shared_acts import units_alone
from gm.language.prose.stance import is_plain
from gm.language.prose.stretches import ACTS, StretchReader

LONGEST_APPOSITION = 9
"""Words of the longest apposition."""
NO_APPOSITION = ACTS - {"TO"} | {"PLACE", "NATION", "IF"}
COMMA = ","


def without_asides(
    reader: StretchReader, text: str, cut: Sequence[tuple[int, int]]
) -> tuple[str, list[tuple[int, int]]]:
    """The text and its clauses without what commas part from a unit and what it does."""
    for at in range(len(cut) - 2) if reader.sheet.kind.holds else ():
        (start, first), (inside, past), (behind, end) = cut[at : at + 3]
        if not text[first:inside].lstrip().startswith(COMMA) or text[past:behind].strip() != COMMA:
            continue
        parted = text[first:inside].strip() == COMMA
        if (parted and _is_apposition(reader, text, cut[at : at + 3])) or _explains(
            reader, text, (cut[at], (text.index(COMMA, first) + 1, past), cut[at + 2])
        ):
            return without_asides(reader, blank(text, first, behind), [*cut[:at], (start, end), *cut[at + 3 :]])
    return text, list(cut)


def _explains(reader: StretchReader, text: str, cut: Sequence[tuple[int, int]]) -> bool:
    """Whether a clause of its own stands between a unit and what it does: "Brest, seeing that London is alone, goes to
    …". It may name anything, but says of no unit what it does.
    """
    unit, (start, past), (behind, end) = cut
    begins = reader.phrases.subordinate.match(text[:past].lower(), first_word(text, start, past))
    if begins is None:
        return False
    first = next((token.type for token in reader.tokens(text, begins.end(), past)), "")
    if first != "TALK" and reader.begins_with_act(text, begins.end(), past):  # "which I would rather keep" is no act
        return False
    subject = reader.tokens(text, *unit)
    named = [mention.unit for mention in mentions_of(subject, reader.context)]
    types = {token.type for token in subject}
    if len(named) != 1 or named[0] is None or types & ACTS or not types & {"PLACE", "KIND"}:
        return False
    phrases, words = reader.phrases, text[start:past].lower()
    doubts = (
        phrases.condition, phrases.alternative, phrases.hedge, phrases.later, phrases.retract, phrases.joke,
    )  # fmt: skip
    if fits_any(words, doubts):
        return False
    return reader.begins_with_act(text, behind, end) and not reader.own_places(text[:behind], behind)


def _is_apposition(reader: StretchReader, text: str, cut: Sequence[tuple[int, int]]) -> bool:
    unit, inside, (behind, end) = cut
    mentions = units_alone(reader, text, *unit)
    words = text[slice(*inside)]
    if reader.phrases.apposition.match(words.lower().lstrip()) is None or reader.phrases.passing.search(words.lower()):
        return False
    if (
        len(mentions) != 1
        or mentions[0].unit is None
        or len(words.split()) > LONGEST_APPOSITION
        or _takes_a_stance(reader, words)
    ):
        return False
    tokens = reader.tokens(text, *inside)
    kinds = {token.value for token in tokens if token.type == "KIND" and token.end_pos > token.start_pos + 1}
    if {token.type for token in tokens} & NO_APPOSITION or not kinds <= {mentions[0].unit.kind}:
        return False
    acts = reader.begins_with_act(text, behind, end) and not reader.own_places(text[:behind], behind)
    return acts and mentions[0].unit.at.province not in reader.own_places(text[:end], behind)


def _takes_a_stance(reader: StretchReader, words: str) -> bool:
    phrases, low = reader.phrases, words.lower()
    doubts = (
        phrases.hedge, phrases.condition, phrases.alternative, phrases.later, phrases.reported, phrases.correction,
        phrases.retract, phrases.limits, phrases.alike, phrases.relative,
    )  # fmt: skip
    return not is_plain(low, 0, phrases) or fits_any(low, doubts)
