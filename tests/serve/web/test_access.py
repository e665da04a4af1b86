"""Who may see and change what: sessions, scopes, workspaces, CSRF, origins."""

import re
from collections.abc import Iterator

import httpx2
import pytest
from starlette.requests import Request

from recollect.memory import create_workspace
from recollect.serve.auth import make_token
from recollect.serve.guard import Access, ListenPolicy
from recollect.serve.web.framework.pages import Action, Page
from recollect.serve.web.framework.sessions import LoginLimiter, Session, Visitor, Visitors
from recollect.serve.web.site import SECTIONS
from tests.serve.web.sites import Site, running_site
from tests.support.calls import last_tx
from tests.support.toy_surface import ToyServed

PAGES = [page for section in SECTIONS for page in section.pages]
ACTIONS = [action for section in SECTIONS for action in section.actions]
A_FACT = "fact_01M7J2RJW6E5ZSNSAKG52RVQS4"


def path_of(pattern: str) -> str:
    """An address that fits a route."""
    return re.sub(r"\{\w+\}", A_FACT, pattern)


def test_a_page_of_the_default_workspace_is_open_at_this_machine(site: Site) -> None:
    reply = site.get("")
    assert reply.status_code == 200
    assert 'data-page="home"' in reply.text
    assert site.get("/w/default").headers["location"] == "/w/default/"


def test_pages_allow_no_inline_code_and_no_other_host(site: Site) -> None:
    policy = site.get("").headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    html = site.get("").text
    assert "<script>" not in html
    assert " style=" not in html
    assert " onclick" not in html


def test_without_a_session_every_page_leads_to_the_login(guarded_site: Site) -> None:
    for path in ("", "search?q=x", "entity/ent_1", "events"):
        reply = guarded_site.get(path)
        assert (reply.status_code, reply.headers["location"].partition("?")[0]) == (303, "/login")
    assert guarded_site.get("", Accept="application/json").status_code == 401
    assert guarded_site.get("home.json").status_code == 401
    assert guarded_site.get("/login").status_code == 200
    assert guarded_site.get("/healthz").status_code == 200


def test_a_token_is_exchanged_for_a_cookie_that_scripts_and_other_sites_cannot_use(guarded_site: Site) -> None:
    reply = guarded_site.sign_in(guarded_site.token())
    assert (reply.status_code, reply.headers["location"]) == (303, "/w/default/")
    cookie = reply.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Max-Age=43200" in cookie
    assert guarded_site.get("").status_code == 200


def test_the_login_form_carries_a_csrf_token_and_where_to_go_next(guarded_site: Site) -> None:
    asked = guarded_site.get("search?q=Lena").headers["location"]
    html = guarded_site.get(asked).text
    fields = {name: re.search(f'name="{name}" value="([^"]+)"', html)[1] for name in ("csrf_token", "next")}  # type: ignore[index]
    form = {**fields, "token": guarded_site.token()}
    forged = guarded_site.client.post(guarded_site.url("/login"), data={**form, "csrf_token": "x"})
    assert forged.status_code == 403
    reply = guarded_site.client.post(guarded_site.url("/login"), data=form)
    assert reply.headers["location"] == "/w/default/search?q=Lena"


def test_a_session_ends_when_its_token_is_revoked(guarded_site: Site) -> None:
    guarded_site.sign_in(guarded_site.token())
    [token] = guarded_site.opened.tokens.all()
    guarded_site.opened.tokens.revoke(token.id, 1)
    assert guarded_site.get("").status_code == 303


@pytest.mark.every_case
def test_signing_out_ends_the_session(guarded_site: Site) -> None:
    guarded_site.sign_in(guarded_site.token())
    cookies = "; ".join(f"{each.name}={each.value}" for each in guarded_site.client.cookies.jar)
    assert guarded_site.post("/logout").headers["location"] == "/login"
    assert guarded_site.get("").status_code == 303
    assert httpx2.get(guarded_site.url(""), headers={"Cookie": cookies}).status_code == 303


def test_signing_out_leaves_other_sessions_of_the_token(guarded_site: Site) -> None:
    secret = guarded_site.token()
    guarded_site.sign_in(secret)
    with httpx2.Client() as other:
        other.post(f"{guarded_site.address}/login", data={"token": secret})
        guarded_site.post("/logout")
        assert other.get(guarded_site.url("")).status_code == 200


def test_a_forged_or_expired_cookie_is_not_accepted(guarded_site: Site) -> None:
    guarded_site.sign_in(guarded_site.token())
    [(name, value)] = [(each.name, each.value) for each in guarded_site.client.cookies.jar if "session" in each.name]
    token, nonce, expires, signature = str(value).split(".")
    for forged in (f"{token}.{nonce}.{int(expires) + 9}.{signature}", f"{token}.{nonce}.1.{signature}", "x", "..."):
        reply = httpx2.get(guarded_site.url(""), headers={"Cookie": f"{name}={forged}"})
        assert reply.status_code == 303


class SessionClock:
    """Visitors whose clock a test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000.0
        served = ToyServed()
        reach = ListenPolicy("0.0.0.0")
        self.visitors = Visitors(lambda: served.tokens, served.local, reach, Access(), now=lambda: self.now)
        secret, token = make_token("ann", "default", "write", 0)
        served.tokens.add(token)
        begun = self.visitors.sign_in(secret)
        assert begun is not None
        self.session = begun

    def recognise(self, session: Session) -> Visitor | None:
        headers = [(b"host", b"h:1"), (b"cookie", f"recollect_session_1={session.cookie}".encode())]
        asked = {"type": "http", "method": "GET", "path": "/", "headers": headers, "query_string": b""}
        return self.visitors.recognise(Request(asked))


def test_a_session_is_renewed_by_use_and_ends_twelve_hours_after_it() -> None:
    clock = SessionClock()
    clock.now += 3600
    visitor = clock.recognise(clock.session)
    assert visitor is not None
    assert visitor.session is not None
    renewed = clock.visitors.renew(visitor.session)
    assert renewed is not None
    assert renewed.expires == clock.session.expires + 3600
    clock.now += 11.5 * 3600
    assert clock.recognise(clock.session) is None
    again = clock.recognise(renewed)
    assert again is not None
    assert again.csrf == visitor.csrf


def test_a_clock_that_is_set_back_by_hours_ends_no_session_and_lengthens_none() -> None:
    clock = SessionClock()
    clock.now -= 5 * 3600
    assert clock.recognise(clock.session) is not None
    renewed = clock.visitors.renew(clock.session)
    assert renewed is not None
    assert renewed.expires == clock.session.expires - 5 * 3600
    assert clock.visitors.renew(renewed) is None


def test_a_session_of_a_clock_that_was_ahead_by_days_is_not_accepted() -> None:
    clock = SessionClock()
    clock.now -= 3 * 24 * 3600
    assert clock.recognise(clock.session) is None


def test_failed_logins_are_limited_for_each_address(guarded_site: Site) -> None:
    statuses = [guarded_site.sign_in("rcl_wrong").status_code for _ in range(6)]
    assert statuses == [401] * 5 + [429]
    assert guarded_site.sign_in(guarded_site.token()).status_code == 429


def test_an_address_may_try_again_after_a_minute() -> None:
    now = [0.0]
    limiter = LoginLimiter(now=lambda: now[0])
    for _ in range(5):
        limiter.note_failure("a")
    assert (limiter.seconds_to_wait("a"), limiter.seconds_to_wait("b")) == (60, 0)
    now[0] = 61
    assert limiter.seconds_to_wait("a") == 0


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.path)
def test_a_read_token_changes_nothing(sites: "Sites", action: Action) -> None:
    site = sites.reading
    before = last_tx(site.memory())
    reply = site.post(path_of(action.path), target=A_FACT, transaction="1")
    assert reply.status_code == 403
    assert last_tx(site.memory()) == before


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.path)
def test_a_form_without_its_csrf_token_or_from_another_origin_is_refused(sites: "Sites", action: Action) -> None:
    site, path = sites.writing, path_of(action.path)
    before = last_tx(site.memory())
    assert site.client.post(site.url(path), data={"transaction": "1"}).status_code == 403
    assert site.post(path, csrf="wrong").status_code == 403
    token = site.csrf()
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
        reply = site.client.post(site.url(path), data={"csrf_token": token}, headers={"Origin": origin})
        assert reply.status_code == 403
    assert last_tx(site.memory()) == before


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.path)
def test_a_token_of_another_workspace_finds_nothing_to_change(sites: "Sites", action: Action) -> None:
    assert sites.writing.post(f"/w/other/{path_of(action.path)}", transaction="1").status_code == 404


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_token_of_another_workspace_sees_nothing(sites: "Sites", page: Page) -> None:
    path = f"/w/other/{path_of(page.path)}"
    assert sites.writing.get(path).status_code == 404
    assert sites.writing.get("/w/nowhere/").status_code == 404


def test_a_token_named_like_the_local_caller_is_not_local(sites: "Sites") -> None:
    secret = sites.writing.token("read", name="local")
    bearer = {"Authorization": f"Bearer {secret}"}
    assert sites.writing.get("/w/other/", **bearer).status_code == 404
    assert sites.writing.get("", **bearer).status_code == 200


def test_behind_tls_the_cookie_is_sent_over_tls_only(guarded_site: Site) -> None:
    secret = guarded_site.token()
    headers = {"X-Forwarded-Proto": "https"}
    reply = guarded_site.client.post(guarded_site.url("/login"), data={"token": secret}, headers=headers)
    assert "; Secure" in reply.headers["set-cookie"]


def test_a_failed_form_leads_back_to_its_page(sites: "Sites") -> None:
    made = sites.writing.tool("remember", text="Mona likes tea")["facts"][0]["id"]
    page = sites.writing.url(f"fact/{made}")
    form = {"csrf_token": sites.writing.csrf(), "when": "whenever"}
    reply = sites.writing.client.post(f"{page}/end", data=form, headers={"Referer": page})
    assert reply.status_code == 400
    assert f'href="/w/default/fact/{made}"' in reply.text
    assert "is not a time" in reply.text


def test_a_read_token_is_shown_no_button_that_writes(sites: "Sites") -> None:
    sites.writing.tool("remember", text="Lena lives in Porto")
    found = sites.reading.json("search?q=Lena")
    for path in (f"entity/{found['entities'][0]['id']}", f"fact/{found['facts'][0]['fact']['id']}"):
        html = sites.reading.get(path).text
        assert 'method="post" action="/w/' not in html
        assert 'method="post" action="/w/' in sites.writing.get(path).text
    assert sites.reading.get("forget?target=Lena").status_code == 403


@pytest.mark.parametrize("path", ["settings", "connect"])
def test_a_write_token_sees_no_button_that_needs_an_administrator(sites: "Sites", path: str) -> None:
    page = sites.writing.get(path).text
    offered = [action.path for action in ACTIONS if action.scope == "admin"]
    assert [each for each in (*offered, "settings/backup") if f'/{each}"' in page] == []
    assert ("settings/change" in page) is (path == "settings")
    assert sites.writing.json("settings")["tokens"] == []


class Sites:
    """One guarded server with a reader and a writer signed in."""

    def __init__(self, site: Site) -> None:
        self.writing = site
        self.reading = Site(site.address, site.opened)
        self.writing.sign_in(site.token("write", name="writer"))
        self.reading.sign_in(site.token("read", name="reader"))


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    database = str(tmp_path_factory.mktemp("site") / "memory.db")
    with running_site(database, ListenPolicy("127.0.0.1", needs_token=True)) as site:
        create_workspace(site.opened.engine, "other", site.opened.clock)
        both = Sites(site)
        yield both
        both.reading.client.close()
