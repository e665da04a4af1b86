"""Connector `mail`: one message of an mbox file or a maildir, found by its Message-ID or the hash of it."""

import mailbox
from collections.abc import Iterator, Mapping
from email import message_from_bytes, policy
from email.message import EmailMessage
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

from recollect.keep.mesh.connector import Body, Deadline, Stat, check_size, only_key
from recollect.keep.mesh.problems import FetchFailed, NotThere

_BLOCKS = frozenset("p div br li tr h1 h2 h3 h4 h5 h6 table ul ol blockquote".split())
_SILENT = frozenset({"script", "style", "head"})


class Mails:
    def stat(self, path: Path, keys: Mapping[str, str], deadline: Deadline) -> Stat:
        return Stat(len(_message(path, keys, deadline)))

    def fetch(self, path: Path, keys: Mapping[str, str], deadline: Deadline) -> Body:
        raw = _message(path, keys, deadline)
        check_size(len(raw))
        message = message_from_bytes(raw, policy=policy.default)
        assert isinstance(message, EmailMessage)
        subject = message.get("subject")
        return Body(None if subject is None else str(subject), "text/plain", _text(message))


def _message(path: Path, keys: Mapping[str, str], deadline: Deadline) -> bytes:
    wanted = only_key(keys, "msg-id").strip()
    try:
        for identifier, raw in _messages(path):
            deadline.check()
            bare = identifier.strip().strip("<>")
            if wanted.strip("<>") == bare or wanted.lower() in (_hash(bare), _hash(f"<{bare}>")):
                return raw
    except (OSError, mailbox.Error) as problem:
        raise FetchFailed(f"the mailbox is unreadable ({type(problem).__name__})") from None
    raise NotThere(f"message {wanted[:80]}")


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _messages(path: Path) -> Iterator[tuple[str, bytes]]:
    """Each message's own id and its bytes."""
    box = mailbox.Maildir(path, create=False) if path.is_dir() else mailbox.mbox(path, create=False)
    try:
        for key in box.iterkeys():
            raw = box.get_bytes(key)
            header = message_from_bytes(raw.partition(b"\n\n")[0], policy=policy.compat32)
            yield str(header.get("message-id", "")), raw
    finally:
        box.close()


def _text(message: EmailMessage) -> str:
    """The message's words; HTML becomes text, attachments are named."""
    body = message.get_body(preferencelist=("plain", "html"))
    try:
        text = "" if body is None else str(body.get_content())
    except (LookupError, ValueError, AttributeError) as problem:
        raise FetchFailed(f"its body is unreadable ({type(problem).__name__})") from None
    if body is not None and body.get_content_type() == "text/html":
        text = text_of_html(text)
    names = [each.get_filename() or "unnamed" for each in message.iter_attachments()]
    return "\n".join([text.strip(), *(f"[attachment: {name}]" for name in names)]).strip()


def text_of_html(html: str) -> str:
    """The words of a page, one block a line."""
    reader = _Words()
    reader.feed(html)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).splitlines())
    return "\n".join(line for line in lines if line)


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 the base's names
        self._silent += tag in _SILENT
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._silent = max(0, self._silent - (tag in _SILENT))
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(data)
