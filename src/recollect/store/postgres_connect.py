"""A connection to whichever address of a server's name answers first.

libpq tries the addresses of a name one after the other, so one that drops packets or keeps silent costs its whole
timeout before the next has a chance: `localhost` alone has two.
"""

import socket
import threading
from collections.abc import Sequence
from queue import Empty, SimpleQueue
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from recollect.store.port import Row

Raw = psycopg.Connection[Row]

NEXT_ADDRESS_SECONDS = 0.25
"""The head start that an address has of the next one."""
DEFAULT_PORT = 5432


def connect(address: str, options: dict[str, Any]) -> Raw:
    """Like `psycopg.connect`, but with the addresses of one host tried side by side; several hosts keep their order."""
    found = _host_addresses(address)
    return _Race(address, options).run(found) if len(found) > 1 else psycopg.connect(address, **options)


def _host_addresses(address: str) -> list[str]:
    """The addresses of the one host that is named; none where libpq looks elsewhere for it."""
    parts = conninfo_to_dict(address)
    host, port = str(parts.get("host") or ""), str(parts.get("port") or DEFAULT_PORT)
    if not host or "hostaddr" in parts or "," in host or host.startswith(("/", "@")):
        return []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return list(dict.fromkeys(str(each[4][0]) for each in found))


class _Race:
    """The first connection wins; what comes after it is closed."""

    def __init__(self, address: str, options: dict[str, Any]) -> None:
        self._address = address
        self._options = options
        self._outcomes: SimpleQueue[Raw | psycopg.Error] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_over = False

    def run(self, hosts: Sequence[str]) -> Raw:
        try:
            return self._first_connection(hosts)
        finally:
            self._end()

    def _first_connection(self, hosts: Sequence[str]) -> Raw:
        failures: list[psycopg.Error] = []
        for started, host in enumerate(hosts, 1):
            threading.Thread(target=self._try, args=(host,), daemon=True).start()
            while len(failures) < started:
                try:
                    outcome = self._outcomes.get(timeout=NEXT_ADDRESS_SECONDS if started < len(hosts) else None)
                except Empty:
                    break
                if isinstance(outcome, psycopg.Connection):
                    return outcome
                failures.append(outcome)
        raise next((each for each in failures if not isinstance(each, psycopg.errors.ConnectionTimeout)), failures[0])

    def _try(self, host: str) -> None:
        # Callers that wait for the race are notified whatever goes wrong here.
        outcome: Raw | psycopg.Error = psycopg.OperationalError(f"the connection to {host} failed")
        try:
            outcome = psycopg.connect(self._address, hostaddr=host, **self._options)
        except psycopg.Error as failure:
            outcome = failure
        finally:
            self._hand_in(outcome)

    def _hand_in(self, outcome: Raw | psycopg.Error) -> None:
        with self._lock:
            if not self._is_over:
                self._outcomes.put(outcome)
                return
        _close(outcome)

    def _end(self) -> None:
        """Also after Ctrl-C."""
        with self._lock:
            self._is_over = True
        while not self._outcomes.empty():
            _close(self._outcomes.get())


def _close(outcome: Raw | psycopg.Error) -> None:
    if isinstance(outcome, psycopg.Connection):
        outcome.close()
