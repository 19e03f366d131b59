"""How the game stands against how it stood, side by side, for letters that correct something.

What is compared comes from `gm.judge.gm_changes.differences`, already filtered for the reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gm.game.model.former_part import StateBefore
from gm.game.model.recipient import Recipient
from gm.game.views.turn_events import sorted_units, unit_name
from gm.judge.gm_changes.differences import Difference, LedgerChange, difference
from gm.judge.model.position import Ending, Unit
from gm.language.rendering.views import Block, ComparisonView, ParagraphView, SectionView

Line = tuple[str, str, str]


def sections(reader: Recipient, was: StateBefore, now: StateBefore) -> tuple[SectionView, ...]:
    """One table of all that is not as it was."""
    found = difference(reader.variant, was.position, now.position, reader.power, master=reader.power is None)
    lines = (*_phase(reader, found), *_due(reader, was, now), *_board(reader, found))
    if not lines:
        return (SectionView(reader.say("corrected.title"), (ParagraphView(reader.say("corrected.nothing")),)),)
    heads = (reader.say("corrected.was"), reader.say("corrected.now"))
    more = (ParagraphView(reader.say("corrected.borders")),) if found.borders else ()
    blocks: tuple[Block, ...] = (ComparisonView(heads, lines), *more, ParagraphView(reader.say("corrected.rest")))
    return (SectionView(reader.say("corrected.title"), blocks),)


def _phase(reader: Recipient, found: Difference) -> Iterator[Line]:
    if found.phase is not None:
        was, now = (reader.phase_words("phase.said", one) if one else "" for one in found.phase)
        yield (reader.say("corrected.phase"), was or _none(reader), now or _none(reader))
    if found.ended is not None:
        yield (reader.say("corrected.ended"), _ending(reader, found.ended.was), _ending(reader, found.ended.now))


def _ending(reader: Recipient, ending: Ending | None) -> str:
    if ending is None:
        return reader.say("corrected.running")
    return reader.say("corrected.over", winners=reader.every(ending.winners) or _none(reader))


def _due(reader: Recipient, was: StateBefore, now: StateBefore) -> Iterator[Line]:
    if was.due != now.due:
        before, after = (reader.hour(one.due) if one.due else reader.say("corrected.no-deadline") for one in (was, now))
        yield (reader.say("corrected.deadline"), before, after)


def _board(reader: Recipient, found: Difference) -> Iterator[Line]:
    for units in found.units:
        yield _line(reader, "units", units.power, _units(units.was), _units(units.now))
    for driven in found.driven:
        yield _line(reader, "driven", driven.power, _units(driven.was), _units(driven.now))
    for owned in found.centres:
        power = owned.power or reader.say("centres.nobody")
        yield _line(reader, "centres", power, owned.was, owned.now)
    for booked in found.accounts:
        yield (account(reader, booked), str(booked.was), str(booked.now))


def _line(reader: Recipient, key: str, power: str, was: Iterable[str], now: Iterable[str]) -> Line:
    return (
        reader.say(f"corrected.{key}", power=power),
        ", ".join(was) or _none(reader),
        ", ".join(now) or _none(reader),
    )


def account(reader: Recipient, booked: LedgerChange) -> str:
    """ "France: IP, Poland", or the catalogue's own words for the purse."""
    purse, power, subject = booked.account
    fields = {"purse": purse, "power": power, "subject": subject.replace("/", ", ")}
    return reader.choose("corrected.account", purse.lower() if subject else f"{purse.lower()}-alone", **fields)


def _units(units: Iterable[Unit]) -> tuple[str, ...]:
    return tuple(unit_name(one) for one in sorted_units(units))


def _none(reader: Recipient) -> str:
    return reader.say("corrected.none")
