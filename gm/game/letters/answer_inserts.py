"""What an answer carries below because it was asked for: STATUS, HISTORY, RULES, HELP, and a game master's overviews.

STATUS tells what everybody may know: the board, the deadlines, who plays; never who has sent orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from gm.game.letters import debug_trace as tracing
from gm.game.letters import welcome as greeting
from gm.game.model import settings as choices
from gm.game.model.letter_report import AnswerInsert, SheetReport
from gm.game.model.loaded_game import lay
from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER
from gm.game.phase import sheets
from gm.game.phase.draw_votes import shown_votes
from gm.game.views import absences as roll
from gm.game.views import exports, overviews
from gm.game.views import gm_log as ledger
from gm.game.views import help as handbook
from gm.game.views import help_fields as manuals
from gm.game.views import help_fields as pressviews
from gm.game.views import history as annals
from gm.game.views import missing_orders as silence
from gm.game.views import notebooks as leafing
from gm.game.views import overviews as listing
from gm.game.views import planned_orders as aheadviews
from gm.game.views import polls as pollviews
from gm.game.views import preview as trials
from gm.game.views import what_if as trial
from gm.game.views import what_to_do as owing
from gm.game.views.mechanics import diplomacy_points as points
from gm.game.views.mechanics import influence as boxes
from gm.game.views.mechanics import moving_borders as shaken
from gm.game.views.sheet import draft_key, on_file, sheet_sections
from gm.game.views.turn_events import TurnView, sorted_units, unit_name
from gm.judge.board.board import AIR, Place, Use, locations
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.model.orders import Build, Disband, Hold, Retreat, UnitRef, Waive
from gm.judge.model.position import Position, Unit
from gm.judge.model.press import ReleaseTime
from gm.judge.model.sheets import DueOrders
from gm.judge.model.unit_numbers import numbered
from gm.language.rendering import help_pages as manual
from gm.language.rendering import order_text as write
from gm.language.rendering.views import (
    Block,
    BulletsView,
    ParagraphView,
    QuotedWordsView,
    RowsView,
    RowView,
    SectionView,
    TableView,
)

Sections = tuple[SectionView, ...]


def insert_sections(reader: Recipient, position: Position | None, insert: AnswerInsert) -> Sections:
    if insert.kind in trials.SHOWN:
        return trials.SHOWN[insert.kind](reader, position, insert)
    return INSERTS[insert.kind](reader, position, insert.topic)


# ---- STATUS


def _status(reader: Recipient, position: Position | None, topic: str) -> Sections:
    game = reader.game
    if position is None:
        return (
            SectionView(reader.say("status.title"), (ParagraphView(reader.say("status.forming")),)),
            greeting.who_plays(reader),
        )
    if position.ended is not None:
        now: Sections = (SectionView(reader.say("status.title"), (ParagraphView(reader.say("status.ended")),)),)
    else:
        words = ParagraphView(reader.phase_words("phase.due", game.phase, due=reader.due()))
        ahead = owing.ahead(reader, position)
        later = ahead.blocks if ahead is not None and not game.phase.endswith("M") else ()
        now = (SectionView(reader.say("status.title"), (words, *later)),)
    wrote = silence.counted(reader, (TurnView.of(reader, one) for one in annals.line(reader) if one.previous))
    now = (replace(now[0], blocks=(*now[0].blocks, *wrote)), *roll.sections(reader, always=False))
    board = (annals.standing(reader, position), *boxes.sections(reader, position))
    here = (greeting.who_plays(reader), *overviews.observers(reader))
    more = (*shown_votes(reader, position), *pollviews.sections(reader), *ledger.of_players(reader, game.opened_at))
    return (*now, *board, *here, *more)


def _who(reader: Recipient, position: Position | None, topic: str) -> Sections:
    return (greeting.who_plays(reader), *overviews.observers(reader), *listing.sections(reader))


def _welcome(reader: Recipient, position: Position | None, topic: str) -> Sections:
    """What a first letter holds, for who began the game himself."""
    return greeting.welcome_sections(reader, position, None) if position is not None else ()


# ---- RULES


def _rules(reader: Recipient, position: Position | None, topic: str) -> Sections:
    variant = reader.variant
    kinds = reader.every(f"{reader.called(kind.name)} ({kind.code})" for kind in variant.kinds.values())
    points = [
        reader.say("rules.units", kinds=kinds),
        reader.say("rules.victory", n=variant.victory),
        reader.say("rules.year", steps=", ".join(_steps(reader))),
        *(reader.say(f"rules.{key}") for key in _rules_of(reader)),
    ]
    found = [SectionView(reader.say("rules.title", variant=variant.title), (BulletsView(tuple(points)),))]
    if variant.special:
        title = reader.say("welcome.special", variant=variant.title)
        found.append(SectionView(title, (BulletsView(reader.special),)))
    chosen = choices.meaningful(choices.table(reader.game, variant, reader.catalogue), variant)
    rows = tuple(RowView(f"{one.key}: {one.value}", one.meaning) for one in chosen)
    found.append(SectionView(reader.say("rules.settings"), (RowsView(rows),)))
    return tuple(found)


def _rules_of(reader: Recipient) -> Iterator[str]:
    yield "orders"
    if reader.variant.edition.named:
        yield "routes"
    if reader.settings.illegal_orders == choices.HOLD_STILL:
        yield "illegal"
    yield from ("missing", "retreats", f"builds-{reader.variant.build_rule.name}", "talk")


def _steps(reader: Recipient) -> Iterator[str]:
    for step in reader.variant.calendar:
        if step.letter:
            key = f"season.{step.season}"
            season = reader.say(key) if key in reader.catalogue else step.season
            yield reader.choose("rules.step", step.letter, season=season)


# ---- HELP


def _help(reader: Recipient, position: Position | None, topic: str) -> Sections:
    letters, language = reader.office.letters, reader.catalogue.language
    fields = help_fields(reader, position)
    page = letters.help(topic or "index", language, **fields) if topic in ("", *letters.topics) else None
    if page is not None:
        return manual.sections(page)
    return handbook.entry(reader, fields, topic) or _no_page(reader, fields, topic)


def _no_page(reader: Recipient, fields: Mapping[str, object], topic: str) -> Sections:
    """The setting of that name, and the page that says most about the word; the list of all pages where none does."""
    setting, best = overviews.one_setting(reader, topic), handbook.speaks_of(reader, fields, topic)
    if setting and not best:
        return setting
    pages = reader.every(name.upper() for name in handbook.pages(reader, fields))
    key = "help.other-page" if best else "help.no-topic"
    told = ParagraphView(reader.say(key, topic=topic[:30], topics=pages, page=handbook.asked(reader, best)))
    page = reader.office.letters.help(best or "index", reader.catalogue.language, **fields) or ""
    return (*setting, SectionView(reader.say("help.title"), (told,)), *manual.sections(page))


def help_fields(reader: Recipient, position: Position | None) -> Mapping[str, object]:
    """What the manual's pages are filled in with: examples from the reader's own units where he has any."""
    here = _peopled(reader, position if position is not None else reader.variant.start)
    power = reader.power or reader.variant.powers[0].name
    units = sorted_units(here.units_of(power)) or sorted_units(reader.variant.start.units_of(power))
    first = UnitRef(units[0].kind, units[0].at.place) if units else UnitRef("A", _somewhere(reader, here))
    others = [reader.called(one.name) for one in reader.variant.powers if one.name != power]
    place = first.at
    near = next((at for at in here.board.neighbours(units[0].at, Use.MOVE)), None) if units else None
    talk = pressviews.press_fields(reader)
    minors = [minor.name for minor in reader.variant.minors if minor.homes]
    found: dict[str, object] = {
        "game": reader.game.name,
        "power": reader.called(power),
        "observes": reader.observes,
        "master": reader.power is None,
        "diaries_open": reader.settings.diaries,
        "proxy": reader.settings.proxy,
        "drafts_count": reader.settings.preliminary_used_on_nmr,
        "adjective": next((one.adjective for one in reader.variant.powers if one.name == power), power),
        "other": others[0] if others else MASTER,
        "third": others[1] if len(others) > 1 else MASTER,
        "units": [unit_name(unit) for unit in units],
        "unit": str(first),
        "place": place.province,
        "examples": [write.statement(example, letter="M") for example in greeting.examples(reader, here)],
        "long": greeting.in_words(reader, here),
        "hold": write.statement(Hold(first), letter="M"),
        "retreat": write.statement(Retreat(first, near.place if near else place), letter="R"),
        "disband": write.statement(Disband(first), letter="R"),
        "build": write.statement(Build(UnitRef(first.kind, place)), letter="A"),
        "remove": write.statement(Disband(first), letter="A"),
        "waive": write.statement(Waive(), letter="A"),
        "near": str(near.place if near else place),
        "phase": reader.game.phase or reader.variant.phase_name(reader.variant.start),
        "later": manuals.moves_of_next_year(reader.variant, here),
        **talk,
        "ward": talk["free_press"] and bool(minors),
        "terms": reader.variant.press.terms,
        "minors": [reader.called(minor) for minor in minors],
        "minor": reader.called(minors[0]) if minors else "",
        "veiled": reader.variant.press.veiled,
        "quarters": reader.variant.press.release is ReleaseTime.QUARTER_HOUR,
        "anonymous": reader.anonymous,
        "several": reader.of_several,
        "topics": [name.upper() for name in reader.office.letters.topics if name != "index"],
        "settings": choices.table(reader.game, reader.variant, reader.catalogue),
        "variants": reader.office.variant_ids,
        "variant": reader.variant.id,
        "powers": [reader.called(one.name) for one in reader.variant.powers],
        "maps": bool(reader.office.map_wait),
        "borders_move": isinstance(here.board, PlanarBoard),
        "wings": any(kind.layer == AIR for kind in reader.variant.kinds.values()),
        "influence": reader.variant.influence,
        **points.help_fields(reader, here),
        **manuals.variant_fields(reader),
        **manuals.mending(reader, here),
        **manuals.flights(reader, here, power),
    }
    return found | handbook.help_fields(reader, found)


def _peopled(reader: Recipient, here: Position) -> Position:
    """As armies in all home centres would have it, for examples in a game whose units are still to be chosen."""
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


def _somewhere(reader: Recipient, here: Position) -> Place:
    """Where a unit may stand, for an example of somebody who has none yet: in a centre of his own, if he has any."""
    mine = here.centres_of(reader.power or "")
    if mine:
        return Place(min(mine))
    if here.units:
        return here.units[0].at.place
    kind = next(iter(reader.variant.kinds.values()))
    return next(at.place for code in sorted(here.board.provinces) for at in locations(here.board, kind, code))


# ---- for game masters


def _missing(reader: Recipient, position: Position | None, topic: str) -> Sections:
    """Who lacks what, only of what is due."""
    if position is None or reader.power is not None:
        return ()
    rows: list[tuple[str, str]] = []
    for report in _reports(reader, position):
        said = _lack(reader, report.missing) if report.missing else reader.say("missing.complete")
        sheet = report.after
        if sheet is not None and sheet.preliminary:
            said += " " + reader.say(f"missing.{draft_key(reader, sheet)}")
        if sheet is not None and (sheet.ready or sheet.wait):
            said += " " + reader.say("missing.wait" if sheet.wait else "missing.ready")
        ward = report.author != report.power
        whose = reader.say("missing.ward", power=report.power, author=report.author) if ward else report.power
        rows.append((whose, said))
    blocks: tuple[Block, ...] = (TableView(tuple(rows)),) if rows else (ParagraphView(reader.say("missing.nobody")),)
    return (SectionView(reader.say("missing.title"), blocks),)


def _lack(reader: Recipient, owed: DueOrders) -> str:
    if owed.units:
        units = reader.every(unit_name(unit) for unit in sorted_units(owed.units))
        return reader.say("missing.units", units=units)
    if owed.task:
        return reader.say(f"task.{owed.task}.missing")
    return reader.say("missing.builds" if owed.builds else "missing.removals", n=owed.builds or owed.removals)


def _all_sheets(reader: Recipient, position: Position | None, topic: str) -> Sections:
    if position is None or reader.power is not None:
        return ()
    reports = _reports(reader, position)
    if not reports:
        return (SectionView(reader.say("missing.title"), (ParagraphView(reader.say("missing.nobody")),)),)
    return tuple(
        section
        for report in reports
        for section in (
            *sheet_sections(reader, position, report),
            *aheadviews.sections(reader, position, report.author, report.power),
        )
    )


def _reports(reader: Recipient, position: Position) -> tuple[SheetReport, ...]:
    """The sheet of every power that owes something in this phase."""
    if position.ended is not None:
        return ()
    owed = sheets.pairs(lay(reader.office, reader.store, reader.game))
    return tuple(on_file(reader, position, power, author) for author, power in sorted(owed, key=lambda one: one[::-1]))


# ---- what came back


def _unsent(reader: Recipient, position: Position | None, topic: str) -> Sections:
    """The words of a message that was not sent, to be mended."""
    return (SectionView(reader.say("unsent.title"), (QuotedWordsView(topic),)),)


INSERTS: Mapping[str, Callable[[Recipient, Position | None, str], Sections]] = {
    "status": _status,
    "history": annals.history,
    "rules": _rules,
    "help": _help,
    "neighbours": shaken.asked,
    "missing": _missing,
    "absences": lambda reader, position, topic: roll.sections(reader),
    "all-sheets": _all_sheets,
    "unsent": _unsent,
    "who": _who,
    "welcome": _welcome,
    "settings": overviews.all_settings,
    "summary": overviews.centre_chart,
    "press-log": overviews.kept_back,
    "diary": leafing.own,
    "diaries": leafing.opened,
    "export": exports.sections,
    tracing.DEBUG: tracing.sections,
    "ledger": lambda reader, position, topic: ledger.of_masters(reader, int(topic or 0)),
    "check": trial.sections,
    "map": lambda reader, position, topic: (),  # comes as a part of the letter
    "sheet": lambda reader, position, topic: (),  # every answer shows it
}
