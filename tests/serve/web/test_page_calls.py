"""Pages are calls: limits, deadlines, membership and the audit log hold for them as for tools."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect.deadline import CallDeadline
from recollect.memory import create_workspace
from recollect.serve.web.framework import page_calls
from recollect.store.access_tokens import WorkspaceMember
from recollect.store.audit import AuditEntry, AuditStore
from tests.serve.web.sites import GUARDED, Site, running_site
from tests.support.facts import fact, tell


@pytest.fixture
def audited(tmp_path: Path) -> Iterator[Site]:
    with running_site(str(tmp_path / "memory.db"), GUARDED, RECOLLECT_AUDIT_ENABLED="yes") as running:
        yield running


def entries(site: Site) -> list[AuditEntry]:
    return list(AuditStore(site.opened.engine).entries())


def test_a_token_that_has_used_its_calls_is_told_when_to_come_back(audited: Site) -> None:
    audited.sign_in(audited.token(calls_per_minute=2))
    replies = [audited.get(path) for path in ("", "search", "review")]
    assert [each.status_code for each in replies] == [200, 200, 429]
    assert int(replies[-1].headers["retry-after"]) > 0
    assert "try again in" in replies[-1].text


@pytest.mark.parametrize("limit", ["bytes_per_day", "facts_per_day"])
def test_what_a_token_may_write_in_a_day_is_limited_for_forms_too(audited: Site, limit: str) -> None:
    tell(audited.memory(), fact("Ada", "member", "Guild"))
    audited.sign_in(audited.token("write", "default", "ann", **{limit: 1}))
    ada = audited.json("search?q=Ada")["entities"][0]["id"]
    csrf = audited.csrf()
    form = {"predicate": "likes", "target": "tea", "target_kind": "value"}
    taken, refused = (audited.post(f"entity/{ada}/facts", csrf, **form) for _ in range(2))
    assert (taken.status_code, refused.status_code) == (303, 429)
    assert int(refused.headers["retry-after"]) > 0


def test_a_page_that_takes_too_long_is_stopped(audited: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    audited.sign_in(audited.token())
    monkeypatch.setattr(page_calls, "CallDeadline", lambda _: CallDeadline(0.0))
    reply = audited.get("")
    assert reply.status_code == 503
    assert "nothing was written" in reply.text
    assert int(reply.headers["retry-after"]) > 0


def test_pages_and_forms_are_in_the_audit_log_with_the_ids_they_touched(audited: Site) -> None:
    tell(audited.memory(), fact("Ada", "member", "Guild"))
    audited.sign_in(audited.token(name="ann"))
    found: Any = audited.json("search?q=Ada")
    entity = found["entities"][0]["id"]
    audited.post(f"entity/{entity}/aliases", alias="Countess")
    audited.post(f"entity/{entity}/aliases", alias="")
    kept = [(each.actor, each.client, each.surface, each.tool, each.outcome) for each in entries(audited)]
    assert kept[0] == ("ann", "browser", "web", "login", "ok")
    assert ("ann", "browser", "web", "search", "ok") in kept
    outcomes = [each[4] for each in kept if each[3] == "entity/{id}/aliases"]
    assert outcomes == ["ok", "failed"]
    touched = [json.loads(each.ids) for each in entries(audited) if each.tool in ("search", "entity/{id}/aliases")]
    assert [entity in each for each in touched] == [True] * 3


def test_a_member_of_another_workspace_sees_it_with_the_scope_of_the_membership(audited: Site) -> None:
    create_workspace(audited.opened.engine, "team", audited.opened.clock)
    audited.sign_in(audited.token("write"))
    assert audited.get("/w/team/").status_code == 404
    tokens = audited.opened.tokens
    tokens.put_member(WorkspaceMember("team", tokens.all()[0].subject, "read", 0))
    assert audited.get("/w/team/").status_code == 200
    assert audited.post("/w/team/undo", transaction=1).status_code == 403
