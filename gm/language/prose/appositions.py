"""Words between commas that say what a unit is: "Smyrna, a ship with nothing to do, visits the Aegean"."""

from __future__ import annotations

from collections.abc import Sequence

from gm.language.prose.clauses import blank
from gm.language.prose.shared_acts import units_alone
from gm.language.prose.stance import is_plain
from gm.language.prose.stretches import ACTS, StretchReader

LONGEST = 9
"""Words of the longest apposition."""
NO_APPOSITION = ACTS - {"TO"} | {"PLACE", "NATION", "IF"}
COMMA = ","


def without_apposition(
    reader: StretchReader, text: str, cut: Sequence[tuple[int, int]]
) -> tuple[str, list[tuple[int, int]]]:
    """The text and its clauses without the first words of that kind."""
    for at in range(len(cut) - 2) if reader.sheet.kind.holds else ():
        (start, first), (_, past), (behind, end) = cut[at : at + 3]
        commas = text[first : cut[at + 1][0]].strip() == COMMA and text[past:behind].strip() == COMMA
        if commas and _is_apposition(reader, text, cut[at : at + 3]):
            return blank(text, first, behind), [*cut[:at], (start, end), *cut[at + 3 :]]
    return text, list(cut)


def _is_apposition(reader: StretchReader, text: str, cut: Sequence[tuple[int, int]]) -> bool:
    unit, inside, (behind, end) = cut
    mentions = units_alone(reader, text, *unit)
    words = text[slice(*inside)]
    if reader.phrases.apposition.match(words.lower().lstrip()) is None:
        return False
    if len(mentions) != 1 or mentions[0].unit is None or len(words.split()) > LONGEST or _takes_a_stance(reader, words):
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
    return not is_plain(low, 0, phrases) or any(pattern.search(low) for pattern in doubts)
