"""The pages of series, connect, settings and the world."""

import json
from pathlib import Path

import pytest

from recollect.ingest.lore.source_parser import SourceInput
from recollect.ingest.lore.sources import prepare_within, write_source
from recollect.keep.series.measurements import record_measurement
from tests.serve.web.sites import Site, running_site

WORLD = """---
title: rolls
world_time: 2020
entities:
  - {type: Person, name: Corwin Marr}
  - {type: Person, name: Ysolde Marr}
  - {type: City, name: Mothgate}
  - {type: Region, name: The Fen}
relations:
  - {subject: Corwin Marr, relation: parent_of, object: Ysolde Marr}
  - {subject: Mothgate, relation: part_of, object: The Fen}
---
"""


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("reading.date_order", "xyz", "dmy, mdy"),
        ("nonsense.key", "1", "settings begin with one of"),
        ("me.name", "n" * 5_000, "at most 200 letters"),
        ("now", "gestern", "such as 2026-03-05"),
    ],
)
def test_a_setting_that_cannot_work_is_refused_with_what_would(empty: Site, key: str, value: str, said: str) -> None:
    reply = empty.post("settings/change", key=key, value=value)
    assert reply.status_code == 400
    assert said in reply.text


def test_a_series_is_plotted_with_a_table(site: Site) -> None:
    with site.memory().write() as change:
        for day, value in (("2026-03-01", 4.0), ("2026-03-02", 6.5)):
            record_measurement(change, {"source": "tidal", "metric": "plays", "at": f"{day}T10:00:00Z", "value": value})
    page = site.json("series/tidal:plays")
    assert [(each["bucket"], each["value"]) for each in page["points"]] == [("2026-03-01", 4.0), ("2026-03-02", 6.5)]
    assert "<polyline" in site.get("series/tidal").text
    assert site.get("series/nothing").status_code == 404


def test_every_client_has_its_entry_with_the_real_command(site: Site) -> None:
    page = site.json("connect")
    by_name = {client["name"]: client for client in page["clients"]}
    assert {"claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini"} <= set(by_name)
    assert "stdio" in page["command"]
    assert page["url"] == f"{site.address}/mcp"
    assert "connect cursor --db" in by_name["cursor"]["command"]
    assert "mcpServers" in by_name["cursor"]["stdio"]


def test_a_server_of_one_workspace_has_entries_for_each(address: str) -> None:
    with running_site(address, RECOLLECT_WORKSPACE="default") as site:
        site.post("settings/workspace/create", name="garden")
        assert site.json("connect")["command"].endswith("--workspace default")
        assert site.json("/w/garden/connect")["command"].endswith("--workspace garden")


def test_somebody_with_a_token_does_not_learn_the_address_of_the_store(guarded_site: Site) -> None:
    guarded_site.sign_in(guarded_site.token("read"))
    page = guarded_site.json("connect")
    assert page["command"] == "recollect stdio"
    assert "--db" not in guarded_site.get("connect").text


def test_a_token_made_here_is_shown_once_listed_and_revoked(site: Site) -> None:
    reply = site.post("connect/token", name="laptop", scope="read")
    assert reply.status_code == 303
    shown = site.get("connect").text
    assert "Token for laptop" in shown
    assert "Token for laptop" not in site.get("connect").text
    [token] = site.json("settings")["tokens"]
    site.post("settings/revoke", token=token["id"])
    assert site.json("settings")["tokens"][0]["revoked"] is not None


def test_a_setting_is_checked_changed_and_undone(site: Site) -> None:
    assert site.post("settings/change", key="timezone", value="Europe/Oslo").status_code == 303
    zone = {each["key"]: each["value"] for each in site.json("settings")["fields"]}["timezone"]
    assert zone == "Europe/Oslo"
    assert site.post("settings/change", key="conflict_policy", value="whatever").status_code == 400
    site.post("undo", transaction=site.json("activity")["transactions"][0]["tx"])
    assert {each["key"]: each["value"] for each in site.json("settings")["fields"]}["timezone"] == "UTC"


def test_the_world_shows_places_and_family(site: Site) -> None:
    with site.memory().write() as change:
        write_source(change, prepare_within(change, SourceInput(WORLD)))
    page = site.json("world?place=The+Fen&person=Ysolde+Marr")
    assert [each["name"] for each in page["places"]] == ["The Fen", "Mothgate"]
    assert [(each["name"], each["relation"]) for each in page["family"]["nodes"]][1] == ("Corwin Marr", "parent")
    assert "<svg" in site.get("world?person=Ysolde+Marr").text


def test_an_unknown_name_is_reported_on_the_page(site: Site) -> None:
    page = site.get("world?person=Nobody+Here")
    assert page.status_code == 200
    assert "Nobody Here" in page.text


def test_a_workspace_is_created_renamed_backed_up_and_deleted(site: Site) -> None:
    made = site.post("settings/workspace/create", name="garden")
    assert made.headers["location"] == "/w/garden/settings"
    assert site.post("settings/workspace/create", name="garden").status_code == 409
    with site.memory("garden").write() as change:
        change.put_setting("me.name", "Ada")
    renamed = site.client.post(
        site.url("/w/garden/settings/workspace/rename"), data={"csrf_token": site.csrf(), "name": "orchard"}
    )
    assert renamed.headers["location"] == "/w/orchard/settings"
    assert site.get("/w/garden/").status_code == 404
    backup = site.get("/w/orchard/settings/backup")
    assert backup.headers["content-disposition"] == "attachment; filename*=UTF-8''orchard.jsonl"
    assert json.loads(backup.text.splitlines()[0])["format"] == "recollect-workspace"
    place, form = site.url("/w/orchard/settings/workspace/delete"), {"csrf_token": site.csrf()}
    assert site.client.post(place, data={**form, "confirm": "garden"}).status_code == 400
    site.client.post(place, data={**form, "confirm": "orchard"})
    assert site.get("/w/orchard/").status_code == 404
    assert site.post("settings/workspace/delete", confirm="default").status_code == 400
    assert [each["name"] for each in site.json("settings")["workspaces"]] == ["default"]


def test_settings_list_the_vocabulary_and_the_experts(site: Site) -> None:
    site.tool("remember", facts=[{"subject": "Ada", "predicate": "plays_chess_with", "object": "Bea"}])
    found = site.json("settings")["extensions"]
    first = found["vocabulary"][0]
    assert (first["name"], first["facts"], first["policy"]) == ("plays_chess_with", 1, None)
    by_name = {each["name"]: each for each in found["vocabulary"]}
    assert (by_name["born"]["policy"], by_name["born"]["kind"], by_name["born"]["is_single"]) == (
        "dispute",
        "event",
        True,
    )
    assert "plays chess with" in site.get("settings").text
    assert found["experts"] == [] or found["experts"][0]["name"]


def test_an_external_server_is_added_off_then_switched_and_removed(site: Site) -> None:
    assert site.post("settings/external/add", name="wiki", url="ftp://x.example").status_code == 400
    assert site.post("settings/external/add", name="self", url=f"{site.address}/mcp").status_code == 400
    site.post("settings/external/add", name="wiki", url="https://wiki.example/mcp")
    states = []
    for on in ("1", "0"):
        states.append([each["is_enabled"] for each in site.json("settings")["extensions"]["servers"]])
        site.post("settings/external/switch", name="wiki", on=on)
    assert states == [[False], [True]]
    assert "https://wiki.example/mcp" in site.get("settings").text
    site.post("settings/external/remove", name="wiki")
    assert site.json("settings")["extensions"]["servers"] == []


def test_a_mesh_account_is_allowed_and_switched_off(site: Site, tmp_path: Path) -> None:
    assert (
        site.post("settings/mesh/add", connector="files", account="farm", folder="/no/such/folder").status_code == 400
    )
    site.post("settings/mesh/add", connector="files", account="farm", folder=str(tmp_path))
    [account] = site.json("settings")["extensions"]["accounts"]
    assert (account["account"], account["path"], account["is_enabled"]) == ("farm", str(tmp_path.resolve()), True)
    for on, enabled in (("0", False), ("1", True)):
        site.post("settings/mesh/switch", connector="files", account="farm", on=on)
        assert site.json("settings")["extensions"]["accounts"][0]["is_enabled"] is enabled


def test_somebody_with_a_token_does_not_administer_the_machine(guarded_site: Site) -> None:
    guarded_site.sign_in(guarded_site.token("admin"))
    assert guarded_site.post("settings/external/add", name="wiki", url="https://wiki.example/mcp").status_code == 403
    assert guarded_site.json("settings")["extensions"]["may_change"] is False


def test_connect_lists_the_last_calls_with_their_time_and_outcome(site: Site) -> None:
    for verb, body in (("recall", {"query": "Ada"}), ("correct", {"fact": "nothing", "mode": "ended"})):
        site.client.post(f"{site.address}/api/v1/{verb}", json=body)
    calls = site.json("connect")["calls"]
    assert [(each["tool"], each["is_ok"]) for each in calls] == [("correct", False), ("recall", True)]
    assert calls[0]["milliseconds"] >= 0
    assert 'data-call="recall"' in site.get("connect").text


def test_the_time_of_a_series_is_zoomed_by_links(site: Site) -> None:
    with site.memory().write() as change:
        for day in range(1, 29):
            at = f"2026-02-{day:02}T10:00:00Z"
            record_measurement(change, {"source": "tidal", "metric": "plays", "at": at, "value": float(day)})
    whole = site.json("series/tidal:plays")
    inner = site.json(whole["links"]["into"])
    assert [inner["points"][0]["bucket"], inner["points"][-1]["bucket"]] == ["2026-02-08", "2026-02-21"]
    assert len(site.json(inner["links"]["out"])["points"]) == 28
    assert site.json(whole["links"]["earlier"])["points"][-1]["bucket"] == "2026-02-14"
    nothing = site.get("series/tidal:plays?since=2027-01-01&until=2027-01-31").text
    assert "No measurements in this time" in nothing
    assert "Zoom out" in nothing


def test_the_rules_of_a_world_are_listed(site: Site) -> None:
    rules = site.json("world")["rules"]
    assert rules
    html = site.get("world").text
    assert all(rule["id"] in html and rule["description"] for rule in rules)


def test_an_administrator_decides_about_a_predicate_and_undoes_it(site: Site) -> None:
    made = {"policy": "dispute", "values": "one", "aliases": "chess partner, Plays Against"}
    reply = site.post("settings/predicate", predicate="plays chess with", **made)
    assert reply.headers["location"] == "/w/default/settings?predicate=plays_chess_with#vocabulary"
    chosen = site.json("settings?predicate=Plays+chess+with")["extensions"]["predicate"]["line"]
    assert (chosen["own_policy"], chosen["own_values"], chosen["is_single"]) == ("dispute", "one", True)
    assert chosen["aliases"] == ["chess_partner", "plays_against"]
    [outcome] = site.tool("remember", facts=[{"subject": "Ada", "predicate": "chess partner", "object": "Bea"}])[
        "facts"
    ]
    assert outcome["text"] == "Ada plays chess with Bea"
    transaction = next(each["tx"] for each in site.json("activity")["transactions"] if each["tool"] == "settings")
    site.post("undo", transaction=transaction)
    chosen = site.json("settings?predicate=plays_chess_with")["extensions"]["predicate"]["line"]
    assert (chosen["own_policy"], chosen["own_values"], chosen["aliases"]) == (None, "", [])


def test_one_value_at_a_time_holds_for_what_is_told_next(site: Site) -> None:
    site.post("settings/predicate", predicate="drives", values="one")
    for car in ("a Kangoo", "a Berlingo"):
        told = site.tool("remember", facts=[{"subject": "Ada", "predicate": "drives", "value": car}])
    assert [each["outcome"] for each in told["facts"]] == ["replaced"]
    site.post("settings/predicate", predicate="lives_in", values="many")
    for town in ("Porto", "Ghent"):
        site.tool("remember", facts=[{"subject": "Ada", "predicate": "lives_in", "object": town}])
    page = site.json(f"entity/{site.json('search?q=Ada')['entities'][0]['id']}")
    [towns] = [group["facts"] for group in page["groups"] if group["predicate"] == "lives_in"]
    assert [each["data_state"] for each in towns] == ["current", "current"]


def test_what_cannot_be_decided_about_a_predicate_is_refused(site: Site) -> None:
    for field, value in (("policy", "whatever"), ("values", "three"), ("aliases", "works_at"), ("aliases", "?!")):
        reply = site.post("settings/predicate", predicate="drives", **{field: value})
        assert reply.status_code == 400, field
    assert site.post("settings/predicate", predicate="?!").status_code == 400
    assert site.post("settings/change", key="predicate_policy.Drives", value="dispute").status_code == 400
    assert site.get("settings?predicate=%3F").status_code == 400
    assert site.json("settings")["others"] == []


def test_only_administrators_decide_about_predicates(guarded_site: Site) -> None:
    guarded_site.sign_in(guarded_site.token("write"))
    for path, form in (
        ("settings/predicate", {"predicate": "drives", "values": "one"}),
        ("settings/change", {"key": "predicate_values.drives", "value": "one"}),
    ):
        reply = guarded_site.post(path, **form)
        assert reply.status_code == 403
        assert "scope" in reply.text
    html = guarded_site.get("settings?predicate=drives").text
    assert "Administrators can change this" in html
    assert "data-predicate" not in html
    assert guarded_site.post("settings/predicate", csrf="forged", predicate="drives").status_code == 403


@pytest.mark.parametrize("scope", ["write", "admin"])
def test_no_token_decides_where_the_server_sends_texts_with_the_operators_key(guarded_site: Site, scope: str) -> None:
    guarded_site.sign_in(guarded_site.token(scope))
    for key in ("llm.url", "embedding.url", "llm.key"):
        reply = guarded_site.post("settings/change", key=key, value="http://127.0.0.1:9/v1")
        assert (reply.status_code, "at the machine" in reply.text) == (403, True)


@pytest.mark.parametrize("key", ["trust.senders", "secrets.policy", "hooks.github.secret"])
def test_only_administrators_decide_whose_words_count(guarded_site: Site, key: str) -> None:
    guarded_site.sign_in(guarded_site.token("write"))
    assert guarded_site.post("settings/change", key=key, value="keep").status_code == 403


def test_the_import_page_asks_for_the_owners_addresses_until_they_are_set(site: Site) -> None:
    assert "your own addresses" in site.get("import").text
    assert site.post("settings/change", key="me.emails", value="ada@example.org, a@b.example").status_code == 303
    fields = {each["key"]: each["value"] for each in site.json("settings")["fields"]}
    assert fields["me.emails"] == "ada@example.org, a@b.example"
    assert "me.emails" not in dict(site.json("settings")["others"])
    assert "your own addresses" not in site.get("import").text


def test_a_new_token_is_shown_once_to_be_copied_with_how_to_send_it(site: Site) -> None:
    site.post("connect/token", name="laptop", scope="read")
    first, second = site.get("connect").text, site.get("connect").text
    assert 'id="flash-copy" tabindex="0">rcl_' in first
    assert 'data-copy="#flash-copy"' in first
    assert "<code>Authorization: Bearer TOKEN</code>" in first
    assert "flash-copy" not in second


def test_people_of_a_family_are_a_click_away(site: Site) -> None:
    with site.memory().write() as change:
        write_source(change, prepare_within(change, SourceInput(WORLD)))
    text = site.get("world").text
    assert 'href="/w/default/world?person=Corwin+Marr"' in text
    found = site.json("search?q=Corwin+Marr")["entities"][0]
    assert f"/w/default/world?person={found['id']}" in site.get(f"entity/{found['id']}").text
