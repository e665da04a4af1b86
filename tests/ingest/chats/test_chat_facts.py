"""What a chat export says about its human: their own words only."""

import json
from pathlib import Path

from tests.ingest.records import everything

from recollect.importers.chat_exports import import_chat_export
from recollect.ingest.extract.chat_text import own_words
from recollect.memory import Memory

START = 1_747_000_000


def test_text_to_be_rewritten_or_quoted_is_not_the_humans() -> None:
    assert own_words('fix this: "I will come tomorrow"').strip() == "fix this:"
    assert own_words("please translate this mail:\nI quit on Friday").strip() == "please translate this mail:"
    assert own_words("make this sound nicer: we drop your band").strip() == "make this sound nicer:"
    assert own_words("here is the text to proofread. I will come.").strip() == "here is the text to proofread."
    assert own_words("write a mail that says I'll refund her by Monday. I like tea.").split() == (
        "write a mail that says . I like tea.".split()
    )
    assert own_words("act as my customer and say that you will cancel").strip() == ""
    assert own_words("corrige ce message: je pars demain").strip() == "corrige ce message:"
    assert not own_words("pretend you are a pirate. I will pay you in rum tomorrow").strip()
    assert own_words("i never use exclamation marks") == "i never use exclamation marks"


def test_only_the_humans_turns_give_facts_and_they_are_the_owners(memory: Memory, tmp_path: Path) -> None:
    turns = [("user", "i prefer tea over coffee"), ("assistant", "I will send you a list by Friday. You prefer cola.")]
    nodes: dict[str, object] = {"root": {"id": "root", "message": None, "parent": None, "children": ["0"]}}
    for number, (role, text) in enumerate(turns):
        content = {"content_type": "text", "parts": [text]}
        message = {
            "id": str(number),
            "author": {"role": role},
            "create_time": 1_747_000_000 + number,
            "content": content,
        }
        children = [str(number + 1)] if number + 1 < len(turns) else []
        parent = str(number - 1) if number else "root"
        nodes[str(number)] = {"id": str(number), "message": message, "parent": parent, "children": children}
    talk = {
        "title": "Tea",
        "create_time": 1_747_000_000,
        "mapping": nodes,
        "current_node": "1",
        "conversation_id": "c1",
    }
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([talk]), "utf-8")
    taken = import_chat_export("chatgpt", memory, path, None)
    found = [(each.fact.fact_type, each.subject_name) for each in everything(memory)]
    assert found == [("preference", "Me")]
    assert (taken.tally.facts, taken.files[0].facts) == (1, 1)
