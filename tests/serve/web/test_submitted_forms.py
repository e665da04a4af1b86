"""A form that is sent twice writes once, and both answers are the same."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.serve.web.sites import Site, running_site
from tests.support.calls import last_tx
from tests.support.facts import fact, tell

_KEY = re.compile(r'name="form_key" value="([^"]+)"')


def form_key(site: Site, path: str = "") -> str:
    found = _KEY.search(site.get(path).text)
    assert found is not None
    return found[1]


def test_a_form_sent_twice_writes_once_and_leads_to_the_same_page(empty: Site) -> None:
    key, csrf = form_key(empty), empty.csrf()
    first = empty.post("remember", csrf, text="Ada owns a kite.", form_key=key)
    written = last_tx(empty.memory())
    again = empty.post("remember", csrf, text="Ada owns a kite.", form_key=key)
    assert (first.status_code, again.status_code) == (303, 303)
    assert first.headers["location"] == again.headers["location"]
    assert last_tx(empty.memory()) == written


def test_a_double_click_writes_once(empty: Site) -> None:
    key, csrf = form_key(empty), empty.csrf()
    before = last_tx(empty.memory())
    with ThreadPoolExecutor(4) as pool:
        replies = list(
            pool.map(lambda _: empty.post("remember", csrf, text="Ada owns a boat.", form_key=key), range(4))
        )
    assert {each.status_code for each in replies} == {303}
    assert last_tx(empty.memory()) == before + 1


def test_another_form_of_the_same_page_is_carried_out(empty: Site) -> None:
    key, csrf = form_key(empty), empty.csrf()
    before = last_tx(empty.memory())
    for what in ("car", "house"):
        empty.post("remember", csrf, text=f"Ada owns a {what}.", form_key=key)
    assert last_tx(empty.memory()) == before + 2


def test_each_showing_of_a_page_has_its_own_key(empty: Site) -> None:
    tell(empty.memory(), fact("Ada", "member", "Guild"))
    ada = empty.json("search?q=Ada")["entities"][0]["id"]
    assert form_key(empty) != form_key(empty)
    assert form_key(empty, f"entity/{ada}")


def test_a_form_that_was_refused_can_be_sent_again(empty: Site) -> None:
    key, csrf = form_key(empty), empty.csrf()
    refused = [empty.post("undo", csrf, transaction="987654", form_key=key) for _ in range(2)]
    assert [each.status_code for each in refused] == [404, 404]


def test_another_server_knows_of_a_form_that_was_carried_out(tmp_path: Path) -> None:
    database = str(tmp_path / "memory.db")
    form = {"text": "Ada owns a kite.", "form_key": "one"}
    for _ in range(2):
        with running_site(database) as site:
            assert site.post("remember", **form).status_code == 303
            written = last_tx(site.memory())
    assert written == 1


def test_a_token_is_made_once_and_its_secret_is_not_stored(empty: Site) -> None:
    key, csrf = form_key(empty), empty.csrf()
    form = {"name": "ann", "scope": "read", "form_key": key}
    first, again = (empty.post("connect/token", csrf, **form) for _ in range(2))
    assert first.headers["set-cookie"] == again.headers["set-cookie"]
