"""What fuzzing found is read without a fault from then on; and the targets take their seeds."""

from __future__ import annotations

import pytest

from fuzz.targets import FINDS, TARGETS, seeds

FOUND = sorted(path for path in FINDS.glob("*/*") if path.is_file())


def test_earlier_fuzz_findings_stay_fixed() -> None:
    for path in FOUND:
        TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_takes_its_seeds(name: str) -> None:
    for seed in seeds(name)[::20]:
        TARGETS[name](seed)
