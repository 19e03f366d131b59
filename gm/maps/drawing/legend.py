"""What stands round the map: the title, the legend of powers with their centres, the key of the signs in use, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gm.judge.model.orders import Build, Convoy, Hold
from gm.maps.drawing.geometry import Point
from gm.maps.drawing.order_layers import arrow, support
from gm.maps.drawing.order_lines import LineStyle, OrderLinePath, tracks
from gm.maps.drawing.scene import MapScene
from gm.maps.drawing.signs import ARMY, RADIUS, burst, cross, shape, star, token
from gm.maps.drawing.svg import circle, num, text, wide

INK = "#2e2a26"
SOFT = "#5b5248"
SIGN = "#5b554d"
MARGIN = 22.0
ROW = 32.0
NOTE = 13.5
INSET = 18.0


class LegendItem(NamedTuple):
    """A piece of the legend: drawn at a place on its middle line, `width` wide."""

    width: float
    draw: Callable[[Point], str]


def foot(scene: MapScene) -> tuple[str, float]:
    """All that stands under the map, and how high it is."""
    width, top = scene.geometry.width, scene.geometry.height
    rows = [*_rows(list(_powers(scene)), width), *_rows(list(_key(scene)), width)]
    drawn = ""
    y = top + 6 + ROW / 2
    for row in rows:
        x = MARGIN
        for item in row:
            drawn += item.draw((x, y))
            x += item.width
        y += ROW
    for note in (row for whole in scene.notes for row in _wrapped(whole, width - 2 * MARGIN)):
        drawn += text(note, (MARGIN, y), NOTE, "regular", f' fill="{SOFT}"')
        y += 20
    return drawn, y - ROW / 2 + 6 - top


def _wrapped(note: str, width: float) -> Iterator[str]:
    row = ""
    for word in note.split():
        longer = f"{row} {word}".strip()
        if row and wide(longer, NOTE) > width:
            yield row
            longer = word
        row = longer
    yield row


def _rows(items: list[LegendItem], width: float) -> list[list[LegendItem]]:
    rows: list[list[LegendItem]] = []
    left = 0.0
    for item in items:
        if left < item.width:
            rows.append([])
            left = width - 2 * MARGIN
        rows[-1].append(item)
        left -= item.width
    return rows


def _powers(scene: MapScene) -> Iterator[LegendItem]:
    """Powers with their centres, in the variant's order; then minor powers, by name where they have a colour."""
    owned = list(scene.position.centres.values())
    drawn = {power.name for power in scene.variant.powers}
    for power in scene.variant.powers:
        letter = f"{power.letter} " if scene.palette.letters else ""
        yield _power(scene, power.name, str(owned.count(power.name)), letter)
    minors = [minor for minor in scene.variant.minors if scene.alive(minor)]
    for minor in minors:
        if minor.name in scene.palette.inks and minor.name not in drawn:
            yield _power(scene, minor.name, str(owned.count(minor.name) or ""))
    nameless = sum(minor.name not in scene.palette.inks for minor in minors)
    if nameless:
        yield _power(scene, "", str(nameless))


def _power(scene: MapScene, name: str, count: str, letter: str = "") -> LegendItem:
    ink = scene.palette.ink(name)
    shown = letter + scene.word(name or "minors")

    def draw(place: Point) -> str:
        x, y = place
        return (
            f'<rect x="{num(x)}" y="{num(y - 11)}" width="24" height="22" rx="4" fill="{ink.tint}" stroke="{ink.key}" '
            'stroke-width="2"/>'
            + text(count, (x + 12, y + 5), 14, "bold", f' fill="{ink.key}" text-anchor="middle"')
            + text(shown, (x + 31, y + 5), 15, "semibold", f' fill="{INK}"')
        )

    return LegendItem(31 + wide(shown, 15, "semibold") + 20, draw)


def _key(scene: MapScene) -> Iterator[LegendItem]:
    """The signs of this picture, no others."""
    kinds = {unit.kind for unit in scene.position.units}
    for code, kind in scene.variant.kinds.items():
        if code in kinds:
            yield _token(scene, shape(kind), scene.word(kind.name))
    if scene.variant.minors and any(scene.palette.ink(unit.power).minor for unit in scene.position.units):
        yield _token(scene, ARMY, scene.word("minor-unit"), minor=True)
    yield LegendItem(
        16 + _long(scene.word("centre")), lambda at: star((at[0] + 5, at[1]), INK, INK) + _said(scene, "centre", at, 14)
    )
    yield from _lines(scene)
    yield from _marks(scene)


def _token(scene: MapScene, name: str, said: str, *, minor: bool = False) -> LegendItem:
    def draw(place: Point) -> str:
        x, y = place
        return token(name, (x + 12, y), SIGN, RADIUS * 0.86, minor=minor) + text(
            said, (x + 30, y + 4.5), 13, "regular", f' fill="{SOFT}"'
        )

    return LegendItem(30 + _long(said), draw)


def _long(said: str) -> float:
    return wide(said, 13) + 18


def _said(scene: MapScene, key: str, place: Point, off: float) -> str:
    return text(scene.word(key), (place[0] + off, place[1] + 4.5), 13, "regular", f' fill="{SOFT}"')


def _lines(scene: MapScene) -> Iterator[LegendItem]:
    used = {track.style for track in tracks(scene)}
    holding = any(track.end and track.end[0] != track.end[1] for track in tracks(scene))
    for style in LineStyle:
        if style in used or (style is LineStyle.SUPPORT and LineStyle.CUT in used):
            yield LegendItem(38 + _long(scene.word(style.value)), _line(scene, style))
    if holding:
        yield LegendItem(38 + _long(scene.word("support-hold")), _line(scene, LineStyle.SUPPORT, "support-hold"))


def _line(scene: MapScene, style: LineStyle, key: str = "") -> Callable[[Point], str]:
    def draw(place: Point) -> str:
        x, y = place
        path = [(x + step, y) for step in range(31)]
        said = _said(scene, key or style.value, place, 37)
        if style not in (LineStyle.SUPPORT, LineStyle.CUT):
            return arrow(path, SIGN, style) + said
        end = ((x + 29, y - 7), (x + 29, y + 7)) if key else ((x + 28, y), (x + 28, y))
        return support(OrderLinePath(style, "", path[:29], end), SIGN) + said

    return draw


def _marks(scene: MapScene) -> Iterator[LegendItem]:
    if any(track.burst for track in tracks(scene)):
        yield LegendItem(
            24 + _long(scene.word("bounce")), lambda at: burst((at[0] + 10, at[1]), 10) + _said(scene, "bounce", at, 24)
        )
    if any(result.dislodged_by for result in scene.results):
        yield LegendItem(
            24 + _long(scene.word("dislodged")),
            lambda at: cross((at[0] + 9, at[1]), 8) + _said(scene, "dislodged", at, 24),
        )
    rings = {Hold: ("hold", "0"), Convoy: ("convoy", "4 3")}
    for order, (key, dash) in rings.items():
        if any(isinstance(result.order, order) and result.given for result in scene.results):
            yield LegendItem(26 + _long(scene.word(key)), _ring(scene, key, dash))
    if any(isinstance(result.order, Build) for result in scene.results):
        yield LegendItem(26 + _long(scene.word("build")), _ring(scene, "build", "0", "#1d7a34"))


def _ring(scene: MapScene, key: str, dash: str, colour: str = SIGN) -> Callable[[Point], str]:
    def draw(place: Point) -> str:
        x, y = place
        style = f'fill="none" stroke="{colour}" stroke-width="2.2" stroke-dasharray="{dash}"'
        return circle((x + 10, y), 9, style) + _said(scene, key, place, 25)

    return draw


def title(scene: MapScene) -> str:
    """In the corner where it covers least."""
    if not scene.title:
        return ""
    long = max(wide(scene.title, 23, "serif-bold"), wide(scene.subtitle, 14))
    size = (long + 34, 60.0 if scene.subtitle else 42.0)
    x, y = min(_corners(scene, size), key=lambda corner: _covered(scene, corner, size))
    return (
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(size[0])}" height="{num(size[1])}" rx="6" fill="#fbf8f0" '
        'fill-opacity=".94" stroke="#8c7b5e"/>'
        + text(scene.title, (x + 17, y + 28), 23, "serif-bold", f' fill="{INK}"')
        + text(scene.subtitle, (x + 17, y + 48), 14, "regular", f' fill="{SOFT}"')
    )


def _corners(scene: MapScene, size: tuple[float, float]) -> Iterator[Point]:
    """Along the upper and the lower edge, from the corners inwards; the first of equals is taken."""
    right, bottom = scene.geometry.width - size[0] - INSET, scene.geometry.height - size[1] - INSET
    for y in (INSET, bottom):
        for share in (0.0, 1.0, 0.25, 0.5, 0.75):
            yield INSET + share * (right - INSET), y


def _covered(scene: MapScene, corner: Point, size: tuple[float, float]) -> float:
    """How many places of tokens, names and boxes lie under it."""
    (x, y), (width, height), room = corner, size, scene.token * 1.5

    def under(place: Point | None) -> bool:
        return place is not None and x - room < place[0] < x + width + room and y - room < place[1] < y + height + room

    count = 0.0
    for anchor in scene.geometry.anchors.values():
        count += 3 * under(anchor.unit) + 2 * under(anchor.label) + 2 * under(anchor.centre)
    for box in scene.geometry.boxes.values():
        middle = box.corner[0] + box.size[0] / 2, box.corner[1] + box.size[1] / 2
        count += 5 * (
            abs(middle[0] - x - width / 2) < (box.size[0] + width) / 2
            and abs(middle[1] - y - height / 2) < (box.size[1] + height) / 2
        )
    return count
