"""Makes one request of the webhook: signed, without redirects, with an end.

The signature is that of Standard Webhooks (standardwebhooks.com), for which there are libraries in many languages:

    webhook-id: the event's id, the same in every attempt
    webhook-timestamp: seconds since 1970, of this attempt
    webhook-signature: "v1," and base64(HMAC-SHA256(key, id + "." + timestamp + "." + body))

The key is `secret` in UTF-8, or what follows "whsec_" in it, in base64. No redirect is followed and only the host of
the settings is asked, so no answer can lead the server elsewhere. Errors name the host alone: URLs hold secrets.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from email.message import Message
from http.client import HTTPException
from typing import IO

from msgspec import Struct

from gm import __version__
from gm.config import NotifyConfig
from gm.server.webhook.forms import WebhookRequest

ANSWER_MOST = 10_000
"""Bytes of an answer that are read."""
TOO_LONG = 3
"""A request is given up after so many times the timeout, however lively its connection is."""
WHSEC = "whsec_"
REFUSED = frozenset({400, 413, 415, 422})
"""The service will never take this body. Everything else may be mended: an address, a token, a limit, a server."""
RETRY_MOST = timedelta(hours=1)


class WebhookAnswer(Struct, frozen=True):
    """`error` is "" if the service took the event; `code` the HTTP status, 0 without one.

    `final`: another attempt is pointless; `after`: when the service wants one.
    """

    error: str = ""
    code: int = 0
    final: bool = False
    after: timedelta | None = None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        """None: the answer is an error."""


OPENER = urllib.request.build_opener(_NoRedirects)


def send_request(settings: NotifyConfig, wanted: WebhookRequest, number: str, timestamp: int) -> WebhookAnswer:
    """`number` is the event's id."""
    headers = {"Content-Type": "application/json; charset=utf-8", **authorization(settings)}
    headers |= {"webhook-id": number, "webhook-timestamp": str(timestamp)}
    if settings.secret is not None:
        key = settings.secret.get_secret_value()
        headers["webhook-signature"] = sign(key, number, timestamp, wanted.body)
    request = urllib.request.Request(wanted.url, wanted.body, headers, method=wanted.method)
    return _within(settings, lambda: _attempt(request, settings))


def authorization(settings: NotifyConfig) -> dict[str, str]:
    known = {"User-Agent": f"gm-by-mail/{__version__}"}
    return known if settings.token is None else known | {"Authorization": f"Bearer {settings.token.get_secret_value()}"}


def sign(secret: str, number: str, timestamp: int, body: bytes) -> str:
    key = secret.encode()
    if secret.startswith(WHSEC):
        with suppress(binascii.Error):
            key = base64.b64decode(secret.removeprefix(WHSEC), validate=True)
    digest = hmac.digest(key, f"{number}.{timestamp}.".encode() + body, "sha256")
    return f"v1,{base64.b64encode(digest).decode()}"


def ask(settings: NotifyConfig, url: str) -> WebhookAnswer:
    """Reads an address of the service, to see whether it answers; nothing is delivered."""
    request = urllib.request.Request(url, headers=authorization(settings))
    return _within(settings, lambda: _attempt(request, settings))


def _within(settings: NotifyConfig, attempt: Callable[[], WebhookAnswer]) -> WebhookAnswer:
    """The answer of `attempt`, or that it took too long: a service that answers byte by byte keeps no one waiting."""
    seconds, answers = TOO_LONG * settings.timeout, list[WebhookAnswer]()
    thread = threading.Thread(target=lambda: answers.append(attempt()), name="gm-webhook-request", daemon=True)
    thread.start()
    thread.join(seconds)
    return answers[0] if answers else WebhookAnswer(f"{settings.host} did not finish its answer in {seconds:.0f} s")


def _attempt(request: urllib.request.Request, settings: NotifyConfig) -> WebhookAnswer:
    try:
        with OPENER.open(request, timeout=settings.timeout) as answer:
            answer.read(ANSWER_MOST)
            return WebhookAnswer(code=answer.status)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return _refusal(refusal, settings.host)
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or type(error).__name__
        return WebhookAnswer(f"{settings.host} cannot be asked ({reason})")


def _refusal(refusal: urllib.error.HTTPError, host: str) -> WebhookAnswer:
    if 300 <= refusal.code < 400:
        return WebhookAnswer(
            f"{host} sends us elsewhere ({refusal.code}), where we do not go: correct `url`", refusal.code
        )
    after = refusal.headers.get("Retry-After", "")
    wait = min(timedelta(seconds=int(after)), RETRY_MOST) if after.isdecimal() and len(after) < 7 else None
    return WebhookAnswer(f"{host} answers {refusal.code}", refusal.code, refusal.code in REFUSED, wait)
