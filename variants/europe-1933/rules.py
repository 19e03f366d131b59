"""What Europe 1933 adds to Standard."""

from __future__ import annotations

from collections.abc import Mapping

from gm.judge.builds import Builds
from gm.judge.census import Census
from gm.judge.moves import Moves
from gm.judge.retreats import Retreats
from gm.judge.variant import Rules


def rules(options: Mapping[str, str]) -> Rules:
    return Rules(
        calendar=(
            Moves("Spring"),
            Retreats("Spring"),
            Moves("Fall"),
            Retreats("Fall"),
            Census("Fall"),
            Builds("Winter"),
        ),
    )
