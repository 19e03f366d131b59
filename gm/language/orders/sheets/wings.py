"""Wings in the lexer's terms: the "-A" or "-Air" behind a place, the letter of their kind, lists of provinces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gm.judge.board.board import AIR
from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.orders import Statement
from gm.judge.model.position import Unit
from gm.judge.model.variant import Variant
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.lexer import RawToken, Scanner, Token, WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, flaw
from gm.language.orders.sheets.moves import one_of

INTERCEPT = "INTERCEPT"
AIRBORNE = re.compile(r"[-/.](?:a|air)(?![\w'])|\s*\(\s*air\s*\)|\s+air(?![\w'])", re.IGNORECASE)
"""Behind a place: "Lon-A", "Lon-Air", "London/air", "London (Air)", "London Air"."""
LISTED = frozenset({"PLACE", "ARROW", "OF"})


def flies(variant: Variant) -> bool:
    return any(kind.layer == AIR for kind in variant.kinds.values())


class WingScanner(Scanner):
    """A place in the air has "air" for its coast, so that a line that leaves out the unit's kind means the wing."""

    def _place(
        self, text: str, raws: list[RawToken], at: int, past: int, provinces: tuple[str, ...], tokens: list[Token]
    ) -> int:
        past = super()._place(text, raws, at, past, provinces, tokens)
        kind, name, start, end = tokens[-1]
        found = AIRBORNE.match(text, end)
        if found is None or kind != "PLACE":
            return past
        end = found.end()
        while past < len(raws) and raws[past].start < end:
            past += 1
        tokens[-1] = Token("PLACE", WrittenPlace(text[start:end], start, end, name.provinces, AIR), start, end)
        return past

    def _meaning(self, word: str, previous: str, after: str) -> tuple[str, object] | None:
        """The letter of a kind stands for it wherever something follows, also where the sheet has the letter for
        another word ("Build W Ber", but "W" and "W 2" for builds waived).
        """
        if word in self.kinds and len(word) == 1 and after and not after.isdigit() and not self._is_kind(after):
            return "KIND", self.kinds[word]
        return super()._meaning(word, previous, after)

    def _takes_coast(self, found: re.Match[str], provinces: tuple[str, ...]) -> bool:
        """A letter behind a dot ("F NTH. W Par H") is a coast only where the province has some."""
        return any(code in self.coasts for code in provinces) and super()._takes_coast(found, provinces)


def together(parts: list[list[Token]]) -> list[list[Token]]:
    """The provinces behind an interception are one list, whatever stands between them."""
    found: list[list[Token]] = []
    for part in parts:
        if found and _listing(found[-1]) and all(token.type in LISTED for token in part):
            found[-1] = [*found[-1], *part]
        else:
            found.append(part)
    return found


def _listing(tokens: Sequence[Token]) -> bool:
    return any(token.type == INTERCEPT for token in tokens)


def bomb(bench: OrderContext, sketch: sketches.BombNode) -> Iterator[Statement]:
    for written in sketch.units:
        readings: list[tuple[Unit, Statement]] = [
            (unit, Bomb(bench.ref(unit), place.province))
            for unit in bench.own(written)
            for place in bench.places(sketch.target.name)
        ]
        yield one_of(bench, readings, written.name, sketch.target.name)


def intercept(bench: OrderContext, sketch: sketches.InterceptNode) -> Iterator[Statement]:
    for written in sketch.units:
        readings: list[tuple[Unit, Statement]] = [
            (unit, Intercept(bench.ref(unit), _over(bench, unit, sketch.over))) for unit in bench.own(written)
        ]
        yield one_of(bench, readings, written.name, written.name)


def _over(bench: OrderContext, unit: Unit, names: tuple[WrittenPlace, ...]) -> tuple[str, ...]:
    """Each province once. Of several that a word may mean, the one beside the wing is meant."""
    near = {unit.at.province, *bench.ground.checker.adjacency.near.get(unit.at.province, ())}
    found: dict[str, None] = {}
    for name in names:
        codes = [code for code in name.provinces if code in near] or list(name.provinces)
        if len(codes) > 1:
            raise flaw("which-place", name, word=name.text, places=" ".join(codes))
        found[codes[0]] = None
    return tuple(found)
