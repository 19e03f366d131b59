"""How a request is done: the rows of the tables in `gm.game.commands.player`, `gm.game.commands.gm` and what they
are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from gm.game.session.session import LetterSession
from gm.language.lines import letter_contents

Doing = Callable[[LetterSession, Any, int], None]


class RequestHandler(Struct, frozen=True):
    """`of_phase`: about the sheets of the phase that is open. `final`: can't be taken back. `most`: so often in one
    letter, because each may cost a letter to everybody. `instead` tells what was not done in a letter with errors.
    """

    do: Doing
    of_phase: bool = False
    final: bool = False
    most: int = 100
    instead: Doing | None = None


Handlers: TypeAlias = Mapping[type[letter_contents.Request], RequestHandler]
