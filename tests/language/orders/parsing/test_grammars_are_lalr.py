"""The grammars are LALR(1) without a conflict, and their rules bear the names of what they make."""

from __future__ import annotations

import logging
from collections import Counter

import pytest
from lark import Lark, logger

from gm import resources
from gm.judge.mechanics.dips import dip_orders as dipping
from gm.judge.mechanics.influence import bid_orders as bidding
from gm.judge.mechanics.moving_borders import border_orders as borders
from gm.judge.mechanics.wings import wing_orders as orders
from gm.judge.model import orders as statements
from gm.language.commands.parser import _keyword_rules
from gm.language.orders.parsing.grammar_words import SPECIAL
from gm.language.orders.parsing.lexer import TokenizedLexer
from gm.language.orders.sheets.all_sheets import SHEETS, sheet_grammar
from gm.language.orders.sheets.sheet_kind import SheetKind

NOT_STATEMENTS = {"supported", "alone", "keep", "removal", "convoy_from", "convoy_by", "points", "event"}
"""Rules that become several statements or none, and other wordings of a rule."""


def camel(rule: str) -> str:
    return "".join(part.capitalize() for part in rule.split("_"))


NAMES = [sheet.name for sheet in SHEETS]
LALR = [name for name in NAMES if name != "moving_borders"]
"""Lines about borders leave out what separates their parts: there, shifting is meant."""
UNAMBIGUOUS = [name for name in NAMES if name != "dips"]
"""On sheets with dips "on" is two words, and the context tells which."""


@pytest.mark.parametrize("name", [*LALR, "commands"])
def test_no_grammar_has_a_conflict(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Lark settles a conflict in favour of shifting, and says so only in its log."""
    level = logger.level
    logger.setLevel(logging.DEBUG)
    logger.addHandler(caplog.handler)
    try:
        file = resources.folder("grammars") / f"{name}.lark"
        if name == "commands":
            Lark(file.read_text(encoding="utf-8") + _keyword_rules(), parser="lalr", start="request")
        else:
            Lark.open(str(file), parser="lalr", lexer=TokenizedLexer, start=["start", "vocabulary"])
    finally:
        logger.removeHandler(caplog.handler)
        logger.setLevel(level)
    assert not [record.message for record in caplog.records if "conflict" in record.getMessage()]


@pytest.mark.parametrize("sheet", SHEETS, ids=NAMES)
def test_a_rule_is_named_like_its_node_and_statement(sheet: SheetKind) -> None:
    lark = sheet_grammar(sheet.name)._lark
    tops = {str(rule.expansion[0].name) for rule in lark.rules if str(rule.origin.name) == "start"}
    nodes = {node.__name__ for node in sheet.checks}
    modules = (statements, bidding, dipping, borders, orders)
    for rule in tops - NOT_STATEMENTS:
        assert any(hasattr(module, camel(rule)) for module in modules), rule
        assert rule == "disband" or f"{camel(rule)}Node" in nodes, rule
    for rule in tops:
        assert hasattr(sheet.tree, rule), rule


@pytest.mark.parametrize("name", UNAMBIGUOUS)
def test_no_word_means_two_things_on_one_sheet(name: str) -> None:
    """But a word of talk that a sheet has a use for is the sheet's."""
    lark = sheet_grammar(name)._lark
    words: Counter[str] = Counter()
    for terminal in lark.terminals:
        if terminal.pattern and terminal.name not in SPECIAL | {"TALK"}:
            words.update(set(terminal.pattern.value.strip("(?:)").split("|")))
    assert [word for word, count in words.items() if count > 1] == []
