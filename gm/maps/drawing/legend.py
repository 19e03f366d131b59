"""What surrounds the map: title, powers with their centre counts, key of the signs in use, notes."""

from __future__ import annotations

from collections.abc import Iterator

from gm.maps.drawing.geometry import Point
from gm.maps.drawing.map_key import INK, SOFT, LegendItem, key_items
from gm.maps.drawing.scene import MapScene
from gm.maps.drawing.svg import num, text_element, text_width

MARGIN = 22.0
ROW = 32.0
NOTE = 13.5
INSET = 18.0


def render_legend(scene: MapScene, left: float = 0.0) -> tuple[str, float]:
    """Returns the SVG below the map, and its height. `left` is where it begins."""
    width, top = scene.geometry.width - left, scene.geometry.height
    rows = [*_rows(list(_power_items(scene)), width), *_rows(list(key_items(scene)), width)]
    drawn = ""
    y = top + 6 + ROW / 2
    for row in rows:
        x = left + MARGIN
        for item in row:
            drawn += item.draw((x, y))
            x += item.width
        y += ROW
    for note in (row for whole in scene.notes for row in _wrap_note(whole, width - 2 * MARGIN)):
        drawn += text_element(note, (left + MARGIN, y), NOTE, "regular", f' fill="{SOFT}"')
        y += 20
    return drawn, y - ROW / 2 + 6 - top


def _wrap_note(note: str, width: float) -> Iterator[str]:
    row = ""
    for word in note.split():
        longer = f"{row} {word}".strip()
        if row and text_width(longer, NOTE) > width:
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


def _power_items(scene: MapScene) -> Iterator[LegendItem]:
    """Yields the powers in the variant's order, then minor powers by name where they have a colour."""
    drawn = {power.name for power in scene.variant.powers}
    for power in scene.variant.powers:
        letter = f"{power.letter} " if scene.palette.letters else ""
        yield _power_item(scene, power.name, _count(scene, power.name), letter)
    minors = [minor for minor in scene.variant.minors if scene.shows(minor)]
    for minor in minors:
        if minor.name in scene.palette.inks and minor.name not in drawn:
            yield _power_item(scene, minor.name, _count(scene, minor.name))
    nameless = sum(minor.name not in scene.palette.inks for minor in minors)
    if nameless:
        yield _power_item(scene, "", str(nameless))


def _count(scene: MapScene, name: str) -> str:
    """Returns how many centres a power has, "3 → 5" if a census has changed that; "" for a minor power without one."""
    now, was = (list(owners.values()).count(name) for owners in (scene.centres, scene.position.centres))
    if now != was:
        return f"{was} \u2192 {now}"
    return str(now) if now or name in scene.variant.seated else ""


def _power_item(scene: MapScene, name: str, count: str, letter: str = "") -> LegendItem:
    ink = scene.palette.ink(name)
    shown = letter + scene.word(name or "minors")
    wide = max(24.0, text_width(count, 14, "bold") + 10)

    def draw(place: Point) -> str:
        x, y = place
        return (
            f'<rect x="{num(x)}" y="{num(y - 11)}" width="{num(wide)}" height="22" rx="4" fill="{ink.tint}" '
            f'stroke="{ink.key}" stroke-width="2"/>'
            + text_element(count, (x + wide / 2, y + 5), 14, "bold", f' fill="{ink.key}" text-anchor="middle"')
            + text_element(shown, (x + wide + 7, y + 5), 15, "semibold", f' fill="{INK}"')
        )

    return LegendItem(wide + 27 + text_width(shown, 15, "semibold"), draw)


def title(scene: MapScene) -> str:
    """Draws the title in the corner where it covers least."""
    if not scene.title:
        return ""
    long = max(text_width(scene.title, 23, "serif-bold"), text_width(scene.subtitle, 14))
    size = (long + 34, 60.0 if scene.subtitle else 42.0)
    x, y = min(_corners(scene, size), key=lambda corner: _covered(scene, corner, size))
    return (
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(size[0])}" height="{num(size[1])}" rx="6" fill="#fbf8f0" '
        'fill-opacity=".94" stroke="#8c7b5e"/>'
        + text_element(scene.title, (x + 17, y + 28), 23, "serif-bold", f' fill="{INK}"')
        + text_element(scene.subtitle, (x + 17, y + 48), 14, "regular", f' fill="{SOFT}"')
    )


def _corners(scene: MapScene, size: tuple[float, float]) -> Iterator[Point]:
    """Yields places along the upper and the lower edge, from the corners inwards; ties go to the first."""
    right, bottom = scene.geometry.width - size[0] - INSET, scene.geometry.height - size[1] - INSET
    for y in (INSET, bottom):
        for share in (0.0, 1.0, 0.25, 0.5, 0.75):
            yield INSET + share * (right - INSET), y


def _covered(scene: MapScene, corner: Point, size: tuple[float, float]) -> float:
    """Counts the tokens, labels and boxes that lie below the title at this corner."""
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
