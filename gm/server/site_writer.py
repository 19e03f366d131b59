"""Writes the site of `[site]` whenever public facts have changed.

What is to be written stands in the database: games whose revision is not the published one. The first time in a
process everything is compared with the folder; files that are the same stay.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import Future
from functools import cached_property
from pathlib import Path

from gm.cli.publish import Publisher, SiteInterrupted
from gm.config import SiteConfig
from gm.errors import GmError
from gm.game.views.maps import MapDocuments
from gm.language.i18n.catalogue import languages
from gm.language.rendering.site_pages import SiteTemplates
from gm.resources import folder
from gm.server.map_worker import MapWorkers
from gm.server.wiring import Application, variant_folders

REST_SECONDS = 60.0
"""How long it waits after a fault, such as a full disk."""


class SiteWriter:
    """Use from one thread; only `stop` from any."""

    def __init__(self, app: Application, settings: SiteConfig) -> None:
        """Raises GmError."""
        if settings.language not in languages():
            raise GmError(f"site: language: there is no {settings.language}; there are {', '.join(languages())}")
        self._app, self._settings = app, settings
        cores = max(1, len(os.sched_getaffinity(0)) // 2)  # the others draw what letters wait for
        self._map_workers = MapWorkers(variant_folders(app.settings), cores)
        self._templates = SiteTemplates(folder("templates"), settings.url, settings.language)
        self._shown: dict[int, int] = {}
        self._rests_until, self._fault = 0.0, ""
        self._stopped = self._begun = False

    @cached_property
    def _publisher(self) -> Publisher:
        app = self._app
        return Publisher(app.services, app.database.look, self._templates, app.map_drawer, self._draw)

    def write(self) -> None:
        """Writes what has changed. Raises GmError."""
        if time.monotonic() < self._rests_until:
            raise GmError(self._fault)
        with self._app.database.look() as store:
            stale = store.events.stale()
        if self._begun and not stale:
            return
        try:
            self._write()
        except SiteInterrupted:
            return
        except GmError as error:
            self._rests_until, self._fault = time.monotonic() + REST_SECONDS, f"the site is not written: {error}"
            raise GmError(self._fault) from None

    def stop(self) -> None:
        """Breaks off a run: it begins again with the next start."""
        self._stopped = True
        self._map_workers.close()

    def _write(self) -> None:
        settings, database = self._settings, self._app.database
        title = settings.title or self._templates.say("site.title")
        with database.publishing() as mine:

            def report(line: str) -> None:
                if self._stopped or not mine():
                    raise SiteInterrupted("the site was not finished: it is another node's turn, or the server stops")

            if not mine():
                return
            try:
                shown = self._publisher.publish(Path(settings.folder).expanduser(), title, report)
            finally:
                self._map_workers.close()
        with database.transaction() as store:
            for game, revision in shown.items():
                if revision and self._shown.get(game) != revision:
                    store.events.mark_published(game, revision)
        self._shown, self._begun = dict(shown), True

    def _draw(self, documents: MapDocuments) -> Future[bytes]:
        if self._stopped:
            raise SiteInterrupted("the site was not finished: the server stops")
        return self._map_workers.submit(documents)
