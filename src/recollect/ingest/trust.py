"""How far a document is trusted: by the rules of the workspace, else by who wrote it and how it came here."""

from collections.abc import Collection, Mapping
from datetime import UTC
from typing import Any

from recollect.ingest.drafts import DocumentDraft
from recollect.ingest.parties import Party, is_provider, parse_party, registrable_domain
from recollect.ingest.record_types import CHAT_MESSAGE
from recollect.model.document import MESH_URI
from recollect.model.trust import (
    CLAIMED_TIME,
    OWNER,
    REUSED_ID,
    SELF_NAMED,
    SOURCE_TRUST,
    SUSPECT,
    Trust,
    is_low,
    lower_trust,
    trust_in,
)
from recollect.settings import Settings
from recollect.store.change import Change
from recollect.text.mail_addresses import canonical_address, imitates_plain_letters
from recollect.text.prompt_injection import find_suspicions
from recollect.when.instant import read_instant
from recollect.write.claims import is_vouched_for
from recollect.write.lookup import by_identifier, by_name_or_alias
from recollect.write.names import name_text
from recollect.write.owner import owner_profile
from recollect.write.record_statement import is_far_ahead
from recollect.write.trust_rules import actor_trust, rule_name, trust_rules

_BY_TYPE: Mapping[str, Trust] = {
    "linear_issue": "known",
    "linear_issue_change": "known",
    "github_issue": "unknown",
    "github_pr": "unknown",
}
"""Everybody may write to a public repository; only members write to a team's tracker."""
_WEB = ("http://", "https://")


def assess(change: Change, draft: DocumentDraft) -> Mapping[str, Any]:
    """The properties of a document with the trust in it, and with what makes its text look like an attack."""
    properties = draft.properties
    text = draft.text if draft.said is None else draft.said
    read = (draft.title, draft.author, text, draft.found_by, properties.get("sender"))
    suspicions = find_suspicions("\n".join([each for each in read if isinstance(each, str)]))
    suspicions += ("id of another document",) if REUSED_ID in properties else ()
    trust = lower_trust(source_trust(change, draft), actor_trust(change))
    if _is_far_ahead(change, properties.get(CLAIMED_TIME)):
        trust = lower_trust(trust, "unknown")
    if suspicions and trust != OWNER:
        trust = "untrusted"
    marks: dict[str, Any] = {SUSPECT: list(suspicions)} if suspicions else {}
    marks |= {SOURCE_TRUST: trust} if trust != OWNER else {}
    if not marks and SOURCE_TRUST not in properties and SUSPECT not in properties:
        return properties
    return {key: value for key, value in properties.items() if key not in (SOURCE_TRUST, SUSPECT)} | marks


def _is_far_ahead(change: Change, claimed: object) -> bool:
    """Whether a document gives itself a time that nobody plans for."""
    return isinstance(claimed, str) and is_far_ahead(change, read_instant(claimed, UTC))


def source_trust(change: Change, draft: DocumentDraft) -> Trust:
    """The level of a document; what it says of itself can only lower it."""
    given = trust_in(draft.properties)
    if draft.type == "email":
        return lower_trust(_mail_trust(change, draft.properties), given)
    if draft.type == CHAT_MESSAGE:
        return lower_trust(_chat_trust(change, draft), given)
    if draft.type in _BY_TYPE:
        return lower_trust(_BY_TYPE[draft.type], given)
    return "untrusted" if _is_copied(draft) else given


def _is_copied(draft: DocumentDraft) -> bool:
    """Whether a record names a web page or another system as where its words are from."""
    if draft.kind != "record":
        return False
    places = (draft.url if draft.key.startswith("note") else None, draft.properties.get("source"))
    return MESH_URI in draft.properties or any(isinstance(each, str) and each.startswith(_WEB) for each in places)


def _mail_trust(change: Change, fields: Mapping[str, Any]) -> Trust:
    sender = parse_party(fields.get("sender"))
    if sender is None:
        # A mail file without a sender is a stranger's; a line of a bundle that names none is the bundle's own.
        return "unknown" if "message_id" in fields else OWNER
    if sender.address is None:
        return "unknown"
    settings = change.settings.for_workspace(change.world.settings)
    ruled = _sender_rule(settings, sender)
    if sender.is_disguised:
        return lower_trust(ruled or "unknown", "unknown")
    if ruled is not None:
        return ruled
    own = _own_addresses(settings)
    if sender.address in own:
        # Anybody can write the owner's address into a mail; one that came over the network may be forged.
        return "unknown" if fields.get("received") else OWNER
    is_known = _is_colleague(own, sender) or _is_contact(change, sender.address)
    return "known" if is_known and not fields.get("unauthenticated") else "unknown"


_PEOPLE = by_name_or_alias("person")


def _chat_trust(change: Change, draft: DocumentDraft) -> Trust:
    """The level of one message: what others say in a chat is theirs, whoever brought its export here.

    The service vouches for who wrote a line, not for what the name is worth: somebody is known if the owner has said
    something of them or given their address, not because the owner answered them.
    """
    author = parse_party(draft.properties.get("author") or draft.author)
    if author is None:
        return "unknown"
    settings = change.settings.for_workspace(change.world.settings)
    ruled = _sender_rule(settings, author)
    if author.is_disguised or (author.address is None and imitates_plain_letters(author.name or "")):
        return lower_trust(ruled or "unknown", "unknown")
    if ruled is not None:
        return ruled
    profile = owner_profile(settings)
    own = _own_addresses(settings)
    if author.address is not None and own:
        is_known = _is_colleague(own, author) or _is_contact(change, author.address)
        return OWNER if author.address in own else "known" if is_known else "unknown"
    if author.name is None or SELF_NAMED in draft.properties:
        return "unknown"
    folded = name_text(author.name).folded
    if any(name_text(each).folded == folded for each in (profile.name, *profile.aliases) if each):
        return OWNER
    people = _PEOPLE.find_all(change, author.name)
    return "known" if len(people) == 1 and not is_low(people[0].trust) else "unknown"


def _sender_rule(settings: Settings, sender: Party) -> Trust | None:
    """The rule for an address, else for its domain or one above it."""
    found = trust_rules(settings, "sender").get(rule_name("sender", sender.address or sender.name or ""))
    domains = trust_rules(settings, "domain")
    labels = sender.domain.split(".") if domains else []
    above = (".".join(labels[first:]) for first in range(len(labels)))
    return found or next((domains[each] for each in above if each in domains), None)


def _own_addresses(settings: Settings) -> frozenset[str]:
    return frozenset(map(canonical_address, owner_profile(settings).emails))


def _is_colleague(own: Collection[str], sender: Party) -> bool:
    """Whether somebody writes from the owner's own mail domain, which no provider shares out to everybody."""
    domains = {address.partition("@")[2] for address in own} - {""}
    registered = registrable_domain(sender.domain) if sender.domain in domains else None
    return registered is not None and not is_provider(registered)


def _is_contact(change: Change, address: str) -> bool:
    """Whether somebody is known by an address that the owner gave them or wrote to, not only by a stranger's mail."""
    people = by_identifier("email", "person").find_all(change, address)
    return any(is_vouched_for(change, each.id, address) for each in people)
