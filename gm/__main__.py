"""The command line `gm`. Errors that a user can correct are one line on stderr, exit code 1 (2: wrong usage)."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from gm import __version__
from gm.errors import ConfigError, GmError
from gm.server.operator_commands import COMMANDS

if TYPE_CHECKING:
    from gm.config import Config
    from gm.server.wiring import Application

DATA_ERROR, TEMPORARY_FAILURE = 65, 75
GARBAGE_LEAST = 100_000
"""Objects before garbage is looked for. Imports leave none, and looking for it takes a tenth of the start-up."""


class OneLineErrors(click.Group):
    """Prints known errors as one line instead of a traceback."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        """`gm deliver` ends with 0, 75, or 65 for what is no letter: mail servers bounce letters for anything else."""
        words = sys.argv[1:] if args is None else list(args)
        try:
            return super().main(words, *rest, **options)
        except SystemExit as ended:
            if "deliver" in words and ended.code not in (None, 0, DATA_ERROR):
                raise SystemExit(TEMPORARY_FAILURE) from None
            raise

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except GmError as error:
            click.echo(f"gm: {error}", err=True)
            sys.exit(1)
        except BrokenPipeError:  # the reader has closed the pipe
            sys.stderr.close()
            sys.exit(0)


@click.group(cls=OneLineErrors, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gm")
@click.option(
    "-c",
    "--config",
    type=click.Path(path_type=Path, readable=False),
    envvar="GM_CONFIG",
    help="gm.toml to read; else ./gm.toml or /etc/gm/gm.toml.",
)
@click.pass_context
def main(ctx: click.Context, config: Path | None) -> None:
    """A game master that runs Diplomacy and its variants by email."""
    gc.set_threshold(GARBAGE_LEAST)
    ctx.obj = config


def set_up_logs(settings: Config, *, quiet: bool = False) -> None:
    from gm.server.monitoring.logs import configure_logs

    configure_logs(settings.log, settings.address, quiet=quiet)


def open_application(settings: Config, *, quiet: bool = False) -> Application:
    """Assembles the application, sets up its logs and upgrades its database. `quiet`: it logs warnings alone."""
    from gm.server.wiring import assemble

    set_up_logs(settings, quiet=quiet)
    app = assemble(settings)
    app.database.upgrade()
    return app


@main.command()
@click.option("--address", default="", help="The mailbox that players write to, e.g. gm@example.org")
@click.option("--master", default="", help="The first game master's address: yours.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path(), help="Folder for gm.toml and the database.")
@click.option("--zone", default="", help="Time zone of players and games, e.g. Europe/Berlin.  [default: UTC]")
@click.option("--force", is_flag=True, help="Overwrite an existing gm.toml.")
def init(address: str, master: str, folder: Path, zone: str, force: bool) -> None:
    """Write gm.toml, create the database, and name the first game master.

    On a terminal it asks for mailbox and relay too, and tries each answer. With --address and --master it asks nothing.
    """
    from gm.server.operators.init import basic_answers, initialise, refuse_existing

    refuse_existing(folder, force=force)
    if sys.stdin is not None and sys.stdin.isatty() and not (address and master):
        from gm.server.operators.setup_questions import ask_settings

        answers = ask_settings(address, master, zone)
    else:
        address, master = _given_or_piped(address, master)
        answers = basic_answers(address, master, zone or "UTC")
    for line in initialise(folder, answers, force=force):
        click.echo(line)


def _given_or_piped(address: str, master: str) -> tuple[str, str]:
    """Without a terminal each may come from a pipe, a line each. Raises ConfigError where neither says it."""
    try:
        return (
            address or click.prompt("The address that players will write to"),
            master or click.prompt("Your own address (you may create games)"),
        )
    except click.Abort:
        click.echo(err=True)
        raise ConfigError("there is no terminal to ask at: give --address gm@… and --master you@…") from None


@main.command()
@click.pass_obj
def serve(config: Path | None) -> None:
    """Run the server until stopped: read letters, watch deadlines, send letters."""
    from gm.config import find_config

    settings = find_config(config)
    from gm.server.service import serve as run_server  # its imports take a second, and settings may be wrong

    run_server(open_application(settings))


@main.command()
@click.pass_obj
def tick(config: Path | None) -> None:
    """Run one round, for cron: fetch letters, read them, resolve what is due, send letters."""
    from gm.config import find_config
    from gm.server.short_lived import first_look

    settings = find_config(config)
    if settings.imap is not None:
        set_up_logs(settings, quiet=True)  # cron sends a letter for each line
    look = first_look(settings)
    if not look.idle:
        from gm.server.tick import tick as run_tick

        run_tick(open_application(settings, quiet=True), look)


class RecipientsCommand(click.Command):
    """Takes an address that begins with "-" for an address."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = next((number for number, word in enumerate(args) if "@" in word or word == "--"), len(args))
        return super().parse_args(ctx, [*args[:at], "--", *(word for word in args[at:] if word != "--")])


@main.command(cls=RecipientsCommand)
@click.argument("recipients", nargs=-1)
@click.pass_obj
def deliver(config: Path | None, recipients: tuple[str, ...]) -> None:
    """Take one letter on standard input, from a mail server's pipe. Exit code 75: try again later."""
    from gm.config import find_config
    from gm.mail.incoming.pipe import deliver as deliver_letter
    from gm.server.short_lived import accept_beside_server

    try:
        settings = find_config(config, logins=False)
        accept, most = accept_beside_server(settings), settings.max_letter_bytes
        code = deliver_letter(_standard_input().read(), os.environ, recipients, accept, most)
    except GmError as error:
        click.echo(f"gm: {error}", err=True)
        code = TEMPORARY_FAILURE
    except Exception as error:  # whatever it is, the mail server must keep the letter
        click.echo(f"gm: {type(error).__name__}: {error}", err=True)
        code = TEMPORARY_FAILURE
    sys.exit(code)


@main.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, allow_dash=True))
def adjudicate(files: tuple[Path, ...]) -> None:
    """Adjudicate positions: JSON lines in (files or standard input), JSON lines out, in order."""
    from gm.cli.adjudicate import Adjudicator
    from gm.cli.parallel import run_parallel
    from gm.variant_files.library import builtin_library

    work = Adjudicator(builtin_library()).answers
    gc.freeze()
    for answers in run_parallel(work, _read_batches(files)):
        _write(answers)


@main.command()
@click.option("--variant", required=True, help="Id of the variant, e.g. standard.")
@click.option("--power", required=True, help="Whose letters they are; GM for the game master.")
@click.option("--phase", default="", help="The phase they are for, e.g. S1901M (default: the first).")
@click.option("--position", type=click.Path(path_type=Path), help="A position as JSON, as `gm adjudicate` takes it.")
@click.option("--language", default="en", help="Language of the letters besides English, e.g. de.")
@click.argument("letters", nargs=-1, type=click.Path(path_type=Path))
def read(variant: str, power: str, phase: str, position: Path | None, language: str, letters: tuple[Path, ...]) -> None:
    """Print how letters would be understood (RFC 5322 files, or one on standard input): one JSON line each."""
    from gm.cli.read import MessageReader
    from gm.variant_files.library import builtin_library

    reader = MessageReader(builtin_library(), variant, power, phase, _read_text(position) if position else "", language)
    if not letters:
        _write_line(json.dumps(reader.read(_standard_input().read()), ensure_ascii=False))
    for path in letters:
        try:
            raw = path.read_bytes()
        except OSError as error:
            _write_line(json.dumps({"file": str(path), "error": error.strerror}, ensure_ascii=False))
            continue
        _write_line(json.dumps({"file": str(path)} | reader.read(raw), ensure_ascii=False))


@main.command(name="map")
@click.option("--game", default="", help="A game of the database, by name.")
@click.option("--phase", default="", help="A phase with its orders, e.g. S1901M (default: the present position).")
@click.option("--line", "number", default=1, show_default=True, help="Which line of the file.")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("map.png"), show_default=True)
@click.option(
    "--width", type=click.IntRange(100, 4000), default=1400, show_default=True, help="Width of a PNG in pixels."
)
@click.option("--colourblind", is_flag=True, help="Colours that everybody can tell apart, and initials of powers.")
@click.argument("file", required=False, type=click.Path(path_type=Path, allow_dash=True))
@click.pass_obj
def draw_map(
    config: Path | None, game: str, phase: str, number: int, output: Path, width: int, colourblind: bool,
    file: Path | None,
) -> None:  # fmt: skip
    """Draw a position: a line that `gm adjudicate` reads or prints (a file, - for standard input), or a --game.

    The suffix of the output chooses the format: map.png or map.svg.
    """
    from gm.cli.map import MapDrawer, save_picture
    from gm.config import find_config
    from gm.server.wiring import open_beside_server
    from gm.variant_files.library import builtin_library

    if bool(game) == bool(file):
        raise click.UsageError("give either a file or --game")
    if game:
        app = open_beside_server(find_config(config, logins=False))
        svg = MapDrawer(app.library, colourblind=colourblind).game(app.database.transaction, game, phase)
    else:
        svg = MapDrawer(builtin_library(), colourblind=colourblind).line(_read_line(file or Path("-"), number))
    save_picture(svg, output, width)
    click.echo(str(output))


@main.command()
@click.argument("names", nargs=-1)
def check(names: tuple[str, ...]) -> None:
    """Check variants by id or folder (default: all built-in ones): files, map, counts."""
    from gm.cli.check import check_variant
    from gm.variant_files.library import builtin_library

    library = builtin_library()
    faults = 0
    for name in names or library.ids():
        try:
            for line in check_variant(library, name):
                click.echo(line)
        except GmError as error:
            faults += 1
            click.echo(f"gm: {error}", err=True)
    sys.exit(1 if faults else 0)


@main.command()
@click.argument("variant")
@click.option("--check", "check_only", is_flag=True, help="Only compare the existing geometry.json with the map.")
@click.option("--preview", type=click.Path(path_type=Path), help="Write a PNG of everything on the board.")
@click.option("--atlas", default="", envvar="GM_ATLAS", help="world-atlas-2.0.2.tgz: a file or URL.")
def survey(variant: str, check_only: bool, preview: Path | None, atlas: str) -> None:
    """For map makers: draw a variant's board (id, or folder with sites.yaml) into geometry.json, and check it."""
    from gm.maps.making.survey import survey as run_survey

    sys.exit(1 if run_survey(variant, atlas, preview, check_only, click.echo) else 0)


@main.command()
@click.pass_obj
def migrate(config: Path | None) -> None:
    """Upgrade the database to this version. `serve` and `tick` do it themselves."""
    from gm.config import find_config
    from gm.server.wiring import assemble

    assemble(find_config(config, logins=False)).database.upgrade()
    click.echo("The database is up to date.")


@main.command()
@click.option("--folder", type=click.Path(path_type=Path), default=Path("demo-mail"), show_default=True)
@click.option("-v", "--verbose", count=True, help="Print the beginning of each letter; -vv: whole letters.")
def demo(folder: Path, verbose: int) -> None:
    """Play a year of a game by letters on this machine, and write a page of all letters."""
    from gm.demo.run import play_demo
    from gm.server.monitoring.logs import configure_logs

    configure_logs("text", quiet=True)
    play_demo(folder, detail=verbose)


@main.command()
@click.pass_context
def man(context: click.Context) -> None:
    """Print this command's manual page: gm man > /usr/local/share/man/man1/gm.1"""
    from gm.cli.manual import manual_page

    click.echo(manual_page(context.find_root()), nl=False)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise GmError("standard input is closed: name a file or write to it")
    return sys.stdin.buffer


def _write_line(line: str) -> None:
    _write(line.encode("utf-8") + b"\n")


def _write(answers: bytes) -> None:
    """Writes and flushes: a program that writes one line and waits must get its answer."""
    if sys.stdout is None:
        raise GmError("standard output is closed: answers cannot be written")
    out = sys.stdout.buffer
    try:
        out.write(answers)
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())  # else Python would try to flush the rest at exit
        raise GmError(f"standard output: {error.strerror}") from None


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise GmError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise GmError(f"{path}: is not UTF-8 text") from None


def _read_line(file: Path, number: int) -> str:
    """Returns a line of a file that is not blank, counted from 1."""
    lines = [line for batch in _read_batches((file,)) for line in batch if line.strip()]
    if not 1 <= number <= len(lines):
        raise GmError(f"{file}: has {len(lines)} lines, none numbered {number}")
    try:
        return lines[number - 1].decode("utf-8-sig")
    except UnicodeDecodeError:
        raise GmError(f"{file}: is not UTF-8 text") from None


def _read_batches(files: tuple[Path, ...]) -> Iterator[list[bytes]]:
    """Yields lines as bytes: a line that is not UTF-8 is an error of that line only."""
    from gm.cli.parallel import read_batches

    for path in files or (Path("-"),):
        if str(path) == "-":
            yield from _read_standard_input()
            continue
        try:
            with path.open("rb", buffering=0) as file:
                yield from read_batches(file.fileno())
        except OSError as error:
            raise GmError(f"{path}: {error.strerror}") from None


def _read_standard_input() -> Iterator[list[bytes]]:
    """Yields lines of standard input, even if it is no file descriptor."""
    from gm.cli.parallel import read_batches

    stream = _standard_input()
    try:
        handle = stream.fileno()
    except OSError:
        yield stream.read().split(b"\n")
    else:
        yield from read_batches(handle)


for _command in COMMANDS:
    main.add_command(_command)

if __name__ == "__main__":
    main()
