"""`gm man`: the manual page of the command `gm`, made from its commands and options."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from gm import __version__

FILES = (
    ("gm.toml", "The settings: in the working folder, else in /etc/gm. gm init writes one with a remark on each."),
    ("gm.sqlite, secret", "The database, and beside it the key of all reply addresses. Keep both private."),
)
ENVIRONMENT = (
    ("GM_CONFIG", "The gm.toml to read, as --config."),
    ("GM_<KEY>, GM_<SECTION>__<KEY>", "Any setting, before gm.toml: GM_RELAY__PASSWORD, GM_IMAP__HOST."),
)
STATUS = (
    ("0", "Done."),
    ("1", "Not done; one line on standard error says why. gm check and gm doctor: something is wrong."),
    ("2", "Wrong usage."),
    ("75", "gm deliver: try again later."),
)


def manual_page(root: click.Context) -> str:
    """Returns the page in the macros of man(7)."""
    summary = _paragraphs(root.command)[0].rstrip(".")
    return "\n".join([
        f'.TH GM 1 "" "gm {__version__}" "gm"',
        ".SH NAME",
        f"gm, gm\\-by\\-mail \\- {_escape(summary[0].lower() + summary[1:])}",
        ".SH SYNOPSIS",
        ".B gm",
        _escape(" ".join(root.command.collect_usage_pieces(root))),
        ".SH OPTIONS",
        *_options(root),
        ".SH COMMANDS",
        *_commands(root),
        *_list("FILES", FILES),
        *_list("ENVIRONMENT", ENVIRONMENT),
        *_list("EXIT STATUS", STATUS),
    ]) + "\n"  # fmt: skip


def _commands(parent: click.Context) -> Iterator[str]:
    assert isinstance(parent.command, click.Group)
    for name in parent.command.list_commands(parent):
        command = parent.command.get_command(parent, name)
        assert command is not None
        if command.hidden:
            continue
        with click.Context(command, info_name=name, parent=parent) as context:
            usage = f"{context.command_path} {' '.join(command.collect_usage_pieces(context))}"
            yield f".SS {_escape(usage)}"
            for number, paragraph in enumerate(_paragraphs(command)):
                yield from (".PP",) if number else ()
                yield _escape(paragraph)
            yield from _options(context)
            if isinstance(command, click.Group):
                yield from _commands(context)


def _options(context: click.Context) -> Iterator[str]:
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if record and "--help" not in parameter.opts:
            yield from _item(*record)


def _list(title: str, entries: tuple[tuple[str, str], ...]) -> Iterator[str]:
    yield f".SH {title}"
    for entry in entries:
        yield from _item(*entry)


def _item(term: str, text: str) -> Iterator[str]:
    yield from (".TP", f".B {_escape(term)}", _escape(text))


def _paragraphs(command: click.Command) -> list[str]:
    return [" ".join(text.split()) for text in re.split(r"\n\s*\n", (command.help or "").strip())]


def _escape(text: str) -> str:
    """Escapes text for roff; no line begins with a control character."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in (".", "'") else text
