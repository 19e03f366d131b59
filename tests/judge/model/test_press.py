"""What a variant's press answers: who may write, who reads, what it costs and who overhears."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gm.judge.mechanics.dips.dip_orders import InterceptMail, Protect
from gm.judge.mechanics.dips.interception import InterceptedCopy, Interception, intercepted, listeners
from gm.judge.mechanics.dips.paid_press import PaidPress, words_in
from gm.judge.model.orders import Entry
from gm.judge.model.position import Position
from gm.judge.model.press import Message, MessageHeader
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import FREE_PRESS, Variant

SPAIN = Message("Spain", "Spain", ("Chile", "Mexico"), "The fleet sails at dawn.", 1)


def at(variant: Variant, phase: str) -> Position:
    year, step = variant.phase_at(phase)
    centres = {code: power.name for power in variant.powers for code in variant.start.centres_of(power.name)}
    return replace(variant.start, year=year, at=step, centres=centres)


def test_press_is_free(standard: Variant) -> None:
    message = Message("France", "France", ("Germany",), "Peace")
    assert FREE_PRESS.check(standard.start, standard, message, ()) is None
    assert FREE_PRESS.price(standard.start, standard, message) == 0
    assert FREE_PRESS.journal_phase(standard.start, standard) == ""
    assert FREE_PRESS.names(standard.start, standard, "France") == ("France",)
    assert FREE_PRESS.readers(standard.start, standard, "Germany") == {"Germany"}
    assert FREE_PRESS.readers(standard.start, standard, "Atlantis") == set()
    assert FREE_PRESS.header(message, "Germany") == MessageHeader("France", ("Germany",))
    assert FREE_PRESS.intercepted_copies(standard.start, standard, Submissions(), message) == {}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("One two  three\nfour", 4),
        ("- ... ! -- 5", 1),
        ("don't e-mail naïve Köln 3½", 5),
        ("日本 語", 2),
    ],
)
def test_a_word_holds_a_letter_or_a_digit(text: str, count: int) -> None:
    assert words_in(text) == count


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1), max_size=80), st.sampled_from(["\n", "  "]))
def test_words_are_counted_between_blanks(words: list[str], blank: str) -> None:
    assert words_in(blank.join(words)) == len(words)


def test_fifty_words_go_and_fifty_one_do_not(fin_de_siecle: Variant) -> None:
    here, press = at(fin_de_siecle, "S1880M"), fin_de_siecle.press
    fifty = replace(SPAIN, words="w " * 50)
    assert press.check(here, fin_de_siecle, fifty, ()) is None
    problem = press.check(here, fin_de_siecle, replace(SPAIN, words="w " * 51), ())
    assert problem is not None
    assert (problem.key, problem.places) == ("message-long", ("51", "50"))


def test_dips_pay_for_messages_until_none_is_left(fin_de_siecle: Variant) -> None:
    here, press = at(fin_de_siecle, "S1880M"), fin_de_siecle.press
    sheet = (SPAIN, SPAIN, InterceptMail("Chile", "Mexico"))
    assert press.check(here, fin_de_siecle, SPAIN, sheet[:2]) is None
    problem = press.check(here, fin_de_siecle, SPAIN, sheet)
    assert problem is not None
    assert (problem.key, problem.places) == ("message-unpaid", ("0", "1"))


def test_other_phases_have_no_messages_or_those_of_the_next_turn(fin_de_siecle: Variant) -> None:
    retreats, builds = at(fin_de_siecle, "S1880R"), at(fin_de_siecle, "W1880A")
    none, next_turn = PaidPress(), PaidPress(between=True)
    assert [none.check(here, fin_de_siecle, SPAIN, ()) is None for here in (retreats, builds)] == [False, False]
    assert [next_turn.check(here, fin_de_siecle, SPAIN, ()) is None for here in (retreats, builds)] == [True, True]
    assert next_turn.journal_phase(retreats, fin_de_siecle) == "F1880M"
    assert next_turn.journal_phase(builds, fin_de_siecle) == "S1881M"
    four = next_turn.check(retreats, fin_de_siecle, SPAIN, (SPAIN,) * 4)
    assert four is not None
    assert four.key == "message-unpaid"


def test_an_eliminated_power_writes_no_press_and_gets_none(fin_de_siecle: Variant) -> None:
    here = at(fin_de_siecle, "S1880M")
    gone = replace(here, centres={code: power for code, power in here.centres.items() if power != "Spain"})
    assert "Spain" in fin_de_siecle.press.everyone(here, fin_de_siecle)
    assert "Spain" not in fin_de_siecle.press.everyone(gone, fin_de_siecle)
    assert fin_de_siecle.press.check(gone, fin_de_siecle, SPAIN, ()) is not None


def test_recipients_are_shown_or_not() -> None:
    assert PaidPress(shown=True).header(SPAIN, "Mexico") == MessageHeader("Spain", ("Chile", "Mexico"))
    assert PaidPress(shown=False).header(SPAIN, "Mexico") == MessageHeader("Spain", ("Mexico",))


# ---- interception

BETWEEN = InterceptMail("Mexico", "Spain")
PLAIN = Interception()


def brought(variant: Variant, pledged: Mapping[str, tuple[object, ...]], ears: Interception = PLAIN) -> object:
    answer = Message("Mexico", "Mexico", ("Spain",), "Noon.", 1)
    elsewhere = Message("Spain", "Spain", ("Chile",), "Nothing.", 1)
    events = intercepted(at(variant, "S1880M"), variant, (SPAIN, elsewhere, answer), pledged, ears)
    assert all(event.audience == frozenset({event.power}) for event in events)
    return {event.power: ([copy.words for copy in event.copies], event.protected) for event in events}


def test_an_interception_reads_both_directions_and_letters_with_more_recipients(fin_de_siecle: Variant) -> None:
    interceptions = intercepted(
        at(fin_de_siecle, "S1880M"), fin_de_siecle, (SPAIN,), {"France": (BETWEEN,)}, Interception()
    )
    assert interceptions[0].copies == (InterceptedCopy("Spain", ("Chile", "Mexico"), SPAIN.words),)
    assert brought(fin_de_siecle, {"France": (BETWEEN,)}) == {"France": ([SPAIN.words, "Noon."], None)}


def test_a_protection_keeps_what_its_buyer_sends_from_one(fin_de_siecle: Variant) -> None:
    pledged = {"France": (BETWEEN,), "Great Britain": (BETWEEN,), "Spain": (Protect("France"),)}
    assert brought(fin_de_siecle, pledged) == {
        "France": (["Noon."], None),
        "Great Britain": ([SPAIN.words, "Noon."], None),
    }


def test_a_protection_may_cover_what_its_buyer_gets(fin_de_siecle: Variant) -> None:
    pledged = {"France": (BETWEEN,), "Spain": (Protect("France"),)}
    ears = Interception(guards_received=True, tells_protected=True)
    assert brought(fin_de_siecle, pledged, ears) == {"France": ([], 2)}


def test_copies_come_as_messages_pass_where_a_game_has_that(fin_de_siecle: Variant) -> None:
    book = Submissions(
        {("France", "France"): (Entry(BETWEEN),), ("Chile", "Chile"): (Entry(InterceptMail("Chile", "Spain")),)}
    )
    here = at(fin_de_siecle, "S1880M")
    assert PaidPress().intercepted_copies(here, fin_de_siecle, book, SPAIN) == {}
    copies = PaidPress(copies_at_once=True).intercepted_copies(here, fin_de_siecle, book, SPAIN)
    assert set(copies) == {"France", "Chile"}
    assert listeners({"France": (BETWEEN,)}, Interception(), SPAIN) == {"France": "Mexico"}


def test_two_powers_of_one_person_are_reported(fin_de_siecle: Variant) -> None:
    here = replace(at(fin_de_siecle, "S1880M"), humans=(("Mexico", "Spain"),))
    interceptions = intercepted(here, fin_de_siecle, (SPAIN,), {"France": (BETWEEN,)}, Interception())
    assert interceptions[0].one_human
    assert interceptions[0].copies
