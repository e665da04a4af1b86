"""An inbox of the corpus as files that a program takes in: an mbox, a vault of notes and an export of chats."""

import json
import mailbox
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import Any

VAULT = "vault"
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Inbox:
    """The head of an inbox and its records in the order of the file; the file is its `group`."""

    group: str
    head: Record
    records: Sequence[Record]

    @property
    def me(self) -> str:
        return str(self.head["me"]).partition("<")[0].strip()

    @property
    def address(self) -> str:
        return str(self.head["me"]).partition("<")[2].rstrip(">")

    def of_kind(self, kind: str) -> list[Record]:
        return [record for record in self.records if record["kind"] == kind]


def load_inboxes(path: Path) -> list[Inbox]:
    """The inboxes of a file, each with the records of its set."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    heads = [row for row in rows if row["kind"] == "set"]
    records = [row for row in rows if row["kind"] != "set"]
    return [Inbox(path.stem, head, [row for row in records if row["set"] == head["set"]]) for head in heads]


def record_text(record: Record) -> str:
    """All words of a record that a person wrote; of a chat the turns of the human."""
    turns = [text for role, text in record.get("turns", ()) if role == "user"]
    return "\n".join([record.get("subject") or "", record.get("text") or "", *turns])


def message_id(record: Record) -> str:
    return f"{record['id']}@inbox.example"


def write_inbox(inbox: Inbox, folder: Path) -> list[Path]:
    """Write the files of an inbox; what there is to take in."""
    written = []
    if mails := inbox.of_kind("mail"):
        written.append(_write_mails(mails, folder / "inbox.mbox"))
    if notes := inbox.of_kind("note"):
        written.append(_write_notes(notes, folder / VAULT))
    if chats := inbox.of_kind("chat"):
        written.append(_write_chats(chats, folder / "conversations.json"))
    return written


def _write_mails(records: Iterable[Record], path: Path) -> Path:
    box = mailbox.mbox(path)
    for record in records:
        mail = EmailMessage()
        mail["Message-ID"] = f"<{message_id(record)}>"
        mail["Date"] = format_datetime(datetime.fromisoformat(record["date"]))
        mail["From"], mail["To"], mail["Subject"] = record["from"], ", ".join(record["to"]), record["subject"]
        if record.get("cc"):
            mail["Cc"] = ", ".join(record["cc"])
        if record.get("reply_to"):
            mail["In-Reply-To"] = f"<{message_id({'id': record['reply_to']})}>"
        for name, value in record.get("headers", {}).items():
            mail[name] = value
        mail.set_content(record.get("text") or record["html"], subtype="plain" if record.get("text") else "html")
        box.add(mail)
    box.close()
    return path


def _write_notes(records: Iterable[Record], folder: Path) -> Path:
    (folder / ".obsidian").mkdir(parents=True)
    for record in records:
        path = folder / record["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(record["text"], encoding="utf-8")
    return folder


def _write_chats(records: Iterable[Record], path: Path) -> Path:
    path.write_text(json.dumps([_conversation(record) for record in records]), encoding="utf-8")
    return path


def _conversation(record: Record) -> dict[str, object]:
    begun = datetime.fromisoformat(record["date"]).timestamp()
    nodes: dict[str, dict[str, Any]] = {}
    parent = None
    for number, (role, text) in enumerate(record["turns"]):
        name = f"{record['id']}-{number}"
        message = {
            "id": name, "author": {"role": role}, "create_time": begun + 60 * number,
            "content": {"content_type": "text", "parts": [text]},
        }  # fmt: skip
        nodes[name] = {"id": name, "message": message, "parent": parent, "children": []}
        if parent is not None:
            nodes[parent]["children"].append(name)
        parent = name
    times = {"create_time": begun, "update_time": begun + 60 * len(nodes)}
    return {"title": record["title"], "mapping": nodes, "current_node": parent, "id": record["id"], **times}
