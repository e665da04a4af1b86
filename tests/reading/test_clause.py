"""Clauses of a sentence: how each is meant, and which words they share."""

from datetime import UTC

import pytest

from recollect.reading.clause import clauses
from recollect.reading.clause_segmentation import clause_spans, message_sentences
from recollect.text.contrast import contrast
from recollect.when.english.mentions import find_times
from recollect.when.instant import read_instant

NOW = read_instant("2026-05-20T10:00:00Z", UTC)


@pytest.mark.parametrize(
    ("sentence", "modality"),
    [
        ("Marta stole the recipe.", "asserted"),
        ("No doubt Marta stole the recipe.", "asserted"),
        ("Rolf confirmed that Marta stole the recipe.", "asserted"),
        ("Did Marta steal the recipe?", "asked"),
        ("Rolf asked whether Marta stole the recipe.", "asked"),
        ("I doubt that Marta stole the recipe.", "doubted"),
        ("Perhaps Marta stole the recipe.", "doubted"),
        ("Marta may have stolen the recipe.", "doubted"),
        ("If Marta stole the recipe, we are lost.", "conditional"),
        ("Had Marta stolen the recipe, we would know.", "conditional"),
        ("Marta would have stolen the recipe.", "conditional"),
        ("Let's hope Marta stole the recipe.", "hoped"),
        ("I wish Marta had stolen the recipe.", "hoped"),
        ("Marta intends to steal the recipe.", "planned"),
        ("Rolf wants Marta to steal the recipe.", "planned"),
        ("Marta will steal the recipe.", "planned"),
        ("TODO: Marta steals the recipe.", "planned"),
        ("Marta considered stealing the recipe.", "considered"),
        ("Marta should steal the recipe.", "considered"),
        ("Marta tried to steal the recipe.", "attempted"),
        ("Marta nearly stole the recipe.", "attempted"),
        ("Rolf claims that Marta stole the recipe.", "reported"),
        ("Marta stole the recipe, says Rolf.", "reported"),
        ("Word on the street is that Marta stole the recipe.", "reported"),
        ('"Marta stole the recipe," Rolf said.', "reported"),
        ("As if Marta stole the recipe!", "figurative"),
        ("Marta used to steal recipes.", "habitual"),
    ],
)
def test_a_clause_has_the_modality_that_its_words_show(sentence: str, modality: str) -> None:
    [found] = {each.modality for each in clauses(sentence) if "recipe" in each.text}
    assert found == modality


@pytest.mark.parametrize(
    "sentence", ["Will Smith came.", "In May 2020 the firm moved.", "Hope Lund came.", "Almost 400 came."]
)
def test_names_months_and_rough_figures_are_no_cues(sentence: str) -> None:
    assert [each.modality for each in clauses(sentence)] == ["asserted"]


@pytest.mark.parametrize(
    ("sentence", "polarity"),
    [
        ("The dam burst.", "positive"),
        ("The dam did not burst.", "negative"),
        ("It isn't true that the dam burst.", "negative"),
        ("It is false that the dam did not burst.", "positive"),
        ("Leopold failed to renew the permit.", "negative"),
        ("Without a doubt, Emrys built the barn.", "positive"),
        ("Hedda was appointed, not Ingmar.", "positive"),
    ],
)
def test_polarity_counts_denials_and_negations(sentence: str, polarity: str) -> None:
    assert [each.polarity for each in clauses(sentence)] == [polarity]


def test_a_scope_ends_where_another_statement_begins() -> None:
    found = clauses("Agathe tried to repair the organ but gave up.")
    assert [(each.text.strip(), each.modality, each.shared) for each in found] == [
        ("Agathe tried to", "asserted", ""),
        ("repair the organ", "attempted", ""),
        ("gave up.", "asserted", "Agathe"),
    ]


def test_every_clause_has_its_own_times_and_shares_the_subject() -> None:
    first, second = clauses("The museum opened in 1998 and closed in 2011.")
    assert (first.shared, second.shared) == ("", "The museum")
    found = [find_times(clause.text, NOW, UTC) for clause in (first, second)]
    assert [[each.text for each in times] for times in found] == [["1998"], ["2011"]]


def test_a_clause_knows_its_place() -> None:
    sentence = "Nils claims that the mayor left, but the mayor stayed."
    assert all(sentence[each.start : each.stop] == each.text for each in clauses(sentence))


@pytest.mark.parametrize(
    ("sentence", "kept", "ruled_out"),
    [
        ("We chose slate instead of thatch for the barn.", "We chose slate for the barn.", ("thatch",)),
        ("Hedda was appointed, not Ingmar.", "Hedda was appointed", ("Ingmar",)),
        ("The tower is not red but blue.", "The tower is blue.", ("red",)),
        ("The supper was moved from Saturday to Friday.", "The supper was moved to Friday.", ()),
        ("She walked from Lund to Malmo.", "She walked from Lund to Malmo.", ()),
    ],
)
def test_a_contrast_keeps_what_holds(sentence: str, kept: str, ruled_out: tuple[str, ...]) -> None:
    found = contrast(sentence)
    assert (found.kept, found.ruled_out) == (kept, ruled_out)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Ana works at Acme since 2024-03. Margarethe lives in Porto.", 2),
        ("We have 3. Marta has 4.", 2),
        ("Bis 15. Oktober bitte.", 1),
        ("Am 3. März geht es.", 1),
        ("Am 30.10. fertig.", 1),
    ],
)
def test_only_the_day_of_a_month_joins_what_stands_behind_its_dot(text: str, sentences: int) -> None:
    assert len(list(message_sentences(text))) == sentences


def test_the_number_behind_an_abbreviation_belongs_to_its_clause() -> None:
    text = "water butt no. 3 holds water again. thanks to jim"
    assert next(text[each.start : each.stop] for each in clause_spans(text)).startswith("water butt no. 3 holds")


@pytest.mark.parametrize("text", ["ask capt. jones to bring the rope", "bring the cups incl. the lids to dana"])
def test_an_abbreviation_ends_no_clause(text: str) -> None:
    assert len(clause_spans(text)) == 1
