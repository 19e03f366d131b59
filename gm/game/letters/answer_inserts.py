"""Inserts of answers: STATUS, HISTORY, RULES, HELP, and the overviews of game masters.

STATUS tells what everybody may know: the board, the deadlines, who plays; never who has sent orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from gm.game.letters import debug_trace, press_log, welcome
from gm.game.letters.traced_letters import DEBUG
from gm.game.model.letter_report import IMPORTED, AnswerInsert, SheetReport
from gm.game.model.loaded_game import load_game
from gm.game.model.recipient import Recipient
from gm.game.model.records import LEAGUE
from gm.game.model.settings import takes_illegal
from gm.game.phase import sheets
from gm.game.phase.draw_votes import shown_votes
from gm.game.phase.readiness import EarlyEnd, early_end
from gm.game.views import absences, exports, forming_game, gm_log, notebooks, overviews, polls
from gm.game.views.chronicle import leagues, scores
from gm.game.views.help import command_help
from gm.game.views.help.help_fields import help_fields
from gm.game.views.maps import snapshots_back
from gm.game.views.mechanics import influence, moving_borders
from gm.game.views.orders import missing_orders, planned_orders, what_if, what_to_do
from gm.game.views.orders.sheet import draft_key, missing_words, sheet_on_file, sheet_sections
from gm.game.views.overviews import applicant_sections
from gm.game.views.public import game_list
from gm.game.views.turns import history, preview
from gm.game.views.turns.turn_events import TurnView
from gm.judge.model.position import Position
from gm.language.rendering import help_pages
from gm.language.rendering.views import Block, BulletsView, ParagraphView, QuotedWordsView, SectionView, TableView

Sections = tuple[SectionView, ...]
ACTS_SHOWN = 20
"""The default of LEDGER."""


def insert_sections(reader: Recipient, position: Position | None, insert: AnswerInsert) -> Sections:
    if insert.kind in preview.SECTIONS_BY_INSERT:
        return preview.SECTIONS_BY_INSERT[insert.kind](reader, position, insert)
    return INSERTS[insert.kind](reader, position, insert.topic)


# ---- STATUS


def _status(reader: Recipient, position: Position | None, topic: str) -> Sections:
    game = reader.game
    if position is None:
        return (
            SectionView(reader.say("status.title"), (ParagraphView(reader.say("status.forming")),)),
            welcome.who_plays_section(reader),
        )
    if position.ended is not None:
        now: Sections = (SectionView(reader.say("status.title"), (ParagraphView(reader.say("status.ended")),)),)
    else:
        words = ParagraphView(reader.phase_words("phase.due", game.phase, due=reader.due()))
        ahead = what_to_do.upcoming_phases(reader, position, None)
        later = ahead.blocks if ahead is not None and not game.phase.endswith("M") else ()
        now = (SectionView(reader.say("status.title"), (words, *later)),)
    resolved = (snapshot for snapshot in snapshots_back(reader.store, game) if snapshot.previous)
    wrote = missing_orders.missed_phases(reader, (TurnView.of(reader, snapshot) for snapshot in resolved))
    now = (replace(now[0], blocks=(*now[0].blocks, *wrote)), *absences.sections(reader, always=False))
    board = (history.board_section(reader, position), *scores.sections(reader, position))
    board = (*board, *influence.sections(reader, position))
    here = (welcome.who_plays_section(reader), *overviews.observers(reader))
    more = (
        *shown_votes(reader, position),
        *polls.sections(reader),
        *gm_log.sections_for_players(reader, game.opened_at),
    )
    return (*now, *board, *here, *more)


def _games(reader: Recipient, position: Position | None, topic: str) -> Sections:
    """LIST means the reader's own game as well, as with older judges."""
    own = _status(reader, position, "") if topic.lower() in ("", reader.game.name) else ()
    if topic and own:
        return own
    return (*own, *game_list.sections(reader.services, reader.store, reader.person, reader.catalogue, topic))


def _who(reader: Recipient, position: Position | None, topic: str) -> Sections:
    return (welcome.who_plays_section(reader), *overviews.observers(reader), *applicant_sections(reader))


def _welcome(reader: Recipient, position: Position | None, topic: str) -> Sections:
    """The contents of the welcome letter, for the seat that wrote START."""
    return welcome.welcome_sections(reader, position, None) if position is not None else ()


# ---- RULES


def _rules(reader: Recipient, position: Position | None, topic: str) -> Sections:
    variant = reader.variant
    kinds = reader.every(f"{reader.called(kind.name)} ({kind.code})" for kind in variant.kinds.values())
    steps = (
        reader.choose("rules.step", step.letter, season=reader.catalogue.season(step.season))
        for step in variant.phases_of_year(variant.start.year + 1)
    )
    points = [
        reader.say("rules.units", kinds=kinds),
        reader.say("rules.victory", n=variant.victory),
        reader.say("rules.year", steps=", ".join(steps)),
        *(reader.say(f"rules.{key}") for key in _rules_of(reader)),
    ]
    rules = SectionView(reader.say("rules.title", variant=variant.title), (BulletsView(tuple(points)),))
    return (rules, *welcome.special_sections(reader), *overviews.all_setting_sections(reader, position, topic))


def _rules_of(reader: Recipient) -> Iterator[str]:
    yield "orders"
    if reader.variant.rulebook.named:
        yield "routes"
    if takes_illegal(reader.game):
        yield "illegal"
    yield from ("missing", "retreats", f"builds-{reader.variant.build_rule.name}", "talk")


# ---- HELP


def _help(reader: Recipient, position: Position | None, topic: str) -> Sections:
    letters, language = reader.services.letters, reader.catalogue.language
    fields = help_fields(reader, position)
    topic = command_help.page_called(fields, topic)
    page = letters.help(topic or "index", language, **fields) if topic in ("", *letters.topics) else None
    if page is not None:
        return help_pages.sections(page)
    return command_help.command_sections(reader, fields, topic) or _no_page(reader, fields, topic)


def _no_page(reader: Recipient, fields: Mapping[str, object], topic: str) -> Sections:
    """The setting of that name and the page that says most about the word, or the list of all pages."""
    setting, best = overviews.setting_sections(reader, topic), command_help.find_page_about(reader, fields, topic)
    if setting and not best:
        return setting
    pages = reader.every(name.upper() for name in command_help.page_names(reader, fields))
    key = "help.other-page" if best else "help.no-topic"
    words = ParagraphView(reader.say(key, topic=topic[:30], topics=pages, page=command_help.help_line(reader, best)))
    page = reader.services.letters.help(best or "index", reader.catalogue.language, **fields) or ""
    return (*setting, SectionView(reader.say("help.title"), (words,)), *help_pages.sections(page))


# ---- for game masters


def _missing(reader: Recipient, position: Position | None, topic: str) -> Sections:
    """Powers with missing orders, of those due now."""
    if position is None or reader.power is not None:
        return ()
    rows: list[tuple[str, str]] = []
    for report in _reports(reader, position):
        words = missing_words(reader, report.missing, "missing") or reader.say("missing.complete")
        sheet = report.after
        if sheet is not None and sheet.preliminary:
            words += " " + reader.say(f"missing.{draft_key(reader, sheet)}")
        if sheet is not None and (sheet.ready or sheet.wait):
            words += " " + reader.say("missing.wait" if sheet.wait else "missing.ready")
        ward = report.author != report.power
        whose = (
            reader.say("missing.ward", power=report.power, author=report.author)
            if ward
            else reader.called(report.power)
        )
        rows.append((whose, words))
    blocks: tuple[Block, ...] = (TableView(tuple(rows)),) if rows else (ParagraphView(reader.say("missing.nobody")),)
    return (
        SectionView(reader.say("missing.title"), (*blocks, *_waits_for(reader, position, _reports(reader, position)))),
    )


def _waits_for(reader: Recipient, position: Position, reports: Iterable[SheetReport]) -> tuple[Block, ...]:
    """Who is ready, and for whom the phase waits before its deadline."""
    ready = [report.power for report in reports if report.after is not None and report.after.ready]
    by_ready = early_end(reader.game, reader.settings, reader.variant.step(position)) is EarlyEnd.READY
    waits = [
        report.power
        for report in reports
        if (by_ready and report.power not in ready)
        or report.missing
        or (report.after is not None and (report.after.wait or report.after.preliminary))
    ]
    asked = [report.power for report in reports if report.after is not None and report.after.open_questions]
    lines = [("missing.ready-list", ready), ("missing.asked-list", asked), ("missing.waits-for", waits)]
    words = [reader.say(key, powers=reader.every(powers)) for key, powers in lines if powers]
    return tuple(ParagraphView(each) for each in (*words, what_to_do.how_it_ends(reader, position)) if each)


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
            *planned_orders.sections(reader, position, report.author, report.power),
        )
    )


def _reports(reader: Recipient, position: Position) -> tuple[SheetReport, ...]:
    """The sheets of all powers with orders due in this phase, and those that say WAIT."""
    if position.ended is not None:
        return ()
    owed = sheets.due_authors(load_game(reader.services, reader.store, reader.game))
    stored = reader.store.turns.sheets(reader.game.id, reader.game.snapshot)
    shown = {*owed, *((sheet.author, sheet.power) for sheet in stored if sheet.wait)}
    return tuple(
        sheet_on_file(reader, position, power, author) for author, power in sorted(shown, key=lambda pair: pair[::-1])
    )


# ---- what came back


def _unsent(reader: Recipient, position: Position | None, topic: str) -> Sections:
    """The words of a message that was not sent."""
    return (SectionView(reader.say("unsent.title"), (QuotedWordsView(topic),)),)


def _own_statement(reader: Recipient, position: Position | None, topic: str) -> Sections:
    made = (made for made in reader.store.statements.of(reader.game.id) if made.seat == reader.seat.id)
    return tuple(SectionView(reader.say("statements.mine"), (QuotedWordsView(mine.words),)) for mine in made)


INSERTS: Mapping[str, Callable[[Recipient, Position | None, str], Sections]] = {
    "status": _status,
    "history": history.history_sections,
    "rules": _rules,
    "help": _help,
    "games": _games,
    "neighbours": moving_borders.neighbours_sections,
    "missing": _missing,
    "invited": forming_game.invitation_sections,
    "absences": lambda reader, position, topic: absences.sections(reader),
    "all-sheets": _all_sheets,
    "unsent": _unsent,
    "who": _who,
    "welcome": _welcome,
    "settings": overviews.all_setting_sections,
    "new-game": forming_game.sections,
    "summary": overviews.centre_chart_sections,
    LEAGUE: lambda reader, position, topic: leagues.league_sections(reader, topic),
    "press-log": press_log.sections,
    "diary": notebooks.own_notebook,
    "statement": _own_statement,
    "diaries": notebooks.opened_notebooks,
    "export": exports.sections,
    exports.CHRONICLE: exports.chronicle_sections,
    IMPORTED: exports.imported_sections,
    DEBUG: debug_trace.debug_sections,
    "ledger": lambda reader, position, topic: gm_log.sections_for_gm(reader, int(topic or ACTS_SHOWN)),
    "check": what_if.sections,
    "map": lambda reader, position, topic: (),  # comes as a part of the letter
    "sheet": lambda reader, position, topic: (),  # every answer shows it
}
