"""What `gm doctor` finds about the public site and the webhook. Nothing is published or delivered."""

from __future__ import annotations

import json
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

from gm.cli.publish import LIST_FORMAT
from gm.cli.site_folder import LIST
from gm.config import NotifyConfig, SiteConfig
from gm.findings import DoctorFinding
from gm.game.model.public_events import PublicEvent
from gm.game.views.public.site_address import GAMES_LIST, INDEX
from gm.server.webhook.post import WebhookAnswer, ask

ASK_SECONDS = 8
LIST_MOST = 20_000_000
"""Bytes of the list of games that are read."""


def check_site(settings: SiteConfig) -> Iterator[DoctorFinding]:
    folder = Path(settings.folder).expanduser()
    yield _check_folder(folder)
    if settings.url:
        yield _check_address(f"{settings.url}/{GAMES_LIST}", settings.url, published=(folder / GAMES_LIST).exists())


def _check_folder(folder: Path) -> DoctorFinding:
    place = folder if folder.exists() else folder.absolute().parent
    if (folder / INDEX).exists() and not (folder / LIST).exists():
        return DoctorFinding("site", f"{folder} contains another {INDEX}: choose another folder", good=False)
    if not place.exists():
        return DoctorFinding("site", f"there is no folder {place}: make it, or mount its disk", good=False)
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        why = f"{place} cannot be written in ({error.strerror})"
        return DoctorFinding("site", f"{why}: give it to the user that gm runs as", good=False)
    return DoctorFinding("site", f"{folder} can be written in" if place == folder else f"{folder} can be created")


def _check_address(address: str, site: str, *, published: bool) -> DoctorFinding:
    """Whether the web server gives out what we have written."""
    if not published:
        return DoctorFinding("site", f"nothing is published yet: {site} is not asked")
    advice = "let your web server give out `folder` there, or correct `url`"
    try:
        with urllib.request.urlopen(address, timeout=ASK_SECONDS) as answer:
            document = json.loads(answer.read(LIST_MOST))
    except urllib.error.HTTPError as refusal:
        with refusal:
            return DoctorFinding("site", f"{address} answers {refusal.code}: {advice}", good=False)
    except OSError as error:
        return DoctorFinding(
            "site", f"{address} cannot be read ({getattr(error, 'reason', error)}): {advice}", good=False
        )
    except ValueError:
        document = None
    if not isinstance(document, dict) or document.get("format") != LIST_FORMAT:
        return DoctorFinding("site", f"{address} is not what gm has written: {advice}", good=False)
    return DoctorFinding("site", f"{site} shows it")


def check_queue(waiting: Sequence[PublicEvent]) -> Iterator[DoctorFinding]:
    """What the webhook has not taken. `waiting`: newest first."""
    failed = [event for event in waiting if event.waiting and event.last_error]
    if failed:
        oldest, count = failed[-1], sum(event.waiting for event in waiting)
        since = f"{oldest.at:%Y-%m-%d %H:%M} UTC"
        yield DoctorFinding("notify", f"{count} events wait, the oldest since {since}: {oldest.last_error}", good=False)


def check_webhook(settings: NotifyConfig) -> DoctorFinding:
    """Asks the service for something that changes nothing there."""
    answer = ask(settings, _harmless(settings))
    if settings.form == "json":  # any answer will do: many receivers take nothing but POST
        good = 200 <= answer.code < 300 or 400 <= answer.code < 500
        text = answer.error if not good else f"{settings.host} answers"
    else:
        good = not answer.error
        text = f"{settings.host} answers, as {settings.form}" if good else _advice(settings, answer)
    return DoctorFinding("notify", text, good=good)


def _harmless(settings: NotifyConfig) -> str:
    """The webhook itself (Discord shows its name), ntfy's health, the room as the Matrix token's owner may see it."""
    url = settings.url.get_secret_value()
    if settings.form == "matrix":
        room = quote(settings.room, safe="")
        return f"{url.rstrip('/')}/_matrix/client/v3/rooms/{room}/state/m.room.create"
    if settings.form == "ntfy":
        parts = urlsplit(url)
        folder = parts.path.rstrip("/").rpartition("/")[0]
        return urlunsplit((parts.scheme, parts.netloc, f"{folder}/v1/health", "", ""))
    return url


def _advice(settings: NotifyConfig, answer: WebhookAnswer) -> str:
    if answer.code in (401, 403):
        return f"{answer.error}: the token is wrong, or may not write there"
    if answer.code == 404:
        return f"{answer.error}: the url is not one of {settings.form}"
    return answer.error
