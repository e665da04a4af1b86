"""A fact as a sentence."""

import pytest

from recollect.model.sentence import fact_sentence


@pytest.mark.parametrize(
    ("subject", "predicate", "target", "sentence"),
    [
        ("acme-web", "uses", "pnpm", "acme-web uses pnpm"),
        ("Ada", "works_at", "Brindle Foods", "Ada works at Brindle Foods"),
        ("Ada", "allergic_to", "nuts", "Ada is allergic to nuts"),
        ("Ada", "friend_of", "Teo", "Ada is friend of Teo"),
        ("Ada", "rent", "900", "Ada's rent is 900"),
        ("James", "favorite_colour", "blue", "James' favorite colour is blue"),
        ("Lumen", "status", "late", "Lumen's status is late"),
        ("Ada", "born_in", "Porto", "Ada was born in Porto"),
        ("Ada", "born", "Porto", "Ada was born in Porto"),
        ("Ada", "born", None, "Ada was born"),
        ("Ada", "died", None, "Ada died"),
        ("Ada", "died", "1990-03-04", "Ada died on 1990-03-04"),
        ("Ada", "participated_in", "the regatta", "Ada participated in the regatta"),
        ("Ada", "commitment", "send the report", "Ada committed to: send the report"),
        ("Ada", "completion", None, "Ada: completion"),
        ("Ada", "noted", "a leak", "Ada noted a leak"),
        ("Ada", "worked_at", "Brindle", "Ada worked at Brindle"),
        ("Me", "uses", "pnpm", "I use pnpm"),
        ("Me", "studies", "law", "I study law"),
        ("Me", "watches", "birds", "I watch birds"),
        ("Me", "has_visited", "Porto", "I have visited Porto"),
        ("Me", "allergic_to", "nuts", "I am allergic to nuts"),
        ("Me", "staging_server", "staging.example.org", "My staging server is staging.example.org"),
        ("Me", "born_in", "Porto", "I was born in Porto"),
        ("Me", "preference", "tea", "I prefer: tea"),
        ("Me", "pending_decision", "which bank", "I have to decide: which bank"),
        ("Me", "commitment", "send the deck", "I committed to: send the deck"),
        ("Me", "blocked_by", "the audit", "I am blocked by the audit"),
        ("Me", "tagged", "urgent", "Me: urgent"),
        ("Me", "diagnosis", "a sprain", "My diagnosis is a sprain"),
        ("Ada", "hobbies", "chess and judo", "Ada's hobbies are chess and judo"),
        ("Ada", "known_allergies", "nuts", "Ada's known allergies are nuts"),
    ],
)
def test_a_fact_reads_as_a_sentence(subject: str, predicate: str, target: str | None, sentence: str) -> None:
    assert fact_sentence(subject, predicate, target) == sentence
