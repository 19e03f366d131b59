"""The grammars are LALR(1) without a conflict, and their rules bear the names of what they make."""

from __future__ import annotations

import logging
from collections import Counter

import pytest
from lark import Lark, logger

from gm import resources
from gm.judge.mechanics.influence import bid_orders as bidding
from gm.judge.mechanics.wings import wing_orders as orders
from gm.judge.model import orders as statements
from gm.language.commands import requests
from gm.language.commands.parser import REQUESTS
from gm.language.letter.letter_reader import BLOCKS, REMARKS
from gm.language.lines import letter_contents
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.grammar import TreeBuilder, grammar
from gm.language.orders.parsing.lexer import SPECIAL, TokenizedLexer

SHEETS = ("moves", "retreats", "builds", "allocations", "bids", "ferries", "wings")
NOT_STATEMENTS = {"supported", "alone", "keep", "removal", "convoy_from", "convoy_by", "points"}
"""A move with its supports; a unit without a verb; a word that needs no order; other wordings; a question."""


def camel(rule: str) -> str:
    return "".join(part.capitalize() for part in rule.split("_"))


@pytest.mark.parametrize("name", [*SHEETS, "commands"])
def test_no_grammar_has_a_conflict(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Lark settles a conflict in favour of shifting, and says so only in its log."""
    level = logger.level
    logger.setLevel(logging.DEBUG)
    logger.addHandler(caplog.handler)
    try:
        file = str(resources.folder("grammars") / f"{name}.lark")
        if name == "commands":
            Lark.open(file, parser="lalr", start="request")
        else:
            Lark.open(file, parser="lalr", lexer=TokenizedLexer, start=["start", "vocabulary"])
    finally:
        logger.removeHandler(caplog.handler)
        logger.setLevel(level)
    assert not [record.message for record in caplog.records if "conflict" in record.getMessage()]


@pytest.mark.parametrize("name", SHEETS)
def test_a_rule_is_named_like_its_statement(name: str) -> None:
    lark = grammar(name)._lark
    tops = {str(rule.expansion[0].name) for rule in lark.rules if str(rule.origin.name) == "start"}
    for rule in tops - NOT_STATEMENTS:
        assert any(hasattr(module, camel(rule)) for module in (statements, bidding, orders)), rule
        assert hasattr(sketches, f"{camel(rule)}Node"), rule
        assert hasattr(TreeBuilder, rule), rule


def test_every_request_can_be_asked_for() -> None:
    made = {f"{camel(rule)}Request" for rule in (*REQUESTS, *BLOCKS)}
    made |= {"EndGameRequest"}
    for name, kind in vars(requests).items():
        if isinstance(kind, type) and issubclass(kind, letter_contents.Request) and kind is not letter_contents.Request:
            assert name in made, name


def test_every_rule_for_a_letter_is_answered() -> None:
    file = str(resources.folder("grammars") / "commands.lark")
    lark = Lark.open(file, parser="lalr", start="request")
    rules = {rule.alias or str(rule.origin.name) for rule in lark.rules} - {"request"}
    assert rules <= set(REQUESTS) | set(BLOCKS) | set(REMARKS)


@pytest.mark.parametrize("name", SHEETS)
def test_no_word_means_two_things_on_one_sheet(name: str) -> None:
    """But a word of talk that a sheet has a use for is the sheet's."""
    lark = grammar(name)._lark
    words: Counter[str] = Counter()
    for terminal in lark.terminals:
        if terminal.pattern and terminal.name not in SPECIAL | {"TALK"}:
            words.update(set(terminal.pattern.value.strip("(?:)").split("|")))
    assert [word for word, count in words.items() if count > 1] == []
