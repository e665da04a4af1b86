"""Who may do what over HTTP: tokens of an authorization server, members of workspaces, limits."""

import hmac
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import anyio
import httpx2
import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey
from mcp import Client
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthToken

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory, create_workspace
from recollect.serve.auth import NotAMember, identity_of_token, make_token
from recollect.serve.callers import UNLIMITED, Caller, CallLimits
from recollect.serve.guard import Access, ListenPolicy
from recollect.serve.metrics import LimitReached, Usage
from recollect.serve.oauth import OAuthResource
from recollect.serve.problem_json import problem_body
from recollect.serve.signing_keys import KEY_SECONDS, RETRY_SECONDS, NoSigningKeys, SigningKeys
from recollect.store.access_tokens import NoSuchWorkspace, TokenStore, WorkspaceMember, count_facts_written
from tests.serve.authorization_server import CLIENT, AuthorizationServer, authorization_server
from tests.serve.test_http import Running, get, post, server_thread
from tests.support.facts import fact
from tests.support.processes import LONGEST_WAIT

__all__ = ["server_thread"]

RESOURCE = "http://127.0.0.1/mcp"


def encoded(part: dict[str, Any] | bytes) -> str:
    raw = part if isinstance(part, bytes) else json.dumps(part).encode()
    return urlsafe_b64encode(raw).decode().rstrip("=")


@pytest.fixture(scope="module")
def issuing() -> Iterator[AuthorizationServer]:
    with authorization_server() as running:
        yield running


@pytest.fixture(scope="module")
def protected(server_thread: Any, issuing: AuthorizationServer) -> Iterator[Running]:
    access = Access(OAuthResource(issuing.issuer, RESOURCE, workspace="default"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("recollect.serve.signing_keys.UNKNOWN_KEY_SECONDS", 0)
        patched.setattr("recollect.serve.signing_keys.FETCH_SECONDS", LONGEST_WAIT)
        yield server_thread(ListenPolicy("127.0.0.1", needs_token=True), access=access)


def status(running: Running, token: str, **headers: str) -> int:
    return get(running, "/metrics", Authorization=f"Bearer {token}", **headers).status_code


def test_a_caller_without_a_token_is_led_to_the_authorization_server(
    protected: Running, issuing: AuthorizationServer
) -> None:
    refused = get(protected, "/mcp")
    assert refused.status_code == 401
    challenge = refused.headers["www-authenticate"]
    assert 'resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource/mcp"' in challenge
    for path in ("/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"):
        described = get(protected, path).json()
        assert (described["resource"], described["authorization_servers"]) == (RESOURCE, [issuing.issuer])


def test_a_valid_token_is_accepted_and_a_wrong_one_is_not(protected: Running, issuing: AuthorizationServer) -> None:
    assert status(protected, issuing.token(RESOURCE)) == 200
    for wrong in (
        {"aud": "https://other.example"},
        {"iss": "https://evil.example"},
        {"exp": int(time.time()) - 600},
        {"nbf": int(time.time()) + 600},
        {"sub": None},
    ):
        assert status(protected, issuing.token(RESOURCE, **wrong)) == 401
    assert status(protected, "abc.def.ghi") == 401
    head, payload, _ = issuing.token(RESOURCE).split(".")
    assert status(protected, f"{head}.{payload}.AAAA") == 401
    refused = get(protected, "/mcp", Authorization="Bearer abc.def.ghi")
    assert refused.headers["www-authenticate"].startswith('Bearer error="invalid_token", resource_metadata="')


def test_a_token_whose_algorithm_does_not_fit_the_key_that_it_names_is_refused(
    protected: Running, issuing: AuthorizationServer
) -> None:
    other = RSAKey.generate_key(2048)
    claims = {"iss": issuing.issuer, "sub": "eve", "aud": RESOURCE, "exp": int(time.time()) + 300, "scope": "admin"}
    assert status(protected, jwt.encode({"alg": "RS256", "kid": issuing.keys[0].kid}, claims, other)) == 401


def test_a_token_that_no_published_key_signed_is_refused_whatever_it_names(
    protected: Running, issuing: AuthorizationServer
) -> None:
    claims = {"iss": issuing.issuer, "sub": "eve", "aud": RESOURCE, "exp": int(time.time()) + 300, "scope": "admin"}
    [key], other = issuing.keys, ECKey.generate_key("P-256")
    unsigned, by_public_key = (
        f"{encoded({'alg': alg, 'kid': key.kid})}.{encoded(claims)}" for alg in ("none", "HS256")
    )
    mac = hmac.digest(key.as_pem(private=False), by_public_key.encode(), "sha256")
    for forged in (
        jwt.encode({"alg": "ES256", "kid": "never published"}, claims, other),
        jwt.encode({"alg": "ES256", "kid": key.kid}, claims, other),
        jwt.encode({"alg": "ES256"}, claims, other),
        f"{by_public_key}.{encoded(mac)}",
        f"{unsigned}.",
    ):
        assert status(protected, forged) == 401
    assert status(protected, issuing.token(RESOURCE)) == 200


def test_a_token_without_a_scope_of_ours_is_told_which_there_are(
    protected: Running, issuing: AuthorizationServer
) -> None:
    refused = get(protected, "/mcp", Authorization=f"Bearer {issuing.token(RESOURCE, scope='email')}")
    assert refused.status_code == 403
    assert refused.headers["www-authenticate"].startswith('Bearer error="insufficient_scope", resource_metadata="')
    assert 'scope="read write admin"' in refused.headers["www-authenticate"]


def test_a_key_that_is_no_longer_published_opens_nothing_once_the_cache_is_old(issuing: AuthorizationServer) -> None:
    now = 100.0
    resource = OAuthResource(issuing.issuer, RESOURCE, workspace="default")
    resource.__dict__["_keys"] = SigningKeys(issuing.issuer, monotonic=lambda: now)
    old = issuing.token(RESOURCE)
    assert resource.identify(old) is not None
    issuing.rotate()
    assert resource.identify(old) is not None
    now += KEY_SECONDS
    assert resource.identify(old) is None
    assert resource.identify(issuing.token(RESOURCE)) is not None


def test_keys_are_cached_and_a_new_key_needs_no_restart(protected: Running, issuing: AuthorizationServer) -> None:
    assert status(protected, issuing.token(RESOURCE)) == 200
    before = issuing.fetched_keys
    assert status(protected, issuing.token(RESOURCE)) == 200
    assert issuing.fetched_keys == before
    old = issuing.token(RESOURCE)
    issuing.rotate()
    assert status(protected, issuing.token(RESOURCE)) == 200
    assert status(protected, old) == 401


def test_unknown_keys_delay_nobody_while_the_authorization_server_is_silent(
    protected: Running, issuing: AuthorizationServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recollect.serve.guard.IDENTIFY_SECONDS", LONGEST_WAIT)
    valid, before = issuing.token(RESOURCE), issuing.fetched_keys
    assert status(protected, valid) == 200
    stranger = jwt.encode({"alg": "ES256", "kid": "invented"}, {"sub": "eve"}, issuing.keys[0])
    with issuing.silent(), ThreadPoolExecutor(60) as clients:
        waiting = [clients.submit(status, protected, stranger) for _ in range(50)]
        assert issuing.was_asked.wait(LONGEST_WAIT)
        assert status(protected, valid) == 200
        assert get(protected, "/metrics", **protected.token()).status_code == 200
        assert not all(each.done() for each in waiting)
        issuing.may_answer.set()
    assert {each.result() for each in waiting} <= {401, 503}
    assert issuing.fetched_keys > before


@pytest.mark.parametrize("reply", [b"<html>", b"[]", b"[" * 100_000, b'{"keys": []}', b'{"keys": [5]}'])
def test_keys_that_cannot_be_read_are_told_as_such(issuing: AuthorizationServer, reply: bytes) -> None:
    now = 100.0
    token = issuing.token(RESOURCE)
    resource = OAuthResource(issuing.issuer, RESOURCE)
    keys = resource.__dict__["_keys"] = SigningKeys(issuing.issuer, monotonic=lambda: now)
    with issuing.publishing(reply):
        for _ in range(3):
            with pytest.raises(NoSigningKeys, match="cannot be fetched now"):
                resource.identify(token)
        assert issuing.published == 1
    now += RETRY_SECONDS
    assert resource.identify(token) is not None
    now += KEY_SECONDS
    with issuing.publishing(reply), pytest.raises(NoSigningKeys):
        keys.find(None)


@pytest.mark.parametrize("claims", [{"scope": 5}, {"scope": None}, {"scope": True, "scp": "write"}, {"sub": ""}])
def test_claims_of_a_wrong_type_give_nothing(
    protected: Running, issuing: AuthorizationServer, claims: dict[str, Any]
) -> None:
    assert status(protected, issuing.token(RESOURCE, **claims)) in (401, 403)


def test_claims_decide_about_workspaces_and_scopes(issuing: AuthorizationServer) -> None:
    resource = OAuthResource(issuing.issuer, RESOURCE)

    def grants(**claims: Any) -> Any:
        found = resource.identify(issuing.token(RESOURCE, **claims))
        return None if found is None else found.grants

    assert grants(workspaces="team", scope="recollect:admin") == {"team": "admin"}
    assert grants(workspaces=["a", "b"], scope="openid read") == {"a": "read", "b": "read"}
    assert grants(workspaces={"a": "admin", "b": "read"}, scope="write") == {"a": "write", "b": "read"}
    assert grants(scope="write") == {}


@pytest.mark.parametrize("claim", [[], {}, ""])
def test_a_claim_that_names_no_workspace_gives_a_member_none(issuing: AuthorizationServer, claim: Any) -> None:
    resource = OAuthResource(issuing.issuer, RESOURCE)

    class Members:
        def grants(self, _subject: str) -> dict[str, Any]:
            return {"team": "write"}

    def caller(**claims: Any) -> Any:
        found = resource.identify(issuing.token(RESOURCE, scope="write", **claims))
        assert found is not None
        return found.caller(None, cast(Any, Members()))

    assert caller().workspace == "team"
    with pytest.raises(NotAMember):
        caller(workspaces=claim)


class Storage:
    """Keeps the tokens of the SDK's client."""

    tokens: Any = None
    client: Any = None

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        return self.client

    async def set_client_info(self, client_info: Any) -> None:
        self.client = client_info


def test_the_client_of_the_sdk_finds_its_way(server_thread: Any, issuing: AuthorizationServer) -> None:
    running: Running = server_thread(ListenPolicy("127.0.0.1", needs_token=True), oauth_issuer=issuing.issuer)
    resource = f"{running.address}/mcp"
    auth = ClientCredentialsOAuthProvider(resource, Storage(), *CLIENT, scope="write", issuer=issuing.issuer)

    async def run() -> Any:
        async with (
            httpx2.AsyncClient(auth=auth, timeout=LONGEST_WAIT) as http,
            Client(streamable_http_client(resource, http_client=http)) as client,
        ):
            return (await client.call_tool("find_note", {"name": "first"})).structured_content

    assert anyio.run(run) == {"note": {"name": "first", "text": "hello"}}


def test_the_client_of_the_sdk_asks_for_more_when_its_token_has_no_scope_of_ours(
    server_thread: Any, issuing: AuthorizationServer
) -> None:
    running: Running = server_thread(ListenPolicy("127.0.0.1", needs_token=True), oauth_issuer=issuing.issuer)
    resource, storage = f"{running.address}/mcp", Storage()
    before = issuing.token(resource, scope="email")
    storage.tokens = OAuthToken(access_token=before)
    auth = ClientCredentialsOAuthProvider(resource, storage, *CLIENT, issuer=issuing.issuer)

    async def run() -> Any:
        async with (
            httpx2.AsyncClient(auth=auth, timeout=LONGEST_WAIT) as http,
            Client(streamable_http_client(resource, http_client=http)) as client,
        ):
            return (await client.call_tool("find_note", {"name": "first"})).structured_content

    assert anyio.run(run) == {"note": {"name": "first", "text": "hello"}}
    assert storage.tokens.access_token != before


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, 200),
        ({"resource": "http://elsewhere.example/mcp"}, 401),
        ({"scope": "unheard-of"}, None),
        ({"secret": "wrong"}, None),
    ],
)
def test_tokens_of_authlibs_server_open_what_they_name(
    protected: Running, issuing: AuthorizationServer, change: dict[str, str], expected: int | None
) -> None:
    asked = {"resource": RESOURCE, "scope": "read", "secret": CLIENT[1], **change}
    form = {"grant_type": "client_credentials", "resource": asked["resource"], "scope": asked["scope"]}
    given = httpx2.post(f"{issuing.issuer}/token", data=form, auth=(CLIENT[0], asked["secret"])).json()
    if expected is None:
        assert given["error"] in ("invalid_scope", "invalid_client")
    else:
        assert status(protected, given["access_token"]) == expected
        assert status(protected, given["access_token"][:-4] + "AAAA") == 401


def test_our_own_tokens_work_beside_those_of_the_authorization_server(protected: Running) -> None:
    assert get(protected, "/metrics", **protected.token()).status_code == 200


def test_a_member_has_another_scope_in_another_workspace(memory: Memory) -> None:
    store = TokenStore(memory.engine)
    create_workspace(memory.engine, "team", memory.clock)
    _, token = make_token("ann", "default", "write", 5)
    store.add(token)
    store.put_member(WorkspaceMember("team", token.subject, "read", 6))
    found = identity_of_token(token, UNLIMITED)
    assert [found.caller(name, store).scope for name in (None, "default", "team")] == ["write", "write", "read"]
    with pytest.raises(NotAMember, match="'other'"):
        found.caller("other", store)
    assert store.members() == [WorkspaceMember("team", token.subject, "read", 6)]
    assert store.drop_member(token.subject, "team")
    with pytest.raises(NotAMember):
        found.caller("team", store)
    with pytest.raises(NoSuchWorkspace):
        store.put_member(WorkspaceMember("nowhere", token.subject, "read", 6))


def test_a_request_names_the_workspace_by_header_or_in_its_address(protected: Running) -> None:
    who = protected.token()
    token = protected.served.tokens.all()[-1]
    protected.served.tokens.members[token.subject] = {"team": "read"}
    assert get(protected, "/metrics", **who, **{"Recollect-Workspace": "team"}).status_code == 200
    assert get(protected, "/metrics?workspace=team", **who).status_code == 200
    refused = get(protected, "/metrics?workspace=other", **who)
    assert (refused.status_code, refused.json()["error"]) == (403, "forbidden")


def test_a_token_over_its_limit_is_told_when_to_come_back(server_thread: Any) -> None:
    limits = CallLimits(calls_per_minute=2, bytes_per_day=10)
    running: Running = server_thread(ListenPolicy("127.0.0.1"), access=Access(None, limits))
    who = running.token()
    assert [get(running, "/metrics", **who).status_code for _ in range(3)] == [200, 200, 429]
    refused = get(running, "/metrics", **who)
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    other = running.token(name="bob")
    headers = other | {"Content-Type": "application/json"}
    assert post(running, "/mcp", headers, content=b"x" * 20).status_code != 429
    assert post(running, "/mcp", headers, content=b"x" * 20).json()["error"] == "too_many_requests"
    assert get(running, "/metrics").status_code == 200


def test_usage_begins_anew_when_its_time_is_over() -> None:
    now = [0.0]
    usage = Usage(lambda: now[0])
    caller = Caller("ann", "default", "read", subject="token:1", limits=CallLimits(calls_per_minute=1))
    usage.count_call(caller)
    with pytest.raises(LimitReached) as caught:
        usage.count_call(caller)
    assert caught.value.retry_after == 60
    now[0] = 61
    usage.count_call(caller)


def test_bytes_of_a_body_count() -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"12345"}

    usage = Usage()
    caller = Caller("ann", "default", "read", subject="token:1", limits=CallLimits(bytes_per_day=5))
    usage.count_call(caller)
    anyio.run(usage.counting(caller, receive))
    with pytest.raises(LimitReached, match="bytes"):
        usage.count_call(caller)


def test_facts_of_an_actor_are_counted_since_an_instant(memory: Memory) -> None:
    with memory.read() as view:
        now = view.now
    facts = [fact("Ada", "works_at", "Acme"), fact("Ada", "likes", "tea"), fact("Bo", "likes", "tea")]
    for actor, some in (("ann", facts[:2]), ("bob", facts[2:])):
        with memory.as_actor("toy", "tell", actor).write() as change:
            write_line(change, parse_line({"facts": some}))
    with memory.read() as view:
        assert count_facts_written(view, "ann", now) == 2
        assert count_facts_written(view, "ann", now + 1) == 0


def test_a_refusal_without_a_workspace_does_not_advise_a_token_that_may_write() -> None:
    body = problem_body("forbidden", str(NotAMember(None)))
    assert "write" not in body["next"]
    assert "recollect member add" in body["detail"]
