"""Parses help pages (templates/help/<language>/<topic>.j2) into sections of a letter.

    # A heading
    A paragraph, over any number of lines.

      A Par - Bur       an example, and after two blanks a remark
    - an item of a list
      continued on the next line

Blank lines separate paragraphs. A page begins with a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gm.language.rendering.views import Block, BulletsView, ParagraphView, RowsView, RowView, SectionView

_TYPED = re.compile(r" {2}(\S.*?)(?: {2,}(\S.*))?")


def sections(page: str) -> tuple[SectionView, ...]:
    sections: list[SectionView] = []
    for part in re.split(r"(?m)^# ", page):
        title, _, body = part.partition("\n")
        if title.strip():
            sections.append(SectionView(title.strip(), tuple(_blocks(body))))
    return tuple(sections)


def _blocks(body: str) -> Iterator[Block]:
    for chunk in re.split(r"\n\s*\n", body):
        lines = [line.rstrip() for line in chunk.split("\n") if line.strip()]
        if not lines:
            continue
        if all(line.startswith("  ") for line in lines):
            yield RowsView(tuple(_row(line) for line in lines))
        elif lines[0].startswith("- "):
            yield BulletsView(tuple(_points(lines)))
        else:
            yield ParagraphView(" ".join(line.strip() for line in lines))


def _row(line: str) -> RowView:
    match = _TYPED.fullmatch(line)
    return RowView(match[1], match[2] or "") if match else RowView(line.strip())


def _points(lines: list[str]) -> Iterator[str]:
    point: list[str] = []
    for line in lines:
        if line.startswith("- ") and point:
            yield " ".join(point)
            point = []
        point.append(line.removeprefix("- ").strip())
    yield " ".join(point)
