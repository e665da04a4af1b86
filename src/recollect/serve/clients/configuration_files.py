"""Configuration files as text: the entry of this server read, set and removed, everything else untouched."""

import copy
import json
from collections.abc import Mapping
from typing import Any

from recollect.serve.clients import jsonc, toml_text, yaml_text
from recollect.serve.clients.declarations import SERVER_NAME, Client
from recollect.serve.clients.jsonc import UnreadableConfiguration

BYTE_ORDER_MARK = "\ufeff"
Entry = Mapping[str, Any]


class NotEditable(UnreadableConfiguration):
    def __init__(self) -> None:
        super().__init__("its layout is not one that can be edited safely; use --print and insert the entry by hand")


def decode(content: bytes | None) -> str:
    try:
        return (content or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableConfiguration("the file is not UTF-8 text") from None


def read_entry(client: Client, text: str) -> dict[str, Any] | None:
    """The entry of this server, if the configuration has one."""
    container = _container(client, _read(client, text.removeprefix(BYTE_ORDER_MARK)))
    if client.in_list:
        items = container if isinstance(container, list) else []
        found = next((each for each in items if isinstance(each, dict) and each.get("name") == SERVER_NAME), None)
    else:
        found = container.get(SERVER_NAME) if isinstance(container, Mapping) else None
    return found if isinstance(found, dict) else None


def has_container(client: Client, text: str) -> bool:
    return _container(client, _read(client, text.removeprefix(BYTE_ORDER_MARK))) is not None


def set_entry(client: Client, text: str, entry: Entry) -> str:
    """The text with this entry. Nothing else changes, which is checked by reading the result."""
    mark, body = _split_mark(text)
    before = _read(client, body)
    if read_entry(client, body) == entry:
        return text
    edited = _set(client, body, entry)
    if _read(client, edited) != _with_entry(client, before, entry):
        raise NotEditable
    return mark + edited


def remove_entry(client: Client, text: str, *, with_container: bool) -> str:
    """The text without the entry, and without its container if that is empty and was not there before."""
    mark, body = _split_mark(text)
    expected = _without_entry(client, _read(client, body))
    edited = _remove(client, body)
    left = _container(client, _read(client, edited))
    if with_container and client.format == "json" and left == {}:
        edited = jsonc.remove_value(edited, client.key)
    if _pruned(client, _read(client, edited)) != _pruned(client, expected):
        raise NotEditable
    return mark + edited


def is_same_without_entry(client: Client, text: str, saved: str) -> bool:
    """Whether a file that its client rewrote differs from the saved one by the entry alone."""
    if client.format != "json" or not _is_strict_json(text):
        return False
    return bool(_pruned(client, _without_entry(client, _read(client, text))) == _pruned(client, _read(client, saved)))


def _is_strict_json(text: str) -> bool:
    """Without comments, which a client does not write but a person may have added."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def snippet(client: Client, entry: Entry) -> str:
    """What to insert by hand."""
    if not client.key:
        return jsonc.set_value("", (), entry).rstrip("\n")
    return _set(client, "", entry).rstrip("\n")


def document_with(client: Client, entry: Entry) -> Any:
    """A configuration that has nothing but this entry."""
    return _with_entry(client, {}, entry) if client.key else dict(entry)


def _split_mark(text: str) -> tuple[str, str]:
    return (BYTE_ORDER_MARK, text[1:]) if text.startswith(BYTE_ORDER_MARK) else ("", text)


def _read(client: Client, text: str) -> Any:
    match client.format:
        case "json":
            return jsonc.read(text)
        case "yaml":
            return yaml_text.read(text)
        case "toml":
            return toml_text.read(text)


def _container(client: Client, document: Any) -> Any:
    for key in client.key:
        document = document.get(key) if isinstance(document, Mapping) else None
    return document


def _set(client: Client, text: str, entry: Entry) -> str:
    match client.format:
        case "json":
            return jsonc.set_value(text, (*client.key, SERVER_NAME), entry)
        case "yaml":
            return yaml_text.set_entry(text, client.key[0], SERVER_NAME, entry, in_list=client.in_list)
        case "toml":
            return toml_text.set_entry(text, client.key[0], SERVER_NAME, entry)


def _remove(client: Client, text: str) -> str:
    match client.format:
        case "json":
            return jsonc.remove_value(text, (*client.key, SERVER_NAME))
        case "yaml":
            return yaml_text.remove_entry(text, client.key[0], SERVER_NAME, in_list=client.in_list)
        case "toml":
            return toml_text.remove_entry(text, client.key[0], SERVER_NAME)


def _with_entry(client: Client, document: Any, entry: Entry) -> Any:
    """The document as it should read afterwards."""
    changed = copy.deepcopy(document)
    parent = changed
    for key in client.key[:-1]:
        parent = parent.setdefault(key, {})
    last = client.key[-1]
    if client.in_list:
        items = [each for each in parent.get(last) or [] if not _is_ours(each)]
        place = next((at for at, each in enumerate(parent.get(last) or []) if _is_ours(each)), len(items))
        parent[last] = [*items[:place], dict(entry), *items[place:]]
    else:
        parent[last] = {**(parent.get(last) or {}), SERVER_NAME: dict(entry)}
    return changed


def _without_entry(client: Client, document: Any) -> Any:
    changed = copy.deepcopy(document)
    container = _container(client, changed)
    if client.in_list and isinstance(container, list):
        container[:] = [each for each in container if not _is_ours(each)]
    elif isinstance(container, dict):
        container.pop(SERVER_NAME, None)
    return changed


def _pruned(client: Client, document: Any) -> Any:
    """The document without an empty container: whether that stays is a matter of layout."""
    changed = copy.deepcopy(document)
    if not _container(client, changed) and isinstance(changed, dict):
        changed.pop(client.key[0], None)
    return changed


def _is_ours(item: Any) -> bool:
    return isinstance(item, Mapping) and item.get("name") == SERVER_NAME
