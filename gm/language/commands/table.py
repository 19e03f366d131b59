"""The table of all commands and pages of the manual (grammars/commands/*.toml), the source of what HELP prints.

What a row may hold is told at the top of lookups.toml there. The table says nothing in any language: what a command
means
and what a page is about are the sentences `command.<name>` and `page.<name>`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from gm import resources

ROLES = ("player", "observer", "gm", "stranger")


class Command(Struct, frozen=True):
    """One line of the manual. `part` is None where no page lists it; `when` names a field of HELP, "" for always."""

    name: str
    form: str
    also: tuple[str, ...]
    who: tuple[str, ...]
    page: str
    part: str | None
    request: str
    brief: bool
    when: str

    @property
    def forms(self) -> tuple[str, ...]:
        return (self.form, *self.also)

    @property
    def obeyed(self) -> bool:
        """Or else only answered: no list has it."""
        return bool(self.request) or self.part is not None

    def known_as(self, said: str) -> bool:
        """Whether one of its forms begins with these words, case aside."""
        return any(f"{_words(form)} ".startswith(f"{said} ") for form in self.forms)


class HelpPage(Struct, frozen=True):
    name: str
    when: str


class CommandList(Struct, frozen=True):
    pages: tuple[HelpPage, ...]
    commands: tuple[Command, ...]

    def about(self, said: str) -> tuple[Command, ...]:
        """The commands that are written with these words, case aside."""
        wanted = _words(said)
        return tuple(command for command in self.commands if wanted and command.known_as(wanted))


def _words(text: str) -> str:
    return " ".join(text.casefold().replace(":", " ").split())


FILES = ("lookups", "observers", "gm", "gm_turns", "planning", "players", "deadlines")
"""Of grammars/commands, in the order in which a page of the manual lists its commands."""


@lru_cache(maxsize=1)
def table() -> CommandList:
    pages: list[HelpPage] = []
    commands: list[Command] = []
    for name in FILES:
        file = resources.folder("grammars") / "commands" / f"{name}.toml"
        said = tomllib.loads(file.read_text(encoding="utf-8"))
        pages += [HelpPage(name, row.get("when", "")) for name, row in said.get("page", {}).items()]
        commands += [_command(name, row) for name, row in said.get("command", {}).items()]
    return CommandList(tuple(pages), tuple(commands))


def _command(name: str, row: Mapping[str, Any]) -> Command:
    """KeyError for a row that lacks what every row has; a key that no row has is an error of the table as well."""
    unknown = set(row) - {"form", "also", "who", "page", "part", "request", "brief", "when"}
    if unknown:
        raise KeyError(f"command.{name}: {sorted(unknown)}")
    return Command(
        name=name,
        form=row["form"].strip("\n"),
        also=tuple(row.get("also", ())),
        who=tuple(row["who"]),
        page=row["page"],
        part=row.get("part"),
        request=row.get("request", ""),
        brief=row.get("brief", False),
        when=row.get("when", ""),
    )
