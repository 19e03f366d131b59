"""A line read by its example has the tokens that the scanner would give it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.shipped import LIBRARY

from gm.judge.model.variant import Variant
from gm.language.orders.line_reader import LineReader
from gm.language.orders.parsing.line_patterns import LinePatterns

VARIANTS = {name: LIBRARY.variant(name) for name in LIBRARY.ids()}
SHEETS = {name: (variant, "moves") for name, variant in VARIANTS.items()}
SHEETS["dips"] = (VARIANTS["fin-de-siecle"], "dips")
READERS = {name: LineReader(variant, variant.start.board, sheet) for name, (variant, sheet) in SHEETS.items()}
VERBS = (
    "-",
    "->",
    "S",
    "C",
    "H",
    "A",
    "F",
    "s",
    "a",
    "n",
    "to",
    "via",
    "and",
    "supports",
    "/",
    "nc",
    "(sc)",
    "___",
    "St",
    ".",
)
LINES = (
    "A {} - {}", "F {} - {}", "A {} S A {} - {}", "F {} S {}", "F {} C A {} - {}", "A {} H", "{} {} {}", "S {} {}",
    "A {} n {}", "A {} S {} ___", "N {} - {}", "Gulf {} - {}", "{}", "A {} - {} VIA", "G {} - {}", "S {} A {}",
    "{} A - {}", "A {} to {}", "A {} via {}", "A {} hold", "{} F {}", "F {} C {}", "A {} with {}", "A {} coast {}",
    "A {} - ___", "A ___ - {}", "intercept A {} - {}", "protect {} - {}", "2 dips support A {} - {}",
)  # fmt: skip


@pytest.mark.parametrize("name", sorted(SHEETS))
@given(data=st.data())
def test_by_example_or_in_full(name: str, data: st.DataObject) -> None:
    variant, scanner = SHEETS[name][0], READERS[name].scanner
    patterns = LinePatterns(scanner)
    code = st.sampled_from(_words(variant))
    form = data.draw(
        st.one_of(st.sampled_from(LINES), st.lists(st.sampled_from((*VERBS, "{}", "{}")), max_size=9).map(" ".join))
    )
    for _ in range(3):
        line = form.format(*(data.draw(code) for _ in range(form.count("{}"))))
        assert patterns.scan(line) == scanner.scan(line), line


def _words(variant: Variant) -> list[str]:
    provinces = variant.start.board.provinces.values()
    codes = [*(p.code for p in provinces), *(f"{p.code}/{coast}" for p in provinces for coast in p.coasts)]
    return [*codes, *map(str.upper, codes), *map(str.lower, codes), *(p.name for p in provinces)]


def test_another_line_of_the_same_form_is_read_by_example() -> None:
    reader = READERS["standard"]
    codes = sorted(reader.scanner.plain_places())
    assert {"Gre", "ENG", "LYO", "StP/nc"} < set(codes)
    patterns = LinePatterns(reader.scanner)
    asked: list[str] = []
    scan = reader.scanner.scan
    reader.scanner.scan = lambda text: asked.append(text) or scan(text)  # type: ignore[method-assign, func-returns-value]
    try:
        for code in codes:
            patterns.scan(f"A {code} - {codes[0]}")
    finally:
        reader.scanner.scan = scan  # type: ignore[method-assign]
    assert len(asked) == len({(len(code), "/" in code) for code in codes})


def test_a_province_called_like_a_power_is_read_in_full_where_powers_are_listed() -> None:
    assert "MEX" in READERS["fin-de-siecle"].scanner.plain_places()
    assert "MEX" not in READERS["dips"].scanner.plain_places()
