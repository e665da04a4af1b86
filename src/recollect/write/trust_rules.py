"""The rules by which sources are trusted: senders, mail domains, folders and tools, as the settings name them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, cast

from recollect.errors import Forbidden
from recollect.model.actor import Actor
from recollect.model.entity import Entity
from recollect.model.fact import Statement
from recollect.model.trust import (
    OWNER,
    SOURCE_TRUST,
    TRUST_LEVELS,
    Trust,
    higher_trust,
    is_low,
    lower_trust,
    with_name_trust,
)
from recollect.settings import BadSetting, Settings
from recollect.store.change import Change
from recollect.text.fold import fold_name
from recollect.text.mail_addresses import canonical_address, canonical_domain

RuleKind = Literal["sender", "domain", "folder", "tool"]
RULE_SETTINGS: Final[Mapping[RuleKind, str]] = {
    "sender": "trust.senders",
    "domain": "trust.domains",
    "folder": "trust.folders",
    "tool": "trust.tools",
}
"""Settings that map a sender, a mail domain, a folder or a tool to a level."""
_DOWNLOADS = "downloads"


def trust_rules(settings: Settings, kind: RuleKind) -> dict[str, Trust]:
    """The rules of one kind, by sender, domain, folder or tool as `rule_name` has them."""
    key = RULE_SETTINGS[kind]
    if settings.get(key) is None:
        return {}
    levels = settings.table(key)
    if not all(level in TRUST_LEVELS for level in levels.values()):
        raise BadSetting(key, dict(levels), f"an object whose values are {', '.join(TRUST_LEVELS)}")
    return {rule_name(kind, str(name)): cast(Trust, level) for name, level in levels.items()}


def rule_name(kind: RuleKind, name: str) -> str:
    """The form in which senders, domains, folders and tools are compared with those of the rules."""
    name = name.strip()
    if kind == "sender":
        return canonical_address(name) if "@" in name else fold_name(name)
    return canonical_domain(name.removeprefix("@")) if kind == "domain" else name.casefold()


def folder_trust(settings: Settings, path: Path) -> Trust:
    """The level of the files of a folder, by the nearest folder with a rule; what was downloaded is not trusted."""
    place = path.expanduser().resolve()
    rules = {Path(name).expanduser(): level for name, level in trust_rules(settings, "folder").items()}
    for each in (place, *place.parents):
        folded = Path(each.as_posix().casefold())
        if folded in rules:
            return rules[folded]
        if each.name.casefold() == _DOWNLOADS:
            return "untrusted"
    return OWNER


def tool_trust(settings: Settings, surface: str, tool: str) -> Trust:
    """The level of what a tool writes, by the rule for the tool or for its surface."""
    rules = trust_rules(settings, "tool")
    return rules.get(f"{surface}.{tool}", rules.get(surface, OWNER)) if rules else OWNER


class Distrusted(Forbidden):
    def __init__(self, surface: str, tool: str, level: Trust) -> None:
        super().__init__(
            f"{tool} may add to the memory, but neither change nor delete nor decide anything in it, since what it "
            f"writes counts as {level}; a person can raise that with: recollect trust set tool {surface}.{tool} owner"
        )


def check_may_overrule(settings: Settings, actor: Actor) -> None:
    """Refuse somebody whose words count less than those that they would change."""
    level = lower_trust(actor.trust, tool_trust(settings, actor.surface, actor.tool))
    if is_low(level):
        raise Distrusted(actor.surface, actor.tool, level)


def actor_trust(change: Change) -> Trust:
    """The level of what this change writes by itself: by the rule for its tool, and by where its files lie."""
    if change.actor_trust is None:
        change.actor_trust = _read_actor_trust(change)
    return change.actor_trust


def _read_actor_trust(change: Change) -> Trust:
    # Settings need no present: a world at this instant would be made for every line of a bundle.
    key, actor, own = RULE_SETTINGS["tool"], change.actor, (change.recent.world or change.world).settings
    if key not in own and change.settings.get(key) is None:
        return actor.trust
    settings = change.settings.for_workspace(own)
    return lower_trust(actor.trust, tool_trust(settings, actor.surface, actor.tool))


def speaker_trust(change: Change) -> Trust:
    """The trust level of the source that names the entities being written."""
    return lower_trust(change.voice, actor_trust(change))


def raise_entity_trust(change: Change, entity: Entity, trust: Trust) -> Entity:
    """Raise the trust of an entity's name to that of a more trusted source which names it too."""
    if SOURCE_TRUST not in entity.properties or higher_trust(trust, entity.trust) == entity.trust:
        return entity
    return change.put_entity(entity._replace(properties=with_name_trust(entity.properties, trust)))


def raise_trust_of_ends(change: Change, statement: Statement) -> None:
    """Whoever states something of an entity names it."""
    claim, cached = statement.claim, change.recent.entities
    for end in (claim.subject, claim.object):
        entity = None if end is None else cached.get(end) or change.entity(end)
        if entity is not None and SOURCE_TRUST in entity.properties:
            raise_entity_trust(change, entity, lower_trust(statement.trust, speaker_trust(change)))


def rule_kind(name: str) -> RuleKind:
    """The kind of rule that a word names."""
    return next(kind for kind in RULE_SETTINGS if kind == name)


def changed_rules(change: Change, kind: RuleKind, name: str, level: str) -> tuple[str, dict[str, Trust]]:
    """The setting of a kind of rules, and its value with one rule set; any other word than a level removes it."""
    key = RULE_SETTINGS[kind]
    own = Settings(workspace={key: change.world.settings.get(key)})
    place = Path(name).expanduser().resolve().as_posix() if kind == "folder" else name
    rules = {**trust_rules(own, kind)}
    rules.pop(rule_name(kind, place), None)
    if level in TRUST_LEVELS:
        rules[rule_name(kind, place)] = level
    return key, rules
