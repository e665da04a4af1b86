"""Settings of a workspace: which keys exist, which values they take, and how they print."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, get_args

from recollect.errors import Conflict, Refused
from recollect.ingest.timeline_definitions import has_times, remap_times
from recollect.model.entity import NAME_LIMIT
from recollect.model.vocabulary import ALIAS_SECTION, POLICY_SECTION, VALUE_COUNTS, VALUES_SECTION, built_in_predicates
from recollect.settings import MASK, BadSetting, Settings, environment_name, is_secret, is_server_wide
from recollect.store.change import Change
from recollect.store.view import View
from recollect.text.redaction import SECRETS_SETTING, secret_policy
from recollect.when.english.day_order import DateOrder
from recollect.when.format import readable_time
from recollect.when.instant import read_zone
from recollect.when.time_errors import BadTime, UnknownEra
from recollect.when.timeline import decide_timeline_kind
from recollect.when.timeline_definitions import set_now
from recollect.write.owner import NAME_SETTING, OWNER_SETTINGS, apply_owner_settings
from recollect.write.predicates import fold_predicate
from recollect.write.trust_rules import RULE_SETTINGS, trust_rules

NAME_FORM = re.compile(r"[a-z0-9][a-z0-9_.-]{0,62}", re.ASCII)
KEY_FORM = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+", re.ASCII)
POLICIES = ("supersede", "accumulate", "dispute")
TIMELINES = ("gregorian", "fictional")
PREDICATE_SECTIONS: Mapping[str, tuple[str, ...]] = {POLICY_SECTION: POLICIES, VALUES_SECTION: VALUE_COUNTS}
"""Settings that decide about one predicate each, and the values they take."""


class BadWorkspaceName(Refused):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r} cannot name a workspace: a-z, 0-9, - _ . and at most 63 of them", field="name")


class BadWorkspaceValue(Refused):
    def __init__(self, key: str, value: object, accepted: tuple[str, ...]) -> None:
        super().__init__(f"{key} cannot be {value!r}; use one of {', '.join(accepted)}", field=key, accepted=accepted)


class WorkspaceExists(Conflict):
    def __init__(self, name: str) -> None:
        super().__init__(f"there is a workspace {name!r} already; choose another name")


class UnknownWorkspaceKey(Refused):
    def __init__(self, key: str) -> None:
        known = ("section.key", *CHECKS)
        super().__init__(
            f"no setting {key!r}; available: {', '.join(CHECKS)} and section.key", field=key, accepted=known
        )


class UnknownSection(Refused):
    def __init__(self, key: str) -> None:
        known = tuple(sorted(SECTIONS))
        super().__init__(
            f"no setting {key!r}; settings begin with one of {', '.join(known)}", field=key, accepted=known
        )


class BadPresent(Refused):
    def __init__(self, value: object) -> None:
        forms = "use a time of this workspace, such as 2026-03-05 or third_age.year_345, or nothing for the clock's"
        super().__init__(f"now cannot be {str(value)[:100]!r}; {forms}", field="now")


class ServerWideSetting(Refused):
    def __init__(self, key: str) -> None:
        where = f"set it with {environment_name(key)} in the environment, or in recollect.toml"
        super().__init__(f"{key} is server-wide and cannot be set in a workspace; {where}", field=key)


class BadPredicateKey(Refused):
    def __init__(self, key: str, meant: str) -> None:
        super().__init__(f"{key!r} is not a normalized predicate name; use {meant}", field=key)


class BadAlias(Refused):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is a built-in predicate and cannot be an alias", field="aliases")


class TimelineInUse(Conflict):
    def __init__(self, kind: str) -> None:
        super().__init__(
            f"times, eras or calendars of the {kind} timeline are stored here; make another workspace for the other "
            "kind with: recollect workspace create NAME"
        )


def check_name(name: str) -> str:
    if not NAME_FORM.fullmatch(name):
        raise BadWorkspaceName(name)
    return name


def predicate_section(key: str) -> str | None:
    """The section of a setting that decides about one predicate; none for any other key."""
    return next((each for each in (*PREDICATE_SECTIONS, ALIAS_SECTION) if key.startswith(each)), None)


def require_known_section(key: str) -> None:
    """Refuse a key that nothing reads; programs may keep settings of their own, people who type mean one of ours."""
    known = key in CHECKS or predicate_section(key) is not None or is_server_wide(key)
    if not known and "." in key and key.partition(".")[0] not in SECTIONS:
        raise UnknownSection(key)


def put_setting(change: Change, key: str, value: Any) -> Any:
    """Check and set a key of a workspace; None removes it. An unchanged value writes no transaction."""
    section = predicate_section(key)
    if section is not None:
        value = _predicate_value(section, key, value)
    elif key not in CHECKS and not KEY_FORM.fullmatch(key):
        raise UnknownWorkspaceKey(key)
    if value is not None:
        if is_server_wide(key):
            raise ServerWideSetting(key)
        check_setting(key, value)
    kept = value if value is None or key not in CHECKS else CHECKS[key](change, value)
    before = change.world
    if kept is None and key in before.settings:
        change.end_setting(key)
    elif kept is not None and before.settings.get(key) != kept:
        change.put_setting(key, kept)
    remap_times(change, before.timeline, change.world.timeline)
    if key in OWNER_SETTINGS:
        apply_owner_settings(change)
    return kept


def _predicate_value(section: str, key: str, value: Any) -> Any:
    """The value of a setting of a predicate, which has to be named as facts name it."""
    name = key.removeprefix(section)
    if fold_predicate(name) != name:
        raise BadPredicateKey(key, section + fold_predicate(name))
    if value is None or section != ALIAS_SECTION:
        accepted = PREDICATE_SECTIONS.get(section, ())
        if value is not None and value not in accepted:
            raise BadWorkspaceValue(key, value, accepted)
        return value
    if name in built_in_predicates():
        raise BadAlias(name)
    return fold_predicate(str(value))


def describe_workspace(view: View) -> Mapping[str, Any]:
    world = view.world
    plain = {
        "name": view.workspace.name,
        "tx": view.last_tx,
        "timezone": world.zone.key,
        "timeline": "fictional" if world.timeline.is_fictional else "gregorian",
        "now": readable_time(world.now, world.timeline),
        "conflict_policy": world.conflict_policy,
    }
    shown = {key: MASK if is_secret(key) else value for key, value in world.settings.items() if key not in CHECKS}
    return plain | {"settings": shown}


def _parse_now(change: Change, value: Any) -> Any:
    try:
        now = set_now(change.world.timeline, str(value), change.now).now
    except (BadTime, UnknownEra) as problem:
        raise BadPresent(value) from problem
    return None if now is None else now.text


def _policy(_: Change, value: Any) -> Any:
    if value not in POLICIES:
        raise BadWorkspaceValue("conflict_policy", value, POLICIES)
    return value


def _timeline(change: Change, value: Any) -> Any:
    if value not in TIMELINES:
        raise BadWorkspaceValue("timeline", value, TIMELINES)
    kind = change.world.timeline.kind
    if kind not in ("undecided", value) and (has_times(change) or change.world.timeline.definitions):
        raise TimelineInUse(kind)
    if kind == "undecided":
        decide_timeline_kind(change.world.timeline, value)
    return value


CHECKS: Mapping[str, Callable[[Change, Any], Any]] = {
    "timezone": lambda _, value: read_zone(str(value)).key,
    "now": _parse_now,
    "conflict_policy": _policy,
    "timeline": _timeline,
}


SECTIONS = frozenset(
    "carabase cognitive_graph embedding entity_core hook hooks imap llm lore_engine me pearscarf plugins reading "
    "secrets sync trust".split()
)
"""What the keys of a workspace begin with, besides those of predicates."""
DATE_ORDERS: tuple[str, ...] = get_args(DateOrder)
_DATE_ORDER = "reading.date_order"

SettingReader = Callable[[Settings], object]
_FLAGS = (
    "carabase.external_mcp",
    "cognitive_graph.legacy_predicate_code",
    "cognitive_graph.mark_errors",
    "entity_core.auto_consolidate",
)
_MINIMUM = {
    "carabase.compaction.max_tokens": 1,
    "carabase.mesh.confirm_above_tokens": 0,
    "carabase.mesh.batch_tokens": 0,
    "carabase.mesh.daily_tokens": 0,
    "carabase.mesh.concurrency": 1,
    "carabase.retention_days": 0,
}


def check_setting(key: str, value: Any) -> None:
    """None if the value is valid, else the error that its first use would raise."""
    read = _readers().get(key)
    if read is not None:
        read(Settings(workspace={key: value}))


def _readers() -> Mapping[str, SettingReader]:
    from recollect.reason.checks.custom_rules import SECONDS_SETTING, rule_limits_of
    from recollect.surfaces.cognitive_graph.vocabulary import EXTENSIONS_SETTING, projection_from

    flags: dict[str, SettingReader] = {key: _flag(key) for key in _FLAGS}
    counts = {key: _count(key, least) for key, least in _MINIMUM.items()}
    rules: dict[str, SettingReader] = {key: partial(trust_rules, kind=kind) for kind, key in RULE_SETTINGS.items()}
    rules[SECRETS_SETTING] = secret_policy
    rules[_DATE_ORDER] = _date_order
    rules[NAME_SETTING] = _owner_name
    return flags | counts | rules | {EXTENSIONS_SETTING: projection_from, SECONDS_SETTING: rule_limits_of}


def _date_order(settings: Settings) -> None:
    if settings.text(_DATE_ORDER) not in (None, *DATE_ORDERS):
        raise BadWorkspaceValue(_DATE_ORDER, settings.get(_DATE_ORDER), DATE_ORDERS)


def _owner_name(settings: Settings) -> None:
    name = settings.get(NAME_SETTING)
    if not isinstance(name, str) or not name.strip() or len(name) > NAME_LIMIT:
        shown = f"{str(name)[:20]}…" if len(str(name)) > NAME_LIMIT else name
        raise BadSetting(NAME_SETTING, shown, f"a name of at most {NAME_LIMIT} letters")


def _flag(key: str) -> SettingReader:
    return lambda settings: settings.flag(key)


def _count(key: str, least: int) -> SettingReader:
    def read(settings: Settings) -> None:
        if settings.integer(key, least) < least:
            raise BadSetting(key, settings.get(key), f"a whole number of at least {least}")

    return read
