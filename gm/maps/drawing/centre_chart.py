"""Draws the chart of centres by year: a line for each power, named where it ends.

Nobody needs to tell colours apart: each line ends at its power's name and carries marks with its initial. The text can
be read where the picture is 330 pixels wide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from gm.maps.drawing.geometry import Point
from gm.maps.drawing.svg import SANS, circle_element, escape_xml, line_data, num, text_element, text_width
from gm.maps.drawing.terrain import PAPER

WIDTH = 1400
TEXT = 46
"""Eleven pixels high where the picture is 330 wide."""
MARK = 15
LINE = 9
TOP, LEFT, GAP = 120, 90, 26
HEIGHT = 860
"""Of the part with the lines, for up to so many names below each other; it grows for more."""
ROW = 54
INK, MUTED, RULE = "#2b2824", "#655c51", "#d9cfbd"
APART, SPREAD = 6, 40
"""Between two lines with the same number of centres, and between the first and the last of all at most."""


class CentreChart(Struct, frozen=True):
    """`years` are the labels of the points, the start first; `rows` has the centres of each power at each of them.

    `names` are the powers' names in the reader's language, `colours` those of their tokens. `goal`: the centres that
    win, with their label.
    """

    title: str
    years: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    names: Mapping[str, str]
    colours: Mapping[str, str]
    goal: tuple[int, str]


def draw_centre_chart(chart: CentreChart) -> str:
    """Returns the SVG document."""
    height = max(HEIGHT, ROW * len(chart.rows))
    label_width = max(text_width(chart.names[power], TEXT, "semibold") for power, _ in chart.rows)
    right = WIDTH - label_width - 2.5 * GAP
    most = max(count for _, row in chart.rows for count in row)
    goal = chart.goal[0] if chart.goal[0] <= most + 2 else 0
    top = max(most, goal) + 0.6
    last = max(1, len(chart.years) - 1)

    def place(at: int, count: float) -> Point:
        return LEFT + MARK + at * (right - LEFT - 2 * MARK) / last, TOP + height * (1 - count / top)

    parts = [
        text_element(chart.title, (LEFT - 60, 66), 54, "bold", f' fill="{INK}"'),
        *_grid(chart, place, right, most, goal),
        *_years(chart, place, TOP + height + TEXT + GAP),
        *_lines(chart, place),
        *_names(chart, place, right, TOP + height),
    ]
    whole = num(TOP + height + TEXT + 2.5 * GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {whole}" width="{WIDTH}" height="{whole}" '
        f'font-family="{SANS}"><title>{escape_xml(chart.title)}</title>'
        f'<rect width="{WIDTH}" height="{whole}" fill="{PAPER}"/>{"".join(parts)}</svg>'
    )


Place = Callable[[int, float], Point]


def _grid(chart: CentreChart, place: Place, right: float, most: int, goal: int) -> list[str]:
    """Horizontal lines with their numbers; the number that wins is a dashed line with its words."""
    step = next(step for step in (1, 2, 3, 5, 10, 20) if most / step <= 8)
    parts: list[str] = []
    for count in range(0, most + 1, step):
        y = place(0, count)[1]
        parts.append(f'<path d="M{LEFT} {num(y)}H{num(right)}" stroke="{RULE}" stroke-width="2"/>')
        if not goal or abs(goal - count) > step / 2:
            parts.append(_number(str(count), y))
    if goal:
        y = place(0, goal)[1]
        dash = 'stroke-width="4" stroke-dasharray="18 14"'
        parts.append(f'<path d="M{LEFT} {num(y)}H{num(right)}" stroke="{MUTED}" {dash}/>{_number(str(goal), y)}')
        parts.append(text_element(chart.goal[1], (LEFT + 8, y - 12), TEXT - 6, "regular", f' fill="{MUTED}"'))
    return parts


def _number(words: str, y: float) -> str:
    extra = f' fill="{MUTED}" text-anchor="end"'
    return text_element(words, (LEFT - 16, y + TEXT / 3), TEXT, "regular", extra)


def _years(chart: CentreChart, place: Place, y: float) -> list[str]:
    """As many labels as there is room for, the last one always."""
    room = place(1, 0)[0] - place(0, 0)[0]
    widest = max(text_width(year, TEXT) for year in chart.years) + GAP
    step, last = max(1, -(-int(widest) // max(1, int(room)))), len(chart.years) - 1
    shown = {at for at in range(0, last + 1, step) if at == 0 or last - at >= step} | {last}
    return [
        text_element(chart.years[at], (place(at, 0)[0], y), TEXT, "regular", f' fill="{MUTED}" text-anchor="middle"')
        for at in sorted(shown)
    ]


def _lines(chart: CentreChart, place: Place) -> list[str]:
    """Each line up to its power's last centre, with marks that hold the power's initial."""
    parts: list[str] = []
    every = 2 if place(1, 0)[0] - place(0, 0)[0] > 4 * MARK else 4
    for number, (power, row) in enumerate(chart.rows):
        colour, shift = chart.colours[power], _shift(chart, number)
        points = [(x, y + shift) for x, y in (place(at, count) for at, count in enumerate(_until_gone(row)))]
        style = f'fill="none" stroke="{colour}" stroke-width="{LINE}" stroke-linejoin="round"'
        parts.append(f'<path d="{line_data(points)}" {style}/>')
        initial = chart.names[power][:1]
        for at, (x, y) in enumerate(points):
            if at == len(points) - 1 or at % every == number % every:
                parts.append(circle_element((x, y), MARK + 3, f'fill="{colour}" stroke="{PAPER}" stroke-width="4"'))
                extra = ' fill="#fff" text-anchor="middle"'
                parts.append(text_element(initial, (x, y + 9), 27, "bold", extra))
            else:
                parts.append(circle_element((x, y), LINE, f'fill="{colour}"'))
    return parts


def _shift(chart: CentreChart, number: int) -> float:
    """How far below its place a line is drawn, so that lines with the same number of centres all show."""
    count = len(chart.rows)
    return (number - (count - 1) / 2) * min(APART, SPREAD / count)


def _until_gone(row: Sequence[int]) -> Sequence[int]:
    """The counts up to the first of the zeros at the end."""
    last = max((at for at, count in enumerate(row) if count), default=0)
    return row[: last + 2]


def _names(chart: CentreChart, place: Place, right: float, bottom: float) -> list[str]:
    """Names beside the ends of their lines, moved apart; those who are out stand at the bottom."""
    ends = sorted(((place(0, row[-1])[1], number, power) for number, (power, row) in enumerate(chart.rows)))
    levels: list[float] = []
    for y, _, _ in ends:
        levels.append(max(y, levels[-1] + ROW) if levels else max(y, TOP + ROW / 2))
    over = max(0.0, levels[-1] - bottom)
    for at in reversed(range(len(levels))):
        limit = bottom - ROW * (len(levels) - 1 - at) if over else levels[at]
        levels[at] = min(levels[at], limit)
    parts: list[str] = []
    for (_, number, power), y in zip(ends, levels, strict=True):
        row = chart.rows[number][1]
        points = _until_gone(row)
        shift = _shift(chart, number)
        x, from_y = place(len(points) - 1, points[-1])
        colour = chart.colours[power]
        if len(points) == len(row):
            way = line_data([(x + MARK, from_y + shift), (right + GAP, y)])
            parts.append(f'<path d="{way}" stroke="{colour}" stroke-width="3" fill="none"/>')
        parts.append(
            text_element(chart.names[power], (right + 1.5 * GAP, y + TEXT / 3), TEXT, "semibold", f' fill="{INK}"')
        )
        parts.append(f'<path d="M{num(right + GAP)} {num(y - 20)}V{num(y + 20)}" stroke="{colour}" stroke-width="9"/>')
    return parts
