"""Inboxes are cut into clauses with acts, and into items beside later sentences."""

import pytest
from training.inbox_checks import problems_in
from training.inbox_examples import INBOXES
from training.inbox_files import Inbox, Record, load_inboxes
from training.inbox_labels import ClauseFinder, rows_of, shares_of
from training.inbox_readings import ReadClause
from training.inbox_text import says

from recollect.text_models.sentence import SentenceInput

ASKED: Record = {
    "set": "jetty", "id": "m1", "kind": "mail", "lang": "en", "date": "2026-03-02T09:00:00+00:00",
    "from": "Ines Roth <ines@jetty.example>", "to": ["Olle Berg <olle@jetty.example>"], "subject": "planks",
    "text": "Lovely evening yesterday. Could you order the planks by Friday?",
    "facts": [
        {
            "act": "request", "who": "Ines Roth", "what": ["planks"], "quote": "Could you order the planks by Friday?",
            "until": "2026-03-06", "state": "done", "closed_by": ["m2", "forty planks are on their way"],
        }
    ],
}  # fmt: skip
ANSWERED: Record = {
    "set": "jetty", "id": "m2", "kind": "mail", "lang": "en", "date": "2026-03-04T09:00:00+00:00",
    "from": "Olle Berg <olle@jetty.example>", "to": ["Ines Roth <ines@jetty.example>"], "subject": "Re: planks",
    "reply_to": "m1", "text": "The water was cold. All forty planks are on their way to us.",
    "facts": [{"act": ["completion", "event"], "who": "Olle Berg", "what": ["forty"]}],
}  # fmt: skip
HEAD: Record = {"set": "jetty", "kind": "set", "me": "Olle Berg <olle@jetty.example>", "zone": "UTC"}
INBOX = Inbox("jetty", {**HEAD, "now": "2026-04-01T09:00:00Z", "names": []}, [ASKED, ANSWERED])


def clause(text: str, act: str | None = None) -> ReadClause:
    return ReadClause(SentenceInput(text, "mail"), act, "", is_silent=act is None)


def test_a_quote_means_the_clauses_that_it_is_taken_from() -> None:
    finder = ClauseFinder(ASKED, [clause("Lovely evening yesterday."), clause("Could you order the planks by Friday?")])
    assert finder.labelled(ASKED["facts"][0]) == [1]
    assert finder.meant_by("evening yesterday") == [0]
    assert finder.meant_by("the moon") == []


def test_without_a_quote_words_mean_a_clause_or_a_few_in_a_row() -> None:
    clauses = [clause("The water was cold."), clause("All forty planks"), clause("are on their way to us.")]
    finder = ClauseFinder(ANSWERED, clauses)
    assert finder.labelled({"act": "event", "what": ["cold"]}) == [0]
    assert finder.labelled({"act": "completion", "what": ["forty", "way"]}) == [1, 2]


@pytest.mark.parametrize(("words", "is_said"), [(["plank"], True), (["lank"], False), (["board|order"], True)])
def test_words_are_the_beginnings_of_words(words: list[str], is_said: bool) -> None:
    assert says("Could you ORDER the planks?", words) == is_said


def test_the_first_of_several_acts_has_the_largest_share() -> None:
    shares = shares_of([{"act": ["completion", "event", "attribute"]}])
    assert shares == pytest.approx({"completion": 0.6, "event": 0.2, "attribute": 0.2})
    assert shares_of([]) == {"none": 1.0}


def test_an_inbox_gives_clauses_and_pairs_as_the_product_reads_them() -> None:
    clauses, pairs = rows_of(INBOX)
    acts = {row["text"]: row["acts"] for row in clauses}
    assert acts["Could you order the planks by Friday?"] == {"request": 1.0}
    assert acts["The water was cold."] == {"none": 1.0}
    [told] = [row for row in pairs if row["outcome"] == "done"]
    assert told["item"].startswith("request by Ines Roth for Olle Berg, due Fri 6 Mar:")
    assert told["message"].startswith(
        "Olle Berg (owner to asker, same thread) Wed 4 Mar, 2 days later, 2 days to go [planks]"
    )


def test_labels_that_the_text_does_not_bear_out_are_found() -> None:
    wrong = {**ANSWERED, "facts": [{"act": "deed", "what": ["fifty"], "quote": "fifty", "until": "soon"}]}
    found = list(problems_in(Inbox("jetty", INBOX.head, [ASKED, wrong])))
    assert [problem.partition("]: ")[2].split()[0] for problem in found] == ["there", "a", "the", "'soon'"]
    assert list(problems_in(INBOX)) == []


def test_the_labels_of_the_corpus_stand_in_its_texts() -> None:
    inboxes = [inbox for path in sorted(INBOXES.glob("*.jsonl")) for inbox in load_inboxes(path)]
    assert len(inboxes) > 50
    assert [(inbox.group, problem) for inbox in inboxes for problem in problems_in(inbox)] == []
