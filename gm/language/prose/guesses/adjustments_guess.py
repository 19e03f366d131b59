"""Builds and removals in words: "a fleet in Marseilles and an army in Paris", "keep Con and Ank, lose the rest"."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.judge.model.orders import Build, Disband
from gm.judge.model.position import Unit
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.clause import Clause
from gm.language.prose.guess import REFUSED, Guess, own_units
from gm.language.prose.guesses.unit_lists import listed_units

VERBS = frozenset({"REMOVE", "KEEP"})


def guess_adjustments(clause: Clause) -> Guess | None:
    due, types = clause.due, clause.types
    if any(token.value != clause.context.power for token in clause.of("NATION")):
        return None
    if due.builds and types & {"WAIVE", "NO"}:
        return _waived(clause, due.builds)
    if due.builds and not types & VERBS:
        return _built(clause, due.builds)
    if due.removals and not types & {"BUILD", "WAIVE", "NO"}:
        return _removed(clause, due.removals)
    return None


def _waived(clause: Clause, due: int) -> Guess | None:
    """All builds that the orders leave, or as many as it says; "no builds" also takes back those on file."""
    if clause.types & {"PLACE", "KIND"} or len(clause.of("NUMBER")) > 1:
        return None
    on_file = [order.unit.at.province for order in clause.memory.on_file if isinstance(order, Build)]
    written = [order.unit.at.province for order in clause.written(Build) if isinstance(order, Build)]
    if "NO" in clause.types:
        return clause.guess([f"Waive {due}"], cancels=tuple(on_file)) if not written else None
    left = due - len({*on_file, *written})
    if left == due and clause.types <= {"WAIVE"}:
        return clause.guess(["Waive"])
    number = next((int(token.value) for token in clause.of("NUMBER")), left)
    return clause.guess([f"Waive {number}"]) if 0 < number <= left else None


def _built(clause: Clause, due: int) -> Guess | None:
    listed = listed_units(clause)
    if listed is None or listed.others or listed.excepted or "ALL" in clause.types:
        return None
    written = [order for order in clause.written(Build) if isinstance(order, Build)]
    gone = tuple(order.slot for order in written if clause.memory.freed.endswith(f" {order.unit}"))
    if clause.memory.corrects:  # "the other way round: army Smyrna, fleet Ankara"
        again = {code for _, place in listed.units for code in place.value.provinces}
        gone = (*gone, *(order.slot for order in written if order.unit.at.province in again))
    before = len(written) - len(gone)
    lines = [f"Build {kind} {place.value.text}" for kind, place in listed.units]
    meant = any(kind for kind, _ in listed.units) or "BUILD" in clause.types
    kinds = [kind for kind, _ in listed.units]
    counts = {int(token.value) for token in clause.of("NUMBER")} - {1}
    meant = meant and all(count in (len(kinds), *map(kinds.count, kinds)) for count in counts)
    if before + len(lines) > due:
        return REFUSED
    guess = clause.guess(lines, certain=meant and listed.is_sure)
    return replace(guess, withdrawn=gone) if guess is not None else None


def _removed(clause: Clause, due: int) -> Guess | None:
    """The units behind words for it, or before them; of units to keep, the rest where as many must go."""
    groups = list(_groups(clause))
    removed = [unit for verb, units in groups if verb == "REMOVE" for unit in units]
    kept = [unit for verb, units in groups if verb == "KEEP" for unit in units]
    if any(not unit for unit in (*removed, *kept)) or not clause.types & VERBS:
        return None
    if any(int(token.value) != len(removed) for token in clause.of("NUMBER")):
        return None
    if "ALL" in clause.types:
        if removed or not kept:
            return None
        removed = [unit for unit in own_units(clause.context) if unit not in kept]
    lines = [f"Remove {unit.kind} {unit.at.place}" for unit in dict.fromkeys(removed) if unit is not None]
    on_file = {order.unit.at.province for order in clause.memory.on_file if isinstance(order, Disband)}
    spared = tuple(unit.at.province for unit in kept if unit is not None and unit.at.province in on_file)
    return clause.guess(lines, cancels=spared) if 0 < len(lines) <= due else None


def _groups(clause: Clause) -> Iterator[tuple[str, list[Unit | None]]]:
    """A word for keeping or removing with its units; None stands for a name that is no single unit of the writer's."""
    verb = ""
    units: list[Unit | None] = []
    tokens = [token for token in clause.tokens if token.type in VERBS or token.type in ("PLACE", "KIND")]
    first = bool(tokens) and tokens[0].type in VERBS
    verbs = {token.type for token in tokens} & VERBS
    if len(verbs) == 1:
        tokens = [token for token in tokens if token.type not in VERBS]
        verb = verbs.pop()
        first = True
    named = [token for token in tokens if token.type == "PLACE"]
    for at, token in enumerate(tokens):
        if token.type in VERBS and first:
            yield verb, units
            verb, units = token.type, []
        elif token.type in VERBS:
            yield token.type, units
            units = []
        elif token.type == "PLACE":
            units.append(_unit(clause, frozenset(token.value.provinces)))
        elif not _beside_a_place(at, [other.type for other in tokens]):
            units += _alike(clause, token) if named or len(tokens) == 1 else [None]
    yield verb, units


def _beside_a_place(at: int, types: list[str]) -> bool:
    return "PLACE" in types[max(0, at - 1) : at + 2]


def _unit(clause: Clause, provinces: frozenset[str]) -> Unit | None:
    here = [unit for unit in own_units(clause.context) if unit.at.province in provinces]
    return here[0] if len(here) == 1 else None


def _alike(clause: Clause, token: Token) -> list[Unit | None]:
    """The only unit of a kind, or all of them where a number says so."""
    alike: list[Unit | None] = [unit for unit in own_units(clause.context) if unit.kind == token.value]
    every = clause.is_plural(token) and "NUMBER" in clause.types
    return alike if len(alike) == 1 or every else [None]
