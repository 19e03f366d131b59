"""The manual's pages (templates/help/<language>/<topic>.j2) as sections of a letter.

    # A heading
    A paragraph, over as many lines as it likes.

      A Par - Bur       what is typed, and after two blanks a remark
    - one point of a list
      carried on in the next line

Blank lines part paragraphs. A page begins with a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gm.language.rendering.views import Block, BulletsView, ParagraphView, RowsView, RowView, SectionView

_TYPED = re.compile(r" {2}(\S.*?)(?: {2,}(\S.*))?")


def sections(page: str) -> tuple[SectionView, ...]:
    found: list[SectionView] = []
    for part in re.split(r"(?m)^# ", page):
        title, _, body = part.partition("\n")
        if title.strip():
            found.append(SectionView(title.strip(), tuple(_blocks(body))))
    return tuple(found)


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
