"""The core pages over HTTP, on both engines."""

import json
import re
from pathlib import Path

import pytest

from recollect.importers.formats import detect_format, read_sample
from recollect.ingest.notes import note_facts
from recollect.memory import create_workspace
from recollect.serve.web.framework.pages import Page
from recollect.serve.web.framework.rendering import human_sentence
from recollect.serve.web.site import SECTIONS
from tests.serve.web.sites import Site, running_site
from tests.serve.web.test_import_page import MBOX
from tests.support.facts import fact, tell

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "\u202egnp.exe",
    "{{ 7 * 7 }}",
    "x" * 190,
]
STANDING = [page for section in SECTIONS for page in section.pages if "{" not in page.path and page.name != "forget"]


@pytest.mark.parametrize("page", STANDING, ids=lambda page: page.name)
def test_every_page_answers_on_an_empty_store(empty: Site, page: Page) -> None:
    reply = empty.get(page.path)
    assert reply.status_code == 200
    assert f'data-page="{page.name}"' in reply.text
    assert " · Recollect</title>" in reply.text


def test_a_page_has_the_same_content_as_json(site: Site) -> None:
    site.tool("remember", text="Lena lives in Porto")
    assert site.json("search?q=Lena")["entities"] == site.get("search.json?q=Lena").json()["entities"]
    assert site.get("home.json").json()["counts"][1]["count"] == 1


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_are_only_text(site: Site, name: str) -> None:
    fact = {"subject": name, "predicate": "likes", "value": f"{name} & more"}
    result = site.tool("remember", text=f"A note on {name}. It is fine.", facts=[fact], source=name)
    entity, note = result["entities"][0]["id"], result["note"]
    paths = ("", f"entity/{entity}", f"fact/{result['facts'][0]['id']}", f"document/{note}")
    for html in (site.get(path).text for path in (*paths, f"document/{note}?view=rendered")):
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert 'href="javascript' not in html
    assert "{{ 7 * 7 }}" not in name or "{{ 7 * 7 }}" in site.get(f"entity/{entity}").text
    assert site.client.get(site.url("search"), params={"q": name}).status_code == 200


def test_a_document_is_rendered_without_html_images_or_dangerous_links(site: Site) -> None:
    text = "# Title\n\n<b onclick=x>bold</b> ![pic](https://evil.example/p.png) [bad](javascript:alert(1)) [ok](https://a.example)"
    note = site.tool("remember", text=text)["note"]
    html = site.get(f"document/{note}?view=rendered").text
    assert "<b onclick" not in html
    assert "<img" not in html
    assert 'href="javascript' not in html
    assert '<a href="https://a.example" rel="noopener noreferrer">' in html


def test_a_fact_is_ended_seen_on_both_clocks_and_undone(site: Site) -> None:
    made = site.tool("remember", text="Lena works at Brightwater since 2024-03")
    [fact] = [each for each in made["facts"] if each["predicate"] == "works_at"]
    reply = site.post(f"fact/{fact['id']}/end", when="2026-02-01", reason="left")
    assert reply.status_code == 303
    assert site.json(f"fact/{fact['id']}")["fact"]["state"] == "ended"
    assert site.json(f"fact/{fact['id']}?at=2025-01-01")["fact"]["state"] == "current"
    assert site.json(f"fact/{fact['id']}?as_of={made['undo']}")["fact"]["until"] is None
    versions = site.json(f"fact/{fact['id']}")["versions"]
    assert [version["until"] for version in versions] == [None, "2026-01-31"]
    assert versions[1]["by"] == "web correct, local"
    assert site.post("undo", transaction=versions[1]["transaction"]).status_code == 303
    assert site.json(f"fact/{fact['id']}")["fact"]["state"] == "current"


def test_after_a_change_the_next_page_offers_to_undo_it_once(site: Site) -> None:
    made = site.tool("remember", text="Lena likes tea")
    site.post(f"fact/{made['facts'][0]['id']}/retract")
    html = site.get("").text
    assert f'data-undo="{made["undo"] + 1}"' in html
    assert "data-undo" not in site.get("").text


def test_a_strip_begins_with_what_differs(site: Site) -> None:
    made = site.tool("remember", text="Lena works at Brightwater since 2024-03. Lena lives in Porto since 2021.")
    [lena] = [each["id"] for each in made["entities"] if each["name"] == "Lena"]
    bars = site.json(f"entity/{lena}")["strip"]["bars"]
    assert [bar["text"] for bar in bars] == ["lives in Porto", "works at Brightwater"]


def test_a_retracted_fact_is_restored_and_its_confidence_set(site: Site) -> None:
    made = site.tool("remember", text="Lena likes tea")
    fact, entity = made["facts"][0]["id"], made["entities"][0]["id"]
    assert "confidence" not in site.get(f"entity/{entity}").text
    site.post(f"fact/{fact}/retract")
    assert site.json(f"fact/{fact}")["fact"]["state"] == "retracted"
    site.post(f"fact/{fact}/restore")
    assert site.json(f"fact/{fact}")["fact"]["state"] == "current"
    site.post(f"fact/{fact}/confidence", confidence="40")
    shown = site.json(f"fact/{fact}")["fact"]
    assert (shown["confidence"], shown["badges"]) == (40, ["inferred"])
    site.post("undo", transaction=_offered_undo(site))
    assert site.json(f"fact/{fact}")["fact"]["confidence"] == 90
    site.post(f"fact/{fact}/confidence", confidence="95")
    assert '<span title="confidence 95 %">95&nbsp;%</span>' in site.get(f"entity/{entity}").text


def _offered_undo(site: Site) -> str:
    """The transaction that the page after a change offers to undo."""
    return site.get("").text.partition('data-undo="')[2].partition('"')[0]


def test_a_fact_is_changed_and_corrected(site: Site) -> None:
    fact = site.tool("remember", text="Lena lives in Porto")["facts"][0]["id"]
    site.post(f"fact/{fact}/change", target="Lisbon", target_kind="entity", when="2026-05-01")
    found = {each["text"]: each["state"] for each in site.tool("recall", query="Where does Lena live?")["results"]}
    assert found["Lena lives in Lisbon"] == "current"
    assert found["Lena lives in Porto"] == "ended"


def test_an_entity_gets_facts_and_aliases_and_is_renamed(site: Site) -> None:
    entity = site.tool("remember", text="Lena lives in Porto")["entities"][0]["id"]
    site.post(
        f"entity/{entity}/facts", predicate="works at", target="Brightwater", target_kind="entity", valid_from="2024"
    )
    site.post(f"entity/{entity}/aliases", alias="Leni")
    site.post(f"entity/{entity}/edit", name="Lena Hartwig", type="person")
    page = site.json(f"entity/{entity}")
    assert page["title"] == "Lena Hartwig"
    assert {"Leni", "Lena"} <= {alias["text"] for alias in page["aliases"]}
    assert "works_at" in {group["predicate"] for group in page["groups"]}


def test_entities_are_merged_split_off_and_joined_again(site: Site) -> None:
    site.tool("remember", text="Lena lives in Porto. Helena works at Brightwater.")
    entity, other = (site.json(f"search?q={name}")["entities"][0]["id"] for name in ("Lena", "Helena"))
    site.post(f"entity/{entity}/merge", other=other)
    groups = {group["predicate"]: group["facts"] for group in site.json(f"entity/{entity}")["groups"]}
    assert {"lives_in", "works_at"} <= set(groups)
    reply = site.post(f"entity/{entity}/split", name="Helena", fact=groups["works_at"][0]["id"])
    new = reply.headers["location"].rpartition("/")[2]
    assert [group["predicate"] for group in site.json(f"entity/{new}")["groups"]] == ["works_at"]
    assert [group["predicate"] for group in site.json(f"entity/{entity}")["groups"]] == ["lives_in"]
    site.post("undo", transaction=_offered_undo(site))
    assert {group["predicate"] for group in site.json(f"entity/{entity}")["groups"]} == {"lives_in", "works_at"}
    assert site.get(f"entity/{new}").status_code == 404


def test_forgetting_takes_two_steps_and_hiding_is_undone(site: Site) -> None:
    made = site.tool("remember", facts=[{"subject": "Lena", "predicate": "likes", "value": "tea"}])
    entity = made["entities"][0]["id"]
    asked = site.json(f"forget?target={entity}")
    assert (asked["facts"], asked["entities"]) == (1, 1)
    assert site.get(f"entity/{entity}").status_code == 200
    site.post("forget/hide", target=entity)
    assert site.get(f"entity/{entity}").status_code == 404
    site.post("undo", transaction=made["undo"] + 1)
    assert site.get(f"entity/{entity}").status_code == 200
    assert site.post("forget/erase", target=entity, confirm="1-x").status_code == 400
    site.post("forget/erase", target=entity, confirm=site.json(f"forget?target={entity}")["confirm"])
    assert site.get(f"entity/{entity}").status_code == 404


def test_an_entity_at_another_moment_marks_what_differs_from_now(site: Site) -> None:
    made = site.tool("remember", text="Lena lives in Porto")
    entity = made["entities"][0]["id"]
    site.tool("remember", text="Lena likes tea")
    site.post(f"fact/{made['facts'][0]['id']}/retract")
    page = site.json(f"entity/{entity}?as_of={made['undo']}")
    [group] = page["groups"]
    assert [(fact["text"], fact["change"]) for fact in group["facts"]] == [("Lena lives in Porto", "gone")]
    assert [fact["change"] for fact in page["since_added"]] == ["added"]
    assert "As known after transaction" in site.get(f"entity/{entity}?as_of={made['undo']}").text


def test_a_time_that_cannot_be_read_is_refused_with_advice(site: Site) -> None:
    reply = site.get("search?q=x&at=whenever")
    assert reply.status_code == 400
    assert "is not a time" in reply.text


def test_a_document_shows_what_was_read_from_it_and_what_not(site: Site) -> None:
    note = site.tool("remember", text="Lena lives in Porto. The boats were painted blue last spring.")["note"]
    page = site.json(f"document/{note}")
    marked = ["".join(piece["text"] for piece in block["pieces"]) for block in page["blocks"] if block["facts"]]
    assert marked == ["Lena lives in Porto."]
    assert [fact["text"] for fact in page["facts"]] == ["Lena lives in Porto"]
    assert page["unread"] == ["The boats were painted blue last spring."]
    mentions = [piece["text"] for block in page["blocks"] for piece in block["pieces"] if piece["entity"]]
    assert mentions == ["Lena", "Porto"]


def test_events_tell_the_latest_transaction(site: Site) -> None:
    made = site.tool("remember", text="Lena lives in Porto")
    with site.client.stream("GET", site.url("events")) as stream:
        lines = stream.iter_lines()
        data = next(line for line in lines if line.startswith("data:"))
    assert json.loads(data.removeprefix("data:"))["tx"] == made["undo"]


def test_events_count_the_facts_that_came_after_a_transaction(site: Site) -> None:
    before = site.tool("remember", text="Lena lives in Porto")["undo"]
    made = site.tool("remember", text="Lena likes tea. Lena works at Brightwater.")["undo"]
    with site.client.stream("GET", site.url(f"events?since={before}")) as stream:
        data = next(line for line in stream.iter_lines() if line.startswith("data:"))
    assert json.loads(data.removeprefix("data:")) == {"tx": made, "facts": 2}


def test_events_tell_what_another_server_on_the_same_store_wrote(site: Site, address: str) -> None:
    with running_site(address) as other, site.client.stream("GET", site.url("events")) as stream:
        numbers = (json.loads(line[5:])["tx"] for line in stream.iter_lines() if line.startswith("data:"))
        before = next(numbers)
        made = other.tool("remember", text="Lena lives in Porto")["undo"]
        assert before < made == next(numbers)


def test_a_note_without_a_source_is_called_a_note(site: Site) -> None:
    site.tool("remember", text="Lena lives in Porto.")
    assert "a note" in site.get("").text
    [fact] = site.json("search?q=Lena")["facts"]
    assert fact["fact"]["source"] == "a note"


def test_a_fact_is_moved_to_another_entity_and_back(site: Site) -> None:
    made = site.tool("remember", text="Lena lives in Porto. Mara Costa likes tea.")
    fact = next(each["id"] for each in made["facts"] if "Porto" in each["text"])
    site.post(f"fact/{fact}/move", entity="Mara Costa")
    assert site.json(f"fact/{fact}")["fact"]["subject"]["name"] == "Mara Costa"
    site.post("undo", transaction=site.json("activity")["last_tx"])
    assert site.json(f"fact/{fact}")["fact"]["subject"]["name"] == "Lena"
    site.post(f"fact/{fact}/move", entity="Nobody Known", is_new="1")
    assert site.json(f"fact/{fact}")["fact"]["subject"]["name"] == "Nobody Known"


def test_a_time_that_cannot_be_read_can_be_put_right_on_the_page(site: Site) -> None:
    for field in ("at", "as_of"):
        reply = site.get(f"open?kind=request&{field}=soonish")
        assert reply.status_code == 400
        assert "That time cannot be read" in reply.text
        assert 'value="soonish"' in reply.text
        assert 'href="/w/default/open?kind=request"' in reply.text


def test_pages_of_another_moment_mark_what_was_added_and_what_went(site: Site) -> None:
    first = site.tool("remember", text="Lena works at Brightwater since 2024-03. I will call Lena by 2026-12-01.")
    before = first["undo"]
    fact = next(each["id"] for each in first["facts"] if "Brightwater" in each["text"])
    item = next(each["id"] for each in first["facts"] if "call" in each["text"])
    site.tool("correct", fact=fact, mode="ended", when="2026-02-01")
    site.tool("correct", fact=item, mode="ended")
    site.tool("remember", text="Lena works at Harrow since 2026-03. I will write to Lena by 2026-12-02.")
    timeline = site.get(f"timeline?about=Lena&as_of={before}").text
    assert "gone later" in timeline
    assert "added later" in timeline
    graph = site.json(f"graph?focus=Lena&as_of={before}")
    assert [row["change"] for row in graph["table"] if row["object"]["name"] == "Brightwater"] == ["gone"]
    assert "Harrow" in {row["object"]["name"] for row in graph["since_added"]}
    items = site.json(f"open?as_of={before}")
    assert {line["change"] for group in items["groups"] for line in group["items"]} == {"gone"}
    assert [line["change"] for line in items["since_added"]] == ["added"]


def test_a_document_that_was_not_known_yet_says_so(site: Site) -> None:
    before = site.tool("remember", text="Tomas Reyes lives in Lisbon.")["undo"]
    note = site.tool("remember", text="Lena lives in Porto.")["note"]
    reply = site.get(f"document/{note}?as_of={before}")
    assert "the document was not known" in reply.text
    assert "verbatim" not in reply.text
    assert [fact["change"] for fact in site.json(f"document/{note}?as_of={before}")["facts"]] == ["added"]


def test_search_and_fact_of_another_moment_mark_what_changed_since(site: Site) -> None:
    made = site.tool("remember", text="Lena works at Brightwater since 2024-03.")
    fact, before = made["facts"][0]["id"], made["undo"]
    site.tool("correct", fact=fact, mode="ended", when="2026-02-01")
    site.tool("remember", text="Lena works at Harrow since 2026-03.")
    found = site.json(f"search?q=Where+does+Lena+work&as_of={before}")
    assert [hit["fact"]["change"] for hit in found["facts"]] == ["gone"]
    assert [(card["text"], card["change"]) for card in found["since_added"]] == [("Lena works at Harrow", "added")]
    assert site.json(f"fact/{fact}?as_of={before}")["fact"]["change"] == "gone"


def test_an_entity_that_was_not_known_yet_is_marked_in_search_and_on_its_page(site: Site) -> None:
    before = site.tool("remember", text="Tomas Reyes lives in Lisbon.")["undo"]
    site.tool("remember", text="Lena Hartwig works at Brightwater since 2024.")
    [found] = site.json(f"search?q=Lena&as_of={before}")["entities"]
    assert found["change"] == "added"
    assert [each["change"] for each in site.json("search?q=Lena")["entities"]] == [""]
    assert site.json(f"entity/{found['id']}?as_of={before}")["change"] == "added"
    html = site.get(f"entity/{found['id']}?as_of={before}").text
    assert "added later" in html[html.index("<h1") : html.index("</h1>")]
    assert "added later" in html[html.index('id="changes"') :]
    assert "added later" not in site.get(f"entity/{found['id']}").text


def test_a_fact_that_was_changed_since_its_page_was_opened_is_not_changed_blindly(site: Site) -> None:
    fact = site.tool("remember", text="Lena works at Brightwater since 2024-03.")["facts"][0]["id"]
    [seen] = set(re.findall(r'name="seen" value="(\d+)"', site.get(f"fact/{fact}").text))
    assert site.post(f"fact/{fact}/end", when="2026-02-01", seen=seen).status_code == 303
    late = site.post(f"fact/{fact}/end", when="2026-03-01", seen=seen)
    assert late.status_code == 409
    assert "changed since the page was opened" in late.text
    assert site.json(f"fact/{fact}")["fact"]["until"] == "2026-01-31"


def test_control_characters_do_not_reach_a_page(site: Site) -> None:
    site.tool("remember", facts=[{"subject": "Lena", "predicate": "likes", "value": "te\x01a\x1b[31m"}])
    html = site.get("").text
    assert "\ufffda\ufffd[31m" in html
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f]", html)


@pytest.mark.parametrize("query", ["at=now", "as_of=now", "at=Now&as_of=%20now"])
def test_the_clocks_take_the_word_that_their_fields_show(empty: Site, query: str) -> None:
    page = empty.get(f"?{query}")
    assert page.status_code == 200
    assert 'class="past"' not in page.text
    assert empty.get("search?q=Lena&until=now").status_code == 200


def test_the_clock_bar_slides_through_both_clocks(site: Site) -> None:
    made = site.tool("remember", text="Lena works at Brightwater since 2024-03.")
    site.tool("remember", text="Lena lives in Porto since 2021.")
    entity = made["entities"][0]["id"]
    html = site.get(f"entity/{entity}").text
    assert re.findall(r'data-value="([^"]*)"', html.partition('data-moments="as_of"')[0]) == ["2021", "2024-03", ""]
    for path in (f"entity/{entity}", "search?q=Lena", "world", "open", "identity", "memories", "graph?focus=Lena"):
        assert 'data-moments="as_of"' in site.get(path).text, path


def test_times_of_invented_calendars_in_a_sentence_are_written_for_people() -> None:
    text = "House Marr ruled from age_of_lamps.year_40 until age_of_lamps.year_87.month_2. See fen.year"
    shown = "House Marr ruled from age of lamps, year 40 until age of lamps, year 87, month 2. See fen.year"
    assert human_sentence(text) == shown


def test_an_entity_that_was_not_known_yet_is_shown_with_what_came_since(site: Site) -> None:
    before = site.tool("remember", text="Tomas Reyes lives in Lisbon.")["undo"]
    made = site.tool("remember", facts=[{"subject": "Mei Chen", "predicate": "works at", "object": "Oakline"}])
    entity = next(each["id"] for each in site.json("search?q=Mei+Chen")["entities"])
    page = site.json(f"entity/{entity}?as_of={before}")
    assert (page["title"], page["groups"]) == ("Mei Chen", [])
    assert [each["id"] for each in page["since_added"]] == [made["facts"][0]["id"]]


def test_ending_a_statement_says_that_its_day_is_not_kept(site: Site) -> None:
    made = site.tool("remember", facts=[{"subject": "Ada", "predicate": "opinion", "value": "tea is fine"}])
    page = f"fact/{made['facts'][0]['id']}"
    site.post(f"{page}/end", when="2026-02-01")
    assert "the day is not stored" in site.get(page).text


def test_a_sentence_told_on_the_home_page_is_learned_and_undone(site: Site) -> None:
    reply = site.post("remember", text="Lena Hartwig works at Brightwater since 2024.")
    assert reply.status_code == 303
    page = site.get("").text
    assert "Learned: Lena Hartwig works at Brightwater" in page
    assert f'data-undo="{site.json("activity")["last_tx"]}"' in page
    [card] = [each for each in site.json("")["counts"] if each["label"] == "facts"]
    assert (card["count"], sum(card["days"])) == (1, 1)
    assert site.post("remember", text=" ").status_code == 400


def test_characters_that_turn_the_direction_of_text_are_not_shown(site: Site) -> None:
    tell(site.memory(), fact("\u202egnirts", "knows", "Ada"))
    assert "\u202e" not in site.get("activity").text
    assert "\u202e" in site.get("activity.json").json()["transactions"][0]["changes"][0]["text"]


def test_other_workspaces_are_a_click_away(site: Site) -> None:
    assert 'class="switch"' not in site.get("").text
    create_workspace(site.opened.engine, "team", site.opened.clock)
    assert 'href="/w/team/"' in site.get("").text


def test_an_entity_lists_what_is_to_be_done_last_and_says_where_an_alias_was_learned(site: Site) -> None:
    made = site.tool(
        "remember", text="Lena will call the bank by 2027-01-05. Lena lives in Porto. Lena works at Oakline."
    )
    [entity] = [each["id"] for each in made["entities"] if each["name"] == "Lena"]
    site.post(f"entity/{entity}/aliases", alias="Lenchen")
    groups = [each["predicate"] for each in site.json(f"entity/{entity}")["groups"]]
    assert groups[-1] == "commitment"
    assert "learned <time" in site.get(f"entity/{entity}").text


@pytest.mark.parametrize("path", ["graph?focus={}", "timeline?about={}", "open?owner={}", "review?about={}"])
def test_pages_about_what_was_not_known_yet_say_so(site: Site, path: str) -> None:
    """So that sliding the clock back never leads to an error."""
    site.tool("remember", text="Tomas lives in Porto.")
    made = site.tool("remember", text="Lena works at Brightwater since 2024.")
    page = site.get(f"{path.format(made['entities'][0]['id'])}&as_of=1")
    assert page.status_code == 200
    assert "data-clock" in page.text
    if path.startswith(("graph", "timeline")):
        assert "was not known at this moment" in page.text
        assert "Brightwater" in page.text
    assert site.get(f"{path.format('Nobody')}&as_of=1").status_code == 404


def test_the_facts_and_entities_of_home_and_of_a_neighbourhood_carry_their_ids(site: Site) -> None:
    made = site.tool("remember", text="Lena works at Brightwater since 2024.")
    fact, entity = made["facts"][0]["id"], made["entities"][0]["id"]
    assert f'<li data-fact="{fact}" data-state="current">' in site.get("").text
    neighbour = next(each["id"] for each in made["entities"] if each["id"] != entity)
    assert f'data-entity="{neighbour}"><title>' in site.get(f"entity/{entity}").text


def test_a_note_is_read_again_after_a_dry_run_and_that_is_undone(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(note_facts, "requests_of", lambda *_: iter(()))
    note = site.tool("remember", text="I live in Porto. I will pay the garage invoice by Friday.")["note"]
    monkeypatch.undo()
    assert f"document/{note}/reread" in site.get(f"document/{note}").text
    before = site.json("activity")["transactions"][0]["tx"]
    trial = site.json(f"document/{note}/reread")
    assert ([each["text"] for each in trial["added"]], len(trial["kept"])) == (["I live in Porto"], 1)
    html = site.get(f"document/{note}/reread").text
    assert 'data-trial="added"' in html
    assert 'data-trial="kept"' in html
    assert site.json("activity")["transactions"][0]["tx"] == before
    site.post(f"document/{note}/reread")
    page = site.get(f"document/{note}").text
    assert "Read again: 1 added." in page
    assert len(site.json(f"document/{note}")["facts"]) == 2
    [done] = [each for each in site.json("activity")["transactions"] if each["tool"] == "reread"]
    assert "nothing would change" in site.get(f"document/{note}/reread").text
    site.post("undo", transaction=done["tx"])
    assert len(site.json(f"document/{note}")["facts"]) == 1


def test_a_mail_is_read_again_after_a_dry_run(site: Site, tmp_path: Path) -> None:
    box = tmp_path / "box.mbox"
    box.write_bytes(MBOX)
    detect_format(read_sample(site.memory(), box)).import_path(site.memory(), box, None)
    mail = site.json("search?q=Brightwater")["passages"][0]["document"]["id"]
    trial = site.json(f"document/{mail}/reread")
    assert (trial["added"], trial["changed"], trial["withdrawn"]) == ([], [], [])
    assert trial["kept"]
    site.post(f"document/{mail}/reread")
    assert "Read again: nothing new." in site.get(f"document/{mail}").text


@pytest.mark.parametrize("which", [0, 1], ids=["state", "promise"])
@pytest.mark.parametrize("way", ["retract", "hide", "end", "correct", "move"])
def test_reading_a_note_again_leaves_what_somebody_put_right(site: Site, way: str, which: int) -> None:
    site.tool("remember", text="Tomas lives in Ghent.")
    made = site.tool("remember", text="Lena lives in Porto since 2021. I will pay the garage invoice by Friday.")
    fact = made["facts"][which]["id"]
    form = {"end": {"when": "2026-02-01"}, "correct": {"target": "Turku", "target_kind": "entity"}}
    form["move"] = {"entity": "Tomas", "end": "subject"}
    if way == "hide":
        site.post("forget/hide", target=fact)
    else:
        assert site.post(f"fact/{fact}/{way}", **form.get(way, {})).status_code == 303
    before = site.json("search?q=Lena+lives+in+Porto+invoice")["facts"]
    trial = site.json(f"document/{made['note']}/reread")
    assert [[each["text"] for each in trial[part]] for part in ("added", "changed", "withdrawn")] == [[], [], []]
    site.post(f"document/{made['note']}/reread")
    assert site.json("search?q=Lena+lives+in+Porto+invoice")["facts"] == before
