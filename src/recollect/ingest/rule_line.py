"""The bundle line that adds a rule to a world, or changes one."""

import re

from recollect.ingest.fields import Fields, Json
from recollect.ingest.problems import BadLine
from recollect.memory import Memory
from recollect.reason.checks.ruling import RuleWanted, put_rule_in
from recollect.store.change import Change

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_LONGEST = 4_000


def take_rule(memory: Memory, change: Change, given: Json) -> bool:
    """Whether the line changed anything: the rule is checked and run as if it were added by hand."""
    fields = Fields(given, "rule")
    fields.only({"id", "cypher", "description", "severity", "enabled", "min_confidence"})
    id_, cypher = fields.needed("id"), fields.verbatim("cypher")
    if not _SLUG.fullmatch(id_):
        raise BadLine("rule.id", "should be lower case letters, digits and hyphens, at most 64 of them")
    if cypher is not None and len(cypher) > _LONGEST:
        raise BadLine("rule.cypher", f"should have at most {_LONGEST} characters")
    severity = fields.word("severity", ("error", "warn"))
    wanted = RuleWanted(id_, cypher, fields.text("description"), severity, _flag(fields), _share(fields))
    return put_rule_in(memory, change, wanted)


def _flag(fields: Fields) -> bool | None:
    value = fields.values.get("enabled")
    if value is not None and not isinstance(value, bool):
        raise BadLine("rule.enabled", "should be true or false")
    return value


def _share(fields: Fields) -> float | None:
    value = fields.values.get("min_confidence")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise BadLine("rule.min_confidence", "should be a number from 0 to 1")
    return float(value)
