"""HTTP port for monitoring: /healthz (200 or 503, a line for each fault and each job) and /metrics (Prometheus).

Figures are read from the database on request, so every node shows the same. They hold no names, addresses or words.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import structlog
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from gm.config import HealthConfig
from gm.errors import GmError
from gm.rare_lines import RareLines
from gm.server.faults import ServerFault
from gm.store.queries.statistics import StoreFigures

Start = Callable[[str, list[tuple[str, str]]], object]
MOST_TOGETHER = 20
ACCEPT_PAUSE = 1.0
"""Seconds without new connections after one could not be accepted: open files have run out."""
PLAIN = ("Content-Type", "text/plain; version=0.0.4; charset=utf-8")

log = structlog.get_logger()


class HealthMonitor:
    """`look` returns the figures, `judge` their faults, `say` describes a fault, `jobs` a line for each job."""

    def __init__(
        self,
        settings: HealthConfig,
        look: Callable[[], StoreFigures],
        judge: Callable[[StoreFigures], tuple[ServerFault, ...]],
        say: Callable[[ServerFault], str],
        jobs: Callable[[], list[str]] = list,
    ) -> None:
        self._look, self._judge, self._say, self._jobs = look, judge, say, jobs
        try:
            self._server = make_server(
                settings.host, settings.port, self._answer, server_class=_Server, handler_class=_Quiet
            )
        except OSError as error:
            raise GmError(f"health: cannot listen on {settings.host} port {settings.port} ({error})") from None
        self.port: int = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, name="gm-health", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, environ: dict[str, object], start: Start) -> Iterable[bytes]:
        path = environ.get("PATH_INFO")
        if path == "/healthz":
            lines = self._lines()
            start("503 Service Unavailable" if lines else "200 OK", [PLAIN])
            return [("\n".join([*(lines or ["ok"]), *self._jobs()]) + "\n").encode()]
        if path == "/metrics":
            registry = CollectorRegistry()
            try:
                registry.register(_Collector(self._look()))
            except GmError as error:
                start("503 Service Unavailable", [PLAIN])
                return [f"{error}\n".encode()]
            start("200 OK", [PLAIN])
            return [generate_latest(registry)]
        start("404 Not Found", [PLAIN])
        return [b"there are /healthz and /metrics\n"]

    def _lines(self) -> list[str]:
        try:
            return [self._say(fault) for fault in self._judge(self._look())]
        except GmError as error:
            return [str(error)]


class _Server(ThreadingMixIn, WSGIServer):
    """Several requests at once: a connection that says nothing holds up no other. It prints no tracebacks."""

    daemon_threads = True

    def __init__(self, *options: Any) -> None:
        self._free = threading.Semaphore(MOST_TOGETHER)
        self._rare_lines = RareLines()
        super().__init__(*options)

    def get_request(self) -> tuple[Any, Any]:
        try:
            return super().get_request()
        except OSError as error:
            self._warn("connections cannot be accepted", error)
            time.sleep(ACCEPT_PAUSE)
            raise

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)
            self._warn("too many connections: more are refused")

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(error := sys.exc_info()[1], TimeoutError):  # a connection that said nothing
            self._warn("a request failed", error)

    def _warn(self, line: str, error: BaseException | None = None) -> None:
        if self._rare_lines.may_log(line):
            log.warning(line, listener="health", **({} if error is None else {"error": repr(error)}))


class _Quiet(WSGIRequestHandler):
    timeout = 10

    def log_message(self, *_: object) -> None:
        """Requests every few seconds must not fill the log."""


class _Collector:
    def __init__(self, figures: StoreFigures) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        figures = self._figures
        yield _labelled("gm_letters_in", "Letters taken, by what became of them", "state", figures.letters_in)
        yield _labelled("gm_letters_out", "Letters queued, by what became of them", "state", figures.letters_out)
        yield _labelled("gm_games", "Games by state", "state", figures.games)
        ages = {account.removeprefix("imap:"): age.total_seconds() for account, age in figures.polled.items()}
        yield _labelled("gm_mailbox_polled_seconds", "Seconds since a mailbox was read through", "mailbox", ages)
        for name, meaning, value in (
            ("gm_inbox_oldest_unread_seconds", "Age of the oldest unread letter", figures.unread_age.total_seconds()),
            ("gm_outbox_oldest_unsent_seconds", "Age of the oldest unsent letter", figures.unsent_age.total_seconds()),
            ("gm_deadline_lag_seconds", "How long the oldest deadline has been due", figures.late.total_seconds()),
            ("gm_games_overdue", "Games whose deadline is due", len(figures.late_games)),
            ("gm_letters_shunted", "Letters set aside for the operator", figures.shunted),
            ("gm_letters_refused", "Letters that were refused for good, bounces among them", figures.refused),
        ):
            yield GaugeMetricFamily(name, meaning, value=value)


def _labelled(name: str, meaning: str, label: str, values: dict[str, int] | dict[str, float]) -> Metric:
    family = GaugeMetricFamily(name, meaning, labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], value)
    return family
