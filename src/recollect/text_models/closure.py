"""What the closure matcher is given and returns: an open item, a later message, and what became of the item."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol, get_args

from recollect.when.gregorian import MONTH_NAMES, WEEKDAYS

Outcome = Literal["unrelated", "progress", "done", "cancelled", "moved"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
Role = Literal["owner", "asker", "other"]
"""Who somebody is to an item: who is to do it, who asked for it or told of it, or anybody else."""
_WEEKS_FROM = 15
"""From so many days on a stretch of time is told in weeks."""


@dataclass(frozen=True, slots=True)
class OpenItem:
    """An item in words: its kind as in `everyday`, who asked whom, its day and its due day."""

    kind: str
    text: str
    asker: str = ""
    owner: str = ""
    day: date | None = None
    due: date | None = None

    @property
    def model_text(self) -> str:
        """The item as the model reads it."""
        asked = f" by {self.asker}" if self.asker and self.asker != self.owner else ""
        owned = f" for {self.owner}" if self.owner else ""
        due = f", due {_day(self.due)}" if self.due is not None else ""
        return f"{self.kind}{asked}{owned}{due}: {self.text}"


@dataclass(frozen=True, slots=True)
class LaterMessage:
    """A sentence that somebody wrote after the item; the roles are those of author and addressee in the item.

    `subject` is the title of the text that it is taken from, and `before` what stands before it there.
    """

    text: str
    author: str = ""
    role: Role = "other"
    addressee: Role | None = None
    day: date | None = None
    subject: str = ""
    before: str = ""
    is_same_thread: bool = False


@dataclass(frozen=True, slots=True)
class ClosurePair:
    """An item and a message that may say what became of it."""

    item: OpenItem
    message: LaterMessage

    @property
    def model_text(self) -> str:
        """The message as the model reads it, with who wrote it, how long after the item, and what it belongs to."""
        said = self.message
        towards = f" to {said.addressee}" if said.addressee is not None else ""
        thread = ", same thread" if said.is_same_thread else ""
        when = f" {_day(said.day)}{self._distance}" if said.day is not None else ""
        about = f" [{said.subject}]" if said.subject else ""
        before = f" ({said.before})" if said.before else ""
        return f"{said.author} ({said.role}{towards}{thread}){when}{about}{before}: {said.text}"

    @property
    def _distance(self) -> str:
        day, begun, due = self.message.day, self.item.day, self.item.due
        if day is None:
            return ""
        since = f", {_stretch((day - begun).days)} later" if begun is not None else ""
        if due is None:
            return since
        left = (due - day).days
        return since + (f", {_stretch(left)} to go" if left >= 0 else f", {_stretch(-left)} overdue")


@dataclass(frozen=True, slots=True)
class ClosureReading:
    """The likeliest outcome with its calibrated probability.

    `is_sure` holds from a threshold on, which supposes that both are of one thread and that rules look at the sentence
    again. `is_sure_alone` holds from a higher one, for all other pairs (`docs/models.md`).
    """

    outcome: Outcome
    probability: float
    is_sure: bool
    model: str
    is_sure_alone: bool = False


class ClosureMatcher(Protocol):
    """Decides what becomes of items, pair by pair."""

    @property
    def model(self) -> str:
        """Name and version of the model."""

    def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
        """One reading per pair, in the order given."""


def _day(day: date) -> str:
    return f"{WEEKDAYS[day.weekday()][:3]} {day.day} {MONTH_NAMES[day.month - 1][:3]}"


def _stretch(days: int) -> str:
    return f"{days} days" if days < _WEEKS_FROM else f"{days // 7} weeks"
