"""Confirmation tokens of an erasure: they show that the same call was made before, for the same things, minutes ago."""

import hashlib
import hmac
import json

from recollect.errors import Refused
from recollect.keep.forgetting.targets import ErasureSet
from recollect.store.history_queries import workspace_created_at
from recollect.store.view import View
from recollect.when.instant import SECOND, Instant

VALID_FOR = 10 * 60 * SECOND


class UnfitToken(Refused):
    """A token that has expired or belongs to another target."""

    def __init__(self, why: str) -> None:
        super().__init__(f"confirm {why}; nothing was erased", field="confirm")


def issue_token(view: View, erased: ErasureSet) -> str:
    """A token that confirms the erasure of exactly these things; nothing is stored, so any process can check it."""
    expires = view.now + VALID_FOR
    return f"{expires:x}-{_digest(view, erased, expires)}"


def check_token(view: View, erased: ErasureSet, token: str) -> None:
    """Refuse a token of another target, of more or fewer things than would be erased now, or an expired one."""
    text, _, digest = token.strip().partition("-")
    try:
        expires = int(text, 16)
    except ValueError:
        raise UnfitToken("is not a token of this tool") from None
    if not hmac.compare_digest(digest, _digest(view, erased, expires)):
        raise UnfitToken("belongs to another target, or what would be erased has changed")
    if Instant(expires) < view.now:
        raise UnfitToken("has expired")


def _digest(view: View, erased: ErasureSet, expires: int) -> str:
    """Not a credential: whoever may call the tool may also ask for a token."""
    things = [sorted(each) for each in (erased.documents, erased.facts, erased.entities)]
    key = f"{view.workspace.name}:{workspace_created_at(view)}".encode()
    return hmac.new(key, json.dumps([expires, things]).encode(), hashlib.sha256).hexdigest()[:16]
