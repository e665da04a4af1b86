"""Tokens in the store, on every engine."""

import pytest

from recollect.memory import Memory
from recollect.serve.auth import bearer, digest, make_token
from recollect.store.access_tokens import NoSuchWorkspace, TokenStore


def test_a_token_is_found_by_its_secret_until_it_is_revoked(memory: Memory) -> None:
    store = TokenStore(memory.engine)
    secret, token = make_token("ann", "default", "read", 5)
    store.add(token)
    assert store.find(digest(secret)) == token
    assert store.revoke(token.id, 9)
    assert store.find(digest(secret)) is None
    assert store.all() == [token._replace(revoked_at=9)]


def test_a_token_is_revoked_once(memory: Memory) -> None:
    assert not TokenStore(memory.engine).revoke("nothing", 9)


def test_a_sign_out_forgets_the_sessions_of_every_token_that_are_long_over(memory: Memory) -> None:
    store = TokenStore(memory.engine)
    tokens = [make_token(name, "default", "read", 5)[1] for name in ("ann", "ben")]
    for token in tokens:
        store.add(token)
    store.end_session(tokens[0], "early", at=10, forget_before=0)
    store.end_session(tokens[1], "late", at=30, forget_before=20)
    assert not store.has_ended(tokens[0], "early")
    assert store.has_ended(tokens[1], "late")


def test_the_secret_is_not_kept(memory: Memory) -> None:
    secret, token = make_token("ann", "default", "admin", 5)
    TokenStore(memory.engine).add(token)
    assert secret not in repr(TokenStore(memory.engine).all())


def test_a_token_needs_a_workspace_that_exists(memory: Memory) -> None:
    with pytest.raises(NoSuchWorkspace):
        TokenStore(memory.engine).add(make_token("ann", "nowhere", "read", 5)[1])


def test_making_a_token_is_no_transaction(memory: Memory) -> None:
    TokenStore(memory.engine).add(make_token("ann", "default", "read", 5)[1])
    with memory.read() as view:
        assert view.last_tx == 0


@pytest.mark.parametrize(
    ("header", "secret"),
    [("Bearer abc", "abc"), ("bearer  abc ", "abc"), ("Basic abc", None), ("Bearer ", None), ("", None), (None, None)],
)
def test_the_secret_is_what_stands_behind_bearer(header: str | None, secret: str | None) -> None:
    assert bearer(header) == secret
