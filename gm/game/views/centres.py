"""Supply centres as a turn's letter tells them: as they were counted, or as they would be if they were counted now.

After a Fall with retreats still open nothing is counted yet, but everybody wants to know. That count is made by the
calendar's own step on the board as it stands, and it says whether a retreat can still change it.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from gm.game.views.mechanics.build_points import shortfall
from gm.game.views.turn_events import TurnView, unit_name
from gm.judge.board.board import Location
from gm.judge.model.events import CentresCounted, visible
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Step
from gm.language.rendering.views import CentreRowView, CentresView


class CentreCount(Struct, frozen=True):
    """`early`: not counted yet. Its builds are those with every retreat made, `alone` those where a power disbands.

    `open` are the retreats that could still take or save a centre, `season` is that of the builds to come.
    """

    counts: tuple[CentresCounted, ...]
    early: bool = False
    alone: Mapping[str, int] = field(default_factory=dict)
    open: tuple[tuple[Unit, str], ...] = ()
    season: str = ""


def tally(scene: TurnView) -> CentreCount | None:
    """None where this turn counts nothing and no census follows its retreats."""
    counted = scene.all(CentresCounted)
    return CentreCount(counted) if counted else _early(scene)


def _early(scene: TurnView) -> CentreCount | None:
    position, step = scene.after, _census(scene)
    if step is None or position.ended is not None or not position.dislodged:
        return None
    cleared = replace(position, at=position.at + 1, dislodged=())
    now = _counts(scene, step, cleared)
    if not now:
        return None
    retreated = tuple(
        replace(one.unit, at=_harmless(scene, one.retreats)) for one in position.dislodged if one.retreats
    )
    later = {count.power: count for count in _counts(scene, step, replace(cleared, units=(*cleared.units, *retreated)))}
    counts = tuple(_with_retreats(one, later.get(one.power, one)) for one in now)
    owner = {centre: one.power for one in now for centre in one.centres}
    changing = tuple(
        (one.unit, at.province)
        for one in position.dislodged
        for at in one.retreats
        if position.board.provinces[at.province].centre and owner.get(at.province) != one.unit.power
    )
    ahead = scene.reader.variant.calendar[position.at :]
    builds = next((step for step in ahead if step.grammar == "adjustments"), ahead[-1])
    return CentreCount(counts, True, {one.power: one.builds for one in now}, changing, builds.season)


def _census(scene: TurnView) -> Step | None:
    """The step that follows the open one by itself, without anybody's orders."""
    calendar, at = scene.reader.variant.calendar, scene.after.at + 1
    return calendar[at] if at < len(calendar) and not calendar[at].letter else None


def _counts(scene: TurnView, step: Step, position: Position) -> tuple[CentresCounted, ...]:
    events = step.resolve(position, scene.reader.variant, Submissions()).events
    seen = events if scene.reader.power is None else visible(events, scene.reader.power)
    return tuple(one for one in seen if isinstance(one, CentresCounted))


def _harmless(scene: TurnView, retreats: tuple[Location, ...]) -> Location:
    """A retreat that takes nobody's centre, where there is one."""
    provinces = scene.after.board.provinces
    return next((at for at in retreats if not provinces[at.province].centre), retreats[0])


def _with_retreats(now: CentresCounted, later: CentresCounted) -> CentresCounted:
    same = set(now.centres) == set(later.centres)
    return replace(now, units=later.units, builds=later.builds) if same else now


# ---- the table for all


def centres_view(scene: TurnView) -> CentresView | None:
    """Ownership after a census, or as it stands before one; None where neither is near."""
    reader, found = scene.reader, tally(scene)
    if found is None:
        return None
    counted = sorted(found.counts, key=lambda one: one.power)
    rows = [_row(scene, one) for one in counted if one.centres or one.lost]
    free = sorted(_centres(scene) - {centre for one in counted for centre in one.centres})
    if free:
        nobody = reader.say("centres.nobody")
        was = len(_centres(scene) - {centre for one in counted for centre in _before(one)})
        key = "centres.same" if was == len(free) else "centres.changed"
        summary = reader.say(key, power=nobody, count=len(free), was=was)
        rows.append(CentreRowView(nobody, len(free), "", summary, tuple(free)))
    heads = (reader.say("centres.head-power"), reader.say("centres.head-count"), reader.say("centres.head-which"))
    return CentresView(reader.say("centres.title"), _caption(scene, found), heads, tuple(rows))


def _centres(scene: TurnView) -> set[str]:
    return {province.code for province in scene.after.board.provinces.values() if province.centre}


def _before(one: CentresCounted) -> set[str]:
    return {*one.centres, *one.lost} - set(one.gained)


def _caption(scene: TurnView, found: CentreCount) -> str:
    reader, count = scene.reader, len(scene.after.dislodged)
    marks = reader.say("centres.caption")
    if not found.early:
        return marks
    if not found.open:
        return reader.say("centres.early", n=count, marks=marks)
    places: dict[str, list[str]] = {}
    for unit, place in found.open:
        at = places.setdefault(unit_name(unit), [])
        if place not in at:
            at.append(place)
    said = [reader.say("centres.can", unit=unit, places=reader.either(at)) for unit, at in places.items()]
    return reader.say("centres.early-open", n=count, open=reader.every(said), marks=marks)


def _row(scene: TurnView, one: CentresCounted) -> CentreRowView:
    reader, was = scene.reader, len(_before(one))
    kept = [centre for centre in one.centres if centre not in one.gained]
    change = len(one.centres) - was
    return CentreRowView(
        power=reader.called(one.power),
        count=len(one.centres),
        change=f"{change:+d}" if change else "=",
        summary=_summary(scene, one, was),
        centres=(*kept, *(f"+{centre}" for centre in one.gained)),
        lost=reader.say("centres.lost", centres=" ".join(f"-{centre}" for centre in one.lost)) if one.lost else "",
        units=_units(scene, one.power),
        hue=reader.hue(one.power),
        you=reader.is_mine(one.power),
    )


def _units(scene: TurnView, power: str) -> str:
    reader = scene.reader
    units = ", ".join(unit_name(unit) for unit in scene.units_of(power))
    said = reader.say("centres.units", units=units) if units else reader.say("centres.no-units")
    driven = [unit_name(one.unit) for one in scene.after.dislodged if one.unit.power == power]
    if not driven:
        return said
    return reader.say("centres.retreating", said=said.rstrip("."), n=len(driven), units=reader.every(driven))


def _summary(scene: TurnView, one: CentresCounted, was: int) -> str:
    reader, count = scene.reader, len(one.centres)
    said = reader.say("centres.same" if count == was else "centres.changed", power=one.power, count=count, was=was)
    said += shortfall(reader, scene.after, one.centres)
    if one.builds > 0:
        said += reader.say("centres.builds", builds=one.builds)
    elif one.builds < 0:
        said += reader.say("centres.removes", removals=-one.builds)
    return said


# ---- the reader's own line


def own_count(scene: TurnView) -> str:
    """ "4 centres (was 3), 3 units: 1 build in Winter, or 2 if A Bur disbands. Portugal is yours."."""
    reader, found = scene.reader, tally(scene)
    one = next((count for count in found.counts if reader.is_mine(count.power)), None) if found is not None else None
    if found is None or one is None:
        return ""
    parts = [reader.say("count.centres", n=len(one.centres), was=len(_before(one)), units=one.units)]
    for key, places in (("count.won", one.gained), ("count.lost", one.lost)):
        if places:
            names = [scene.after.board.provinces[place].name for place in places]
            parts.append(reader.say(key, n=len(names), places=reader.every(names)))
    if found.early:
        parts.append(_to_come(scene, found, one))
    return " ".join(part for part in parts if part)


def _to_come(scene: TurnView, found: CentreCount, one: CentresCounted) -> str:
    reader = scene.reader
    key = f"season.{found.season}"
    season = reader.say(key) if key in reader.catalogue else found.season
    driven = [unit_name(unit.unit) for unit in scene.after.dislodged if unit.unit.power == one.power]
    alone = found.alone.get(one.power, one.builds)
    main = _due(scene, one.builds)
    if driven and alone != one.builds:
        other = _due(scene, alone)
        units = reader.every(driven)
        return reader.say("count.to-come-or", season=season, due=main, other=other, n=len(driven), units=units)
    return reader.say("count.to-come", season=season, due=main) if one.builds else ""


def _due(scene: TurnView, builds: int) -> str:
    key = "count.due-builds" if builds > 0 else "count.due-removals" if builds < 0 else "count.due-nothing"
    return scene.reader.say(key, n=abs(builds))
