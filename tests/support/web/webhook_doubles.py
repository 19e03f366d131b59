"""Doubles of the services that take webhooks, on local sockets. Each refuses what the real one refuses.

ntfy      docs.ntfy.sh/publish, "Publish as JSON": POST or PUT to the root, a topic of letters, 4096 bytes of message
Discord   discord.com/developers, "Execute Webhook": `content` of at most 2000 characters, no more than known fields
Matrix    spec.matrix.org, client-server API 11.6: PUT …/rooms/{roomId}/send/{eventType}/{txnId}, a token, a body
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

Answer = tuple[int, Mapping[str, str], bytes]
OK: Answer = (200, {}, b"{}")


@dataclass
class Asked:
    """A request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    def document(self) -> dict[str, Any]:
        document = json.loads(self.body.decode("utf-8"))
        assert isinstance(document, dict)
        return document


@dataclass
class Service:
    """`judge` answers a request; `answers` are given before it is asked. `taken` are the requests it has taken."""

    judge: Callable[[Asked], Answer]
    answers: list[Answer] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    taken: list[Asked] = field(default_factory=list)
    url: str = ""
    came: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        answer = self.answers.pop(0) if self.answers else self.judge(asked)
        if answer[0] < 300 and asked.method != "GET":
            self.taken.append(asked)
        self.came.release()
        return answer


@contextmanager
def running(judge: Callable[[Asked], Answer]) -> Iterator[Service]:
    service = Service(judge)

    class Handler(BaseHTTPRequestHandler):
        def _any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            code, more, content = service.answer(Asked(self.command, self.path, headers, body))
            self.send_response(code)
            for name, value in more.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = _any  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()


def receiver(asked: Asked) -> Answer:
    """Whoever takes our own JSON."""
    return OK if asked.method == "POST" else (405, {}, b"")


TOPIC = re.compile(r"[-_A-Za-z0-9]{1,64}")
NTFY_FIELDS = {
    "topic": str,
    "title": str,
    "message": str,
    "click": str,
    "tags": list,
    "priority": int,
    "markdown": bool,
}


def ntfy(asked: Asked) -> Answer:
    if asked.method == "GET":
        return (200, {}, b'{"healthy":true}') if asked.path == "/v1/health" else (404, {}, b"")
    if asked.path != "/":
        return 404, {}, b"JSON is published at the root; elsewhere it would be the message itself"
    document = asked.document()
    right = all(isinstance(document[key], NTFY_FIELDS.get(key, type(None))) for key in document)
    if not right or not TOPIC.fullmatch(document.get("topic", "")):
        return 400, {}, b'{"code":40009,"http":400,"error":"invalid request: topic invalid"}'
    if len(document["message"].encode()) > 4096 or "://" not in document.get("click", "://"):
        return 400, {}, b""
    return OK


DISCORD = "/api/webhooks/123456789012345678/abc-DEF_ghi"
DISCORD_FIELDS = {"content", "username", "avatar_url", "tts", "embeds", "allowed_mentions"}


def discord(asked: Asked) -> Answer:
    if asked.path != DISCORD:
        return 404, {}, b'{"message": "Unknown Webhook", "code": 10015}'
    if asked.method == "GET":
        return 200, {}, b'{"type": 1, "name": "gm"}'
    if "python-urllib" in asked.headers["user-agent"].lower():
        return 403, {}, b"Cloudflare refuses Python's own user agent"
    if not asked.headers["content-type"].startswith("application/json"):
        return 415, {}, b""
    document = asked.document()
    content = document.get("content")
    if not isinstance(content, str) or not 0 < len(content) <= 2000 or document.keys() - DISCORD_FIELDS:
        return 400, {}, b'{"code": 50006, "message": "Cannot send an empty message"}'
    return 204, {}, b""


ROOM, TOKEN = "!games:example.org", "syt_sesame"
SEND = re.compile(r"/_matrix/client/v3/rooms/([^/]+)/send/m\.room\.message/([^/]+)")


def matrix(asked: Asked) -> Answer:
    if asked.headers.get("authorization") != f"Bearer {TOKEN}":
        return 401, {}, b'{"errcode":"M_MISSING_TOKEN"}'
    if asked.method == "GET":
        there = unquote(asked.path) == f"/_matrix/client/v3/rooms/{ROOM}/state/m.room.create"
        return OK if there else (403, {}, b'{"errcode":"M_FORBIDDEN"}')
    match = SEND.fullmatch(asked.path)
    if asked.method != "PUT" or match is None or unquote(match[1]) != ROOM:
        return 404, {}, b'{"errcode":"M_UNRECOGNIZED"}'
    document = asked.document()
    if document.get("msgtype") not in ("m.text", "m.notice") or not isinstance(document.get("body"), str):
        return 400, {}, b'{"errcode":"M_BAD_JSON"}'
    return 200, {}, b'{"event_id":"$1"}'
