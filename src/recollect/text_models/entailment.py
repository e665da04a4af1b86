"""What the entailment model returns: whether a piece of evidence supports a claim, refutes it or does neither."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

ClaimVerdict = Literal["supports", "refutes", "neither"]
VERDICTS: tuple[ClaimVerdict, ...] = get_args(ClaimVerdict)


@dataclass(frozen=True, slots=True)
class ClaimReading:
    """The likeliest verdict with its calibrated probability; `is_sure` holds from its threshold on."""

    verdict: ClaimVerdict
    probability: float
    is_sure: bool
    model: str


class EntailmentModel(Protocol):
    """Weighs pieces of evidence for and against a claim."""

    @property
    def model(self) -> str:
        """Name and version of the model."""

    def read(self, claim: str, evidence: Sequence[str]) -> list[ClaimReading]:
        """One reading per piece, in the order given."""
