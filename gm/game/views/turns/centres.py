"""Supply centre tables of a results letter: the census, or a provisional count before retreats.

After a Fall with open retreats the census has not run yet. The calendar's census step then counts the board as it
stands, and the letter says whether a retreat can still change the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from gm.game.views.mechanics.build_points import shortfall
from gm.game.views.turns.turn_events import TurnView
from gm.judge.board.board import Location
from gm.judge.model.calendar import census_by_retreat, early_census
from gm.judge.model.events import CentresCounted, visible
from gm.judge.model.position import Unit
from gm.language.rendering.views import CentreRowView, CentresView


class CentreCount(Struct, frozen=True):
    """A census, or a provisional one (`early`), whose builds assume that every unit retreats.

    `without_retreats` has the builds of each power if its dislodged units disband, `open_retreats` the retreats that
    could still change the owner of a centre, `season` the season of the coming builds.
    """

    counts: tuple[CentresCounted, ...]
    early: bool = False
    without_retreats: Mapping[str, int] = field(default_factory=dict)
    open_retreats: tuple[tuple[Unit, str], ...] = ()
    season: str = ""


def count_centres(scene: TurnView) -> CentreCount | None:
    """Return None if this turn has no census and none follows its retreats."""
    counted = scene.all(CentresCounted)
    return CentreCount(counted) if counted else _provisional_count(scene)


def _provisional_count(scene: TurnView) -> CentreCount | None:
    position = scene.after
    now = _early_counts(scene)
    if not now:
        return None
    retreated = tuple(
        replace(dislodged.unit, at=_retreat_without_capture(scene, dislodged.retreats))
        for dislodged in position.dislodged
        if dislodged.retreats
    )
    later = {count.power: count for count in _early_counts(scene, retreated)}
    counts = tuple(_with_retreats(count, later.get(count.power, count)) for count in now)
    owner = {centre: count.power for count in now for centre in count.centres}
    changing = tuple(
        (dislodged.unit, at.province)
        for dislodged in position.dislodged
        for at in dislodged.retreats
        if position.board.provinces[at.province].centre and owner.get(at.province) != dislodged.unit.power
    )
    ahead = scene.reader.variant.calendar[position.at :]
    builds = next((step for step in ahead if step.grammar == "adjustments"), ahead[-1])
    return CentreCount(counts, True, {count.power: count.builds for count in now}, changing, builds.season)


def _early_counts(scene: TurnView, retreated: Iterable[Unit] = ()) -> tuple[CentresCounted, ...]:
    turn = early_census(scene.reader.variant, scene.after, retreated)
    events = turn.events if turn is not None else ()
    seen = events if scene.reader.power is None else visible(events, scene.reader.power)
    return tuple(count for count in seen if isinstance(count, CentresCounted))


def _retreat_without_capture(scene: TurnView, retreats: tuple[Location, ...]) -> Location:
    """The first retreat to a province without a supply centre, else the first retreat."""
    provinces = scene.after.board.provinces
    return next((at for at in retreats if not provinces[at.province].centre), retreats[0])


def _with_retreats(now: CentresCounted, later: CentresCounted) -> CentresCounted:
    same = set(now.centres) == set(later.centres)
    return replace(now, units=later.units, builds=later.builds) if same else now


# ---- the table for all


def centres_view(scene: TurnView) -> CentresView | None:
    """The table of centres after a census or a provisional count; None without either."""
    reader, counts = scene.reader, count_centres(scene)
    if counts is None:
        return None
    counted = sorted(counts.counts, key=lambda count: count.power)
    rows = [_row(scene, count) for count in counted if count.centres or count.lost]
    free = sorted(_supply_centres(scene) - {centre for count in counted for centre in count.centres})
    if free:
        nobody = reader.say("centres.nobody")
        was = len(_supply_centres(scene) - {centre for count in counted for centre in _centres_before(count)})
        key = "centres.same" if was == len(free) else "centres.changed"
        summary = reader.say(key, power=nobody, count=len(free), was=was)
        rows.append(CentreRowView(nobody, len(free), "", summary, tuple(free)))
    heads = (reader.say("centres.head-power"), reader.say("centres.head-count"), reader.say("centres.head-which"))
    return CentresView(reader.say("centres.title"), _caption(scene, counts), heads, tuple(rows))


def _supply_centres(scene: TurnView) -> set[str]:
    return {province.code for province in scene.after.board.provinces.values() if province.centre}


def _centres_before(count: CentresCounted) -> set[str]:
    return {*count.centres, *count.lost} - set(count.gained)


def _caption(scene: TurnView, counts: CentreCount) -> str:
    reader, count = scene.reader, len(scene.after.dislodged)
    marks = reader.say("centres.caption")
    if not counts.early:
        return marks
    if not counts.open_retreats:
        return reader.say("centres.early", n=count, marks=marks)
    places: dict[str, list[str]] = {}
    for unit, place in counts.open_retreats:
        at = places.setdefault(str(unit), [])
        if place not in at:
            at.append(place)
    sentences = [reader.say("centres.can", unit=unit, places=reader.either(at)) for unit, at in places.items()]
    return reader.say("centres.early-open", n=count, open=reader.every(sentences), marks=marks)


def _row(scene: TurnView, count: CentresCounted) -> CentreRowView:
    reader, was = scene.reader, len(_centres_before(count))
    kept = [centre for centre in count.centres if centre not in count.gained]
    change = len(count.centres) - was
    return CentreRowView(
        power=reader.called(count.power),
        count=len(count.centres),
        change=f"{change:+d}" if change else "=",
        summary=_summary(scene, count, was),
        centres=(*kept, *(f"+{centre}" for centre in count.gained)),
        lost=reader.say("centres.lost", centres=" ".join(f"-{centre}" for centre in count.lost)) if count.lost else "",
        units=_units_sentence(scene, count.power),
        hue=reader.hue(count.power),
        you=reader.is_mine(count.power),
    )


def _units_sentence(scene: TurnView, power: str) -> str:
    reader = scene.reader
    units = ", ".join(map(str, scene.units_of(power)))
    sentence = reader.say("centres.units", units=units) if units else reader.say("centres.no-units")
    driven = [str(dislodged.unit) for dislodged in scene.after.dislodged if dislodged.unit.power == power]
    if not driven:
        return sentence
    return reader.say("centres.retreating", said=sentence.rstrip("."), n=len(driven), units=reader.every(driven))


def _summary(scene: TurnView, counted: CentresCounted, was: int) -> str:
    reader, count = scene.reader, len(counted.centres)
    key = "centres.same" if count == was else "centres.changed"
    sentence = reader.say(key, power=counted.power, count=count, was=was)
    sentence += shortfall(reader, scene.after, counted.centres)
    if counted.builds > 0:
        sentence += reader.say("centres.builds", builds=counted.builds)
    elif counted.builds < 0:
        sentence += reader.say("centres.removes", removals=-counted.builds)
    return sentence


# ---- the reader's own line


def own_centres_sentence(scene: TurnView) -> str:
    """ "4 centres (was 3), 3 units: 1 build in Winter, or 2 if A Bur disbands. Portugal is yours."."""
    reader, counts = scene.reader, count_centres(scene)
    own = next((count for count in counts.counts if reader.is_mine(count.power)), None) if counts is not None else None
    if counts is None or own is None:
        return ""
    parts = [reader.say("count.centres", n=len(own.centres), was=len(_centres_before(own)), units=own.units)]
    for key, places in (("count.won", own.gained), ("count.lost", own.lost)):
        if places:
            names = [scene.after.board.provinces[place].name for place in places]
            parts.append(reader.say(key, n=len(names), places=reader.every(names)))
    if counts.early:
        parts += (_coming_builds(scene, counts, own), *_won_by_retreat(scene, own))
    return " ".join(part for part in parts if part)


def _coming_builds(scene: TurnView, counts: CentreCount, own: CentresCounted) -> str:
    reader, season = scene.reader, scene.reader.catalogue.season(counts.season)
    driven = [str(unit.unit) for unit in scene.after.dislodged if unit.unit.power == own.power]
    alone = counts.without_retreats.get(own.power, own.builds)
    main = _builds_due(scene, own.builds)
    if driven and alone != own.builds:
        other = _builds_due(scene, alone)
        units = reader.every(driven)
        return reader.say("count.to-come-or", season=season, due=main, other=other, n=len(driven), units=units)
    return reader.say("count.to-come", season=season, due=main) if own.builds else ""


def _won_by_retreat(scene: TurnView, own: CentresCounted) -> Iterator[str]:
    """What the reader's only retreat to a centre of another power brings."""
    for _, province, count in census_by_retreat(scene.reader.variant, scene.after, own.power):
        if province in set(count.centres) - set(own.centres):
            name, due = scene.after.board.provinces[province].name, _builds_due(scene, count.builds)
            yield scene.reader.say("count.won-by-retreat", place=name, n=len(count.centres), due=due)


def _builds_due(scene: TurnView, builds: int) -> str:
    key = "count.due-builds" if builds > 0 else "count.due-removals" if builds < 0 else "count.due-nothing"
    return scene.reader.say(key, n=abs(builds))
