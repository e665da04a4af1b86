"""Connector `mail`: one message of an mbox file or a maildir, found by its Message-ID or the hash of it."""

import mailbox
from collections.abc import Iterator, Mapping
from email import message_from_bytes, policy
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path

from recollect.ingest.mail.html import text_of_html
from recollect.keep.mesh.connector import Body, Deadline, Stat, check_size, only_key
from recollect.keep.mesh.problems import FetchFailed, NotThere


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
        text = "\n".join(line for line in text_of_html(text).splitlines() if line)
    names = [each.get_filename() or "unnamed" for each in message.iter_attachments()]
    return "\n".join([text.strip(), *(f"[attachment: {name}]" for name in names)]).strip()
