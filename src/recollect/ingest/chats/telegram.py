"""Telegram: `result.json` of one chat or of a whole account."""

from collections import Counter
from collections.abc import Iterator
from datetime import tzinfo
from typing import Any

from recollect.ingest.api_object import ApiObject
from recollect.ingest.chats.person_messages import PersonMessage, local_text, message_line, quoted, utc_text
from recollect.ingest.json_stream import JsonItem
from recollect.ingest.line import IngestItem
from recollect.ingest.parties import Party

TELEGRAM = "telegram"
_CHAT_TYPES = frozenset(
    "saved_messages personal_chat bot_chat private_group private_supergroup public_supergroup private_channel "
    "public_channel replies verify_codes".split()
)


def is_telegram_message(item: JsonItem) -> bool:
    """Whether an item is a message or notice of a Telegram chat."""
    given = ApiObject.of(item.value)
    is_entry = given.text("type") in ("message", "service") and given.has("id", "date")
    return is_entry and ApiObject(item.around).text("type") in _CHAT_TYPES


def read_telegram(item: JsonItem, zone: tzinfo, left_out: Counter[str]) -> Iterator[IngestItem]:
    """The record of a message."""
    given, chat = ApiObject.of(item.value), ApiObject(item.around)
    if given.text("type") != "message":
        left_out["notices of joins, calls and the like"] += 1
        return
    author, reply = given.text("from"), given.text("reply_to_message_id")
    name, kind = chat.text("name"), chat.text("type")
    place = f"{chat.text('id') or name}"
    told = _text(given.get("text"))
    forwarded = given.text("forwarded_from", "saved_from")
    is_other = author is not None and author == name
    line = message_line(
        PersonMessage(
            TELEGRAM,
            f"{place}:{given.text('id')}",
            Party(author, None) if author else None,
            _time(given, "date", zone),
            f"Forwarded from {forwarded}:\n{quoted(told)}" if forwarded and told else told,
            name or ("Saved messages" if kind == "saved_messages" else None),
            _recipients(chat, is_other=is_other) if kind == "personal_chat" else (),
            f"{TELEGRAM}:{place}:{reply}" if reply else None,
            _time(given, "edited", zone),
            (kind == "bot_chat" and is_other) or given.has("via_bot"),
            _files(given),
        )
    )
    left_out["messages without text"] += line is None
    if line is not None:
        yield line


def _time(given: ApiObject, key: str, zone: tzinfo) -> str | None:
    """A time by its seconds; older exports have only the local time of the computer that made them."""
    seconds = given.text(f"{key}_unixtime")
    if seconds is not None and seconds.isdecimal():
        return utc_text(float(seconds))
    return local_text(given.text(key), zone)


def _text(value: Any) -> str:
    """A text that is plain, or a list of plain and formatted parts."""
    if isinstance(value, list):
        return "".join(each if isinstance(each, str) else ApiObject.of(each).text("text") or "" for each in value)
    return value if isinstance(value, str) else ""


def _recipients(chat: ApiObject, *, is_other: bool) -> list[Party]:
    """To whom a message of a conversation of two was written."""
    own = chat.object("personal_information")
    owner = " ".join(filter(None, (own.text("first_name"), own.text("last_name"))))
    name = owner if is_other else chat.text("name")
    return [Party(name, None)] if name else []


def _files(given: ApiObject) -> list[str]:
    if given.has("photo"):
        return ["photo"]
    kind = given.text("file_name") or given.text("media_type")
    return [kind] if kind else ["file"] if given.has("file") else []
