"""The analysis of one clause: what it does, how it is meant, who is bound by it, and when."""

from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from recollect.reading.clause import ASSERTED, Polarity
from recollect.reading.cues import Modality
from recollect.reading.state import State

Act = Literal[
    "commitment", "request", "decision", "blocker", "completion", "cancellation", "concern", "goal", "preference",
    "question", "attribute", "relation", "event", "reference",
]  # fmt: skip
TimeStatus = Literal["none", "read", "pending"]
TimeRole = Literal["due", "lasting", "valid", "happened"]
DoerKind = Literal["speaker", "addressee", "we", "named"]
Granularity = Literal["day", "week", "month", "quarter", "year", "range"]


@dataclass(frozen=True, slots=True)
class Doer:
    """Who is bound by a commitment, asked by a request or meant by a statement; names are as written.

    `others` are bound beside the first: both of *Dana and Marcus will send it*. The name with a speaker who is asked is
    that of who asks: *Dana asked me to send it*.
    """

    kind: DoerKind
    name: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeReading:
    """The time of a clause: its words, and its first and last day as far as they are known.

    A deadline has only `until`. A pending time has words and no days. `moved_from` holds the days that a new date
    replaces. In the role `lasting`, `until` is the end of what somebody goes on doing, or the day of a visit, after
    which it is over and not late.
    """

    status: TimeStatus = "none"
    phrase: str = ""
    start: date | None = None
    until: date | None = None
    role: TimeRole = "happened"
    granularity: Granularity = "day"
    moved_from: tuple[date, date] | None = None

    @property
    def is_earliest(self) -> bool:
        """Whether only the day is told before which nothing is due: *not before Monday*."""
        return self.role == "valid" and self.start is not None and self.until is None


NO_TIME = TimeReading()


class ClauseReading(NamedTuple):
    """What one clause states; `start` and `stop` are its place in the given text.

    `fact_type` refines the act where facts are stored under a narrower type: promise, resolution, risk. A clause
    without an act has a modality and a polarity all the same; `decided_by` names the rule. `states` are
    what the clause says of somebody beside its act: where they work, what they own. `shared` are earlier words that the
    clause goes on with: *I'll send* of *… the score on Monday and the parts on Thursday*.
    """

    text: str
    start: int
    stop: int
    act: Act | None = None
    polarity: Polarity = "positive"
    modality: Modality = "asserted"
    doer: Doer | None = None
    time: TimeReading = NO_TIME
    states: tuple[State, ...] = ()
    fact_type: str | None = None
    confidence: float = 1.0
    decided_by: str = ""
    shared: str = ""

    @property
    def is_fact(self) -> bool:
        """Whether the clause states a fact: it has an act and is meant."""
        return self.act is not None and (self.modality in ASSERTED or self.modality == "reported")
