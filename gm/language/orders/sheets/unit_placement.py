"""Sheets of the phase before the first turn: which kind of unit begins in each centre."""

from __future__ import annotations

from gm.language.orders.parsing.lexer import Scanner, Token
from gm.language.orders.parsing.line_parts import join_lists
from gm.language.orders.parsing.tree_builder import Child, TreeBuilder, units_in
from gm.language.orders.sheets.adjustments import BuildNode, build, is_unknown_unit
from gm.language.orders.sheets.sheet_kind import SheetKind


class PlacementTree(TreeBuilder):
    def build(self, children: list[Child]) -> BuildNode:
        return BuildNode(units_in(children))


class PlacementScanner(Scanner):
    """Takes "LON: F" and "LON = F" for "LON F", and "CHI A" for the centre, not the power."""

    def _meaning(self, word: str, previous: str, after: str) -> tuple[str, object] | None:
        meaning = super()._meaning(word, previous, after)
        provinces = self.names.exact(word) if meaning is not None and meaning[0] == "NATION" else ()
        return ("PLACE", provinces) if provinces else meaning

    def scan(self, text: str) -> list[Token]:
        tokens = super().scan(text)
        kinds = [token.type for token in tokens]
        return [
            token
            for at, token in enumerate(tokens)
            if not (token.type == "ARROW" or (token.type == "SEP" and token.value == ":"))
            or kinds[max(0, at - 1) : at + 2] != ["PLACE", token.type, "KIND"]
        ]


SHEET = SheetKind(
    "unit_placement",
    PlacementTree,
    {BuildNode: build},
    lambda variant, names: PlacementScanner,
    join=join_lists,
    is_meant=is_unknown_unit,
    is_rest=is_unknown_unit,
    lists_units=True,
)
