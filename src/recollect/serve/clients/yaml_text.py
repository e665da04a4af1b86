"""Edits of block YAML that leave the rest of the text as it is."""

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from recollect.serve.clients.jsonc import UnreadableConfiguration

Entry = Mapping[str, Any]
_BY_HAND = "use --print and insert the entry by hand"


def read(text: str) -> Any:
    try:
        return yaml.safe_load(text) or {}
    except yaml.YAMLError as problem:
        raise UnreadableConfiguration(f"invalid YAML: {_first_line(problem)}") from None


def set_entry(text: str, key: str, name: str, value: Entry, *, in_list: bool) -> str:
    """The text with an entry under the key: a member of a mapping, or an item of a list that has this name."""
    text, newline = text.replace("\r\n", "\n"), "\r\n" if "\r\n" in text else "\n"
    container = _find(_root(text), key)
    if container is None:
        head = text if not text or text.endswith("\n") else text + "\n"
        edited = f"{head}{key}:\n{_block(name, value, 2, in_list)}\n"
    elif not container.value:
        edited = _fill_empty(text, container, _block(name, value, 2, in_list))
    else:
        edited = _set_in(text, container, name, value, in_list)
    return edited.replace("\n", newline)


def remove_entry(text: str, key: str, name: str, *, in_list: bool) -> str:
    """The text without the entry; the key goes with its last entry."""
    text, newline = text.replace("\r\n", "\n"), "\r\n" if "\r\n" in text else "\n"
    container = _find(_root(text), key)
    if container is None or not container.value:
        return text.replace("\n", newline)
    spans = _spans(text, container, in_list)
    if name in spans:
        start, end = spans[name]
        if len(spans) == 1:
            start = text.rfind("\n", 0, text.rindex(f"{key}:", 0, start)) + 1
        text = text[:start] + text[end + 1 :]
    return text.replace("\n", newline)


def _root(text: str) -> yaml.MappingNode | None:
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as problem:
        raise UnreadableConfiguration(f"invalid YAML: {_first_line(problem)}") from None
    if root is not None and (not isinstance(root, yaml.MappingNode) or root.flow_style):
        raise UnreadableConfiguration(f"the file is not a block mapping; {_BY_HAND}")
    return root


def _find(root: yaml.MappingNode | None, key: str) -> yaml.Node | None:
    if root is None:
        return None
    return next((value for name, value in root.value if name.value == key), None)


def _set_in(text: str, container: yaml.Node, name: str, value: Entry, in_list: bool) -> str:
    if not isinstance(container, yaml.SequenceNode if in_list else yaml.MappingNode) or container.flow_style:
        raise UnreadableConfiguration(f"its entries are not written as a block; {_BY_HAND}")
    spans = _spans(text, container, in_list)
    indent = _indent(text, next(iter(spans.values()))[0])
    block = _block(name, value, indent, in_list)
    if name in spans:
        start, end = spans[name]
        return text[:start] + block + text[end:]
    _, end = list(spans.values())[-1]
    return text[:end] + "\n" + block + text[end:]


def _fill_empty(text: str, container: yaml.Node, block: str) -> str:
    """An empty value, written as nothing, `{}` or `[]`, becomes a block."""
    start, end = container.start_mark.index, container.end_mark.index
    head = text[:start].rstrip(" ")
    return f"{head}\n{block}{text[end:]}"


def _spans(text: str, container: yaml.Node, in_list: bool) -> dict[str, tuple[int, int]]:
    """From the line start of each entry to the end of its last line."""
    found: dict[str, tuple[int, int]] = {}
    for place, item in enumerate(container.value):
        begins, node = (item, item) if in_list else item
        label = _find(node, "name") if in_list and isinstance(node, yaml.MappingNode) else None
        name = (label.value if label is not None else f"\0{place}") if in_list else begins.value
        start = text.rfind("\n", 0, begins.start_mark.index) + 1
        last = len(text[: node.end_mark.index].rstrip())
        end = text.find("\n", max(_last_content(node, last), begins.start_mark.index))
        found[name] = (start, len(text) if end < 0 else end)
    return found


def _last_content(node: yaml.Node, limit: int) -> int:
    """Where the last scalar ends; a block's own end mark lies behind the comments that follow it."""
    if isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        last = node.value[-1]
        return _last_content(last[1] if isinstance(last, tuple) else last, limit)
    return min(node.end_mark.index, limit)


def _indent(text: str, start: int) -> int:
    line = text[start:]
    return len(line) - len(line.lstrip(" "))


def _block(name: str, value: Entry, indent: int, in_list: bool) -> str:
    shown: Sequence[Any] | Mapping[str, Any] = [value] if in_list else {name: value}
    lines = yaml.safe_dump(shown, sort_keys=False, allow_unicode=True, width=1000).rstrip("\n").split("\n")
    return "\n".join(" " * indent + line for line in lines)


def _first_line(problem: yaml.YAMLError) -> str:
    return " ".join(str(problem).split())[:200]
