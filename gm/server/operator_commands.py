"""The operator's commands: `gm doctor`, `backup`, `restore`, `shunted`, `erase` and `publish`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gm import __version__
from gm.errors import GmError

if TYPE_CHECKING:
    from gm.config import Config
    from gm.server.wiring import Application
    from gm.store.maintenance import StoreMaintenance


def _address(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Bytes that are no text are in no letter's address, and no database takes them."""
    if not value.isprintable():
        raise click.BadParameter("an address has no such characters")
    return value


LETTER = click.IntRange(1, 2**63 - 1)
"""The number of a letter, as databases count."""


def _open_beside_server(config: Path | None) -> Application:
    """Opens the database while a server may be running."""
    from gm.server.wiring import open_beside_server

    return open_beside_server(_settings(config))


@contextmanager
def _maintenance(config: Path | None) -> Iterator[StoreMaintenance]:
    """The whole store, while a server may be running."""
    from gm.store.maintenance import StoreMaintenance

    app = _open_beside_server(config)
    with closing(app.database):
        yield StoreMaintenance(app.database)


def _settings(config: Path | None, *, logins: bool = False) -> Config:
    from gm.config import find_config

    return find_config(config, logins=logins)


@click.command()
@click.option(
    "--wait", type=click.FloatRange(0, 3600), default=60, show_default=True,
    help="Seconds to wait for letters that it sends to itself; 0: send none.",
)  # fmt: skip
@click.pass_obj
def doctor(config: Path | None, wait: float) -> None:
    """Check settings, database, clock, DNS, mailbox, relay, disk, queues and jobs, and say what is wrong.

    It sends two letters to itself, looks whether they arrive and are signed, and removes them from the mailbox.
    """
    from gm.server.operators.doctor import examine_installation

    faults = 0
    for finding in examine_installation(_settings(config, logins=True), wait):
        faults += not finding.good
        mark = click.style("ok   ", fg="green") if finding.good else click.style("WRONG", fg="red")
        click.echo(f"{mark} {finding.what:10} {finding.text}")
    sys.exit(1 if faults else 0)


@click.command()
@click.pass_obj
def healthy(config: Path | None) -> None:
    """Ask the running server whether all is well, at the port in [health]. For HEALTHCHECK of a container."""
    from gm.server.monitoring.ask_health import ask_health

    good, text = ask_health(_settings(config))
    click.echo(text)
    sys.exit(0 if good else 1)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.pass_obj
def backup(config: Path | None, file: Path) -> None:
    """Write everything to FILE (- for standard output): letters, games, the outbox and the secret.

    The server may be running. An earlier backup in FILE is replaced, any other file is not.
    """
    from gm.store.maintenance import StoreMaintenance
    from gm.store.upkeep.backup_file import is_stream

    app = _open_beside_server(config)
    with closing(app.database):
        StoreMaintenance(app.database).back_up(file, __version__, app.post.secret.decode())
    stream = is_stream(file)
    where = str(file) if stream else f"{file} ({file.stat().st_size} bytes)"
    click.echo(f"Written: {where}. It holds all secrets: keep it private.", err=stream)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--force", is_flag=True, help="Replace the contents of the database, or a damaged one.")
@click.pass_obj
def restore(config: Path | None, file: Path, force: bool) -> None:
    """Fill the database from a backup (- for standard input). The server must be stopped.

    SQLite and PostgreSQL take each other's backups. If it fails, everything stays as it was.
    """
    from gm.server.operators.init import store_secret
    from gm.store.upkeep.restore import restore as restore_database

    settings = _settings(config)
    restored = restore_database(settings.database, file, force=force)
    click.echo(f"Restored: {restored.rows} rows into {restored.database}")
    if restored.kept is not None:
        click.echo(f"The database that was there is kept: {restored.kept}")
    if settings.imap is not None:
        folders = f"{settings.imap.processed} to {settings.imap.folder}"
        click.echo(f"Letters that came since the backup: move them from {folders} before the start, to have them read.")
    if restored.secret is not None:
        for line in store_secret(settings, restored.secret):
            click.echo(line)


@click.command()
@click.argument("address", default="", callback=_address)
@click.option("--again", is_flag=True, help="Send now what was refused or waits; without ADDRESS, to everybody.")
@click.option(
    "--days",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="How old refused letters may be to be sent again.",
)
@click.pass_obj
def letters(config: Path | None, address: str, again: bool, days: int) -> None:
    """List letters from ADDRESS and to it: number, time (UTC), state, and why one waits or was not sent."""
    if again:
        _send_again(config, address, days)
        return
    if not address:
        raise click.UsageError("name an ADDRESS, or --again")
    with _maintenance(config) as maintenance:
        traces = maintenance.letters_of(address)
    for trace in traces:
        way, about = ("from them", "") if trace.received else ("to them", f"{trace.kind} {trace.game}".strip())
        words = (f"{trace.number:>6}", f"{trace.at:%Y-%m-%d %H:%M}", f"{way:9}", f"{trace.state:9}", about, trace.why)
        click.echo("  ".join(filter(None, words))[:200])
    if not traces:
        raise GmError(f"no letter from {address} has come, and none was sent to it: look at the mail server's log")


def _send_again(config: Path | None, address: str, days: int) -> None:
    with _maintenance(config) as maintenance:
        number, kept_for = maintenance.send_again(address, days)
    if not number and not kept_for:
        whose = f"to {address} " if address else ""
        raise GmError(f"no letter {whose}waits or was refused in the last {days} days; --days looks further back")
    click.echo(f"{number} letters that were refused or postponed will be sent.")
    for name in kept_for:
        click.echo(f"Letters that were kept for {name} will be sent.")


@click.group()
def shunted() -> None:
    """Letters that could not be processed, kept with the error."""


@shunted.command("list")
@click.pass_obj
def list_shunted(config: Path | None) -> None:
    """List letters: number, arrival, sender, error."""
    with _maintenance(config) as maintenance:
        rows = maintenance.shunted()
    for row in rows:
        why = row.error.strip().rpartition("\n")[2]
        click.echo(f"{row.id:>6}  {row.received_at:%Y-%m-%d %H:%M}  {row.envelope_from or '-'}  {why[:100]}")
    click.echo("" if rows else "No letter was set aside.", err=True, nl=not rows)


@shunted.command("show")
@click.argument("letter", type=LETTER)
@click.pass_obj
def show_shunted(config: Path | None, letter: int) -> None:
    """Print a letter as it came, and the error."""
    with _maintenance(config) as maintenance:
        rows = maintenance.shunted()
    row = next((row for row in rows if row.id == letter), None)
    if row is None:
        raise GmError(f"letter {letter} was not set aside; `gm shunted list` shows those that were")
    click.echo(row.error.rstrip() + "\n" + "-" * 72)
    sys.stdout.buffer.write(row.raw)


@shunted.command("retry")
@click.argument("letters", type=LETTER, nargs=-1)
@click.pass_obj
def retry_shunted(config: Path | None, letters: tuple[int, ...]) -> None:
    """Process letters again (default: all that were set aside)."""
    with _maintenance(config) as maintenance:
        wanted = letters or tuple(row.id for row in maintenance.shunted())
        missed = [letter for letter in wanted if not maintenance.retry(letter)]
    click.echo(f"{len(wanted) - len(missed)} letters will be processed again.")
    if missed:
        raise GmError(f"not set aside: {', '.join(map(str, missed))}")


@click.command()
@click.argument("address", callback=_address)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--everywhere", is_flag=True, help="Replace a name that is a word, like Will, in sentences of others too."
)
@click.pass_obj
def erase(config: Path | None, address: str, yes: bool, everywhere: bool) -> None:
    """Forget a person: name, addresses, raw letters, letters sent. Their seats become vacant; the games go on.

    Somebody who wrote and never registered is found too.
    """
    from gm.language.i18n.ordinary_words import ordinary_words
    from gm.server.operators import people
    from gm.store.maintenance import StoreMaintenance

    app = _open_beside_server(config)
    ordinary = frozenset[str]() if everywhere else ordinary_words()
    with closing(app.database):
        maintenance = StoreMaintenance(app.database)
        erased = maintenance.erase(address, ordinary, try_only=True)
        if erased is None:
            raise GmError(f"there is nobody with the address {address}, and no letter from it or to it")
        for line in people.describe_words(erased):
            click.echo(line)
        if not yes:
            click.confirm(f"Forget everything about {address}? This cannot be undone", abort=True)
        erased = maintenance.erase(address, ordinary) or erased
        people.tell_masters(app.services, app.database.transaction, erased)
    click.echo(" ".join((f"Forgotten: {address}.", *people.describe_rest(erased))))


@click.command()
@click.argument("game")
@click.argument("address", callback=_address)
@click.pass_obj
def appoint(config: Path | None, game: str, address: str) -> None:
    """Make ADDRESS a game master of GAME, whose own cannot be reached. They get the letter of a new game master."""
    from gm.server.operators.people import appoint_master

    app = _open_beside_server(config)
    with closing(app.database):
        appoint_master(app.services, app.database.transaction, game, address)
    click.echo(f"{address} is a game master of {game} now, and is sent a letter.")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--title", default="", help="Heading of the list of games; default: of [site].")
@click.option("--url", default="", help="Where FOLDER is served: for feeds and previews.")
@click.option("--anew", is_flag=True, help="Draw all maps again.")
@click.pass_obj
def publish(config: Path | None, folder: Path | None, title: str, url: str, anew: bool) -> None:
    """Write a web site of all listed games into FOLDER (default: of [site]): public facts only, by the powers' names.

    The server may be running; with [site] it writes the site by itself. Unchanged files stay. The setting
    `list: unlisted` keeps a game out.
    """
    from gm.cli.publish import Publisher
    from gm.config import SiteConfig
    from gm.language.rendering.site_pages import SiteTemplates
    from gm.resources import folder as data_folder
    from gm.server.map_worker import MapWorkers
    from gm.server.wiring import variant_folders

    app = _open_beside_server(config)
    if folder is None and app.settings.site is None:
        raise GmError("name a FOLDER, or set [site] in gm.toml")
    ours = app.settings.site or SiteConfig(folder=str(folder))
    map_workers = MapWorkers(variant_folders(app.settings))
    with closing(app.database), closing(map_workers):
        where, home = (Path(path).expanduser() for path in (folder or ours.folder, ours.folder))
        address = url or (ours.url if where.resolve() == home.resolve() else "")
        site = SiteTemplates(data_folder("templates"), address, ours.language)
        publisher = Publisher(app.services, app.database.look, site, app.map_drawer, map_workers.submit)
        publisher.publish(where, title or ours.title or site.say("site.title"), click.echo, anew=anew)


COMMANDS = (doctor, healthy, backup, restore, letters, shunted, erase, appoint, publish)
