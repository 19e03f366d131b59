"""HELP: lists of commands from the command table, and the help on a single command.

Help pages (templates/help) include these lists by page name. Examples use the reader's own units (`help_fields`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TypeVar

from gm.game.model.recipient import Recipient
from gm.language.commands.in_words import own_absence, own_values
from gm.language.commands.table import ROLES, Command, HelpPage, table
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.rendering.views import Block, ParagraphView, RowsView, RowView, SectionView

SHORTEST_WORD = 3
ALL_COMMANDS_PAGE = "commands"
"""Name of the help page that lists all commands."""
HEADING_WEIGHT = 5
"""Extra weight of a word that occurs in a heading."""
Fields = Mapping[str, object]
Listed = TypeVar("Listed", Command, HelpPage)


def command_fields(reader: Recipient, fields: Fields) -> dict[str, object]:
    """Template values: `brief` and `pages` for the index, `listed(page, part)`, `groups` of all commands."""
    mine = [
        command for command in _available(table().commands, fields) if command.obeyed and _role(reader) in command.who
    ]
    pages = [page.name for page in _available(table().pages, fields)]
    groups = [(page, [command for command in mine if command.page == page]) for page in pages]
    return {
        "brief": _format_rows(_row(reader, fields, command) for command in mine if command.brief),
        "pages": _format_rows(
            _page_row(reader, command) for command in _available(table().pages, fields) if _is_page_for(reader, command)
        ),
        "listed": partial(_list_commands, reader, fields),
        "groups": [
            {"title": reader.say("help.group", page=name.upper(), meaning=reader.say(f"page.{name}")), "lines": lines}
            for name, commands in groups
            if (lines := _format_rows(_row(reader, fields, command) for command in commands))
        ],
    }


def command_sections(reader: Recipient, fields: Fields, form_line: str) -> tuple[SectionView, ...]:
    """HELP with a command: its meaning, other forms and who may use it; () for an unknown command."""
    about = tuple(
        _available(table().about(vocabulary_of(reader.catalogue.language).english(clean(form_line).text)), fields)
    )
    if not about:
        return ()
    rows = [row for command in about for row in _form_rows(reader, fields, command)]
    blocks: list[Block] = [RowsView(tuple(rows))]
    forms = (form for command in about for form in command.forms)
    shown = {row.code for row in rows}
    first_lines = (_first_line(form, fields) for form in forms)
    also = [first_line for first_line in first_lines if first_line not in shown]
    if also:
        blocks.append(ParagraphView(reader.say("help.also", forms="; ".join(dict.fromkeys(also)))))
    who = [reader.say(f"help.who.{role}") for role in ROLES if any(role in command.who for command in about)]
    pages = [help_line(reader, page) for page in dict.fromkeys(command.page for command in about)]
    blocks.append(ParagraphView(reader.say("help.more", who=reader.every(who), pages=reader.every(pages))))
    return (SectionView(reader.say("help.command", word=form_line.upper()), tuple(blocks)),)


def command_form(reader: Recipient, fields: Fields, name: str, words: str, *, named: bool) -> tuple[str, bool]:
    """All lines of a command, with the values of `words` where these hold some; "" if this game has no such command.

    Besides, whether values in it are only examples. `named`: the power in it is the writer's choice.
    """
    here = (command for command in _available(table().commands, fields) if command.name == name)
    command = next(here, None)
    if command is None:
        return "", False
    raw = _form(reader, command)
    if reader.power is None and "{third}" in raw:
        fields, named = {**fields, "other": fields["third"]}, False
    form = "\n".join(row.code for row in _form_rows(reader, fields, command))
    variant = localized(reader.variant, reader.catalogue.language)
    calendar = own_absence.Calendar(reader.now, reader.zone, reader.catalogue)
    own = own_values.with_own_values(command, form, words, variant, calendar)
    needs_power = "{other}" in raw and not named
    if needs_power and "\n" in raw:  # words for one person, copied below the name of a power that nobody named
        own = ""
    if reader.power is None:
        form = own_values.without_person(form, reader.say("help.any-address"))
    return own or form, needs_power or not (own or not own_values.needs_values(raw, named=named))


def forms_beginning_with(reader: Recipient, fields: Fields, word: str) -> Iterator[str]:
    """First lines of the commands open to the reader that begin with `word`."""
    english = vocabulary_of(reader.catalogue.language).english(clean(word).text)
    starts = word.casefold(), english.casefold()
    for command in _available(table().about(english), fields):
        if command.obeyed and _role(reader) in command.who:
            forms = (_form(reader, command), *command.forms)
            yield next(_first_line(form, fields) for form in forms if form.casefold().startswith(starts))


def page_names(reader: Recipient, fields: Fields) -> tuple[str, ...]:
    """Names of the help pages that apply to this game and reader."""
    return tuple(page.name for page in _available(table().pages, fields) if _is_page_for(reader, page))


def page_called(fields: Fields, topic: str) -> str:
    """The page of this game that a topic names, perhaps by one of its other words ("DP"), else the topic itself."""
    called = (page.name for page in _available(table().pages, fields) if topic in (page.name, *page.also))
    return next(called, topic)


def find_page_about(reader: Recipient, fields: Fields, topic: str) -> str:
    """The page that mentions `topic` ("convoys") most often; "" if none does.

    Searches only pages with commands open to the reader. A word in a heading counts for more.
    """
    stems = [word.rstrip("s") for word in topic.casefold().split() if len(word) >= SHORTEST_WORD]
    best, most = "", 0
    for page in page_names(reader, fields):
        writers = {who for command in table().commands if command.page == page for who in command.who}
        if not stems or page == ALL_COMMANDS_PAGE or _role(reader) not in writers:
            continue
        text = (reader.services.letters.help(page, reader.catalogue.language, **fields) or "").casefold()
        headings = "\n".join(line for line in text.split("\n") if line.startswith("#"))
        count = min(text.count(stem) + HEADING_WEIGHT * headings.count(stem) for stem in stems)
        if count > most:
            best, most = page, count
    return best


def _role(reader: Recipient) -> str:
    return "observer" if reader.observes else "gm" if reader.power is None else "player"


def _is_page_for(reader: Recipient, page: HelpPage) -> bool:
    """Observers only get pages with commands that they may use."""
    own = (
        command
        for command in table().commands
        if command.page == page.name and command.obeyed and "observer" in command.who
    )
    return not reader.observes or page.name == ALL_COMMANDS_PAGE or any(own)


def _available(rows: Iterable[Listed], fields: Fields) -> list[Listed]:
    return [row for row in rows if not row.when or fields.get(row.when)]


def _list_commands(reader: Recipient, fields: Fields, page: str, part: str = "") -> str:
    """Each line once: of commands that look alike, the reader's own."""
    every = _available(table().commands, fields)
    listed = [command for command in every if (command.page, command.part) == (page, part)]
    rows: dict[str, RowView] = {}
    for command in sorted(listed, key=lambda command: _role(reader) not in command.who):
        row = _row(reader, fields, command)
        rows.setdefault(row.code, row)
    ordered = dict.fromkeys(_row(reader, fields, command).code for command in listed)
    return _format_rows(rows[code] for code in ordered)


def _row(reader: Recipient, fields: Fields, command: Command) -> RowView:
    return RowView(_first_line(_form(reader, command), fields), reader.say(f"command.{command.name}"))


def _form(reader: Recipient, command: Command) -> str:
    """The form of a command in the reader's language, else in English."""
    return vocabulary_of(reader.catalogue.language).forms.get(command.name, command.form)


def _page_row(reader: Recipient, page: HelpPage) -> RowView:
    return RowView(help_line(reader, page.name), reader.say(f"page.{page.name}"))


def help_line(reader: Recipient, page: str) -> str:
    """The command line that asks for a help page ("HELP PRESS")."""
    return vocabulary_of(reader.catalogue.language).pages.get(page, f"HELP {page.upper()}")


def _form_rows(reader: Recipient, fields: Fields, command: Command) -> Iterable[RowView]:
    form = _form(reader, command)
    _, *below = (form if "\n" in form else command.form).format_map(fields).split("\n")
    own = _row(reader, fields, command).code
    return (RowView(own, reader.say(f"command.{command.name}")), *(RowView(line) for line in below))


def _first_line(form: str, fields: Fields) -> str:
    return form.format_map(fields).split("\n")[0]


def _format_rows(rows: Iterable[RowView]) -> str:
    """Write rows in the syntax of `gm.language.rendering.help_pages`."""
    return "\n".join(f"  {row.code}  {row.remark}" for row in rows)
