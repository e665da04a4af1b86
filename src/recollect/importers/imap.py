"""Mail from a server: a mailbox over IMAP, read only, from where the last import stopped."""

import imaplib
import re
import ssl
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from recollect.errors import Forbidden, NotKnown, PackageMissing, Refused, Unavailable, Unsupported
from recollect.importers.import_run import ImportResult
from recollect.importers.mail import import_messages
from recollect.ingest.mail.mailbox import RawMessage
from recollect.memory import Memory
from recollect.settings import Settings
from recollect.store.encryption import KeyringUnusable, keyring_secret
from recollect.store.ingest_queries import MailboxMark, mailbox_mark, put_mailbox_mark

KEYRING_SERVICE: Final = "recollect-imap"
PASSWORD_SETTING: Final = "imap.password"
AUTHORITY_SETTING: Final = "imap.ca"
MESSAGES_AT_ONCE: Final = 50
LARGEST_MESSAGE: Final = 10 * 1024 * 1024
"""Of a longer message this much is fetched: text stands before attachments."""
SECONDS: Final = 60
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
_UID: Final = re.compile(rb"\bUID (\d+)")


class MailAddress(NamedTuple):
    """A mailbox of a mail server, and who reads it."""

    host: str
    port: int
    user: str
    mailbox: str
    is_tls: bool

    @property
    def name(self) -> str:
        return f"{self.user}@{self.host}/{self.mailbox}"


class BadMailAddress(Refused):
    code = "bad_mail_address"

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; write imaps://USER@HOST/MAILBOX, with %40 for @ in USER", field="url")


class MailboxUnavailable(Unavailable):
    code = "mailbox_unavailable"

    def __init__(self, address: MailAddress, why: object) -> None:
        super().__init__(f"{address.name} cannot be read now ({why}); what was read is kept, try again later")


class MailboxRefused(NotKnown):
    code = "mailbox_refused"

    def __init__(self, address: MailAddress, why: object) -> None:
        super().__init__(f"{address.host} does not open the mailbox {address.mailbox!r} ({why}); check its name")


class NoMailPassword(Forbidden):
    code = "no_mail_password"

    def __init__(self, address: MailAddress) -> None:
        super().__init__(
            f"there is no password for {address.name}; set an app password in RECOLLECT_IMAP_PASSWORD, or store it "
            f"with: keyring set {KEYRING_SERVICE} {address.user}@{address.host}"
        )


class MailPasswordRefused(Forbidden):
    code = "mail_password_refused"

    def __init__(self, address: MailAddress, why: object) -> None:
        super().__init__(f"{address.host} refused the password of {address.user} ({why}); use an app password")


class MailCertificateRefused(Forbidden):
    code = "mail_certificate_refused"

    def __init__(self, address: MailAddress, failure: ssl.SSLCertVerificationError) -> None:
        super().__init__(
            f"the certificate of {address.host} is not trusted ({failure.verify_message}); the password was not sent. "
            "If the server is your own, name the file of its certificate, or of the authority that signed it: "
            "--ca FILE, or RECOLLECT_IMAP_CA"
        )


class BadCertificateFile(Refused):
    code = "bad_certificate_file"

    def __init__(self, path: str, failure: OSError) -> None:
        why = "it has no certificate in PEM form" if isinstance(failure, ssl.SSLError) else failure.strerror
        super().__init__(f"the certificates in {path} cannot be read: {why}", field="ca")


def is_mail_address(text: str) -> bool:
    return urlsplit(text).scheme in ("imap", "imaps")


def read_mail_address(text: str) -> MailAddress:
    """The mailbox of a URL; a password in it would show in lists of processes, so it is refused."""
    parts = urlsplit(text)
    try:
        port = parts.port
    except ValueError as problem:
        raise BadMailAddress(f"{text!r} has no valid port") from problem
    if not parts.hostname or not parts.username:
        raise BadMailAddress(f"{text!r} has no user or no host")
    if parts.password is not None:
        raise BadMailAddress("do not put a password into the address: set RECOLLECT_IMAP_PASSWORD")
    is_tls = parts.scheme == "imaps"
    default = 993 if is_tls else 143
    return MailAddress(
        parts.hostname, port or default, unquote(parts.username), unquote(parts.path.strip("/")) or "INBOX", is_tls
    )


def mail_password(address: MailAddress, settings: Settings) -> str:
    """The password from the environment, else from the system keyring."""
    found = settings.text(PASSWORD_SETTING) or _keyring_password(address)
    if not found:
        raise NoMailPassword(address)
    return found


def _keyring_password(address: MailAddress) -> str | None:
    try:
        return keyring_secret(KEYRING_SERVICE, f"{address.user}@{address.host}")
    except (PackageMissing, KeyringUnusable):
        return None


class ImapWatcher:
    """A mailbox that is asked for new messages, or waits until the server says that there are some."""

    def __init__(self, address: MailAddress, password: Callable[[], str], authority: str | None = None) -> None:
        self.address = address
        self._password = password
        self._context = _trusting(authority)
        self._server: imaplib.IMAP4 | None = None
        self._validity = 0

    def poll(self, memory: Memory) -> Iterator[ImportResult]:
        """Import the messages that came since the last time, some at a time."""
        try:
            server = self._connected()
            found = self._new_messages(server, memory)
            for start in range(0, len(found), MESSAGES_AT_ONCE):
                yield self._import(memory, server, found[start : start + MESSAGES_AT_ONCE])
        except (imaplib.IMAP4.error, OSError) as failure:
            self.close()
            raise MailboxUnavailable(self.address, _words(failure)) from failure

    def _connected(self) -> imaplib.IMAP4:
        if self._server is None:
            self._server = self._connect()
        else:
            self._server.noop()
        return self._server

    def _open(self, host: str, port: int) -> imaplib.IMAP4:
        if self.address.is_tls:
            return imaplib.IMAP4_SSL(host, port, ssl_context=self._context, timeout=SECONDS)
        server = imaplib.IMAP4(host, port, timeout=SECONDS)
        if "STARTTLS" in server.capabilities:
            server.starttls(self._context)
        elif host not in _LOOPBACK:
            server.shutdown()
            raise Unsupported(f"{host} offers no encryption, and the password is not sent without; use imaps://")
        return server

    def _connect(self) -> imaplib.IMAP4:
        host, port = self.address.host, self.address.port
        try:
            server = self._open(host, port)
        except ssl.SSLCertVerificationError as failure:
            raise MailCertificateRefused(self.address, failure) from failure
        try:
            server.login(self.address.user, self._password())
        except (imaplib.IMAP4.error, UnicodeEncodeError) as failure:
            server.shutdown()
            raise MailPasswordRefused(self.address, _words(failure)) from failure
        self._select(server)
        answer = server.response("UIDVALIDITY")[1]
        self._validity = int(answer[0]) if answer and answer[0] else 0
        return server

    def _select(self, server: imaplib.IMAP4) -> None:
        try:
            _check(server.select(_quoted(self.address.mailbox), readonly=True))
        except imaplib.IMAP4.abort:
            raise
        except (imaplib.IMAP4.error, UnicodeEncodeError) as failure:
            server.shutdown()
            raise MailboxRefused(self.address, _words(failure)) from failure

    def _new_messages(self, server: imaplib.IMAP4, memory: Memory) -> list[int]:
        with memory.read() as view:
            mark = mailbox_mark(view, self.address.name)
        first = mark.uid + 1 if mark is not None and mark.validity == self._validity else 1
        [listed] = _check(server.uid("SEARCH", f"UID {first}:*"))
        # A range that begins behind the last message still names that one.
        return sorted(uid for uid in map(int, (listed or b"").split()) if uid >= first)

    def _import(self, memory: Memory, server: imaplib.IMAP4, uids: Sequence[int]) -> ImportResult:
        result = import_messages(memory, self.address.name, _fetch(server, uids))
        with memory.write() as change:
            put_mailbox_mark(change, self.address.name, MailboxMark(self._validity, uids[-1]))
        return result

    def wait(self, seconds: float) -> bool:
        """Wait for the server to say that there is something new; false if it cannot, or said nothing in time."""
        server = self._server
        if server is None or "IDLE" not in server.capabilities:
            return False
        try:
            return _idle(server, seconds)
        except (imaplib.IMAP4.error, OSError):
            self.close()
            return False

    def close(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            try:
                server.logout()
            except (imaplib.IMAP4.error, OSError):
                return


def _trusting(authority: str | None) -> ssl.SSLContext:
    """The authorities of the system, and those in the file."""
    context = ssl.create_default_context()
    if authority is not None:
        try:
            context.load_verify_locations(Path(authority).expanduser())
        except OSError as failure:
            raise BadCertificateFile(authority, failure) from failure
    return context


def _fetch(server: imaplib.IMAP4, uids: Sequence[int]) -> Iterator[RawMessage]:
    """The messages, without marking them as read."""
    wanted = f"(UID BODY.PEEK[]<0.{LARGEST_MESSAGE}>)"
    for part in _check(server.uid("FETCH", ",".join(map(str, uids)), wanted)):
        if isinstance(part, tuple):
            head, content = part
            uid = _UID.search(head)
            yield RawMessage(int(uid[1]) if uid else 0, len(content), content, 0)


def _idle(server: imaplib.IMAP4, seconds: float) -> bool:
    """One IDLE command (RFC 2177); `imaplib` has none before Python 3.14."""
    tag = b"RECOLLECT"
    server.send(tag + b" IDLE\r\n")
    line = server.readline()
    if not line.startswith(b"+"):
        return False
    server.sock.settimeout(seconds)
    is_new = False
    try:
        while not is_new:
            line = server.readline()
            is_new = not line or b" EXISTS" in line
    except TimeoutError:
        is_new = False
    server.sock.settimeout(SECONDS)
    server.send(b"DONE\r\n")
    while line and not line.startswith(tag):
        line = server.readline()
    return is_new


def _check(answer: tuple[str, list[Any]]) -> list[Any]:
    status, parts = answer
    if status != "OK":
        raise imaplib.IMAP4.error(*parts)
    return parts


def _words(failure: Exception) -> str:
    """What went wrong as a person reads it: servers answer in bytes, and the system with a number."""
    if isinstance(failure, UnicodeEncodeError):
        return "only letters of ASCII can be sent"
    if isinstance(failure, OSError) and failure.strerror:
        return failure.strerror
    told = failure.args[0] if failure.args else type(failure).__name__
    return told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)


def _quoted(mailbox: str) -> str:
    return '"' + mailbox.replace("\\", "\\\\").replace('"', '\\"') + '"'
