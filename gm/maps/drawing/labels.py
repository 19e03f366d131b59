"""Layers with names: provinces, seas, oceans, supply centres, off-board boxes, signs on borders."""

from __future__ import annotations

from gm.maps.drawing.curves import arrow_head, direction
from gm.maps.drawing.geometry import DEEP, LAND, Anchor, Point
from gm.maps.drawing.name_places import NamePlace, name_places
from gm.maps.drawing.scene import MapScene
from gm.maps.drawing.signs import render_star
from gm.maps.drawing.svg import line_data, num, polygon_data, text_element, text_width

INK = "#2e2a26"
SEA_INK = "#2f6079"
OCEAN_INK = "#24536b"
SHUT_INK = "#7b7466"
HALO = ' stroke-linejoin="round" paint-order="stroke" text-anchor="middle"'
LAND_HALO = f' fill="{INK}" stroke="#fff" stroke-opacity=".66" stroke-width="2.6"{HALO}'
SEA_HALO = f' fill="{SEA_INK}" stroke="#d6e7ee" stroke-opacity=".85" stroke-width="2.8"{HALO}'
OCEAN_HALO = f' fill="{OCEAN_INK}" stroke="#b9d6e3" stroke-opacity=".8" stroke-width="3"{HALO}'


def names(scene: MapScene) -> str:
    """Draws the codes that players write; impassable provinces by name."""
    return "".join(_name(scene, key.partition("#")[0], name) for key, name in name_places(scene).items())


def _name(scene: MapScene, province: str, name: NamePlace) -> str:
    x, y = name.place
    size = scene.geometry.text * name.size
    board_province = scene.position.board.provinces[province]
    ground = scene.geometry.ground(province)
    if not board_province.slots:
        extra = f' fill="{SHUT_INK}" stroke="#fff" stroke-opacity=".5" stroke-width="2.2"{HALO}'
        return text_element(province, (x, y + size * 0.3), size * 0.88, "serif-italic", extra)
    if ground == DEEP:
        code = text_element(province, (x, y), size * 1.5, "serif-bold", OCEAN_HALO + ' letter-spacing="3"')
        return code + text_element(board_province.name, (x, y + size * 1.15), size, "serif-italic", OCEAN_HALO)
    if ground == LAND:
        return text_element(province, (x, y + size * 0.32), size, "semibold", LAND_HALO)
    return text_element(province.upper(), (x, y + size * 0.3), size, "serif-italic", SEA_HALO + ' letter-spacing=".7"')


def centres(scene: MapScene) -> str:
    """Draws supply centres in their owner's colour, with its initial where `palette.letters` is set."""
    svg = ""
    letters = {power.name: power.letter for power in scene.variant.powers}
    for code, province in scene.position.board.provinces.items():
        anchor = scene.geometry.anchors.get(code, Anchor())
        if not province.centre or anchor.centre is None:
            continue
        owner = scene.centres.get(code, "")
        size = 4.1 * scene.token / 12.5
        colour = scene.colour(owner) if owner else INK
        svg += render_star(anchor.centre, colour, colour if owner else INK, size)
        if owner and scene.palette.letters:
            svg += _initial(anchor.centre, letters.get(owner, ""), size)
    return svg


def _initial(place: Point, letter: str, size: float) -> str:
    x, y = place
    style = f' fill="{INK}" stroke="#fff" stroke-width="2.2"{HALO}'
    return text_element(letter, (x + size * 2.2, y + size), size * 2.4, "bold", style)


def edges(scene: MapScene) -> str:
    """Draws small arrows where the left and the right edge are the same line (`wrap`)."""
    geometry = scene.geometry
    if not geometry.wrap:
        return ""
    svg = ""
    for share in (0.27, 0.45, 0.63, 0.81):
        y, far = geometry.height * share, geometry.width
        svg += (
            f"M8 {num(y - 7)}L3 {num(y)}L8 {num(y + 7)}M{num(far - 8)} {num(y - 7)}L{num(far - 3)} {num(y)}"
            f"L{num(far - 8)} {num(y + 7)}"
        )
    return f'<path d="{svg}" fill="none" stroke="{OCEAN_INK}" stroke-width="2"/>'


def boxes(scene: MapScene) -> str:
    """Draws the off-board boxes, their connecting lines, and what each box touches."""
    geometry = scene.geometry
    svg = "".join(
        f'<path d="{line_data(joint)}" fill="none" stroke="{stroke}" {style}/>'
        for joint in geometry.lines
        for stroke, style in (
            ("#fbf8f0", 'stroke-width="4.6" stroke-opacity=".8"'),
            (WOOD, 'stroke-width="1.8" stroke-dasharray="2 3.4" stroke-linecap="round"'),
        )
    )
    return svg + "".join(_box(scene, code) for code in geometry.boxes)


WOOD, BOX = "#7a5a2e", "#f7efdd"


def _box(scene: MapScene, code: str) -> str:
    box = scene.geometry.boxes[code]
    (x, y), (width, height) = box.corner, box.size
    touched = _touched(scene, code)
    size = min(11.0, 11.0 * (width - 12) / max(1.0, text_width(touched, 11.0, "semibold")))
    known = scene.position.board.provinces.get(code)
    water = known is not None and any(slot == "sea" for slot in known.slots)
    return (
        _lead(box.arrow) + f'<rect x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(height)}" rx="5" '
        f'fill="{"#e3eff4" if water else BOX}" stroke="{WOOD}" stroke-width="1.7"/>'
        + text_element(box.text, (x + 8, y + 25), 22, "serif-bold", f' fill="{WOOD}"')
        + text_element(touched, (x + 7, y + height - 6), size, "semibold", ' fill="#4a4540"')
    )


def _touched(scene: MapScene, code: str) -> str:
    """Returns what a box touches by the rules of this game: codes of spaces, then letters of boxes."""
    board, drawn = scene.position.board, scene.geometry.boxes
    known = board.provinces.get(code)
    reach = [b.end.province for at in (known.locations if known else ()) for b in board.leaving(at)]
    touched = dict.fromkeys(reach or (drawn[code].near, *drawn[code].links))
    spaces = " ".join(space for space in touched if space not in drawn)
    return " \u00b7 ".join(filter(None, (spaces, " ".join(box.text for name, box in drawn.items() if name in touched))))


def _lead(arrow: tuple[Point, ...]) -> str:
    if len(arrow) < 2:
        return ""
    tip, (x, y) = arrow[-1], direction(arrow[-2], arrow[-1])
    head = polygon_data(arrow_head(tip, (x, y), 10, 5))
    shaft = line_data((*arrow[:-1], (tip[0] - x * 7, tip[1] - y * 7)))
    return f'<path d="{shaft}" fill="none" stroke="{WOOD}" stroke-width="2.2"/><path d="{head}" fill="{WOOD}"/>'


def signs(scene: MapScene) -> str:
    """Draws corners where four spaces meet, bridges and ferries."""
    svg = ""
    for sign in scene.geometry.signs:
        if len(sign.points) == 1:
            svg += render_corner(sign.points[0])
        elif sign.points:
            svg += render_crossing(sign.points[0], sign.points[-1], crossing_colour(sign.kind))
    return svg


def render_corner(place: Point) -> str:
    x, y = place
    return (
        f'<path d="M{num(x)} {num(y - 6)}L{num(x + 6)} {num(y)}L{num(x)} {num(y + 6)}L{num(x - 6)} {num(y)}Z" '
        'fill="#ffcf3d" stroke="#2e2a26" stroke-width="1.4"/>'
    )


def crossing_colour(kind: str) -> str:
    """Returns the colour of a bridge or a ferry."""
    return "#8a2a16" if kind == "ferry" else INK


def render_crossing(start: Point, end: Point, colour: str) -> str:
    ux, uy = direction(start, end)
    shaft = f"M{num(start[0] + ux * 5)} {num(start[1] + uy * 5)}L{num(end[0] - ux * 5)} {num(end[1] - uy * 5)}"
    heads = "".join(polygon_data(arrow_head(*ends, 8, 4.5)) for ends in ((start, (-ux, -uy)), (end, (ux, uy))))
    return (
        f'<g stroke-linejoin="round"><path d="{shaft}{heads}" fill="#fff" stroke="#fff" stroke-width="5"/>'
        f'<path d="{shaft}" stroke="{colour}" stroke-width="2.4"/><path d="{heads}" fill="{colour}"/></g>'
    )
