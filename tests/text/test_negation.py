"""Which readers take a sentence for negative: one list of negators, with parts where readers differ for a reason."""

import pytest

from recollect.ingest.lore.relation_context import words_before
from recollect.ingest.lore.relation_words import relations_in
from recollect.reading.clause import clauses
from recollect.reading.denial import is_negative
from recollect.reason.closures.completion_terms import completion_terms
from recollect.reason.closures.non_completions import denies, denies_cancellation
from recollect.reason.verify.parsed_statement import StatementPeriod, parse_statement
from recollect.reason.verify.sentence_guards import is_rebuttal
from recollect.text.negation import CLAUSE_NEGATORS, DEED_NEGATORS, NEGATORS, STATEMENT_NEGATORS, contracted_verb
from recollect.text.stop_words import DROPPED_NEGATORS
from recollect.when.instant import MAX, MIN, Instant

ALL = {"clause", "reader", "deed", "completion", "verify", "rebuttal"}
NOT_OF_STATEMENT = ALL - {"rebuttal"}


def negative_for(sentence: str) -> set[str]:
    """The readers of English for which a sentence is negative."""
    decided = {
        "clause": any(each.polarity == "negative" for each in clauses(sentence)),
        "reader": is_negative(sentence, "en"),
        "deed": denies("mow the lawn", sentence),
        "completion": not completion_terms(f"lawn mown and {sentence}", ()),
        "verify": bool(parse_statement(sentence, (), lambda _: StatementPeriod(Instant(MIN), Instant(MAX))).negated),
        "rebuttal": is_rebuttal(sentence),
    }
    return {name for name, is_negated in decided.items() if is_negated}


@pytest.mark.parametrize(
    ("sentence", "readers"),
    [
        ("it was never sent", ALL),
        ("it was hardly finished", ALL),
        ("we scarcely saw them", ALL),
        ("he cannot come", ALL),
        ("he can't come", ALL),
        ("he can’t come", ALL),
        ("he didnt come", ALL),
        ("they dont come", ALL - {"verify"}),
        ("it is not done", ALL),
        ("no one came", ALL),
        ("nobody sent it", NOT_OF_STATEMENT),
        ("nothing was signed", NOT_OF_STATEMENT),
        ("none of it is done", NOT_OF_STATEMENT),
        ("neither of us went", NOT_OF_STATEMENT),
        ("nowhere to be found", NOT_OF_STATEMENT),
        ("we no longer use it", ALL - {"deed"}),
        ("without a reply", {"clause", "completion", "verify"}),
        ("it was barely finished", set()),
        ("not only Ada came", set()),
        ("not just Ada came", set()),
        ("it is no doubt done", set()),
        ("it is done without any doubt", set()),
        ("nothing but rain fell", set()),
        ("it was none other than Ada", set()),
        ("it is done", set()),
    ],
)
def test_a_reader_of_english_takes_a_sentence_for_negative(sentence: str, readers: set[str]) -> None:
    assert negative_for(sentence) == readers


@pytest.mark.parametrize(
    ("language", "negative", "affirming"),
    [
        ("de", "das konzert ist nicht abgesagt", "nicht nur das konzert ist abgesagt"),
        ("de", "niemand hat es geschickt", "sie fuhr ohne antwort ab"),
        ("fr", "le concert n'est pas annulé", "elle est partie sans réponse"),
        ("fr", "personne ne l'a envoyé", "le concert est annulé"),
        ("es", "el concierto no está cancelado", "no solo el concierto está cancelado"),
        ("es", "nadie lo envió", "salió sin respuesta"),
        ("it", "il concerto non è annullato", "non solo il concerto è annullato"),
        ("it", "nessuno l'ha mandato", "è partita senza risposta"),
        ("nl", "het concert is niet afgelast", "niet alleen het concert is afgelast"),
        ("nl", "niemand heeft het gestuurd", "ze vertrok zonder antwoord"),
        ("pt", "o concerto não foi cancelado", "não só o concerto foi cancelado"),
        ("pt", "ninguém o enviou", "saiu sem resposta"),
        ("sv", "konserten är inte inställd", "inte bara konserten är inställd"),
        ("sv", "ingen skickade det", "hon åkte utan svar"),
        ("pl", "koncert nie jest odwołany", "nie tylko koncert jest odwołany"),
        ("pl", "nikt tego nie wysłał", "wyjechała bez odpowiedzi"),
    ],
)
def test_every_language_has_its_negators_and_what_only_looks_like_one(
    language: str, negative: str, affirming: str
) -> None:
    assert is_negative(negative, language)
    assert not is_negative(affirming, language)


@pytest.mark.parametrize(
    ("report", "is_denied"),
    [
        ("The concert is not cancelled", True),
        ("Nothing was called off", True),
        ("The concert wasnt cancelled", True),
        ("Not only the concert was cancelled", False),
        ("Das Konzert ist keineswegs abgesagt", True),
        ("Le concert n'est jamais annulé", True),
        ("Ningún concierto está cancelado", True),
        ("Nessun concerto è annullato", True),
        ("Er is geen concert afgelast", True),
        ("Nenhum concerto foi cancelado", True),
        ("Ingen konsert är inställd", True),
        ("Żaden koncert nie jest odwołany", True),
        ("Das Konzert ist abgesagt", False),
        ("No, the concert is cancelled", False),
    ],
)
def test_a_report_that_something_is_not_cancelled_is_no_cancellation(report: str, is_denied: bool) -> None:
    assert denies_cancellation(report) == is_denied


@pytest.mark.parametrize("words", [" is not allied with ", " isn't allied with ", " was hardly allied with "])
def test_lore_reads_no_relation_from_words_that_deny_it(words: str) -> None:
    assert not list(relations_in(words))
    assert list(relations_in(" was allied with "))


@pytest.mark.parametrize(("words", "sense"), [("Nobody of ", "denied"), ("Scarcely ", "denied"), ("Also ", "plain")])
def test_lore_takes_a_negator_ahead_of_the_subject_for_a_denial(words: str, sense: str) -> None:
    assert words_before(words) == sense


def test_named_parts_of_the_list_lie_in_each_other() -> None:
    assert DEED_NEGATORS < CLAUSE_NEGATORS < NEGATORS
    assert STATEMENT_NEGATORS < CLAUSE_NEGATORS
    assert {"no", "nor", "not"} == DROPPED_NEGATORS


@pytest.mark.parametrize(
    ("word", "verb"),
    [("can't", "can"), ("won’t", "will"), ("cannot", "can"), ("didnt", "did"), ("went", None), ("dont", None)],
)
def test_a_contraction_is_a_verb_and_a_negation(word: str, verb: str | None) -> None:
    assert contracted_verb(word) == verb
