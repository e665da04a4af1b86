"""A connection to whichever address of a server's name answers first.

libpq tries the addresses of a name one after the other, so one that drops packets or keeps silent costs its whole
timeout before the next has a chance: `localhost` alone has two.
"""

import re
import socket
import threading
from collections.abc import Sequence
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict

from recollect.errors import Refused
from recollect.store.port import Row

Raw = psycopg.Connection[Row]

NEXT_ADDRESS_SECONDS = 0.25
"""The head start that an address has of the next one."""
DEFAULT_PORT = 5432

_POOLER = re.compile(r"([?&])pooler=transaction(?:&|$)")
_PORTS = re.compile(r"[0-9,]*")
"""One for each of several hosts; where none is given, nothing stands between the commas."""
_MAY_BE_PLAIN = ("prefer", "allow")
"""What libpq falls back from to an unencrypted connection; the first is its default."""


class PostgresAddress(NamedTuple):
    """An address that was read and found good."""

    plain: str
    """Without our own parameters, for libpq."""
    shown: str
    """Server and database, without user and password."""
    is_pooled: bool
    """Whether a pooler lends connections by transaction."""
    has_timeout: bool


class BadPostgresAddress(Refused):
    """The parser's own message may quote the password, so it is not repeated."""

    code = "bad_address"

    def __init__(self) -> None:
        form = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
        message = f"the PostgreSQL address is malformed; write {form}, with special characters percent-encoded"
        super().__init__(message, field="db")


class UnencryptedAddress(Refused):
    """A server on another machine, and nothing in the address that demands encryption."""

    code = "tls_required"

    def __init__(self, host: str) -> None:
        super().__init__(
            f"PostgreSQL at {host} is on another machine, and the address does not demand encryption; add"
            " ?sslmode=verify-full&sslrootcert=system (or the path of your own authority's certificate), or, on a"
            " network you trust, ?sslmode=require (encrypted, the server not checked) or ?sslmode=disable",
            field="db",
        )


def connect(address: str, options: dict[str, Any]) -> Raw:
    """Like `psycopg.connect`, but with the addresses of one host tried side by side; several hosts keep their order."""
    found = _host_addresses(address)
    return _ParallelDial(address, options).run(found) if len(found) > 1 else psycopg.connect(address, **options)


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


class _ParallelDial:
    """Dials several addresses, each a little after the one before; the first connection is kept, others are closed."""

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
        # Callers that wait for a connection are notified whatever goes wrong here.
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


def read_postgres_address(address: str) -> PostgresAddress:
    plain = _POOLER.sub(r"\1", address).rstrip("?&")
    parts = _parts(plain)
    _check_encryption(parts)
    host, port = parts.get("host") or parts.get("hostaddr") or "the default host", parts.get("port")
    shown = f"{host}{f':{port}' if port else ''}/{parts.get('dbname') or ''}"
    return PostgresAddress(plain, shown, plain != address, "connect_timeout" in parts)


def _parts(address: str) -> dict[str, str]:
    try:
        parts = {key: str(value) for key, value in conninfo_to_dict(address).items()}
    except psycopg.ProgrammingError:
        raise BadPostgresAddress from None
    if not _PORTS.fullmatch(parts.get("port", "")) or any(
        "@" in parts.get(key, "") and parts[key] in address for key in ("host", "dbname")
    ):
        # A password with an unescaped @ or / is cut there, and the rest is parsed as host or database.
        raise BadPostgresAddress
    return parts


def _check_encryption(parameters: dict[str, str]) -> None:
    """Raises unless every host is this machine, or encryption is demanded or waived in so many words."""
    # What the address leaves open libpq takes from the environment and its service file.
    parts = {**_libpq_defaults(), **parameters}
    if parts.get("sslmode") not in _MAY_BE_PLAIN:
        return
    for host in (parts.get("hostaddr") or parts.get("host") or "").split(","):
        if not _is_local(host):
            raise UnencryptedAddress(host)


def _libpq_defaults() -> dict[str, str]:
    options = psycopg.pq.Conninfo.get_defaults()
    return {option.keyword.decode(): option.val.decode() for option in options if option.val is not None}


def _is_local(host: str) -> bool:
    """A socket in the file system or of Linux's own kind, or a loopback address."""
    if not host or host.startswith(("/", "@")) or host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
