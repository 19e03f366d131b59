"""HTTP port for monitoring: /healthz (200 or 503, a line for each fault and each job) and /metrics (Prometheus).

Figures are read from the database on request, so every node shows the same. They hold no names, addresses or words.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from gm.config import HealthConfig
from gm.errors import GmError
from gm.server.faults import ServerFault
from gm.store.queries.statistics import StoreFigures

Start = Callable[[str, list[tuple[str, str]]], object]
PLAIN = ("Content-Type", "text/plain; version=0.0.4; charset=utf-8")


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
                settings.host, settings.port, self._answer, server_class=WSGIServer, handler_class=_Quiet
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
