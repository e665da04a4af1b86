"""What becomes of one text that an embodiment and the server may both have changed. Pure functions."""

from dataclasses import dataclass
from typing import Literal

from recollect.keep.memories.daily_merge import merge_texts
from recollect.keep.sync.three_way import merge_lines
from recollect.when.instant import Instant

Status = Literal["applied", "merged", "unchanged", "kept_server", "conflict"]
Resolution = Literal["keep_local", "keep_server", "merge"]
Side = Literal["local", "server"]


@dataclass(frozen=True, slots=True)
class Text:
    """A text with the label it goes under; memories have none."""

    text: str
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Base:
    """What an embodiment started from; nothing, where the thing did not exist or was deleted then."""

    text: Text | None
    is_current: bool


@dataclass(frozen=True, slots=True)
class Case:
    """The two sides, either of which may be a deletion, and where they came from.

    Without a `base` nobody knows. `buried` is the last text of a thing that is deleted on the server.
    """

    client: Text | None
    server: Text | None
    base: Base | None
    buried: Text | None = None
    daily: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do, and the text that stands afterwards; of a conflict, that of the client."""

    status: Status
    text: Text | None = None


def decide(case: Case) -> Verdict:
    """The row of the table that a case falls under."""
    client, server, base = case.client, case.server, case.base
    if client == server:
        return Verdict("unchanged", server)
    if base is not None and (base.is_current or server == base.text):
        return Verdict("applied", client)
    if server is None and (base is None or base.text is None):
        is_old = base is None and client == case.buried
        return Verdict("kept_server") if is_old else Verdict("applied", client)
    if base is not None and client == base.text and client is not None:
        return Verdict("kept_server", server)
    if client is None or server is None:
        return Verdict("conflict", client)
    return _joined(client, server, base.text if base else None, daily=case.daily) or Verdict("conflict", client)


def decide_last_write(case: Case, side: Side | None, *, is_own: bool) -> Verdict:
    """The outcome for a client that names no usable base: texts are never merged, the later write wins.

    A client that follows its own write has nothing to disagree with, unless its edit is the older one.
    """
    client = case.client
    if client == case.server:
        return Verdict("unchanged", case.server)
    if is_own and side != "server":
        return Verdict("applied", client)
    earlier = [each.text for each in (case.buried, case.base and case.base.text) if each]
    if side != "local" and client is not None and client.text in earlier:
        return Verdict("kept_server", case.server)
    return Verdict("conflict", client)


def _joined(client: Text, server: Text, base: Text | None, *, daily: bool) -> Verdict | None:
    if daily:
        return Verdict("merged", Text(merge_texts(server.text, client.text).text))
    if base is None:
        return None
    text = _one_of(client.text, server.text, base.text)
    if text is None:
        text = merge_lines(base.text, server.text, client.text)
    label = _one_of(client.label, server.label, base.label)
    if text is None or (label is None and server.label is not None):
        return None
    if Text(text, label) == server:
        return Verdict("kept_server" if client.text == base.text else "unchanged", server)
    return Verdict("merged", Text(text, label))


def _one_of(client: str | None, server: str | None, base: str | None) -> str | None:
    """The side that changed where the other did not, or both where they agree."""
    if client in (server, base):
        return server
    return client if server == base else None


def later(client: Instant | None, server: Instant) -> Side | None:
    """The side with the later time; none where they are equal or one is unknown."""
    if client is None or client == server:
        return None
    return "local" if client > server else "server"


def resolution(side: Side | None) -> Resolution:
    return "merge" if side is None else "keep_local" if side == "local" else "keep_server"
