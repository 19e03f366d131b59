"""The table of all commands (grammars/commands/*.toml): who may write what, how it is read, its limits, its HELP.

The top of lookups.toml explains the fields of a row. What a command means is the sentence `command.<name>`, and what a
page is about the sentence `page.<name>`, in each language.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec
from msgspec import Struct

from gm import resources
from gm.language.commands.requests import LookupRequest
from gm.language.lines.letter_contents import Request

ROLES = ("player", "observer", "gm", "stranger")
SEAT_SCOPE = "seat"
SCOPES = (SEAT_SCOPE, "person", "server")
"""What a request changes: one seat in its game, its writer in all games, or what is nobody's alone."""
OTHER_GAME = "other game"
FILES = ("lookups", "observers", "gm", "gm_turns", "planning", "players", "deadlines")
"""The files of grammars/commands, in the order in which a help page lists their commands."""
LEADING_CAPITALS = re.compile(r"(?:[A-Z]+\b[ ]?)+")


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the table."""

    form: str
    who: tuple[str, ...]
    page: str
    scope: str
    name: str = ""
    meant_by: str = ""
    also: tuple[str, ...] = ()
    part: str | None = None
    request: str = ""
    brief: bool = False
    when: str = ""
    rules: tuple[str, ...] = ()
    keyword: str = ""
    words: str = ""
    priority: int = 5
    talk_after: int | None = None
    exclaimed: bool = False
    names_power: bool = False
    shows: str = ""
    word: str = ""
    remark: str = ""
    block: bool = False
    any_length: bool = False
    reason: bool = False
    of_phase: bool = False
    final: bool = False
    most: int = 100
    in_block: bool = False
    ends_block: bool = False
    below_create: bool = False
    beside_orders: bool = False
    in_check: bool = False
    talk: str = ""
    for_good: bool = False
    private: bool = False
    personal: bool = False

    @property
    def forms(self) -> tuple[str, ...]:
        return (self.form, *self.also)

    @property
    def obeyed(self) -> bool:
        """False for a line that is only answered; no list of HELP has it."""
        return bool(self.request) or self.part is not None

    def is_meant(self, request: Request, *, other_game: bool) -> bool:
        """Whether the row is about this request, of those with its class."""
        named = other_game if self.meant_by == OTHER_GAME else getattr(request, self.meant_by, True)
        return not self.meant_by or bool(named)

    def begins_with(self, words: str) -> bool:
        """Whether one of its forms begins with these words, ignoring case."""
        return any(f"{_words(form)} ".startswith(f"{words} ") for form in self.forms)


class HelpPage(Struct, frozen=True):
    """`when`: the template value without which it is not listed. `also`: other words that ask for it."""

    name: str
    when: str = ""
    also: tuple[str, ...] = ()


class Limits(Struct, frozen=True):
    """`of_phase`: changes the orders of the open phase. `final`: cannot be undone. `most`: how often in one letter."""

    of_phase: bool
    final: bool
    most: int


class CommandList(Struct, frozen=True):
    pages: tuple[HelpPage, ...]
    commands: tuple[Command, ...]

    def about(self, text: str) -> tuple[Command, ...]:
        """The commands that begin with these words, ignoring case."""
        wanted = _words(text)
        return tuple(command for command in self.commands if wanted and command.begins_with(wanted))


def _words(text: str) -> str:
    return " ".join(text.casefold().replace(":", " ").split())


@lru_cache(maxsize=1)
def table() -> CommandList:
    """Raises `msgspec.ValidationError` for a row that lacks a field or has an unknown one."""
    pages: list[HelpPage] = []
    commands: list[Command] = []
    for name in FILES:
        file = resources.folder("grammars") / "commands" / f"{name}.toml"
        content = resources.read_table(file)
        pages += [msgspec.convert({"name": page, **row}, HelpPage) for page, row in content.get("page", {}).items()]
        for command, row in content.get("command", {}).items():
            commands.append(msgspec.convert({"name": command, **_with_defaults(command, row)}, Command))
    return CommandList(tuple(pages), tuple(commands))


def _with_defaults(name: str, row: dict[str, object]) -> dict[str, object]:
    request = row.get("request") or (LookupRequest.__name__ if "shows" in row else "")
    rules = row.get("rules") or (name.replace("-", "_"),)
    return {**row, "form": str(row["form"]).strip("\n"), "request": request, "rules": rules}


@lru_cache(maxsize=1)
def _rows_by_rule() -> dict[str, Command]:
    return {rule: row for row in table().commands for rule in row.rules}


def row_of(rule: str) -> Command:
    """The row of a rule of the grammar of commands (`CommandLine.kind`)."""
    return _rows_by_rule()[rule]


def rows_of(request: Request) -> tuple[Command, ...]:
    return _rows_of(type(request).__name__, request.shows if isinstance(request, LookupRequest) else "")


@lru_cache(maxsize=256)
def _rows_of(name: str, shows: str) -> tuple[Command, ...]:
    return tuple(row for row in table().commands if (row.request, row.shows) == (name, shows))


def limits_of(request: Request, role: str) -> Limits | None:
    """None where people of that role may not ask for it."""
    rows = [row for row in rows_of(request) if role in row.who]
    if not rows:
        return None
    return Limits(any(row.of_phase for row in rows), any(row.final for row in rows), min(row.most for row in rows))


def scope_of(request: Request, role: str, *, other_game: bool = False) -> str:
    """The widest scope of the rows that a request of such a role is about.

    `other_game`: the letter names a game that its seat is not in.
    """
    rows = [row for row in rows_of(request) if role in row.who and row.is_meant(request, other_game=other_game)]
    return max((row.scope for row in rows), key=SCOPES.index, default=SEAT_SCOPE)


def may_name_game(request: Request) -> bool:
    return any(row.meant_by == OTHER_GAME for row in rows_of(request))


def keyword_of(request: Request) -> str:
    """The word by which people know a request: "TZ", "CLOSE POLL"."""
    first, *_ = rows_of(request)
    capitals = LEADING_CAPITALS.match(first.form)
    return first.word or (capitals[0].strip() if capitals else first.form)
