"""Extensions, as a part of the settings: the vocabulary, experts, external MCP servers and mesh accounts."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from recollect.ingest.experts.registry import load_experts
from recollect.keep.external_servers import (
    ExternalServer,
    register_server,
    registered_servers,
    set_enabled,
    unregister_server,
)
from recollect.keep.mesh.accounts import CONNECTORS, disable_mesh_account, enable_mesh_account
from recollect.memory import Memory
from recollect.model.fact import Label, Policy
from recollect.model.vocabulary import (
    ALIAS_SECTION,
    POLICY_SECTION,
    PREDICATE_LIMIT,
    VALUE_COUNTS,
    VALUES_SECTION,
    built_in_predicates,
)
from recollect.serve.web.framework.pages import Action, ActionResult, PageRequest, required_field, whole_number
from recollect.serve.web.sections.administration import require_local
from recollect.serve.workspace_settings import POLICIES, PREDICATE_SECTIONS, put_setting
from recollect.store.change import Change
from recollect.store.fact_queries import list_predicates
from recollect.store.mesh_queries import MeshAccount, find_account, list_mesh_accounts
from recollect.store.view import View
from recollect.surfaces.recollect.failures import InvalidInput
from recollect.write.predicates import fold_predicate, has_one_value

MOST_PREDICATES = 300
_KINDS: dict[Label, str] = {"AFFILIATED": "state", "ASSERTED": "statement", "TRANSITIONED": "event"}


@dataclass(frozen=True, slots=True)
class PredicateLine:
    """A predicate, what happens when two values of it disagree, and what this workspace decided about it."""

    name: str
    facts: int
    kind: str = ""
    policy: Policy | None = None
    """None if the predicate is not built in and nothing was chosen: the policy of the workspace holds."""
    is_single: bool = False
    own_policy: Policy | None = None
    own_values: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChosenPredicate:
    """The predicate that is looked at, and what can be decided about it."""

    line: PredicateLine
    usual_policy: Policy | None
    """Without a decision of this workspace; none if the policy of the workspace holds."""
    policies: tuple[str, ...] = POLICIES
    values: tuple[str, ...] = VALUE_COUNTS


def read_vocabulary(view: View) -> tuple[PredicateLine, ...]:
    """The predicates in use, most used first, then those with a decision, then the other built-in ones."""
    used = {each.predicate: each.facts for each in list_predicates(view)}
    settings = view.world.settings
    decided = {key.removeprefix(each) for each in PREDICATE_SECTIONS for key in settings if key.startswith(each)}
    names = dict.fromkeys((*used, *sorted(decided), *sorted(built_in_predicates())))
    aliases = _aliases(view)
    return tuple(_line(view, name, used.get(name, 0), aliases) for name in list(names)[:MOST_PREDICATES])


def read_predicate(view: View, asked: str) -> ChosenPredicate | None:
    """The predicate that an address names; none if it names none."""
    if not asked.strip():
        return None
    name = fold_predicate(asked)
    known = built_in_predicates().get(name)
    facts = next((each.facts for each in list_predicates(view) if each.predicate == name), 0)
    return ChosenPredicate(_line(view, name, facts, _aliases(view)), None if known is None else known.policy)


def _aliases(view: View) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for alias, predicate in sorted(view.world.aliases.items()):
        found[predicate] = (*found.get(predicate, ()), alias)
    return found


def _line(view: View, name: str, facts: int, aliases: Mapping[str, tuple[str, ...]]) -> PredicateLine:
    known, own = built_in_predicates().get(name), view.world.policies.get(name)
    return PredicateLine(
        name,
        facts,
        "" if known is None else _KINDS[known.label],
        own or (None if known is None else known.policy),
        has_one_value(view, name),
        own,
        str(view.world.settings.get(VALUES_SECTION + name, "")),
        aliases.get(name, ()),
    )


def change_predicate(request: PageRequest) -> ActionResult:
    """Decide about one predicate: its policy, how many values it has, and which other names it goes by."""
    name = fold_predicate(required_field(request, "predicate", PREDICATE_LIMIT))
    with request.acting("settings").write() as change:
        put_setting(change, POLICY_SECTION + name, request.text("policy") or None)
        put_setting(change, VALUES_SECTION + name, request.text("values") or None)
        _set_aliases(change, name, request.text("aliases"))
        tx = change.own_tx
    said = f"{name.replace('_', ' ')}: {'saved' if tx else 'is so already'}"
    return ActionResult(f"settings?predicate={name}#vocabulary", said, tx)


def _set_aliases(change: Change, name: str, text: str) -> None:
    """Make a predicate go by these names, separated by commas, and by no others."""
    wanted = {fold_predicate(each) for each in text.split(",") if each.strip()}
    for alias in sorted(set(_aliases(change).get(name, ())) - wanted):
        put_setting(change, ALIAS_SECTION + alias, None)
    for alias in sorted(wanted):
        put_setting(change, ALIAS_SECTION + alias, name)


VOCABULARY_ACTIONS = (Action("settings/predicate", change_predicate, scope="admin"),)


@dataclass(frozen=True, slots=True)
class ExpertLine:
    name: str
    version: str = ""
    record_types: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ServerLine:
    name: str
    transport: str
    address: str
    tools: tuple[str, ...]
    is_enabled: bool


@dataclass(frozen=True, slots=True)
class AccountLine:
    connector: str
    account: str
    path: str
    is_enabled: bool
    retention_days: int | None


@dataclass(frozen=True, slots=True)
class Extensions:
    """What was added to this memory. Addresses and paths are for somebody at the machine."""

    vocabulary: tuple[PredicateLine, ...]
    predicate: ChosenPredicate | None
    experts: tuple[ExpertLine, ...]
    servers: tuple[ServerLine, ...]
    accounts: tuple[AccountLine, ...]
    connectors: tuple[str, ...]
    may_change: bool


def read_extensions(request: PageRequest, view: View) -> Extensions:
    is_local = request.is_local
    return Extensions(
        read_vocabulary(view),
        read_predicate(view, request.query.get("predicate", "")),
        _experts(request.memory),
        tuple(_server_line(each, is_local) for each in registered_servers(view)),
        tuple(_account_line(each, is_local) for each in list_mesh_accounts(view)),
        tuple(sorted(CONNECTORS)),
        is_local,
    )


def _experts(memory: Memory) -> tuple[ExpertLine, ...]:
    found = load_experts(memory.settings)
    manifests = [each.manifest for each in found.loaded]
    loaded = [ExpertLine(each.name, str(each.version), tuple(each.record_types)) for each in manifests]
    return (*loaded, *(ExpertLine(name, problem=why) for name, why in found.problems.items()))


def _server_line(server: ExternalServer, is_local: bool) -> ServerLine:
    address = server.url or shlex.join(server.command)
    return ServerLine(server.name, server.transport, address if is_local else "", server.tools, server.enabled)


def _account_line(each: MeshAccount, is_local: bool) -> AccountLine:
    path = each.path if is_local else ""
    return AccountLine(each.connector, each.account, path, each.enabled, each.retention_days)


def add_server(request: PageRequest) -> ActionResult:
    """Register a server by its address, disabled. Programs are registered on the command line only."""
    require_local(request)
    name, url = required_field(request, "name", 31), required_field(request, "url")
    with request.acting("external").write() as change:
        register_server(change, ExternalServer(name, "http", url=url), _own_ports(request))
    return ActionResult(request.back("settings"), f"Registered {name}; it is off until you enable it")


def _own_ports(request: PageRequest) -> frozenset[int]:
    port = whole_number(request.origin.rpartition(":")[2])
    return frozenset() if port is None else frozenset({port})


def switch_server(request: PageRequest) -> ActionResult:
    require_local(request)
    name, on = required_field(request, "name", 31), request.text("on") == "1"
    with request.acting("external").write() as change:
        set_enabled(change, name, on=on)
    return ActionResult(request.back("settings"), f"{name} is {'enabled' if on else 'disabled'}")


def remove_server(request: PageRequest) -> ActionResult:
    require_local(request)
    name = required_field(request, "name", 31)
    with request.acting("external").write() as change:
        unregister_server(change, name)
    return ActionResult(request.back("settings"), f"Removed {name}")


def add_account(request: PageRequest) -> ActionResult:
    """Allow fetching bodies from a folder, mailbox or bundle of this machine."""
    require_local(request)
    connector, account = required_field(request, "connector", 50), required_field(request, "account", 200)
    path = Path(required_field(request, "folder")).expanduser()
    if not path.exists():
        raise InvalidInput(
            f"there is nothing at {str(path)[:200]!r}; give the path of a folder or file", field="folder"
        )
    with request.acting("mesh").write() as change:
        enable_mesh_account(change, MeshAccount(connector, account, str(path.resolve()), True, False, None))
    return ActionResult(request.back("settings"), f"Bodies may be fetched from {account}")


def switch_account(request: PageRequest) -> ActionResult:
    require_local(request)
    connector, account = required_field(request, "connector", 50), required_field(request, "account", 200)
    on = request.text("on") == "1"
    with request.acting("mesh").write() as change:
        known = find_account(change, connector, account)
        if on and known is not None:
            enable_mesh_account(change, known._replace(enabled=True))
        else:
            disable_mesh_account(change, connector, account)
    return ActionResult(request.back("settings"), f"{account} is {'enabled' if on else 'disabled'}")


EXTENSION_ACTIONS = (
    *VOCABULARY_ACTIONS,
    Action("settings/external/add", add_server, scope="admin"),
    Action("settings/external/switch", switch_server, scope="admin"),
    Action("settings/external/remove", remove_server, scope="admin"),
    Action("settings/mesh/add", add_account, scope="admin"),
    Action("settings/mesh/switch", switch_account, scope="admin"),
)
