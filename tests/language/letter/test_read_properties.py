"""read(write(x)) == x, with and without noise; nothing raises; nothing takes long."""

from __future__ import annotations

import random
import time
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.choices import choice
from support.corpus import Scene, position
from support.shipped import LIBRARY

from gm.judge.board.board import Place, locations
from gm.judge.model.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Retreat,
    Statement,
    Support,
    UnitOrder,
    UnitRef,
    Waive,
)
from gm.judge.model.position import Position
from gm.judge.movement.battle import Intent
from gm.judge.movement.legality import LegalityChecker
from gm.language.commands.press_or_orders import looks_like_orders
from gm.language.i18n.localized_variant import localized
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders.sheet_reader import read_order
from gm.language.orders.unit_names import read_unit
from gm.language.rendering import order_text as write

STANDARD = LIBRARY.variant("standard")
MOVES = Scene(
    "S1902M",
    units={
        "France": ["A Par", "A Mar", "F Bre", "F Por", "A Gas", "F LYO", "A StP"],
        "England": ["F NTH", "A Lon", "F NWG", "A Edi", "F ENG", "F MAO", "F WES"],
        "Germany": ["A Mun", "A Kie", "F HEL"],
        "Russia": ["F Sev", "A Mos", "F BOT", "F BAR"],
        "Turkey": ["F Con", "A Rum", "F BLA", "F Bul/sc", "A Smy"],
        "Italy": ["F ION", "F TYS", "A Tun", "F Spa/sc"],
    },
)
RETREATS = Scene(
    "F1901R",
    units={"France": ["A Par", "F MAO"], "Germany": ["A Bur", "F NTH"], "Russia": ["F BAR"]},
    dislodged=[
        ("France", "A Bur", "A Bur", ["Gas", "Mar"]),
        ("France", "F Por", "F MAO", ["Spa/nc", "Spa/sc"]),
        ("Russia", "F StP/nc", "F BAR", ["Nwy"]),
    ],
)
FIELD = position(STANDARD, MOVES)
THEATRE = LegalityChecker(FIELD.board, STANDARD.kinds, FIELD.units)
PLACES = sorted(
    {
        at.place
        for code in FIELD.board.provinces
        for kind in STANDARD.kinds.values()
        for at in locations(FIELD.board, kind, code)
    }
)


def ref(unit: object) -> UnitRef:
    return UnitRef(unit.kind, unit.at.place)  # type: ignore[attr-defined]


def ends(unit: object) -> tuple[Place, ...]:
    return _ends(unit.kind)  # type: ignore[attr-defined]


@cache
def _ends(code: str) -> tuple[Place, ...]:
    kind = STANDARD.kinds[code]
    return tuple(sorted({at.place for area in FIELD.board.provinces for at in locations(FIELD.board, kind, area)}))


ROUTE = st.lists(st.sampled_from(["NTH", "NWG", "ENG", "MAO", "WES"]), max_size=2, unique=True)


@st.composite
def orders(draw: st.DrawFn) -> tuple[str, Statement]:
    """Any order of any unit, possible or not, in the form the sheet keeps it."""
    unit = draw(choice(FIELD.units))
    shape = draw(choice([Hold, Move, Support, Convoy]))
    if shape is Hold:
        return unit.power, Hold(ref(unit))
    if shape is Move:
        route = draw(ROUTE)
        if not STANDARD.kinds[unit.kind].convoyed:
            route = []
        via = draw(st.booleans()) or bool(route)
        return unit.power, Move(ref(unit), draw(choice(ends(unit))), via, tuple(route))
    target = draw(choice(FIELD.units))
    goal = draw(choice(ends(target)))
    if shape is Convoy:
        return unit.power, Convoy(ref(unit), ref(target), Place(goal.province))
    return unit.power, Support(ref(unit), ref(target), draw(choice([None, goal])))


@given(orders())
@settings(max_examples=300, deadline=None)
def test_any_order_reads_back_with_any_unit(order: tuple[str, Statement]) -> None:
    power, statement = order
    context = LetterContext(STANDARD, FIELD, power, any_unit=True)
    assert read_order(write.statement(statement), context) == statement


@given(orders())
@settings(max_examples=300, deadline=None)
def test_a_possible_order_reads_back_and_an_impossible_one_is_answered(order: tuple[str, Statement]) -> None:
    power, statement = order
    assert isinstance(statement, UnitOrder)
    unit = THEATRE.find(statement.unit, power)
    assert unit is not None
    got = read_order(write.statement(statement), LetterContext(STANDARD, FIELD, power))
    if isinstance(THEATRE.intent(unit, statement), Intent):
        assert got == statement
    else:
        assert isinstance(got, LineError)


@cache
def possible() -> list[tuple[str, Statement]]:
    """Every move, support and convoy that could work in the field."""
    candidates: list[tuple[str, Statement]] = []
    for unit in FIELD.units:
        candidates.append((unit.power, Hold(ref(unit))))
        for to in ends(unit):
            candidates.append((unit.power, Move(ref(unit), to)))
        for target in FIELD.units:
            candidates.append((unit.power, Support(ref(unit), ref(target))))
            for goal in ends(target):
                candidates.append((unit.power, Support(ref(unit), ref(target), goal)))
                if not goal.coast:
                    candidates.append((unit.power, Convoy(ref(unit), ref(target), goal)))
    return [
        (power, order)
        for power, order in candidates
        if isinstance(THEATRE.intent(THEATRE.find(order.unit, power), order), Intent)  # type: ignore[arg-type,attr-defined]
    ]


def test_every_possible_order_of_a_position_reads_back() -> None:
    every = possible()
    assert len(every) > 500
    for power, statement in every:
        assert read_order(write.statement(statement), LetterContext(STANDARD, FIELD, power)) == statement


def names(text: str, dice: random.Random) -> str:
    """The canonical line as somebody might write it."""
    board = FIELD.board.provinces
    words = []
    for word in text.split(" "):
        code, slash, coast = word.partition("/")
        if code in board and dice.random() < 0.5:
            word = board[code].name
            if slash:
                long = {"nc": "north coast", "sc": "south coast", "ec": "east coast"}[coast]
                word += dice.choice([f"/{coast}", f"({coast})", f" ({long})", f" {coast.upper()}", f" {long}"])
        elif slash:
            word = dice.choice([word, f"{code}({coast})", f"{code} {coast}", f"{code} ({coast})"])
        words.append(
            {
                "-": dice.choice(["-", "->", "\u2013", "\u2192", "to", "moves to", "-->", "\u2212>"]),
                "S": dice.choice(["S", "s", "supports", "support", "SUPPORTS"]),
                "C": dice.choice(["C", "c", "convoys", "convoy", "transports"]),
                "H": dice.choice(["H", "h", "holds", "hold", "stands"]),
                "A": dice.choice(["A", "a", "army", "Army"]),
                "F": dice.choice(["F", "f", "fleet", "Fleet"]),
            }.get(word, word)
        )
    line = " ".join(words)
    line = dice.choice([line, line.upper(), line.lower(), line.replace(" ", "  "), line.replace(" ", "\u00a0")])
    return dice.choice(["", "1) ", "* ", "- ", " "]) + line + dice.choice(["", ".", " ", ";", "\u200b"])


def test_noise_does_not_change_the_meaning() -> None:
    dice = random.Random(20)
    every = possible()
    for power, statement in dice.sample(every, 500):
        line = names(write.statement(statement), dice)
        reading = read_letter([(1, line)], LetterContext(STANDARD, FIELD, power))
        assert [order.statement for order in reading.orders] == [statement], line
        assert not reading.troubles, line


def test_retreats_read_back() -> None:
    place = position(STANDARD, RETREATS)
    for out in place.dislodged:
        context = LetterContext(STANDARD, place, out.unit.power)
        own: list[Statement] = [Disband(ref(out.unit)), *(Retreat(ref(out.unit), at.place) for at in out.retreats)]
        for statement in own:
            assert read_order(write.statement(statement, "R"), context) == statement
        for to in PLACES:
            anywhere = Retreat(ref(out.unit), to)
            if to in ends(out.unit):
                assert read_order(write.statement(anywhere, "R"), replace(context, any_unit=True)) == anywhere


def winter(power: str, *, builds: bool) -> Position:
    start = STANDARD.start
    units = tuple(unit for unit in start.units if unit.power != power or not builds)
    centres = dict(start.centres) if builds else {c: p for c, p in start.centres.items() if p != power}
    year, at = STANDARD.phase_at("W1901A")
    return replace(start, year=year, at=at, units=units, centres=centres)


@pytest.mark.parametrize("power", [power.name for power in STANDARD.powers])
def test_builds_and_removals_read_back(power: str) -> None:
    place = winter(power, builds=True)
    for code in place.centres_of(power):
        for kind in STANDARD.kinds.values():
            for at in locations(place.board, kind, code):
                statement: Statement = Build(UnitRef(kind.code, at.place))
                assert read_order(write.statement(statement, "A"), LetterContext(STANDARD, place, power)) == statement
    for waive in (Waive(), Waive(1), Waive(2)):
        assert read_order(write.statement(waive, "A"), LetterContext(STANDARD, place, power)) == waive
    place = winter(power, builds=False)
    for unit in place.units_of(power):
        statement = Disband(ref(unit))
        assert read_order(write.statement(statement, "A"), LetterContext(STANDARD, place, power)) == statement


CONTEXTS = [
    LetterContext(STANDARD, FIELD, "France"),
    LetterContext(STANDARD, FIELD, "France", any_unit=True),
    LetterContext(STANDARD, FIELD, "", master=True),
    LetterContext(STANDARD, position(STANDARD, RETREATS), "France"),
    LetterContext(STANDARD, winter("France", builds=True), "France"),
    LetterContext(STANDARD, winter("France", builds=False), "France"),
]
WORDS = (
    "A F Par Bur Mar Spa Spa/nc (sc) north coast sea - -> S C H supports to via convoy by from , ; . and ( ) [ ] : if "
    "Build Remove D waive 2 + * PRESS TO ENDPRESS AS END Gulf of St. Petersburg mid nor German Turkey's burgindy hodl "
    "SET CREATE OVERRULE FORCE CLEAR R no all hold rest S1901M \u2013 \u00e9 0 1) ? // # \" ' \n"
)
PIECES = st.sampled_from(WORDS.split(" "))


@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=25).map(" ".join)), st.sampled_from(CONTEXTS))
@example("0)", CONTEXTS[-1])
@settings(max_examples=500, deadline=None)
def test_no_text_raises(text: str, context: LetterContext) -> None:
    lines = list(enumerate(text.split("\n"), 1))
    reading = read_letter(lines, context)
    for trouble in reading.troubles:
        assert 0 <= trouble.start <= trouble.end <= len(trouble.text)
    read_order(text, context)
    read_unit(text, context)
    looks_like_orders(lines, context)


HOSTILE = [
    "A ", "F", "(", ")", "-", "->", "A Par ", "A Par - ", "A Par, ", "S ", "a", "0", "(A ", "north ", "gulf of ",
    "st. ", "1) ", "* ", "// ", "# ", "\u2192", "\u0301", "A Par S ", "supports ", "- - ", "Spa/", "Spa (", "[", ": ",
    "AS ", "END ", "IF ", "PRESS TO ", '"', "hold rest ", "same orders ", "x" * 50 + " ", "mid-", "if A ", "the ",
    "n.", "A Xyz - Abc ", "F Bre C A Par - Lon ", "Germany Germany: your words ", "IGNORE: hello ", "EXTENSION 2 days ",
    "forget Paris, I want Rumania ", "Psst, Germany only: hello ",
]  # fmt: skip


HARD = [(seed, CONTEXTS[0]) for seed in HOSTILE]
HARD += [(seed, context) for seed in ("A Par, ", "if A ", "A Xyz - Abc ", "S ", "AS ") for context in CONTEXTS[2:5:2]]


@pytest.mark.parametrize(("seed", "context"), HARD)
def test_no_letter_takes_long(seed: str, context: LetterContext) -> None:
    """100 kB on one line, in lines of 70, of 3500, and one to a line: each takes about a second at most."""
    flat = seed * (100_000 // len(seed))
    for letter in (
        [flat],
        [flat[at : at + 70] for at in range(0, len(flat), 70)],
        [flat[at : at + 3500] for at in range(0, len(flat), 3500)],
        [f"{seed}{n}" for n in range(20_000)],
    ):
        lines = list(enumerate(letter, 1))
        began = time.process_time()
        read_letter(lines, context)
        looks_like_orders(lines, context)
        assert time.process_time() - began < 10


def test_a_cached_meaning_ends_when_units_have_moved() -> None:
    before = LetterContext(STANDARD, FIELD, "France")
    line = "A Par - Bur"
    assert not isinstance(read_order(line, before), LineError)
    gone = replace(FIELD, units=tuple(unit for unit in FIELD.units if unit.at.province != "Par"))
    assert isinstance(read_order(line, replace(before, position=gone)), LineError)
    assert not isinstance(read_order(line, before), LineError)
    support = "A Mar S A Par - Bur"
    assert not isinstance(read_order(support, before), LineError)
    assert isinstance(read_order(support, replace(before, position=gone)), LineError)
    ferry = LetterContext(STANDARD, FIELD, "England")
    assert not isinstance(read_order("A Lon - Nwy", ferry), LineError)
    ashore = replace(FIELD, units=tuple(unit for unit in FIELD.units if unit.at.province != "NTH"))
    assert isinstance(read_order("A Lon - Den", replace(ferry, position=ashore)), LineError)


def test_every_name_of_a_province_identifies_it() -> None:
    """Code, name, every alias and every beginning of three letters that no other name has."""
    board = FIELD.board.provinces
    squashed = {code: "".join(char for char in area.name.lower() if char.isalpha()) for code, area in board.items()}
    reader = LetterContext(STANDARD, FIELD, "France", any_unit=True)
    for code, area in board.items():
        if not area.slots:
            continue
        kind = "A" if "land" in area.slots else "F"
        alone = [
            squashed[code][:n]
            for n in range(3, len(squashed[code]))
            if sum(name.startswith(squashed[code][:n]) for name in squashed.values()) == 1
        ]
        called = {name.lower() for name in board}
        for spelling in [code, code.lower(), area.name, area.name.upper(), *(s for s in alone if s not in called)]:
            got = read_order(f"{kind} {spelling} H", reader)
            assert isinstance(got, Hold), (spelling, got)
            assert got.unit.at.province == code, spelling


FRONTS = (
    "Spring 1902",
    "S1902M:",
    "F1902M",
    "in spring",
    "wie im Herbst",
    "same as last spring",
    "Rest same as",
    "France:",
)
EVERYDAY = (
    *(
        "please",
        "bitte",
        "and",
        "und",
        "the",
        "my",
        "rest",
        "others",
        "everything",
        "alles",
        "not",
        "nicht",
        "no",
        "yes",
    ),
    *("same", "as", "wie", "last", "letzten", "time", "turn", "Frühjahr", "Herbst", "1902", "before", "holds", "hält"),
    *(
        "Paris",
        "army",
        "to",
        "nach",
        "from",
        "Burgundy",
        "supports",
        "half",
        "with",
        "nothing",
        "except",
        "instead",
        "or",
    ),
    *("Russia", "thanks", "when", "until", "Tuesday", "I", "ich", "?", "...", ":", "-", "(", ")", "//", "1.", "press"),
)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_line_of_everyday_words_raises(language: str, seed: int) -> None:
    chance = random.Random(f"{language} {seed}")
    context = LetterContext(localized(STANDARD, language), FIELD, "France")
    for _ in range(100):
        few = chance.choices(EVERYDAY, k=chance.randrange(5))
        read_letter(((1, " ".join((*chance.choices(FRONTS, k=chance.randrange(2)), *few))),), context)


@pytest.mark.parametrize("front", FRONTS)
def test_a_line_that_ends_with_the_name_of_a_turn_does_not_raise(front: str) -> None:
    for language in ("en", "de"):
        read_letter(
            ((1, "Hello"), (2, front), (3, "Thanks")), LetterContext(localized(STANDARD, language), FIELD, "France")
        )
