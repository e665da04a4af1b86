"""Each rung refuses alone, the lowest answers, and only what was given is counted."""

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MovingClock

from recollect.keep.mesh import fetch_ladder
from recollect.keep.mesh.accounts import disable_mesh_account, enable_mesh_account, parse_mesh_uri
from recollect.keep.mesh.connectors import FetchedBody
from recollect.keep.mesh.fetch_errors import (
    AccountDisabled,
    BadMeshUri,
    BatchLimitReached,
    ConfirmationRequired,
    DailyBudgetReached,
    FetchFailed,
    MeshBusy,
    MeshItemNotFound,
    MeshProblem,
    MissingConnector,
)
from recollect.keep.mesh.fetch_ladder import FetchRequest, debit_fetched, fetch_body, used_today
from recollect.memory import Memory
from recollect.settings import Settings
from recollect.store.mesh_queries import MeshAccount

MAIL = b"""From ada@example.org Mon May  4 10:00:00 2026
From: Ada <ada@example.org>
Subject: Frost
Message-ID: <frost-1@example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html; charset=utf-8

<html><style>p{}</style><body><p>Cover the <b>plums</b>.</p><p>Tonight.</p></body></html>
--b
Content-Type: application/pdf
Content-Disposition: attachment; filename="plan.pdf"

x
--b--

"""


class Farm:
    """A folder, a mailbox and a bundle, all enabled under the account `farm`."""

    def __init__(self, memory: Memory, folder: Path) -> None:
        self.memory = memory
        self.folder = folder / "farm"
        (self.folder / "logs").mkdir(parents=True)
        (self.folder / "logs" / "frost.md").write_text("# Frost\n\nIt froze.\n", "utf-8")
        (self.folder / "large.txt").write_text("word " * 8_000, "utf-8")
        (folder / "outside.txt").write_text("secret", "utf-8")
        (self.folder / "link.txt").symlink_to(folder / "outside.txt")
        (folder / "mail.mbox").write_bytes(MAIL)
        record = {"record": {"id": "r1", "title": "One", "content": "Body of one."}}
        (folder / "b.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
        with memory.write() as change:
            for connector, path in (
                ("files", self.folder),
                ("mail", folder / "mail.mbox"),
                ("bundle", folder / "b.jsonl"),
            ):
                enable_mesh_account(change, MeshAccount(connector, "farm", str(path), True, False, None))

    def set(self, **limits: int) -> None:
        values = {f"RECOLLECT_CARABASE_MESH_{name.upper()}": str(value) for name, value in limits.items()}
        self.memory = replace(self.memory, settings=Settings(values))

    def get(self, uri: str, token: str | None = None, budget: int = 4_000) -> FetchedBody:
        return fetch_body(self.memory, FetchRequest(parse_mesh_uri(uri), budget, token, "local"))

    def refused(self, uri: str, **more: Any) -> MeshProblem:
        with pytest.raises(MeshProblem) as caught:
            self.get(uri, **more)
        return caught.value


FROST = "mesh://files/account=farm/path=logs%2Ffrost.md"
LARGE = "mesh://files/account=farm/path=large.txt"


@pytest.fixture
def farm(memory: Memory, tmp_path: Path) -> Farm:
    return Farm(memory, tmp_path)


def test_a_file_a_message_and_a_record_are_given(farm: Farm) -> None:
    digest = sha256(b"frost-1@example.org").hexdigest()
    message = FetchedBody("Frost", "text/plain", "Cover the plums.\n\nTonight.\n[attachment: plan.pdf]")
    assert farm.get(FROST) == FetchedBody("frost.md", "text/markdown", "# Frost\n\nIt froze.\n")
    assert farm.get("mesh://mail/account=farm/msg-id=%3Cfrost-1@example.org%3E") == message
    assert farm.get(f"mesh://mail/account=farm/msg-id={digest}") == message
    assert farm.get("mesh://bundle/account=farm/record=r1") == FetchedBody("One", "text/plain", "Body of one.")


def _empty(_: Farm) -> str:
    return "mesh://imap/account=farm/msg-id=1"


def _off(farm: Farm) -> str:
    with farm.memory.write() as change:
        disable_mesh_account(change, "files", "farm")
    return FROST


def _large(_: Farm) -> str:
    return LARGE


def _batch(farm: Farm) -> str:
    farm.set(batch_tokens=4)
    return FROST


def _daily(farm: Farm) -> str:
    farm.set(daily_tokens=4)
    return FROST


def _busy(farm: Farm) -> str:
    farm.set(concurrency=0)
    return FROST


@pytest.mark.parametrize(
    ("arrange", "problem", "rung"),
    [
        (_empty, MissingConnector, 1),
        (_off, AccountDisabled, 2),
        (_large, ConfirmationRequired, 3),
        (_batch, BatchLimitReached, 4),
        (_daily, DailyBudgetReached, 5),
        (_busy, MeshBusy, 6),
    ],
)
def test_each_rung_refuses_alone(
    farm: Farm,
    arrange: Callable[[Farm], str],
    problem: type[MeshProblem],
    rung: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fetch_ladder, "WAIT_SECONDS", 0.0)
    found = farm.refused(arrange(farm))
    assert (type(found), found.rung, len(found.trace)) == (problem, rung, rung)
    assert found.trace[-1].endswith(f"refused at rung {rung}/6")


def test_of_several_that_fail_the_lowest_answers(farm: Farm) -> None:
    farm.set(batch_tokens=1, daily_tokens=1, concurrency=0)
    assert isinstance(farm.refused(LARGE), ConfirmationRequired)
    assert isinstance(farm.refused(_off(farm)), AccountDisabled)


def _token(farm: Farm, uri: str) -> str:
    found = farm.refused(uri)
    assert isinstance(found, ConfirmationRequired)
    assert found.confirmation["estimate_tokens"] == 10_000
    return str(found.confirmation["token"])


def test_a_token_works_once_and_only_for_its_address(farm: Farm, clock: MovingClock) -> None:
    token = _token(farm, LARGE)
    (farm.folder / "other.txt").write_text("word " * 8_000, "utf-8")
    assert "another address" in str(farm.refused("mesh://files/account=farm/path=other.txt", token=token))
    assert "wrong" in str(farm.refused(LARGE, token="nonsense"))
    assert farm.get(LARGE, token).title == "large.txt"
    assert "used already" in str(farm.refused(LARGE, token=token))
    late = _token(farm, LARGE)
    clock.set("2026-05-20T10:05:01Z")
    assert "expired" in str(farm.refused(LARGE, token=late))


def test_a_token_outlives_a_refusal_at_a_higher_rung(farm: Farm) -> None:
    token = _token(farm, LARGE)
    farm.set(batch_tokens=1)
    assert isinstance(farm.refused(LARGE, token=token), BatchLimitReached)
    farm.set(batch_tokens=20_000)
    assert farm.get(LARGE, token).title == "large.txt"


def test_a_token_is_good_until_its_expiry_and_for_no_larger_body(farm: Farm, clock: MovingClock) -> None:
    token = _token(farm, LARGE)
    (farm.folder / "large.txt").write_text("word " * 9_000, "utf-8")
    assert "has grown" in str(farm.refused(LARGE, token=token))
    (farm.folder / "large.txt").write_text("word " * 8_000, "utf-8")
    clock.set("2026-05-20T10:05:00Z")
    assert "expired" in str(farm.refused(LARGE, token=token))


def test_that_an_item_is_missing_is_learned_behind_the_last_rung(farm: Farm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch_ladder, "WAIT_SECONDS", 0.0)
    missing = "mesh://files/account=farm/path=none.md"
    assert isinstance(farm.refused(missing), MeshItemNotFound)
    farm.set(concurrency=0)
    assert isinstance(farm.refused(missing), MeshBusy)


def test_each_session_has_a_minute_of_its_own_and_all_share_the_day(farm: Farm) -> None:
    debit_fetched(farm.memory, FetchRequest(parse_mesh_uri(FROST), 4_000, None, "another"), 20_000)
    assert farm.get(FROST).title == "frost.md"
    debit_fetched(farm.memory, FetchRequest(parse_mesh_uri(FROST), 4_000, None, "a third"), 30_000)
    assert isinstance(farm.refused(FROST), DailyBudgetReached)


ODD_MAIL = b"""From x Mon May  4 10:00:00 2026
Subject: =?x-unknown?Q?Caf=E9?=
MESSAGE-ID:
 <odd@example.org>
Content-Type: text/plain; charset=x-unknown

caf\xe9
From the start of a line

"""


def test_a_message_in_an_unknown_charset_is_read_as_well_as_can_be(farm: Farm) -> None:
    (farm.folder.parent / "mail.mbox").write_bytes(MAIL + ODD_MAIL)
    found = farm.get("mesh://mail/account=farm/msg-id=odd@example.org")
    assert found == FetchedBody("Café", "text/plain", "café\nFrom the start of a line")


def test_a_maildir_with_a_dangling_link_still_gives_its_messages(farm: Farm) -> None:
    box = farm.folder.parent / "maildir"
    for each in ("cur", "new", "tmp"):
        (box / each).mkdir(parents=True)
    (box / "cur" / "0:2,S").symlink_to(box / "nowhere")
    (box / "new" / "1").write_bytes(MAIL.partition(b"\n")[2])
    with farm.memory.write() as change:
        enable_mesh_account(change, MeshAccount("mail", "dir", str(box), True, False, None))
    assert farm.get("mesh://mail/account=dir/msg-id=frost-1@example.org").title == "Frost"


def test_what_was_given_counts_against_the_minute_and_the_day(farm: Farm, clock: MovingClock) -> None:
    wanted = FetchRequest(parse_mesh_uri(FROST), 4_000, None, "local")
    assert debit_fetched(farm.memory, wanted, 49_990) == 49_990
    assert isinstance(farm.refused(FROST), BatchLimitReached)
    clock.set("2026-05-20T10:02:00Z")
    farm.set(daily_tokens=49_990)
    assert isinstance(farm.refused(FROST), DailyBudgetReached)
    clock.set("2026-05-21T00:00:00Z")
    assert farm.get(FROST).title == "frost.md"


def test_a_refusal_costs_nothing(farm: Farm) -> None:
    farm.refused(LARGE)
    farm.refused("mesh://files/account=farm/path=none.md")
    with farm.memory.read() as view:
        assert used_today(view) == 0


@pytest.mark.parametrize(
    "path",
    ["..%2Foutside.txt", "%2Fetc%2Fpasswd", "link.txt", "logs", "logs%2F..%2F..%2Foutside.txt", "C:%5Cx.txt", "..%5Cx"],
)
def test_nothing_outside_the_folder_is_there(farm: Farm, path: str) -> None:
    assert isinstance(farm.refused(f"mesh://files/account=farm/path={path}"), MeshItemNotFound)


def test_what_is_no_text_is_not_fetched(farm: Farm) -> None:
    (farm.folder / "a.png").write_bytes(b"\x89PNG")
    (farm.folder / "b.txt").write_bytes(b"\xff\xfe\x00")
    for name in ("a.png", "b.txt"):
        assert isinstance(farm.refused(f"mesh://files/account=farm/path={name}"), FetchFailed)


@pytest.mark.parametrize(
    "uri",
    [
        "http://files/account=farm",
        "mesh://",
        "mesh://Files/account=farm",
        "mesh://files/path=x",
        "mesh://files/account=",
        "mesh://files/account=a/path=x y",
        "mesh://files/account=a/account=b",
        "mesh://files/account=a/path=%ff",
        "mesh://files/account=a/path=%00",
        "mesh://files/account=a/" + "p" * 2_000,
    ],
)
def test_an_address_of_another_form_is_refused(uri: str) -> None:
    with pytest.raises(BadMeshUri):
        parse_mesh_uri(uri)
