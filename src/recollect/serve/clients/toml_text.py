"""Edits of TOML that leave the rest of the text as it is, comments included."""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from recollect.serve.clients.jsonc import UnreadableConfiguration

Entry = Mapping[str, Any]
Lines = list[str]


def read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise UnreadableConfiguration(f"invalid TOML: {problem}") from None


def set_entry(text: str, key: str, name: str, value: Entry) -> str:
    """The text with an entry in the table of this key."""
    text, newline = _with_plain_ends(text)
    servers = read(text).get(key, {})
    if not isinstance(servers, Mapping):
        raise UnreadableConfiguration(f"{key} is not a table")
    lines = _lines(text)
    headers = _headers(lines)
    place = _entry_span(lines, headers, (key, name))
    block = _block(key, name, value)
    if place is not None:
        lines[slice(*place)] = block
        return _join(lines, newline)
    if name in servers or (servers and not any(path[:1] == (key,) for path in headers.values())):
        return _set_without_header(text, key, name, value).replace("\n", newline)
    return _join(_inserted(lines, block, _end_of_tables(lines, headers, key)), newline)


def remove_entry(text: str, key: str, name: str) -> str:
    """The text without the entry."""
    text, newline = _with_plain_ends(text)
    lines = _lines(text)
    place = _entry_span(lines, _headers(lines), (key, name))
    if place is None:
        return _remove_without_header(text, key, name).replace("\n", newline)
    before, after = lines[: place[0]], lines[place[1] :]
    if before and not before[-1].strip() and not (after and after[0].strip()):
        before.pop()
    return _join([*before, *after], newline)


def _headers(lines: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """The lines that begin a table, with its path."""
    found: dict[int, tuple[str, ...]] = {}
    start = 0
    for at, line in enumerate(lines):
        if line.lstrip().startswith("[") and (path := _path(line)) and _is_complete(lines[start:at]):
            found[at], start = path, at
    return found


def _path(line: str) -> tuple[str, ...]:
    """The names in the header of a table; none if the line is something else."""
    try:
        found: Any = tomllib.loads(line.rstrip("\r"))
    except tomllib.TOMLDecodeError:
        return ()
    names = []
    while isinstance(found, dict) and found:
        ((name, found),) = found.items()
        names.append(name)
    return tuple(names)


def _is_complete(lines: Sequence[str]) -> bool:
    """Whether every array and text that these lines begin also ends in them."""
    try:
        tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError:
        return False
    return True


def _entry_span(lines: Lines, headers: Mapping[int, tuple[str, ...]], path: tuple[str, str]) -> tuple[int, int] | None:
    """The lines of an entry with its own tables, without the comments and blank lines that follow it."""
    starts = [at for at, name in headers.items() if name[:2] == path]
    if not starts:
        return None
    following = [at for at in headers if at > starts[0] and at not in starts]
    own = [at for at in starts if not following or at < following[0]]
    return starts[0], _end_of_values(lines, headers, own[-1])


def _end_of_values(lines: Lines, headers: Mapping[int, tuple[str, ...]], start: int) -> int:
    """The line after the last value of a table."""
    end = min((at for at in headers if at > start), default=len(lines))
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _end_of_tables(lines: Lines, headers: Mapping[int, tuple[str, ...]], key: str) -> int:
    """Where another table of this key goes: after the last one with the comments right below it, else at the end."""
    starts = [at for at, path in headers.items() if path[:1] == (key,)]
    if not starts:
        return len(lines)
    end = _end_of_values(lines, headers, starts[-1])
    limit = min((at for at in headers if at > end - 1), default=len(lines))
    blank = next((at for at in range(end, limit) if not lines[at].strip()), limit)
    return blank if blank < limit or limit == len(lines) else end


def _inserted(lines: Lines, block: Lines, at: int) -> Lines:
    before, after = lines[:at], lines[at:]
    if any(line.strip() for line in before) and before[-1].strip():
        block = ["", *block]
    if after and after[0].strip():
        block = [*block, ""]
    return [*before, *block, *after]


def _block(key: str, name: str, value: Entry) -> Lines:
    import tomlkit

    document = tomlkit.document()
    servers = tomlkit.table(is_super_table=True)
    servers[name] = tomlkit.item(dict(value))
    document[key] = servers
    return tomlkit.dumps(document).strip("\n").split("\n")


def _set_without_header(text: str, key: str, name: str, value: Entry) -> str:
    """Where the entry or those beside it are written without a header: as an inline table or with dotted keys."""
    import tomlkit
    from tomlkit.items import InlineTable

    document = _parse(text)
    servers: Any = document[key]
    servers[name] = _inline_table(value) if isinstance(servers, InlineTable) else tomlkit.item(dict(value))
    return tomlkit.dumps(document)


def _inline_table(entry: Entry) -> Any:
    import tomlkit

    table = tomlkit.inline_table()
    table.update({key: _inline_table(value) if isinstance(value, Mapping) else value for key, value in entry.items()})
    return table


def _remove_without_header(text: str, key: str, name: str) -> str:
    import tomlkit

    document = _parse(text)
    servers: Any = document[key]
    del servers[name]
    if not servers:
        del document[key]
    return tomlkit.dumps(document)


def _parse(text: str) -> Any:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(text)
    except TOMLKitError:
        raise UnreadableConfiguration(
            "its layout is not one that can be edited safely; use --print and insert the entry by hand"
        ) from None


def _with_plain_ends(text: str) -> tuple[str, str]:
    """The text with plain line ends, and those that it has throughout."""
    if "\n" in text and text.count("\n") == text.count("\r\n"):
        return text.replace("\r\n", "\n"), "\r\n"
    return text, "\n"


def _lines(text: str) -> Lines:
    return text.removesuffix("\n").split("\n") if text else []


def _join(lines: Lines, newline: str) -> str:
    return newline.join([*lines, ""]) if lines else ""
