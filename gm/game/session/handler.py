"""Handlers: functions that do what a request in a letter asks for.

Each subject module has a table `HANDLERS`; `gm.game.commands.perform` collects them. A key is the class of a request,
or the class and a role where that role has a handler of its own. Who may ask for what, and how often, stands in the
rows of grammars/commands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from gm.game.session.session import LetterSession
from gm.language.lines.letter_contents import Request

Handler: TypeAlias = Callable[[LetterSession, Any, int], None]
"""Takes the session, the request and the number of its line."""
Handlers: TypeAlias = Mapping[type[Request] | tuple[type[Request], str], Handler]
