"""Which of the orders that a letter may mean are offered, where it tells more about them elsewhere."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from msgspec.structs import replace

from gm.language.lines.letter_contents import LineError, lines_of
from gm.language.prose.memory import unit_of
from gm.language.prose.stance import error_key

REPORTED = error_key("reported")
UNCLEAR = error_key("")


def units_suggested(trouble: LineError) -> set[str]:
    """ "A Vie" for each unit that a suggestion orders."""
    return {unit_of(line) for line in lines_of(trouble.suggestions)}


def preferring_own_words(troubles: Sequence[LineError]) -> list[LineError]:
    """What others think or were told of a unit is no choice beside what the writer says of it: "I told Luc that Munich
    goes to Ruhr, but it is Burgundy".
    """
    own = {unit for trouble in troubles if trouble.key != REPORTED for unit in units_suggested(trouble)}
    return [
        replace(trouble, suggestions=())
        if trouble.key == REPORTED and not own.isdisjoint(units_suggested(trouble))
        else trouble
        for trouble in troubles
    ]


def preferring_free_units(troubles: Iterable[LineError], ordered: Container[str]) -> list[LineError]:
    """Of several orders that words may mean, the only one whose unit has none in the letter. `ordered`: units that have
    one.
    """
    return [
        replace(trouble, suggestions=free)
        if trouble.key == UNCLEAR
        and len(trouble.suggestions) > 1
        and len(free := tuple(line for line in trouble.suggestions if unit_of(line) not in ordered)) == 1
        else trouble
        for trouble in troubles
    ]
