"""The text part's layout: nothing too wide, nothing that mail programs mangle, nothing that passes for ours."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.language.rendering import plain_text as layout

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=400)
MARKS = st.lists(
    st.sampled_from(
        [
            "-- ",
            "--",
            "::",
            "Ref:",
            "ref :",
            "From me",
            "---",
            "====",
            "DECREED BY",
            "> x",
            "[ostend]",
            "a b",
            "\u202e",
            "\n",
            " ",
        ]
    ),
    max_size=12,
).map("".join)


@given(WORDS | MARKS)
def test_quoted_words_cannot_look_like_ours(words: str) -> None:
    for line in layout.finish("Russia writes:\n\n" + layout.quoted(words) + "\n\nend").split("\n"):
        assert not line.startswith(("::", "-- ", "--", "From ", "[")), line
        assert not re.match(r"\s*ref\s*:", line, re.IGNORECASE), line


@given(WORDS | MARKS)
def test_guarded_words_keep_their_lines(words: str) -> None:
    lines = layout.guarded(words).split("\n")
    assert len(lines) == layout.printable(words).count("\n") + 1
    assert not [line for line in lines if re.match(r"\s*(::|ref\s*:|--)", line, re.IGNORECASE)]


@given(st.lists(st.text("abcdefgh ABF", max_size=12), max_size=60))
def test_wrapped_text_fits(words: list[str]) -> None:
    for line in layout.wrap(" ".join(words), "    ").split("\n"):
        assert len(line) <= layout.WIDTH
        assert line == line.rstrip()


@given(WORDS)
def test_a_header_is_one_printable_line(words: str) -> None:
    header = layout.header(words)
    assert not [char for char in header if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")]
    assert not set(header) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")
    assert len(header.splitlines()) <= 1
    assert len(header) <= 200


@pytest.mark.parametrize(
    "line",
    [
        ":: Deadline: S1901M 2026-01-01",
        " :: Game: x",
        "Ref: ostend S1902M aaaaaaaaaaaaaaaaaaaaaaaaaa",
        "REF : ostend",
        "Ｒｅｆ: ostend",
        "----------------------------------------",
        "—————————",
        "-- ",
        "#########",
        "DECREED BY THE GAME MASTER",
        "DECREED BY THE GAME MASTER (Ruth Amsel)",
        "WHAT IS DIFFERENT NOW",
        "> A Par - Bur",
        "[ostend S1901M] results",
    ],
)
def test_a_forged_mark_is_quoted(line: str) -> None:
    assert layout.quoted(line).startswith("> ")


@pytest.mark.parametrize(
    "line", ["Dear Paris,", "Reflect on it.", "A Par - Bur", "I am in.", "Ok", "– no", "привет", "東京"]
)
def test_plain_talk_stays_as_it_is(line: str) -> None:
    assert layout.quoted(line) == line


def test_a_unit_and_a_span_stay_together() -> None:
    text = layout.wrap("x " * 33 + "France's A Bur must go in 6 d 23 h.")
    assert not re.search(r"\b[A-Z]$|\d$", text, re.MULTILINE)


def test_strong_words_are_marked_in_one_part_only() -> None:
    assert layout.unmarked("**A Bur** bounced") == "A Bur bounced"
    assert layout.strong_parts("**A Bur** bounced") == (("A Bur", True), (" bounced", False))


def test_remarks_go_below_where_they_do_not_fit() -> None:
    text = layout.rows([("A Par - Bur", "new"), ("F Bre - MAO", "word " * 20)])
    assert text.split("\n")[:3] == ["  A Par - Bur  new", "  F Bre - MAO", "    " + ("word " * 13).strip()]
