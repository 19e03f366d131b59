"""The operator's commands of `gm`: doctor, backup, restore, shunted, erase, publish."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gm import __version__
from gm.errors import GmError

if TYPE_CHECKING:
    from gm.config import Config
    from gm.server.wiring import Application


def _beside(config: Path | None) -> Application:
    """Put together beside a running server."""
    from gm.server.wiring import assemble

    works = assemble(_settings(config), alone=False)
    works.database.check()
    return works


def _settings(config: Path | None) -> Config:
    from gm.config import found

    return found(config)


@click.command()
@click.pass_obj
def doctor(config: Path | None) -> None:
    """Look at settings, database, clock, mailbox, relay, disk and queues, and say what is wrong."""
    from gm.server.doctor import examine

    faults = 0
    for finding in examine(_settings(config)):
        faults += not finding.good
        mark = click.style("ok   ", fg="green") if finding.good else click.style("WRONG", fg="red")
        click.echo(f"{mark} {finding.what:10} {finding.said}")
    sys.exit(1 if faults else 0)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def backup(config: Path | None, file: Path) -> None:
    """Write everything to FILE, also while the server runs: letters, games, what is to be sent, and the secret."""
    from gm.store.maintenance import StoreMaintenance

    works = _beside(config)
    with closing(works.database):
        StoreMaintenance(works.database).back_up(file, __version__, works.services.post.secret.decode())
    click.echo(f"Written: {file} ({file.stat().st_size} bytes). It holds all secrets: keep it where nobody reads it.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace all that is in the database.")
@click.pass_obj
def restore(config: Path | None, file: Path, force: bool) -> None:
    """Fill the database from a backup. The server must be stopped; SQLite and PostgreSQL take each other's."""
    from gm.server.init import keep_secret
    from gm.store.database import Database
    from gm.store.maintenance import StoreMaintenance

    settings = _settings(config)
    with closing(Database(settings.database)) as database:
        rows, secret = StoreMaintenance(database).restore(file, force=force)
    click.echo(f"Restored: {rows} rows into {database.name}")
    if secret is not None:
        click.echo(keep_secret(settings, secret))


@click.group()
def shunted() -> None:
    """Letters that could not be handled, kept with the error."""


@shunted.command("list")
@click.pass_obj
def list_shunted(config: Path | None) -> None:
    """One line for each: number, when it came, from where, what went wrong."""
    from gm.store.maintenance import StoreMaintenance

    works = _beside(config)
    with closing(works.database):
        rows = StoreMaintenance(works.database).shunted()
    for row in rows:
        why = row.error.strip().rpartition("\n")[2]
        click.echo(f"{row.id:>6}  {row.received_at:%Y-%m-%d %H:%M}  {row.envelope_from or '-'}  {why[:100]}")
    click.echo("" if rows else "No letter was set aside.", err=True, nl=not rows)


@shunted.command("show")
@click.argument("letter", type=int)
@click.pass_obj
def show_shunted(config: Path | None, letter: int) -> None:
    """The letter as it came, and the error."""
    from gm.store.maintenance import StoreMaintenance

    works = _beside(config)
    with closing(works.database):
        row = next((one for one in StoreMaintenance(works.database).shunted() if one.id == letter), None)
    if row is None:
        raise GmError(f"letter {letter} was not set aside; `gm shunted list` shows those that were")
    click.echo(row.error.rstrip() + "\n" + "-" * 72)
    sys.stdout.buffer.write(row.raw)


@shunted.command("retry")
@click.argument("letters", type=int, nargs=-1)
@click.pass_obj
def retry_shunted(config: Path | None, letters: tuple[int, ...]) -> None:
    """Put letters back among the unread (default: all that were set aside)."""
    from gm.store.maintenance import StoreMaintenance

    works = _beside(config)
    with closing(works.database):
        cabinet = StoreMaintenance(works.database)
        wanted = letters or tuple(row.id for row in cabinet.shunted())
        missed = [letter for letter in wanted if not cabinet.retry(letter)]
    click.echo(f"{len(wanted) - len(missed)} letters will be read again.")
    if missed:
        raise GmError(f"not set aside: {', '.join(map(str, missed))}")


@click.command()
@click.argument("address")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def erase(config: Path | None, address: str, yes: bool) -> None:
    """Forget a person: name, addresses, raw letters, letters sent. His seats become vacant; the games go on."""
    from gm.store.maintenance import StoreMaintenance

    works = _beside(config)
    with closing(works.database):
        if not yes:
            click.confirm(f"Forget everything about {address}? This cannot be undone", abort=True)
        games = StoreMaintenance(works.database).erase(address)
    if games is None:
        raise GmError(f"nobody has the address {address}")
    seats = f" Seats are vacant in: {', '.join(games)}." if games else ""
    click.echo(f"Forgotten: {address}.{seats} Backups made before still know him.")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--title", default="", help="What stands above the list of games.")
@click.option("--anew", is_flag=True, help="Draw all maps again, also those that are there.")
@click.pass_obj
def publish(config: Path | None, folder: Path, title: str, anew: bool) -> None:
    """Write a web site of all listed games into FOLDER: public facts only, by the powers' names.

    Also while the server runs; what has not changed is left as it is. A game stays out by its setting `list: unlisted`.
    """
    from gm.cli.map import MapDrawer
    from gm.cli.publish import Publisher
    from gm.language.rendering.site_pages import SiteTemplates
    from gm.resources import folder as ours
    from gm.server.map_worker import MapWorkers
    from gm.server.wiring import shelves

    works = _beside(config)
    studio = MapWorkers(shelves(works.settings))
    heading = title or works.services.letters.catalogue().say("site.title")
    with closing(works.database), closing(studio):
        cartographer = MapDrawer(works.library)
        site = SiteTemplates(ours("templates"))
        publisher = Publisher(works.services, works.database.transaction, site, cartographer, studio.drawing)
        publisher.publish(folder, heading, click.echo, anew=anew)


COMMANDS = (doctor, backup, restore, shunted, erase, publish)
