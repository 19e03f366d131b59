"""Sections of the answers to WHO, SETTINGS and SUMMARY. All are public, so observers can ask for them too."""

from __future__ import annotations

import re

from gm.game.model import mail_preferences
from gm.game.model.choose_setting import setting_named, shown_settings, without_irrelevant
from gm.game.model.observer_records import MONITOR
from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, Applicant, ApplicantState, GameState
from gm.game.views.chronicle.centre_history import centre_history
from gm.game.views.chronicle.sections import year_grids
from gm.game.views.maps import snapshots_back
from gm.judge.model.position import Position
from gm.language.rendering import plain_text
from gm.language.rendering.views import Block, ParagraphView, RowsView, RowView, SectionView, TableView

SETTING = re.compile(r"^(?:set|settings?|einstellung(?:en)?)\s+", re.IGNORECASE)
Sections = tuple[SectionView, ...]


def observers(reader: Recipient) -> Sections:
    """Observers by the names they chose; () if there are none or they are hidden."""
    seated = {seat.person for seat in reader.store.games.seats(reader.game.id)}
    rows: list[tuple[str, str]] = []
    for chair in reader.store.games.observer_seats(reader.game.id):
        wishes = mail_preferences.mail_choices_of(reader.store, chair)
        if wishes.name and chair.person is not None and chair.person not in seated:
            you = reader.say("seat.you", name=wishes.name) if chair.id == reader.seat.id else wishes.name
            rows.append((you, reader.say("observers.monitors" if chair.power == MONITOR else "observers.looks-on")))
    if not rows or not reader.settings.observers:
        return ()
    return (SectionView(reader.say("observers.title"), (TableView(tuple(rows)),)),)


def all_setting_sections(reader: Recipient, position: Position | None, topic: str) -> Sections:
    """All settings that apply to this variant, with values and meanings."""
    views = without_irrelevant(shown_settings(reader), reader.variant)
    rows = tuple(RowView(f"{view.key}: {view.value}", view.meaning) for view in views)
    return (SectionView(reader.say("rules.settings"), (RowsView(rows),)),)


def setting_sections(reader: Recipient, name: str) -> tuple[SectionView, ...]:
    """Value, meaning and default of a setting, by any of its names; () if unknown."""
    setting = setting_named(reader.variant, SETTING.sub("", name))
    if setting is None:
        return ()
    views = shown_settings(reader)
    view = next(view for view in views if view.key == setting.key)
    row = RowView(f"{view.key}: {view.value}", view.meaning)
    more = reader.say("help.setting", key=view.key, value=view.value, default=view.default)
    return (SectionView(reader.say("help.command", word=view.key.upper()), (RowsView((row,)), ParagraphView(more))),)


def centre_chart_sections(reader: Recipient, position: Position | None, topic: str) -> Sections:
    """The number of each power's centres at the start and at the end of each year."""
    line = tuple(reversed(snapshots_back(reader.store, reader.game)))
    history = centre_history(reader.variant, line) if line else None
    blocks: list[Block] = list(year_grids(reader, history)) if history is not None else []
    if history is None or not history.years:
        blocks.append(ParagraphView(reader.say("summary.empty")))
    return (SectionView(reader.say("summary.title"), tuple(blocks)),)


def applicant_sections(reader: Recipient) -> tuple[SectionView, ...]:
    """The applicants, for game masters only: it shows addresses."""
    blocks = _applicant_lists(reader) if reader.power is None else ()
    return (SectionView(reader.say("forming.title"), blocks),) if blocks else ()


def start_sections(reader: Recipient) -> tuple[SectionView, ...]:
    if reader.game.state is not GameState.FORMING or reader.power is not None:
        return ()
    seats = sorted(reader.store.games.seats(reader.game.id), key=lambda seat: seat.power)
    empty = [seat.power for seat in seats if seat.person is None and seat.power != MASTER and not seat.dummy]
    lists = _applicant_lists(reader)
    short = len(empty) - len(_applicants_in(reader, ApplicantState.APPROVED))
    if short <= 0:
        return (SectionView(reader.say("forming.title"), (*lists, ParagraphView(reader.say("forming.start")))),)
    rows = tuple(RowView(reader.say("forming.seat", power=power)) for power in empty)
    then = "forming.then-empty" if reader.settings.empty_seats else "forming.then"
    if lists:
        lacking = ParagraphView(reader.say("forming.short", n=short, powers=reader.either(empty)))
    else:
        lacking = ParagraphView(reader.say("forming.empty", n=short, powers=reader.every(empty)))
    return (
        SectionView(reader.say("forming.title"), (*lists, lacking, RowsView(rows), ParagraphView(reader.say(then)))),
    )


def _applicant_lists(reader: Recipient) -> tuple[Block, ...]:
    blocks: list[Block] = []
    for state, key in ((ApplicantState.APPROVED, "forming.listed"), (ApplicantState.ASKED, "forming.asking")):
        listed = _applicants_in(reader, state)
        if listed:
            names = reader.every(_applicant_name(reader, applicant) for applicant in listed)
            blocks.append(ParagraphView(reader.say(key, n=len(listed), names=names)))
    return tuple(blocks)


def _applicants_in(reader: Recipient, state: ApplicantState) -> tuple[Applicant, ...]:
    return tuple(entry for entry in reader.store.games.applicants(reader.game.id) if entry.state is state)


def _applicant_name(reader: Recipient, entry: Applicant) -> str:
    person = reader.store.people.get(entry.person)
    name = f"{plain_text.header(person.name, 60)} <{person.addresses[0]}>" if person.addresses else person.name
    return f"{name} ({entry.wish})" if entry.wish else name
