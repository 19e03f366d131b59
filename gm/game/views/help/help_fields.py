"""Template values of the help pages: the reader's variant, board, calendar and settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from msgspec.structs import replace

from gm.game.model.choose_setting import shown_settings
from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER
from gm.game.model.setting_types import UNSIGNED, PressMode
from gm.game.model.settings import takes_illegal
from gm.game.views.help import command_help
from gm.game.views.maps import snapshots_back
from gm.game.views.mechanics import diplomacy_points
from gm.game.views.orders import example_orders
from gm.game.views.turns.turn_events import sorted_units
from gm.judge.board.board import AIR, SEA, Place, Use, locations
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.dips.dip_orders import DipOrder
from gm.judge.mechanics.dips.usage_windows import TURN
from gm.judge.mechanics.moving_borders.delayed_events import DelayedBorderStep
from gm.judge.model.orders import Build, Disband, Hold, Retreat, UnitRef, Waive
from gm.judge.model.position import Position, Unit
from gm.judge.model.press import ReleaseTime
from gm.judge.model.unit_numbers import numbered
from gm.judge.model.variant import Variant
from gm.judge.steps.adjustments import sites
from gm.judge.steps.unit_placement import GRAMMAR
from gm.language.commands.in_words import named_powers, plain_questions
from gm.language.i18n.joining_words import AND
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.language.i18n.similar_powers import near_powers
from gm.language.lines.letter_contents import LineError
from gm.language.rendering import order_text


def variant_fields(reader: Recipient) -> dict[str, object]:
    """Values that depend on the variant alone (`rules`).

    `dips`: it has Diplomacy Points. `setup`: players place their first units. `foretold`: events are ordered with the
    moves. `oceans`: provinces that any number of units share. `letters`: an example of a preference list.
    """
    variant = reader.variant
    shared = [code for code, province in variant.start.board.provinces.items() if province.shared]
    dips = any(DipOrder.family in step.also for step in variant.calendar if step.letter == TURN)
    fields: dict[str, object] = {
        "dips": dips,
        "foretold": any(isinstance(step, DelayedBorderStep) for step in variant.calendar),
        "setup": any(step.grammar == GRAMMAR for step in variant.calendar),
        "oceans": reader.every(
            f"{reader.called(variant.start.board.provinces[code].name)} ({code})" for code in shared
        ),
        "ocean": shared[0] if shared else "",
        "ocean_other": shared[-1] if shared else "",
        "letters": _preference_example(variant),
        "rules": variant,
        "illegal_taken": takes_illegal(reader.game),
        "majors": reader.every(power.name for power in variant.powers if power.major),
    }
    return fields | ({"points": 0} if dips else {})


def _preference_example(variant: Variant) -> str:
    first, *rest = [power.letter for power in variant.powers if power.letter][1:5] or [""]
    return f"{first}[{''.join(rest)}]*" if rest else f"{first}*"


def movement_phase_of_next_year(variant: Variant, here: Position) -> str:
    """Code of the last movement phase of next year, as an example of a phase to plan for."""
    at = max(at for at, step in enumerate(variant.calendar) if step.letter == TURN)
    return variant.phase_name(replace(here, year=here.year + 1, at=at))


def _last_played(reader: Recipient) -> str:
    """Code of the last phase with results, as an example; of the first phase while there is none."""
    past = snapshots_back(reader.store, reader.game)
    played = (snapshot.resolved for snapshot in past if snapshot.resolved not in ("", reader.game.phase))
    return next(played, "") or reader.variant.phase_name(reader.variant.start)


def correction_fields(reader: Recipient, here: Position) -> dict[str, object]:
    """Values for the pages about votes and corrections.

    `centre` is some supply centre, `points_kept` an account of points that may be set ("" if there is none).
    """
    variant = reader.variant
    accounts = variant.influence.accounts(variant) if variant.influence is not None else {}
    purse, subjects = next(iter(accounts.items()), ("", ()))
    return {
        "centre": min((code for code, area in here.board.provinces.items() if area.centre), default=""),
        "points_kept": " ".join((purse, *subjects[:1])),
        "concede": reader.settings.concede,
    }


def wing_fields(reader: Recipient, here: Position, power: str) -> dict[str, object]:
    """Provinces for examples with a wing over one of the power's centres; {} in variants without wings.

    `wing_base` and `wing_aim` are in range of the wing and of each other, `wing_land` is an adjacent land province,
    `wing_near` lists a few adjacent provinces, `wing_sea` is an adjacent sea if there is one.
    """
    reach = max(kind.reach for kind in reader.variant.kinds.values())
    centres = here.centres_of(power) or reader.variant.start.centres_of(power)
    if not centres or not any(kind.layer == AIR for kind in reader.variant.kinds.values()):
        return {}
    board = here.board
    near = board.adjacency.near
    seas = {code for code, province in board.provinces.items() if SEA in province.slots}
    home = next((code for code in sorted(centres) if set(near[code]) - seas), min(centres))
    beside = sorted(near[home], key=lambda code: (code in seas, code))
    bases = board.adjacency.within(home, reach)
    base = next((code for code in sorted(bases) if code in centres and code != home), beside[0])
    aim = next((code for code in beside if code != base and code in board.adjacency.within(base, reach)), base)
    sea = next((code for code in beside if code in seas), beside[-1])
    names = {code: board.provinces[code].name for code in (home, base)}
    return {
        "wing": home,
        "wing_name": reader.called(names[home]),
        "wing_base": base,
        "wing_base_name": reader.called(names[base]),
        "wing_aim": aim,
        "wing_land": beside[0],
        "wing_near": ", ".join(beside[:3]),
        "wing_sea": sea,
    }


def press_fields(reader: Recipient) -> Mapping[str, object]:
    """Values about press. `free_press`: sent at once. `press_some`: not only to all. `press_several`: to several."""
    settings, press = reader.settings, reader.variant.press
    mode, message_word = settings.press, press.message_word
    free = mode is not PressMode.NONE and not message_word
    some = mode is not PressMode.PUBLIC
    return {
        "press": mode is not PressMode.NONE,
        "message_word": message_word if mode is not PressMode.NONE else "",
        "free_press": free,
        "press_unsigned": mode in UNSIGNED,
        "press_some": some,
        "free_some": free and some,
        "press_several": free and some and settings.partial,
        "quarters": press.release is ReleaseTime.QUARTER_HOUR,
    }


PRESS = "press"
"""The row of PRESS TO, whose form is filled with the readers that words name."""
LISTED = re.compile(rf"[\s,;&/+]*(?:\b(?:{AND})\b\s*)?(?:\bthe\b\s*)?")
"""What stands between the names of a list, and behind the last."""
FORMS_MOST = 4
"""Number of suggested forms for one line."""


def suggest_forms(
    reader: Recipient, position: Position | None, line_error: LineError
) -> tuple[LineError, tuple[str, ...]]:
    """Commands that the writer of a line may have meant, complete; () for a line meant as an order.

    The error says then whether these hold the writer's own values or examples, or that the game has no such command.
    """
    if line_error.key not in (*plain_questions.KEYS, plain_questions.HOW_WRITTEN):
        return line_error, ()
    error_fields = dict(line_error.fields)
    fields = dict(help_fields(reader, position))
    named = error_fields.get("power", "")
    own = line_error.text[line_error.start :]
    if PRESS in error_fields.get("commands", "").split():
        readers = _readers_named(reader, own)
        named = readers[0] if readers else ""  # a power that the words are about is not one that may read them
    else:
        readers = ()
    if readers:
        fields["other"] = ", ".join(map(reader.called, readers))
    elif named:
        fields["other"] = reader.called(named)
    if reader.power is None:  # an example of a game master's must do nothing to anybody
        fields |= {"third": reader.say("help.any-power")} | ({} if named else {"other": reader.say("help.any-power")})
    whole = [
        command_help.command_form(reader, fields, name, own, named=bool(named))
        for name in error_fields.get("commands", "").split()
    ]
    if line_error.key == plain_questions.HOW_WRITTEN:
        return line_error, tuple(form for form, _ in whole if form)
    is_plain = line_error.key == plain_questions.KEY
    if first := next((each for each in whole if each[0]), None):
        return (replace(line_error, key=f"{plain_questions.KEY}-example") if is_plain and first[1] else line_error), (
            first[0],
        )
    if is_plain:
        return replace(line_error, key=f"{plain_questions.KEY}-none"), ()
    begun = command_help.forms_beginning_with(reader, fields, error_fields.get("word", ""))
    return line_error, tuple(dict.fromkeys(begun))[:FORMS_MOST]


def _readers_named(reader: Recipient, words: str) -> tuple[str, ...]:
    """The powers of the list with which words end, or those above their colon, or the only one there; or the one that a
    misspelt word of these may mean.
    """
    head, colon, _ = clean(words).text.lower().partition(":")
    variant = localized(reader.variant, reader.catalogue.language)
    named = named_powers.called(variant.powers)
    every = list(named_powers.find_powers(head, variant))
    if len({power for _, _, power in every}) == 1:
        return (every[0][2],) if colon or LISTED.fullmatch(head, every[-1][1]) else ()
    if every and not LISTED.fullmatch(head, every[-1][1]):
        return ()
    pairs = list(pairwise(every))
    begins = [at for at, (left, right) in enumerate(pairs, 1) if not LISTED.fullmatch(head, left[1], right[0])]
    last = tuple(dict.fromkeys(power for _, _, power in every[max(begins, default=0) :]))
    return last or (near_powers(head, named)[:1] if colon else ())


def help_fields(reader: Recipient, position: Position | None) -> Mapping[str, object]:
    """All template values of the help pages, with the reader's own units in the examples."""
    here = _with_armies(reader, position if position is not None else reader.variant.start)
    power = reader.power or reader.variant.powers[0].name
    units = sorted_units(here.units_of(power)) or sorted_units(reader.variant.start.units_of(power))
    first = UnitRef(units[0].kind, units[0].at.place) if units else UnitRef("A", _example_place(reader, here))
    others = [reader.called(other.name) for other in reader.variant.powers if other.name != power]
    place = first.at
    near = next((at for at in here.board.neighbours(units[0].at, Use.MOVE)), None) if units else None
    talk = press_fields(reader)
    minors = [minor.name for minor in reader.variant.minors if minor.homes]
    fields: dict[str, object] = {
        "game": reader.game.name,
        "power": reader.called(power),
        "observes": reader.observes,
        "master": reader.power is None,
        "chosen": reader.settings,
        "proxy": reader.settings.proxy,
        "adjective": next((other.adjective for other in reader.variant.powers if other.name == power), power),
        "other": others[0] if others else MASTER,
        "third": others[1] if len(others) > 1 else MASTER,
        "units": [str(unit) for unit in units],
        "unit": str(first),
        "place": place.province,
        "examples": [order_text.statement(example, letter="M") for example in example_orders.examples(reader, here)],
        "long": example_orders.move_in_words(reader, here),
        "hold": order_text.statement(Hold(first), letter="M"),
        "retreat": order_text.statement(Retreat(first, near.place if near else place), letter="R"),
        "disband": order_text.statement(Disband(first), letter="R"),
        "build": order_text.statement(Build(_example_build(reader, here, power, first)), letter="A"),
        "remove": order_text.statement(Disband(first), letter="A"),
        "waive": order_text.statement(Waive(), letter="A"),
        "near": str(near.place if near else place),
        "phase": reader.game.phase or reader.variant.phase_name(reader.variant.start),
        "played": _last_played(reader),
        "later": movement_phase_of_next_year(reader.variant, here),
        **talk,
        "ward": talk["free_press"] and bool(minors),
        "minors": [reader.called(minor) for minor in minors],
        "minor": reader.called(minors[0]) if minors else "",
        "anonymous": reader.anonymous,
        "several": reader.of_several,
        "topics": [name.upper() for name in reader.services.letters.topics if name != "index"],
        "settings": shown_settings(reader),
        "variants": reader.services.variant_ids,
        "variant": reader.variant.id,
        "powers": [reader.called(other.name) for other in reader.variant.powers],
        "maps": bool(reader.services.map_wait),
        "borders_move": isinstance(here.board, PlanarBoard),
        "wings": any(kind.layer == AIR for kind in reader.variant.kinds.values()),
        "influence": reader.variant.influence,
        **diplomacy_points.points_fields(reader, here),
        **variant_fields(reader),
        **correction_fields(reader, here),
        **wing_fields(reader, here, power),
    }
    return fields | command_help.command_fields(reader, fields)


def _with_armies(reader: Recipient, here: Position) -> Position:
    """Put a unit in every centre if there are none yet, for examples before units are chosen."""
    if here.units:
        return here
    board, kind = here.board, next(iter(reader.variant.kinds.values()))
    armies = [
        Unit(power.name, kind.code, spots[0])
        for power in reader.variant.powers
        for code in here.centres_of(power.name)
        if (spots := locations(board, kind, code))
    ]
    return replace(here, units=numbered(board, armies))


def _example_build(reader: Recipient, here: Position, power: str, like: UnitRef) -> UnitRef:
    """A unit that the power may build, on free ground where there is some; else the one it has."""
    variant = reader.variant
    kind = variant.kinds[like.kind]
    grounds = (*sites(here, variant, power), *variant.build_rule.grounds(here, power))
    places = (locations(here.board, kind, code) for code in grounds)
    return next((UnitRef(like.kind, spots[0].place) for spots in places if spots), like)


def _example_place(reader: Recipient, here: Position) -> Place:
    """A province for example orders of a reader without units: one of their centres, if they have any."""
    mine = here.centres_of(reader.power or "")
    if mine:
        return Place(min(mine))
    if here.units:
        return here.units[0].at.place
    kind = next(iter(reader.variant.kinds.values()))
    return next(at.place for code in sorted(here.board.provinces) for at in locations(here.board, kind, code))
