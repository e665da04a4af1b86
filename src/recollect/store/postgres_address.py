"""Addresses of PostgreSQL: where the server is, and whether the way there is safe."""

import re
from ipaddress import ip_address
from typing import NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict

from recollect.errors import Refused

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
