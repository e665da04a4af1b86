"""A host name with several addresses: a silent one does not hold up the others."""

import socket
import threading
from typing import Any

import psycopg
import pytest

from recollect.store import postgres_connect
from recollect.store.port import StoreUnavailable
from recollect.store.postgres_connect import connect
from recollect.store.postgres_pool import PostgresPool

ADDRESS = "postgresql://ann@memory.example:5999/notes"


class Answering(psycopg.Connection[Any]):
    """A connection that only knows whether it is closed."""

    def __init__(self) -> None:
        self.ended = threading.Event()

    def close(self) -> None:
        self.ended.set()

    def __del__(self, *_: object) -> None:
        pass


class Servers:
    """What each address does when somebody connects to it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **behaviours: Any) -> None:
        self.tried: list[str | None] = []
        self._behaviours = {name.replace("_", "."): each for name, each in behaviours.items()}
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each[1:], 5999)) for each in self._behaviours]
        monkeypatch.setattr("recollect.store.postgres_connect.socket.getaddrinfo", lambda *_, **__: found)
        monkeypatch.setattr("recollect.store.postgres_connect.psycopg.connect", self.connect)

    def connect(self, _: str, hostaddr: str | None = None, **__: object) -> Any:
        self.tried.append(hostaddr)
        return self._behaviours[f"a{hostaddr}"]()


def timed_out() -> None:
    raise psycopg.errors.ConnectionTimeout("connection timeout expired")


def refused() -> None:
    raise psycopg.OperationalError("connection failed: Connection refused")


def test_the_next_address_is_tried_while_one_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    good, is_answered = Answering(), threading.Event()

    def silent() -> None:
        assert is_answered.wait(60)
        timed_out()

    servers = Servers(monkeypatch, a192_0_2_1=silent, a192_0_2_2=lambda: good)
    assert connect(ADDRESS, {}) is good
    is_answered.set()
    assert servers.tried == ["192.0.2.1", "192.0.2.2"]
    assert not good.ended.is_set()


def test_a_connection_that_comes_too_late_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    good, late, is_answered = Answering(), Answering(), threading.Event()

    def slow() -> Answering:
        assert is_answered.wait(60)
        return late

    Servers(monkeypatch, a192_0_2_1=slow, a192_0_2_2=lambda: good)
    assert connect(ADDRESS, {}) is good
    is_answered.set()
    assert late.ended.wait(60)


def test_the_first_address_is_enough_if_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_connect, "NEXT_ADDRESS_SECONDS", 60)
    good = Answering()
    servers = Servers(monkeypatch, a192_0_2_1=lambda: good, a192_0_2_2=refused)
    assert connect(ADDRESS, {}) is good
    assert servers.tried == ["192.0.2.1"]


def test_what_an_address_says_is_told_rather_than_the_silence_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    Servers(monkeypatch, a192_0_2_1=timed_out, a192_0_2_2=refused)
    with pytest.raises(StoreUnavailable, match="PostgreSQL at here: Connection refused"):
        PostgresPool(ADDRESS, "here", {}, size=1).connect()


@pytest.mark.parametrize("host", ["one,two", "/var/run", "192.0.2.1"])
def test_hosts_that_libpq_knows_how_to_try_are_left_to_it(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    tried: list[object] = []
    monkeypatch.setattr("recollect.store.postgres_connect.psycopg.connect", lambda *_, **given: tried.append(given))
    connect(f"host={host} dbname=notes", {"autocommit": True})
    assert tried == [{"autocommit": True}]
