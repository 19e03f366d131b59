"""Everyday words do to the sheet what their writer means, one letter a case."""

from __future__ import annotations

from pathlib import Path

import pytest

from human_letters.everyday_cases import EVERYDAY, everyday_cases
from human_letters.verdict import judge_all


@pytest.mark.parametrize("file", sorted(EVERYDAY.glob("*.txt")), ids=lambda file: file.stem)
def test_the_sheet_is_as_its_writer_means(file: Path) -> None:
    cases = list(everyday_cases(file))
    judged = judge_all(case.letter for case in cases)
    misread = [
        f"{case.where}: {case.letter.body!r}\n    meant  {sorted(case.after)}\n    stored {sorted(result.on_file)}"
        for case, result in zip(cases, judged, strict=True)
        if set(result.on_file) != case.after
    ]
    assert cases
    assert not misread, "\n" + "\n".join(misread)
