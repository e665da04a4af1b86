"""Findings and flags as the tools that tell of entities show them beside everything else."""

from collections.abc import Collection
from typing import Any

from recollect.model.ids import EntityId
from recollect.reason.checks.flags import flags_of, flags_of_kind
from recollect.reason.checks.listing import findings_about
from recollect.surfaces.lore_engine.asking import Asking
from recollect.surfaces.lore_engine.context_results import FindingShown, FlagShown
from recollect.surfaces.lore_engine.finding_shown import FindingPrinter, say_brief
from recollect.when.instant import say_instant

ContradictionShown = dict[str, Any]


def contradictions_touching(asked: Asking, entities: Collection[EntityId]) -> list[ContradictionShown]:
    """Open contradictions that one of these entities is in and that nobody flagged, each once."""
    found = [
        each
        for each in findings_about(asked.view, entities)
        if each.finding.category == "contradiction" and each.flag is None
    ]
    printer = FindingPrinter(asked, found)
    return [{**printer.contradiction(each)} for each in found]


def findings_touching(asked: Asking, entity: EntityId) -> list[FindingShown]:
    """Open findings that the entity is in."""
    return [
        {**say_brief(each.finding), "flagged": each.flag is not None} for each in findings_about(asked.view, [entity])
    ]


def flags_on(asked: Asking, entities: Collection[EntityId]) -> dict[EntityId, list[FlagShown]]:
    """By entity, why it was marked for review."""
    held = flags_of(asked.view, entities)
    return {
        entity: [
            {"reason": flag.reason, "flagged_by": flag.flagged_by, "flagged_at": say_instant(flag.flagged_at)}
            for flag in ([held[entity]] if entity in held else [])
        ]
        for entity in entities
    }


def flagged_entities(asked: Asking) -> list[EntityId]:
    """Entities that somebody marked for review."""
    return [EntityId(flag.node) for flag in flags_of_kind(asked.view, "entity")]
