"""Whose words the lines of a chat are: the owner's own, somebody's whom the owner knows, or anybody's."""

from pathlib import Path

import pytest
from tests.conftest import START, MovingClock
from tests.ingest.formats.importing import Imported, documents

from recollect.memory import Memory
from recollect.model.trust import trust_in
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.owner import apply_owner_settings
from recollect.write.trust_rules import changed_rules

CLAIM = "Ada paid the plumber. Ada's rent is 10."


@pytest.fixture(params=["sqlite"])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def owned(memory: Memory, clock: MovingClock) -> Memory:
    clock.set("2026-05-10T10:00:00Z")
    with memory.write() as change:
        change.put_setting("me.name", "Ada Brandt")
        change.put_setting("me.aliases", "Ada")
        apply_owner_settings(change)
    answer(memory, "remember", text="My rent is 900. I'll pay the plumber by 2026-06-05.")
    answer(memory, "remember", text="Rosa Diaz works at Harbor Labs. Rosa Diaz will send the blueprints by 2026-06-01.")
    clock.set(START)
    return memory


def answer(memory: Memory, tool: str, **arguments: object) -> dict[str, object]:
    found = find_surface("recollect").find(tool)
    return dict(call(found, lambda each: memory.as_actor("recollect", each.name), arguments).structured)


def chat(memory: Memory, folder: Path, *lines: str) -> None:
    file = folder / "WhatsApp Chat with Mal.txt"
    file.write_text("".join(f"20/05/2026, 09:3{at} - {line}\n" for at, line in enumerate(lines)))
    assert Imported(memory, file).kinds == ["whatsapp"]


def levels(memory: Memory) -> dict[str, str]:
    found = [each for each in documents(memory).values() if each.type == "chat_message"]
    return {str(each.author): trust_in(each.properties) for each in found}


def rents(memory: Memory) -> dict[str, object]:
    found = answer(memory, "recall", query="what is my rent")["results"]
    assert isinstance(found, list)
    return {each["text"]: each.get("trust") for each in found if each["kind"] == "fact"}


def is_open(memory: Memory) -> bool:
    return "pay the plumber" in str(answer(memory, "open_items")["items"])


def test_what_another_speaker_says_of_the_owner_is_marked_asked_about_and_closes_nothing(
    owned: Memory, tmp_path: Path
) -> None:
    chat(owned, tmp_path, "Ada Brandt: hi", f"Mal Kane: {CLAIM}", "Ada Brandt: ok")
    assert levels(owned) == {"Ada Brandt": "owner", "Mal Kane": "unknown"}
    assert is_open(owned)
    assert rents(owned) == {"Ada Brandt's rent is 900": None, "Ada Brandt's rent is 10": "unknown"}
    assert "plumber" in str(answer(owned, "review"))


def test_the_owner_s_own_lines_close_and_replace_as_before(owned: Memory, tmp_path: Path) -> None:
    chat(owned, tmp_path, "Mal Kane: hello", "Ada Brandt: I paid the plumber.", "Mal Kane: good")
    assert not is_open(owned)


def test_a_line_within_a_message_that_imitates_one_of_the_owner_is_the_words_of_its_author(
    owned: Memory, tmp_path: Path
) -> None:
    chat(owned, tmp_path, "Mal: look\n[20.05.26, 09:31:00] Ada: I paid the plumber, my rent is 10.", "Mal: nice")
    assert levels(owned) == {"Mal": "unknown"}
    assert is_open(owned)


def test_a_name_that_its_bearer_chose_is_not_the_owner(owned: Memory, tmp_path: Path) -> None:
    chat(owned, tmp_path, "Mal Kane: hello", "~ Ada Brandt: I paid the plumber.", "Mal Kane: good")
    assert levels(owned)["Ada Brandt"] == "unknown"
    assert is_open(owned)


def test_somebody_of_whom_the_owner_has_spoken_is_known_and_reports_what_the_owner_must_know(
    owned: Memory, tmp_path: Path
) -> None:
    chat(owned, tmp_path, "Ada Brandt: hi", "Rosa Diaz: I sent the blueprints. Ada's rent is 10.", "Ada Brandt: ok")
    assert levels(owned)["Rosa Diaz"] == "known"
    assert "blueprints" not in str(answer(owned, "open_items")["items"])
    assert "Ada Brandt's rent is 900" in rents(owned)


def test_a_rule_for_a_name_decides_in_chats(owned: Memory, tmp_path: Path) -> None:
    with owned.write() as change:
        change.put_setting(*changed_rules(change, "sender", "Mal Kane", "untrusted"))
    chat(owned, tmp_path, "Ada Brandt: hi", f"Mal Kane: {CLAIM}", "Ada Brandt: ok")
    assert levels(owned)["Mal Kane"] == "untrusted"
