"""The stops of the clock bar's slider: transactions at which something on a page changed."""

from collections.abc import Sequence

from recollect.model.ids import EntityId
from recollect.serve.web.framework.pages import Moment, PageRequest
from recollect.serve.web.framework.rendering import human_time, local_instant
from recollect.store.activity_queries import ActivityFilter, list_transactions

MOST_MOMENTS = 60


def recent_moments(request: PageRequest, entities: Sequence[EntityId] | None = None) -> tuple[Moment, ...]:
    """The last transactions that touched some entities, or any; the oldest first. Later ones than the clock's too."""
    with request.memory.read() as view:
        if entities is None:
            found = list_transactions(view, ActivityFilter(limit=MOST_MOMENTS))
        else:
            every = (list_transactions(view, ActivityFilter(entity=each, limit=MOST_MOMENTS)) for each in entities)
            found = sorted({tx for some in every for tx in some}, reverse=True)[:MOST_MOMENTS]
        zone = view.world.zone
    return tuple(Moment(str(tx.tx), f"{human_time(local_instant(tx.at, zone))}: {tx.tool}") for tx in reversed(found))
