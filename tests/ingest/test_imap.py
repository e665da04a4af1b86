"""`recollect watch imap://…` against a mail server of our own."""

import datetime
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from recollect.importers.imap import (
    BadCertificateFile,
    BadMailAddress,
    ImapWatcher,
    MailCertificateRefused,
    MailPasswordRefused,
    mail_password,
    read_mail_address,
)
from recollect.memory import Memory
from recollect.serve.cli.main import main
from recollect.settings import Settings

PASSWORD = "app password"


def message(number: int, text: str) -> bytes:
    return (
        f"From: Dana Cole <dana@harrow.example>\r\nTo: Ada Brandt <ada@brandt.example>\r\nDate: Mon, {number} Mar 2026 "
        f"09:00:00 +0000\r\nMessage-ID: <{number}@harrow.example>\r\nSubject: Lumen Audit\r\n\r\n{text}\r\n"
    ).encode()


@dataclass
class MailServer:
    """One mailbox; it speaks as much of IMAP as a reader needs, and notes what it was asked."""

    listener: socket.socket
    messages: dict[int, bytes] = field(default_factory=dict)
    validity: int = 1
    asked: list[str] = field(default_factory=list)
    is_idle: threading.Event = field(default_factory=threading.Event)
    news: threading.Event = field(default_factory=threading.Event)

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def run(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as lines:
                connection.sendall(b"* OK ready\r\n")
                for line in lines:
                    connection.sendall(self.answer(line.decode().strip(), connection))

    def answer(self, line: str, connection: socket.socket) -> bytes:
        self.asked.append(line)
        tag, _, command = line.partition(" ")
        done = f"{tag} OK done\r\n".encode()
        match command.split():
            case ["CAPABILITY"]:
                return b"* CAPABILITY IMAP4rev1 IDLE\r\n" + done
            case ["LOGIN", *_]:
                return done if PASSWORD in command else f"{tag} NO wrong\r\n".encode()
            case ["EXAMINE", '"Attic"']:
                return f"{tag} NO Mailbox doesn't exist: Attic\r\n".encode()
            case ["EXAMINE", *_]:
                exists = f"* {len(self.messages)} EXISTS\r\n* OK [UIDVALIDITY {self.validity}] valid\r\n"
                return exists.encode() + done
            case ["UID", "SEARCH", "UID", wanted]:
                first = int(wanted.partition(":")[0])
                # As RFC 3501 has it, a range up to the last message holds the last message.
                uids = [uid for uid in self.messages if uid >= first] or list(self.messages)[-1:]
                return f"* SEARCH {' '.join(map(str, uids))}\r\n".encode() + done
            case ["UID", "FETCH", wanted, *_]:
                return b"".join(self.fetched(int(uid)) for uid in wanted.split(",")) + done
            case ["IDLE"]:
                connection.sendall(b"+ idling\r\n")
                self.is_idle.set()
                self.news.wait(60)
                return f"* {len(self.messages)} EXISTS\r\n".encode()
            case [] if tag == "DONE":
                return b"RECOLLECT OK idle ended\r\n"
            case ["LOGOUT"]:
                return b"* BYE\r\n" + done
        return done

    def deliver_when_idle(self) -> None:
        self.is_idle.wait(60)
        self.news.set()

    def fetched(self, uid: int) -> bytes:
        content = self.messages[uid]
        return f"* 1 FETCH (UID {uid} BODY[]<0> {{{len(content)}}}\r\n".encode() + content + b")\r\n"


@pytest.fixture
def server() -> Iterator[MailServer]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        running = MailServer(listener)
        running.messages = {3: message(3, "I will send the ledger by Friday."), 4: message(4, "Thanks.")}
        threading.Thread(target=running.run, daemon=True).start()
        yield running
        running.news.set()
        listener.shutdown(socket.SHUT_RDWR)


def watcher(server: MailServer, password: str = PASSWORD) -> ImapWatcher:
    return ImapWatcher(
        read_mail_address(f"imap://ada%40brandt.example@127.0.0.1:{server.port}/INBOX"), lambda: password
    )


def poll(watch: ImapWatcher, memory: Memory) -> int:
    return sum(each.tally.changed for each in watch.poll(memory))


def test_new_mail_comes_once_and_from_where_it_stopped(server: MailServer, memory: Memory) -> None:
    watch = watcher(server)
    assert [poll(watch, memory), poll(watch, memory)] == [2, 0]
    server.messages[9] = message(9, "We decided to use the new ledger.")
    assert poll(watch, memory) == 1
    watch.close()
    again = watcher(server)
    assert poll(again, memory) == 0
    again.close()
    fetched = [each for each in server.asked if " FETCH " in each]
    assert ["3,4" in fetched[0], "9" in fetched[1], len(fetched)] == [True, True, 2]
    assert all("PEEK" in each for each in fetched)
    assert any(" EXAMINE " in each for each in server.asked)


def test_a_mailbox_that_was_made_anew_is_read_again_and_nothing_doubles(server: MailServer, memory: Memory) -> None:
    first = watcher(server)
    poll(first, memory)
    first.close()
    server.validity, server.messages = 2, {1: server.messages[3], 2: message(5, "Another one.")}
    second = watcher(server)
    assert poll(second, memory) == 1
    second.close()


def test_the_server_says_when_there_is_new_mail(server: MailServer, memory: Memory) -> None:
    watch = watcher(server)
    poll(watch, memory)
    deliver = threading.Thread(target=server.deliver_when_idle)
    deliver.start()
    assert watch.wait(60)
    deliver.join()
    assert poll(watch, memory) == 0
    watch.close()


def test_a_wrong_password_is_told_with_what_to_do(server: MailServer, memory: Memory) -> None:
    with pytest.raises(MailPasswordRefused, match="app password"):
        poll(watcher(server, "wrong"), memory)


@pytest.mark.parametrize(
    "text", ["imaps://host/INBOX", "imaps://ada:secret@host", "imap:///x", "imaps://ada@host:port/"]
)
def test_an_address_without_a_user_or_with_a_password_is_refused(text: str) -> None:
    with pytest.raises(BadMailAddress):
        read_mail_address(text)


def test_addresses_and_passwords() -> None:
    address = read_mail_address("imaps://ada%40x.example@mail.example/Work%2FLumen")
    assert address == ("mail.example", 993, "ada@x.example", "Work/Lumen", True)
    assert mail_password(address, Settings(environment={"RECOLLECT_IMAP_PASSWORD": "given"})) == "given"


def test_the_command_reads_a_mailbox(server: MailServer, memory: Memory, address: str) -> None:
    memory.close()
    url = f"imap://ada@127.0.0.1:{server.port}"
    environment = {"RECOLLECT_DB": address, "RECOLLECT_IMAP_PASSWORD": PASSWORD}
    result: Result = CliRunner().invoke(main, ["watch", "--once", "--json", url], env=environment)
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["path"] == "ada@127.0.0.1/INBOX"
    missing = CliRunner().invoke(main, ["watch", "--once", "nowhere"], env=environment)
    assert missing.exit_code == 2


@pytest.mark.parametrize(
    ("mailbox", "password", "told"),
    [
        ("INBOX", "wrong", "127.0.0.1 refused the password of ada (wrong); use an app password"),
        ("INBOX", "wörd", "127.0.0.1 refused the password of ada (only letters of ASCII can be sent)"),
        ("Attic", PASSWORD, "does not open the mailbox 'Attic' (Mailbox doesn't exist: Attic); check its name"),
    ],
)
def test_what_a_mail_server_refuses_is_told_in_one_line_of_words(
    server: MailServer, tmp_path: Path, mailbox: str, password: str, told: str
) -> None:
    url = f"imap://ada@127.0.0.1:{server.port}/{mailbox}"
    environment = {"RECOLLECT_IMAP_PASSWORD": password, "RECOLLECT_DB": str(tmp_path / "m.db")}
    failed = CliRunner(env=environment).invoke(main, ["watch", url, "--once"])
    assert failed.exit_code == 1
    assert told in failed.stderr
    assert failed.stderr.count("\n") == 1


@pytest.fixture
def own_certificate(tmp_path: Path) -> Path:
    """The certificate of `localhost` that nobody but itself has signed, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    path = tmp_path / "own.pem"
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return path


@pytest.fixture
def tls_server(own_certificate: Path) -> Iterator[MailServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own_certificate)
    with socket.create_server(("127.0.0.1", 0)) as plain, context.wrap_socket(plain, server_side=True) as listener:
        server = MailServer(listener)
        threading.Thread(target=server.run, daemon=True).start()
        yield server


def test_a_certificate_that_nobody_signed_is_refused_before_the_password_is_sent(
    memory: Memory, tls_server: MailServer
) -> None:
    address = read_mail_address(f"imaps://ada@localhost:{tls_server.port}")
    with pytest.raises(MailCertificateRefused, match="--ca FILE"):
        list(ImapWatcher(address, lambda: PASSWORD).poll(memory))
    assert tls_server.asked == []


def test_a_certificate_of_ones_own_is_trusted_once_it_is_named(
    memory: Memory, tls_server: MailServer, own_certificate: Path
) -> None:
    tls_server.messages[1] = message(2, "I will send the audit report by Friday.")
    address = read_mail_address(f"imaps://ada@localhost:{tls_server.port}")
    watcher = ImapWatcher(address, lambda: PASSWORD, str(own_certificate))
    assert sum(each.tally.changed for each in watcher.poll(memory)) == 1
    watcher.close()


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_file_without_certificates_is_named(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content, "utf-8")
    with pytest.raises(BadCertificateFile, match=r"ca\.pem"):
        ImapWatcher(read_mail_address("imaps://ada@localhost"), lambda: PASSWORD, str(path))
