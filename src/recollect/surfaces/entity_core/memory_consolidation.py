"""Summing up the periods that are over."""
# ruff: noqa: A002, N803 the published names

from collections.abc import Sequence

from recollect.errors import Refused
from recollect.keep.memories.dates import Granularity, Period, around, read_day, read_period
from recollect.keep.summaries.consolidation import Failed, Outcome, consolidate, consolidate_all
from recollect.memory import Memory
from recollect.surfaces.entity_core.instances import acting_as
from recollect.surfaces.entity_core.memory_inputs import Level, TargetDate
from recollect.surfaces.entity_core.memory_results import Consolidated, ConsolidationItem
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.shapes import Flag


class BadScope(Refused):
    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field} {why}", field=field)


@surface.tool(
    "write", example={"granularity": "weekly", "targetDate": "2026-W18"}, idempotent=True, tells=True, asks=True
)
def memory_consolidate(
    memory: Memory,
    granularity: Level | None = None,
    targetDate: TargetDate | None = None,
    all: Flag = False,
    force: Flag = False,
) -> Consolidated:
    """I use this to sum up days into weeks, weeks into months, months into years."""
    if all and (granularity or targetDate):
        raise BadScope("all", "stands alone; leave out granularity and targetDate")
    if not all and granularity is None:
        raise BadScope("granularity", "is required, unless all is true")
    acting = acting_as(memory, None)
    if granularity is None:
        return _shown(consolidate_all(acting, force=force))
    if targetDate is None:
        return _shown(consolidate_all(acting, (granularity,), force=force))
    return _shown(consolidate(acting, _target(granularity, targetDate), force=force))


def _target(granularity: Granularity, text: str) -> Period:
    try:
        return around(granularity, read_day(text))
    except ValueError:
        return read_period(granularity, text, "targetDate")


def _shown(outcomes: Sequence[Outcome]) -> Consolidated:
    made = sum(not isinstance(each, Failed) and each.tx is not None for each in outcomes)
    failed = sum(isinstance(each, Failed) for each in outcomes)
    said = f"I summarised {made} period{'' if made == 1 else 's'}."
    return {
        "success": not failed,
        "message": f"{said} {failed} could not be done." if failed else said,
        "consolidations": [_item(each) for each in outcomes],
    }


def _item(outcome: Outcome) -> ConsolidationItem:
    period = outcome.period
    item: ConsolidationItem = {
        "granularity": period.granularity,
        "dateStr": period.text,
        "success": not isinstance(outcome, Failed),
    }
    if isinstance(outcome, Failed):
        item["error"] = outcome.error
        return item
    summary = outcome.memory.draft.summary
    item |= {"action": outcome.action, "memoryId": outcome.memory.id, "version": outcome.memory.version}
    if summary is not None:
        item |= {"method": summary.method, "sources": list(summary.sources)}
    if outcome.tx is not None:
        item["tx"] = outcome.tx
    return item
