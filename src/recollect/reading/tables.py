"""Rows of Markdown tables whose columns say who does what by when."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from recollect.reading.task_marks import TaskState
from recollect.text.fold import fold_name, plain_letters

ColumnRole = Literal["owner", "due", "what", "state"]

_HEADERS: dict[ColumnRole, str] = {
    "owner": "owner|who|assignee|assigned|assigned to|responsible|by whom|lead|wer|verantwortlich|zustandig|qui"
    "|responsable|quien|quem|responsavel|chi|responsabile|wie|verantwoordelijke|vem|ansvarig|kto|odpowiedzialny",
    "due": "due|due date|when|deadline|date|until|by when|bis|wann|frist|termin|datum|quand|echeance|date limite"
    "|cuando|fecha|plazo|quando|prazo|data|scadenza|wanneer|nar|kiedy",
    "what": "what|task|action|action item|item|todo|to do|topic|was|aufgabe|massnahme|quoi|tache|que|tarea|accion|o que"
    "|tarefa|acao|cosa|compito|azione|wat|taak|actie|vad|uppgift|atgard|co|zadanie",
    "state": "status|state|done|done?|stand|erledigt|statut|etat|fait|estado|hecho|feito|stato|fatto|gedaan|klart|stan",
}
_CONTACT = frozenset(
    "phone mobile tel telephone email e-mail address telefon handy adresse telefono direccion indirizzo morada".split()
)
"""Columns of lists of people, whose rows are nobody's tasks."""
_RULE = re.compile(r"[ \t]*+(?:\|[ \t]*+)?:?-{2,}+:?[ \t]*+(?:\|[ \t]*+:?-{2,}+:?[ \t]*+)*+\|?[ \t]*$")
_DONE = frozenset(
    "done x yes ✅ ✔ ✓ ☑ complete completed closed finished ok erledigt ja fait oui hecho si feito sim".split()
)
_DONE_MORE = frozenset("fatto gedaan klart gjort zrobione tak".split())
_CANCELLED = frozenset(
    "cancelled canceled dropped abandoned ❌ abgesagt annule cancelado annullato geannuleerd".split()
)


class Cell(NamedTuple):
    """A cell of a table: its place in the line and its text."""

    start: int
    stop: int
    text: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row by the roles of its columns."""

    cells: tuple[Cell, ...]
    headers: tuple[str, ...]
    owner: str | None = None
    due: str | None = None
    what: str | None = None
    state: TaskState | None = None


def is_table_line(line: str) -> bool:
    return line.lstrip().startswith("|") or line.count("|") >= 2


def is_table_rule(line: str) -> bool:
    """Whether this is the line of dashes between the header of a table and its rows."""
    return "-" in line and "|" in line and _RULE.fullmatch(line) is not None


def cells_of(line: str) -> tuple[Cell, ...]:
    """The cells of a line of a table, trimmed; empty ones have no text."""
    first = line.find("|") + 1 if line.lstrip().startswith("|") else 0
    last = line.rstrip()
    stop = len(last) - 1 if last.endswith("|") and len(last) > first else len(last)
    return tuple(_split_cells(line, first, stop))


def _split_cells(line: str, first: int, stop: int) -> Iterator[Cell]:
    at = first
    while at <= stop:
        bar = line.find("|", at, stop)
        end = stop if bar < 0 else bar
        piece = line[at:end]
        lead = len(piece) - len(piece.lstrip())
        yield Cell(at + lead, at + len(piece.rstrip()) if piece.strip() else at + lead, piece.strip())
        if bar < 0:
            return
        at = bar + 1


def read_row(headers: Sequence[str], cells: tuple[Cell, ...]) -> TableRow:
    """A row whose cells have the roles of the headers above them."""
    roles: dict[ColumnRole, str] = {}
    if not _CONTACT.isdisjoint(_plain(header) for header in headers):
        return TableRow(cells, tuple(headers))
    for header, cell in zip(headers, cells, strict=False):
        role = column_role(header)
        if role is not None and cell.text:
            roles.setdefault(role, cell.text)
    return TableRow(
        cells, tuple(headers), roles.get("owner"), roles.get("due"), roles.get("what"), row_state(roles.get("state"))
    )


def row_state(text: str | None) -> TaskState | None:
    if text is None:
        return None
    word = plain_letters(fold_name(text)).strip(" .!*_")
    if word in _DONE or word in _DONE_MORE:
        return "done"
    return "cancelled" if word in _CANCELLED else "open"


def column_role(header: str) -> ColumnRole | None:
    return _roles().get(_plain(header))


def _plain(header: str) -> str:
    return plain_letters(fold_name(header)).strip(" :*_")


@cache
def _roles() -> dict[str, ColumnRole]:
    return {word: role for role, words in _HEADERS.items() for word in words.split("|")}
