"""Paragraphs that a mail program broke at a fixed width are whole again; what a person wrote in lines is not joined."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.mail.message.hard_wraps import NARROWEST, WIDTHS, join_hard_wraps

PROSE = (
    "As I said to Tom on Saturday, Vienna goes to Galicia and Budapest to Serbia. The fleet in Trieste is to support "
    "the army in Serbia, whatever Italy writes. If you need anything, call me, I am at home until nine.\n\n"
    "Warsaw to Galicia, Moscow to St. Petersburg, Sevastopol to the Black Sea, and Rumania supports that attack."
)
WORDS = st.lists(
    st.sampled_from(
        ["Vienna", "goes", "to", "Galicia,", "and", "the", "fleet", "holds", "because", "it", "must", "wait"]
    ),
    min_size=1,
    max_size=60,
)
APART = [
    "A Vie - Gal\nA Bud - Ser\nF Tri - Alb",
    "My orders for the spring season of 1901, as promised to you all:\nVienna - Galicia\nBudapest - Serbia",
    "My orders for this season, and then I am off to the mountains again\n- Vienna to Galicia\n- Budapest to Serbia",
    "Vienna: goes to Galicia with the support of the army in Budapest\nBudapest: supports Vienna to Galicia",
    "F North Sea convoys A Yorkshire to Norway (as I told you before)\nA Yorkshire - Norway via the North Sea",
    "SEAT Austria: Anna Berg <anna.berg@mail.example.org> in Salzburg\nSEAT England: Hannah Osei <hannah@example.org>",
    "I have thought about this for a long time and I am sure of it now\nREADY",
    "| unit   | order        | why it is a good idea |\n| Vienna | Galicia goes | nobody knows it       |",
    "London to the North Sea, and do not tell anybody about it. Thanks!\nEdinburgh to the Norwegian Sea",
    "moves: Sundays 20:00, with a grace of six hours for whoever forgets\nretreats: 48 h\nbuilds: 48 h",
    "Par-Bur, Mar-Spa, Bre-Mid and that is all from me for today, I hope\nready",
    "please give us one day more because tom has no internet at home\nextend 24h",
    "the orders are the same as before and I am away from monday on\npress to germany: hi tom",
    "Vienna to Galicia, Budapest to Serbia, Trieste to Albania and all\nready",
    "Dear Ruth,\nI am back.\nVienna holds\nBudapest supports Vienna",
]


def lines_of(text: str) -> list[tuple[int, str]]:
    return list(enumerate(text.split("\n"), 1))


def wrapped(text: str, width: int) -> str:
    paragraphs = text.split("\n\n")
    return "\n\n".join(
        "\n".join(textwrap.wrap(paragraph, width, break_long_words=False, break_on_hyphens=False))
        for paragraph in paragraphs
    )


def _by_sentence(text: str) -> str:
    return text.replace(". ", ".\n")


@pytest.mark.parametrize("width", WIDTHS)
def test_running_text_is_whole_again(width: int) -> None:
    joined = join_hard_wraps(lines_of(wrapped(PROSE, width)))
    assert _by_sentence("\n".join(text for _, text in joined)) == _by_sentence(PROSE)


@pytest.mark.parametrize("text", APART)
def test_lines_of_their_own_stay_apart(text: str) -> None:
    assert join_hard_wraps(lines_of(text)) == lines_of(text)


@given(WORDS, st.sampled_from([width for width in WIDTHS if width > NARROWEST]))
def test_no_word_is_lost_and_a_line_has_the_number_of_its_first(words: list[str], width: int) -> None:
    lines = lines_of(wrapped(" ".join(words), width))
    joined = join_hard_wraps(lines)
    assert " ".join(text for _, text in joined).split() == words
    assert [dict(lines)[number] for number, _ in joined] == [
        text[: len(dict(lines)[number])] for number, text in joined
    ]


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("The army in Warsaw goes to Galicia and the fleet in Sevastopol to the", "Black Sea, as agreed with Deniz."),
        ("Warsaw - Galicia, Moscow - Ukraine, Sevastopol - Black Sea, and then St.", "Petersburg - Gulf of Bothnia."),
        (
            "Spring: Vienna to Galicia, Budapest to Serbia, Trieste to Albania. Fall:",
            "Galicia to Ukraine, Serbia holds.",
        ),
        (
            "I talked to Turkey again and changed my mind about the south. Scrap Sev",
            "- BLA, I'd rather have F Sev - Rum.",
        ),
        ("Rumania holds and is supported by the fleet in the Black Sea, Bulgaria,", "Serbia and the army in Ukraine."),
    ],
)
def test_a_line_may_go_on_with_a_name(above: str, below: str) -> None:
    assert join_hard_wraps([(3, above), (4, below)]) == [(3, f"{above} {below}")]


def test_quoted_lines_between_end_a_paragraph() -> None:
    lines = [(1, PROSE[:72].rstrip()), (4, "support the army in Serbia")]
    assert join_hard_wraps(lines) == lines


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Ich setze 8 Punkte auf Finnland, 4 auf Polen und 3 auf", "Rumänien."),
        ("The army goes from Venice to Tyrolia and Rome goes to the", "Apulian coast."),
    ],
)
def test_a_line_that_ends_amid_a_sentence_goes_on(before: str, after: str) -> None:
    assert join_hard_wraps([(1, before), (2, after)]) == [(1, f"{before} {after}")]
