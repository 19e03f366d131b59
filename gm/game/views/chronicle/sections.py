"""The sections of a chronicle, in its reader's language: of the letter, the page of the site and the exported file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gm.game.model.observer_records import OBSERVERS
from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, PressRow
from gm.game.model.unsigned_names import is_unsigned
from gm.game.views.chronicle import scores
from gm.game.views.chronicle.centre_history import CentreHistory
from gm.game.views.chronicle.chronicle import Chronicle, PowerRecord
from gm.game.views.chronicle.turning_points import Gain, Stab
from gm.game.views.turns.turn_events import StepView, event_sentence, outcome_word, shown_order
from gm.judge.model.events import OrderResult
from gm.language.rendering.views import (
    Block,
    BulletsView,
    GridRowView,
    GridView,
    ParagraphView,
    QuotedWordsView,
    SectionView,
)

YEARS_IN_GRID = 6
"""So many columns of numbers fit on a telephone."""
SECRETS_IN_LETTER = 12
NONE = "\N{EN DASH}"
Sections = tuple[SectionView, ...]


def tables(reader: Recipient, chronicle: Chronicle) -> Sections:
    """The final table, and everybody's centres by year."""
    final = SectionView(reader.say("chronicle.table"), (_final_table(reader, chronicle.powers),))
    if not chronicle.history.years:
        return (final,)
    return (final, SectionView(reader.say("summary.title"), year_grids(reader, chronicle.history)))


def _final_table(reader: Recipient, records: tuple[PowerRecord, ...]) -> GridView:
    """Columns that are empty for everybody are left out."""
    columns = [
        ("player", [row.player or NONE for row in records], any(row.player for row in records)),
        ("centres", [str(row.centres) for row in records], True),
        ("out", [str(row.eliminated or NONE) for row in records], any(row.eliminated for row in records)),
        ("score", [_score(reader, row) for row in records], any(row.score is not None for row in records)),
    ]
    shown = [(key, cells) for key, cells, wanted in columns if wanted]
    rows = tuple(
        GridRowView(
            (reader.called(row.power), *(cells[at] for _, cells in shown)),
            reader.hue(row.power),
            reader.is_mine(row.power),
        )
        for at, row in enumerate(records)
    )
    heads = ("", *(reader.say(f"chronicle.head-{key}") for key, _ in shown))
    return GridView(heads, rows, left=2 if shown[0][0] == "player" else 1)


def _score(reader: Recipient, row: PowerRecord) -> str:
    return scores.number(reader.catalogue, row.score) if row.score is not None else NONE


def year_grids(reader: Recipient, history: CentreHistory) -> tuple[Block, ...]:
    """Centres by year: the start, then the years, in tables of YEARS_IN_GRID columns."""
    heads = (
        reader.say("chronicle.start"),
        *(f"\N{RIGHT SINGLE QUOTATION MARK}{year % 100:02}" for year in history.years),
    )
    parts = [slice(at, at + YEARS_IN_GRID) for at in range(0, len(heads), YEARS_IN_GRID)]
    return tuple(
        GridView(
            ("", *heads[part]),
            tuple(
                GridRowView(
                    (reader.called(power), *(str(count or NONE) for count in row[part])),
                    reader.hue(power),
                    reader.is_mine(power),
                )
                for power, row in sorted(history.counts.items())
            ),
        )
        for part in parts
    )


def turning_point_sections(reader: Recipient, chronicle: Chronicle) -> Sections:
    items = (
        *(_stab(reader, stab) for stab in chronicle.stabs),
        *(_gain(reader, gain) for gain in chronicle.gains),
    )
    return (SectionView(reader.say("chronicle.turning-points"), (BulletsView(items),)),) if items else ()


def _stab(reader: Recipient, stab: Stab) -> str:
    province = reader.variant.start.board.provinces.get(stab.place)
    return reader.say(
        "chronicle.stab" if stab.won else "chronicle.stab-failed",
        season=reader.season(stab.phase),
        power=stab.unit.power,
        unit=str(stab.unit),
        victim=stab.victim,
        place=reader.called(province.name) if province is not None else stab.place,
        before=reader.season(stab.supported),
    )


def _gain(reader: Recipient, gain: Gain) -> str:
    fields = {"year": gain.year, "power": gain.power, "before": gain.before, "after": gain.after}
    return reader.say("chronicle.gain", **fields, n=gain.after - gain.before, centres=" ".join(gain.taken))


def secret_sections(reader: Recipient, chronicle: Chronicle, *, full: bool) -> Sections:
    """What was secret in the game. `full` False: the first lines, and how to get the others."""
    lines = [line for leg in chronicle.secrets for line in _secrets_of(reader, leg)]
    if not lines:
        return ()
    shown = lines if full else lines[:SECRETS_IN_LETTER]
    blocks: list[Block] = [BulletsView(tuple(shown))]
    if len(shown) < len(lines):
        blocks.append(ParagraphView(reader.say("chronicle.more-secrets", n=len(lines) - len(shown))))
    return (SectionView(reader.say("chronicle.secrets"), tuple(blocks)),)


def _secrets_of(reader: Recipient, leg: StepView) -> Iterator[str]:
    season = reader.season(leg.phase)
    for event in leg.events:
        if isinstance(event, OrderResult):
            words = f"{reader.called(event.power)}: {shown_order(reader, event, leg.phase)}"
            words = f"{words} ({outcome_word(reader, event, leg.phase)})"
        else:
            words = event_sentence(reader, event)
        if words:
            yield reader.say("chronicle.secret", season=season, words=words)


def press_sections(reader: Recipient, chronicle: Chronicle) -> Sections:
    """The press that was opened, by phase."""
    phases = dict.fromkeys(row.phase for row in chronicle.press)
    return tuple(
        SectionView(
            reader.say("chronicle.press", phase=reader.season(phase) or phase),
            tuple(block for row in chronicle.press if row.phase == phase for block in _press_blocks(reader, row)),
        )
        for phase in phases
    )


def _press_blocks(reader: Recipient, row: PressRow) -> tuple[Block, ...]:
    to = reader.every(name for name in row.to if name != OBSERVERS)
    sender = reader.say("chronicle.unsigned") if is_unsigned(row.name) else reader.called(row.written_as)
    return ParagraphView(reader.say("chronicle.press-line", sender=sender, to=to)), QuotedWordsView(row.words)


def statement_sections(reader: Recipient, chronicle: Chronicle) -> Sections:
    """What each player says, below their power and, where everybody may know it, their name."""
    return tuple(
        SectionView(_speaker(reader, made.power, chronicle.players), (QuotedWordsView(made.words),))
        for made in chronicle.statements
    )


def _speaker(reader: Recipient, power: str, players: Mapping[str, str]) -> str:
    if power == MASTER:
        return reader.say("role.master-label")
    called, name = reader.called(power), players.get(power, "")
    return reader.say("statements.of", power=called, name=name) if name else called
