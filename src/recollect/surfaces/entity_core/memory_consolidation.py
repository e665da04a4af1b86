"""`memory_consolidate`: summaries of past periods."""
# ruff: noqa: A002, N803 the published names

from collections.abc import Sequence

from recollect.errors import Refused
from recollect.keep.formats import Granularity, MemoryPeriod, parse_day, parse_period, period_around
from recollect.keep.memories.consolidation import (
    ConsolidationFailure,
    ConsolidationOutcome,
    consolidate,
    consolidate_all,
)
from recollect.memory import Memory
from recollect.surfaces.entity_core.memory_types import ConsolidationResult, ConsolidationView, SummaryLevel, TargetDate
from recollect.surfaces.entity_core.surface import acting_as, surface
from recollect.surfaces.parameter_types import Flag


class BadConsolidationScope(Refused):
    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field} {why}", field=field)


@surface.tool(
    "write",
    example={"granularity": "weekly", "targetDate": "2026-W18"},
    idempotent=True,
    reports_progress=True,
    asks_model=True,
)
def memory_consolidate(
    memory: Memory,
    granularity: SummaryLevel | None = None,
    targetDate: TargetDate | None = None,
    all: Flag = False,
    force: Flag = False,
) -> ConsolidationResult:
    """I use this to sum up days into weeks, weeks into months, months into years."""
    if all and (granularity or targetDate):
        raise BadConsolidationScope("all", "stands alone; leave out granularity and targetDate")
    if not all and granularity is None:
        raise BadConsolidationScope("granularity", "is required, unless all is true")
    acting = acting_as(memory, None)
    if granularity is None:
        return _render_consolidation(consolidate_all(acting, force=force))
    if targetDate is None:
        return _render_consolidation(consolidate_all(acting, (granularity,), force=force))
    return _render_consolidation(consolidate(acting, _target_period(granularity, targetDate), force=force))


def _target_period(granularity: Granularity, text: str) -> MemoryPeriod:
    try:
        return period_around(granularity, parse_day(text))
    except ValueError:
        return parse_period(granularity, text, "targetDate")


def _render_consolidation(outcomes: Sequence[ConsolidationOutcome]) -> ConsolidationResult:
    made = sum(not isinstance(each, ConsolidationFailure) and each.tx is not None for each in outcomes)
    failed = sum(isinstance(each, ConsolidationFailure) for each in outcomes)
    said = f"I summarised {made} period{'' if made == 1 else 's'}."
    return {
        "success": not failed,
        "message": f"{said} {failed} could not be done." if failed else said,
        "consolidations": [_render_outcome(each) for each in outcomes],
    }


def _render_outcome(outcome: ConsolidationOutcome) -> ConsolidationView:
    period = outcome.period
    item: ConsolidationView = {
        "granularity": period.granularity,
        "dateStr": period.text,
        "success": not isinstance(outcome, ConsolidationFailure),
    }
    if isinstance(outcome, ConsolidationFailure):
        item["error"] = outcome.error
        return item
    summary = outcome.memory.draft.summary
    item |= {"action": outcome.action, "memoryId": outcome.memory.id, "version": outcome.memory.version}
    if summary is not None:
        item |= {"method": summary.method, "sources": list(summary.sources)}
    if outcome.tx is not None:
        item["tx"] = outcome.tx
    return item
