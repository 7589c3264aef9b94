"""Figures for Prometheus: requests, sockets, commands, matches, and the store's commits."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from holmgang.live.service import Service
from holmgang.store import Store
from holmgang.web.limits import Limits

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """The metrics of this process. Each app has its own registry."""

    def __init__(self, service: Service, store: Store, limits: Limits) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(ServiceFigures(service, store, limits))
        ProcessCollector(registry=self._registry)
        self._requests = Histogram(
            "holmgang_request_seconds",
            "Time to answer requests, by route; requests that wait for a change are left out.",
            ["method", "route", "status"],
            buckets=BUCKETS,
            registry=self._registry,
        )
        self._commands = Histogram(
            "holmgang_command_seconds",
            "Time until a command is durable and answered.",
            buckets=BUCKETS,
            registry=self._registry,
        )
        self._refused = Counter(
            "holmgang_commands_refused",
            "Commands refused, by code.",
            ["code"],
            registry=self._registry,
        )
        self._sockets = Gauge(
            "holmgang_sockets", "Open WebSockets.", ["kind"], registry=self._registry
        )

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, status).observe(seconds)

    def count_command(self, seconds: float) -> None:
        self._commands.observe(seconds)

    def count_refused(self, code: str) -> None:
        self._refused.labels(code).inc()

    @contextmanager
    def socket(self, kind: str) -> Iterator[None]:
        gauge = self._sockets.labels(kind)
        gauge.inc()
        try:
            yield
        finally:
            gauge.dec()

    def page(self) -> bytes:
        """All figures in Prometheus' text format."""
        return generate_latest(self._registry)


class ServiceFigures(Collector):
    """Figures counted by other parts, read when metrics are requested."""

    def __init__(self, service: Service, store: Store, limits: Limits) -> None:
        self._service, self._store, self._limits = service, store, limits
        self._started = time.time()

    def collect(self) -> Iterable[Metric]:
        stats, counts = self._store.stats(), self._service.counts
        yield GaugeMetricFamily(
            "holmgang_start_time_seconds", "When this process started.", self._started
        )
        yield GaugeMetricFamily(
            "holmgang_matches", "Matches in the memory of this process.", counts["matches"]
        )
        yield GaugeMetricFamily(
            "holmgang_followers", "Sockets that follow a match.", counts["followers"]
        )
        yield GaugeMetricFamily(
            "holmgang_thinking", "Levels and bots that are choosing.", counts["thinking"]
        )
        computers = self._service.computers
        yield CounterMetricFamily(
            "holmgang_computer_choices", "Choices of levels and bots.", computers.choices
        )
        yield CounterMetricFamily(
            "holmgang_computer_seconds",
            "Time that levels and bots took, including the wait for a thread.",
            computers.seconds,
        )
        yield GaugeMetricFamily(
            "holmgang_store_queued", "Changes waiting for the writer.", stats.queued
        )
        yield CounterMetricFamily("holmgang_store_commits", "Commits.", stats.commits)
        yield CounterMetricFamily("holmgang_store_events", "Events stored.", stats.events)
        yield CounterMetricFamily(
            "holmgang_store_conflicts", "Appends that lost to another process.", stats.conflicts
        )
        yield CounterMetricFamily("holmgang_store_failures", "Commits that failed.", stats.failures)
        yield CounterMetricFamily(
            "holmgang_store_commit_seconds", "Time spent in commits.", stats.commit_seconds
        )
        yield CounterMetricFamily(
            "holmgang_requests_limited", "Requests refused by a limit.", self._limits.refused
        )
