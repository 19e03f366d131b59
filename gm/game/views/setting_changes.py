"""Sections of the notice about a changed setting: its effect on the reader's sheets.

Everybody gets the notice; only affected players read about lent units and drafts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from gm.game.model.choose_setting import value_words
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.proxy_loans import Lines, ProxyLoan, loans
from gm.game.model.recipient import Recipient
from gm.game.model.records import GameState, Sheet
from gm.game.views.orders.sheet import sheet_on_file, sheet_section
from gm.language.orders.phase_names import MOVES
from gm.language.rendering.views import ParagraphView, SectionView

SET_NOTES = ("desk.set", "desk.set-because")
CLOCKS = ("moves", "retreats", "builds")


def setting_sentence(reader: Recipient, fields: Mapping[str, str]) -> str:
    """The sentence for everybody: the new value, its meaning, and the game master's reason."""
    key, value, why = fields["key"], fields["value"], fields.get("why", "")
    shown = value_words(key, value, reader.settings.zone, reader.catalogue)
    lead = reader.say("notice.lead.set-clock" if key in CLOCKS else "notice.lead.set", key=key, value=shown)
    words = (f"notice.set.{key}-{word}" for word in value.split())
    means = (reader.say(meaning) for meaning in words if meaning in reader.catalogue)
    return " ".join((lead, *means, *((reader.say("notice.reason", why=why),) if why else ())))


def sections(reader: Recipient, notes: Iterable[Note]) -> tuple[SectionView, ...]:
    keys = [dict(note.fields)["key"] for note in notes if note.key in SET_NOTES]
    wanted = [SHEET_SECTIONS[key] for key in keys if key in SHEET_SECTIONS]
    if not wanted or reader.power is None or reader.game.state is not GameState.RUNNING:
        return ()
    loaded_game = load_game(reader.services, reader.store, reader.game)
    sheets = reader.store.turns.sheets(reader.game.id, reader.game.snapshot)
    sections_found = (section for touching in wanted for section in touching(reader, loaded_game, sheets))
    return tuple(dict.fromkeys(sections_found))


def _proxy_sections(reader: Recipient, loaded_game: LoadedGame, sheets: Sequence[Sheet]) -> tuple[SectionView, ...]:
    """Loans after a change of `proxy`. A draft that does not count lends nothing."""
    return _loan_sections(
        reader, loaded_game, {(sheet.author, sheet.power): loaded_game.counted(sheet) for sheet in sheets}
    )


def _loan_sections(reader: Recipient, loaded_game: LoadedGame, lines: Lines) -> tuple[SectionView, ...]:
    """Which player now orders the units that `lines` lend, for their owners and holders."""
    every = loans(loaded_game.position, lines) if loaded_game.step.letter == MOVES else ()
    mine = [loan for loan in every if loan.owner == reader.power]
    theirs = [loan for loan in every if loan.holder == reader.power]
    sections = [_loan_sentence(reader, loaded_game, "owner", mine)] if mine else []
    owners = dict.fromkeys(loan.owner for loan in theirs)
    for owner in owners:
        sections.append(_loan_sentence(reader, loaded_game, "holder", [loan for loan in theirs if loan.owner == owner]))
    if not sections:
        return ()
    sheet = (_sheet(reader, loaded_game, reader.power or ""),) if mine else ()
    lent = (_sheet(reader, loaded_game, owner) for owner in owners if owner in loaded_game.lenders(reader.power or ""))
    return (SectionView(reader.say("touched.title"), tuple(map(ParagraphView, sections))), *sheet, *lent)


def _loan_sentence(reader: Recipient, loaded_game: LoadedGame, who: str, lent: Sequence[ProxyLoan]) -> str:
    holds = "lent" if any(loan in loaded_game.loans for loan in lent) else "back"
    units = [str(loan.unit) for loan in lent]
    phase, count = reader.game.phase, len(units)
    fields = {"units": reader.every(units), "power": lent[0].owner, "phase": phase, "n": count}
    return reader.say(f"touched.{holds}-{who}", **fields)


def _draft_sections(reader: Recipient, loaded_game: LoadedGame, sheets: Sequence[Sheet]) -> tuple[SectionView, ...]:
    """Draft sheets after a change of `preliminary_used_on_nmr`; each says whether it counts."""
    drafts = [sheet for sheet in sheets if sheet.preliminary]
    own = tuple(_sheet(reader, loaded_game, draft.power) for draft in drafts if draft.author == reader.power)
    lines = {(draft.author, draft.power): draft.lines for draft in drafts if reader.settings.proxy}
    return (*_loan_sections(reader, loaded_game, lines), *own)


def _sheet(reader: Recipient, loaded_game: LoadedGame, power: str) -> SectionView:
    return sheet_section(
        reader, loaded_game.position, sheet_on_file(reader, loaded_game.position, power, reader.power or "")
    )


SheetSections = Callable[[Recipient, LoadedGame, Sequence[Sheet]], tuple[SectionView, ...]]
SHEET_SECTIONS: Mapping[str, SheetSections] = {"proxy": _proxy_sections, "preliminary_used_on_nmr": _draft_sections}
"""Settings that change the effect of sheets on file."""
