"""HELP's lists, made from the table of all commands: the short one, a page's own, every command, and one command alone.

Pages of the manual (templates/help) ask for their lists by name; examples are the reader's own (`inserts.help_fields`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TypeVar

from gm.game.model.recipient import Recipient
from gm.language.commands.table import ROLES, Command, HelpPage, table
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import tongue
from gm.language.rendering.views import Block, ParagraphView, RowsView, RowView, SectionView

SHORTEST_WORD = 3
EVERYTHING = "commands"
"""The page that lists all commands."""
HEADED = 5
"""So much more a word counts in a heading."""
Fields = Mapping[str, object]
Listed = TypeVar("Listed", Command, HelpPage)


def help_fields(reader: Recipient, found: Fields) -> dict[str, object]:
    """What pages list with: `brief` and `pages` for the index, `listed(page, part)`, and `groups` for every command."""
    mine = [one for one in _here(table().commands, found) if one.obeyed and _role(reader) in one.who]
    groups = [(page.name, [one for one in mine if one.page == page.name]) for page in _here(table().pages, found)]
    return {
        "brief": _typed(_row(reader, found, one) for one in mine if one.brief),
        "pages": _typed(_page(reader, one) for one in _here(table().pages, found) if _meant(reader, one)),
        "listed": partial(_listed, reader, found),
        "groups": [
            {"title": reader.say("help.group", page=name.upper(), meaning=reader.say(f"page.{name}")), "lines": lines}
            for name, commands in groups
            if (lines := _typed(_row(reader, found, command) for command in commands))
        ],
    }


def entry(reader: Recipient, found: Fields, said: str) -> tuple[SectionView, ...]:
    """HELP and a command: what it means, how else it is written, whose letters are obeyed; () where there is none."""
    about = tuple(_here(table().about(tongue(reader.catalogue.language).english(clean(said).text)), found))
    if not about:
        return ()
    rows = [row for one in about for row in _whole(reader, found, one)]
    blocks: list[Block] = [RowsView(tuple(rows))]
    forms = (form for one in about for form in one.forms)
    shown = {row.code for row in rows}
    also = [said for form in forms if (said := _first(form, found)) not in shown]
    if also:
        blocks.append(ParagraphView(reader.say("help.also", forms="; ".join(dict.fromkeys(also)))))
    who = [reader.say(f"help.who.{role}") for role in ROLES if any(role in one.who for one in about)]
    pages = [asked(reader, page) for page in dict.fromkeys(one.page for one in about)]
    blocks.append(ParagraphView(reader.say("help.more", who=reader.every(who), pages=reader.every(pages))))
    return (SectionView(reader.say("help.command", word=said.upper()), tuple(blocks)),)


def written(reader: Recipient, found: Fields, name: str) -> str:
    """The whole form of a command, as the manual writes it; "" where this game has none such."""
    here = (one for one in _here(table().commands, found) if one.name == name)
    return next(("\n".join(row.code for row in _whole(reader, found, one)) for one in here), "")


def beginning(reader: Recipient, found: Fields, word: str) -> Iterator[str]:
    """First lines of what the reader may write that begins with this word."""
    said = tongue(reader.catalogue.language).english(clean(word).text)
    for one in _here(table().about(said), found):
        if one.obeyed and _role(reader) in one.who:
            forms = (_form(reader, one), *one.forms)
            yield next(
                _first(form, found) for form in forms if form.casefold().startswith((word.casefold(), said.casefold()))
            )


def pages(reader: Recipient, found: Fields) -> tuple[str, ...]:
    """The pages of the manual that this game has for its reader."""
    return tuple(page.name for page in _here(table().pages, found) if _meant(reader, page))


def speaks_of(reader: Recipient, found: Fields, topic: str) -> str:
    """The page that says most about what is no page and no command ("convoys"); "" where none says anything.

    Of pages on what the reader may do; a word in a heading counts for more.
    """
    stems = [word.rstrip("s") for word in topic.casefold().split() if len(word) >= SHORTEST_WORD]
    best, most = "", 0
    for page in pages(reader, found):
        writers = {who for command in table().commands if command.page == page for who in command.who}
        if not stems or page == EVERYTHING or _role(reader) not in writers:
            continue
        text = (reader.services.letters.help(page, reader.catalogue.language, **found) or "").casefold()
        headings = "\n".join(line for line in text.split("\n") if line.startswith("#"))
        told = min(text.count(stem) + HEADED * headings.count(stem) for stem in stems)
        if told > most:
            best, most = page, told
    return best


def _role(reader: Recipient) -> str:
    return "observer" if reader.observes else "gm" if reader.power is None else "player"


def _meant(reader: Recipient, page: HelpPage) -> bool:
    """Pages about orders are nothing for who looks on."""
    own = (
        command
        for command in table().commands
        if command.page == page.name and command.obeyed and "observer" in command.who
    )
    return not reader.observes or page.name == EVERYTHING or any(own)


def _here(rows: Iterable[Listed], found: Fields) -> list[Listed]:
    return [row for row in rows if not row.when or found.get(row.when)]


def _listed(reader: Recipient, found: Fields, page: str, part: str = "") -> str:
    mine = (one for one in _here(table().commands, found) if (one.page, one.part) == (page, part))
    return _typed(_row(reader, found, one) for one in mine)


def _row(reader: Recipient, found: Fields, one: Command) -> RowView:
    return RowView(_first(_form(reader, one), found), reader.say(f"command.{one.name}"))


def _form(reader: Recipient, one: Command) -> str:
    """How it is written, in the reader's words where there are any."""
    return tongue(reader.catalogue.language).forms.get(one.name, one.form)


def _page(reader: Recipient, page: HelpPage) -> RowView:
    return RowView(asked(reader, page.name), reader.say(f"page.{page.name}"))


def asked(reader: Recipient, page: str) -> str:
    """The line that asks for a page."""
    return tongue(reader.catalogue.language).pages.get(page, f"HELP {page.upper()}")


def _whole(reader: Recipient, found: Fields, one: Command) -> Iterable[RowView]:
    """A block with all its lines."""
    form = _form(reader, one)
    _, *below = (form if "\n" in form else one.form).format_map(found).split("\n")
    own = _row(reader, found, one).code
    return (RowView(own, reader.say(f"command.{one.name}")), *(RowView(line) for line in below))


def _first(form: str, found: Fields) -> str:
    return form.format_map(found).split("\n")[0]


def _typed(rows: Iterable[RowView]) -> str:
    """As the manual's pages write what is typed (`gm.language.rendering.help_pages`)."""
    return "\n".join(f"  {row.code}  {row.remark}" for row in rows)
