"""Summaries told by a model, and the fallback when it fails or makes things up."""

from dataclasses import replace
from typing import Any

import pytest

from recollect.keep.memories.summary_text import keep_grounded
from recollect.llm.port import ModelRequest, ModelUnavailable
from tests.llm.scripted_model import ScriptedModel
from tests.surfaces.entity_core.asking import Entity

SOURCE = "- Noor fired the kiln at 1200 degrees with Ilse [chat:c1] [via:psy-desk]\n"
TOLD = "I watched Noor fire the kiln with Ilse. [via:psy-desk]"
EXTRACTED = "- Noor fired the kiln at 1200 degrees with Ilse [via:psy-desk]\n"


def with_day(entity: Entity) -> None:
    entity.ok("memory_create", granularity="daily", date="2026-05-04", content=SOURCE, instanceId="psy-desk")


def summed(entity: Entity, script: Any) -> tuple[str, str]:
    """The method and the text of the week."""
    model = ScriptedModel(script)
    entity.memory = replace(entity.memory, choose_model=lambda _: model)
    [item] = entity.ok("memory_consolidate", granularity="weekly", targetDate="2026-W19")["consolidations"]
    text = entity.ok("memory_read", id="weekly-2026-W19")["memory"]["content"]
    return item["method"], text.removeprefix("# Weekly Memory - 2026-W19\n\n")


def test_a_model_tells_the_summary(entity: Entity) -> None:
    with_day(entity)
    assert summed(entity, [{"bullets": [f"- {TOLD}", TOLD]}]) == ("model", f"- {TOLD}\n")


@pytest.mark.parametrize(
    "answer",
    [
        ModelUnavailable("scripted", "HTTP 500"),
        {"bullets": []},
        {"bullets": ["I met Napoleon.", "I saw it reach 1300 degrees.", "It was on Tuesday."]},
        "no JSON",
    ],
)
def test_without_a_usable_answer_the_sources_speak_for_themselves(entity: Entity, answer: Any) -> None:
    with_day(entity)
    assert summed(entity, [answer, answer]) == ("extractive", EXTRACTED)


def test_a_source_that_changed_meanwhile_is_not_told_by_old_words(entity: Entity) -> None:
    def answer(_: ModelRequest) -> dict[str, Any]:
        with_day(replace(entity, memory=replace(entity.memory, choose_model=lambda _: None)))
        entity.ok("memory_update", id="daily-2026-05-04_psy-desk", content="- Noor rested")
        return {"bullets": [TOLD]}

    with_day(entity)
    assert summed(entity, answer) == ("extractive", "- Noor rested\n")


@pytest.mark.parametrize(
    ("bullet", "is_kept"),
    [
        ("I fired it with Ilse at 1200 degrees", True),
        ("I fired it with Bob", False),
        ("Bob fired it", False),
        ("I fired it in May", False),
        ("I fired it 12 times", False),
        ("We talked. Noor left.", True),
        ("We talked. Zoe left.", False),
        ("Мы обжигали с Нур", False),
        ("a\u2028b", True),
        ("x" * 1001, False),
        ("I saw \ud800", False),
        ("", False),
    ],
)
def test_names_numbers_and_dates_must_stand_in_the_sources(bullet: str, is_kept: bool) -> None:
    assert bool(keep_grounded([bullet], SOURCE)) is is_kept


def test_a_tag_that_no_source_has_is_taken_off() -> None:
    assert keep_grounded(["I fired it [via:evil] [chat:x] [via:psy-desk]"], SOURCE) == ["I fired it [via:psy-desk]"]
