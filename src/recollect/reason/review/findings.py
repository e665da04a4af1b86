"""Open findings of consistency rules, as questions."""

from collections.abc import Iterator

from recollect.model.ids import EntityId
from recollect.model.review_ids import ReviewId
from recollect.reason.checks.findings import FINDING_PREFIX, find_flags
from recollect.reason.review.questions import DISMISS, ReviewQuestion, Risk
from recollect.store import finding_queries
from recollect.store.finding_queries import FindingRow, FindingSelection
from recollect.store.view import View

_MAX_FINDINGS = 500
_CATEGORIES = ("contradiction", "anachronism", "ontology", "orphan")


def find_findings(view: View, about: EntityId | None = None) -> Iterator[ReviewQuestion]:
    """The open findings that nobody has dismissed; those of one entity, if it is given."""
    if about is None:
        wanted = FindingSelection((), _CATEGORIES, None, None, include_flagged=False)
        rows, _ = finding_queries.list_findings(view, "open", wanted, _MAX_FINDINGS)
    else:
        rows = finding_queries.findings_naming(view, [about])
    dismissed = find_flags(view, [row.id for row in rows])
    yield from (_question(row) for row in rows if row.id not in dismissed)


def find_finding(view: View, id_: str) -> ReviewQuestion | None:
    bare = id_.removeprefix(FINDING_PREFIX)
    return next((_question(row) for row in finding_queries.open_findings_by_id(view, [bare])), None)


def _question(row: FindingRow) -> ReviewQuestion:
    risk = Risk.ERROR if row.severity == "error" else Risk.WARNING
    return ReviewQuestion(ReviewId("finding", (row.id,)), "finding", (DISMISS,), risk, text=row.message)
