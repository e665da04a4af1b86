import pytest
from tests.resolve.names_in_memory import NamesInMemory, a_name, people, projects

from recollect.model.ids import EntityId, format_entity_id
from recollect.model.names import ANY_TYPE, PEOPLE, Name, Types
from recollect.resolve.port import NOTHING, NameCandidate, Resolution
from recollect.resolve.resolver import fuzzy_candidates, resolve, resolve_exact, semantic_candidates

KETTLE_ID = "01JVQ3T8DYH7P2S5G4N9A6QKXM"
KETTLE = a_name(KETTLE_ID, "project", "Copper Kettle")
ODILE = a_name("odile", "person", "Odile Ferrant")
ONLY_PROJECTS = Types(frozenset({"project"}), others=False)
ONLY_CONCEPTS = Types(PEOPLE | {"project", "decision", "source", "lore_source", "document"})


def alike(*rows: Name, **known: float) -> NamesInMemory:
    """An index whose names lie at the given cosines from whatever is asked."""
    return NamesInMemory(rows, lambda _, spelling: known.get(spelling.replace(" ", "_"), 0.0))


def answer(index: NamesInMemory, text: str, types: Types = ANY_TYPE) -> tuple[str | None, str, float]:
    found = resolve(index, text, types)
    return found.entity, found.method, round(found.score, 3)


NOBODY = (None, "none", 0.0)


@pytest.mark.parametrize("text", [format_entity_id(KETTLE_ID), f" {format_entity_id(KETTLE_ID).lower()} "])
def test_an_id_answers_first(text: str) -> None:
    assert answer(NamesInMemory([KETTLE]), text) == (KETTLE_ID, "id", 1.0)


def test_an_unknown_id_is_nothing() -> None:
    assert resolve(alike(KETTLE, Copper_Kettle=1.0), format_entity_id("01JVQ3T8DYH7P2S5G4N9A6QKXN")) == NOTHING


@pytest.mark.parametrize("text", ["Copper Kettle", "copper  kettle", " COPPER KETTLE ", "ｃopper kettle"])
def test_an_equal_folded_name_is_exact(text: str) -> None:
    assert answer(NamesInMemory([KETTLE]), text) == (KETTLE_ID, "exact", 1.0)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (a_name("odile", "person", "O. Ferrant", "alias"), "o.  FERRANT"),
        (a_name("odile", "person", "odile@harrowbridge.example", "email"), "Odile@HarrowBridge.example"),
        (a_name("bridge", "organization", "harrowbridge.example", "domain"), "HARROWBRIDGE.example"),
    ],
)
def test_an_alias_an_address_or_a_mail_domain_answers_at_the_alias_rung(row: Name, text: str) -> None:
    assert answer(NamesInMemory([ODILE, row]), text) == (row.entity, "alias", 0.95)


def test_a_name_beats_an_alias() -> None:
    index = NamesInMemory([KETTLE, a_name("other", "project", "Copper Kettle", "alias")])
    assert answer(index, "copper kettle") == (KETTLE_ID, "exact", 1.0)


def test_addresses_and_domains_count_only_when_equal() -> None:
    index = NamesInMemory([a_name("bridge", "organization", "harrowbridge.example", "domain")])
    assert [answer(index, text) for text in ("harrowbridge", "harowbridge.example")] == [NOBODY, NOBODY]


@pytest.mark.parametrize(
    ("index", "text", "expected"),
    [
        (projects("Copper Kettle Farm"), "copper kettle", ("Copper Kettle Farm", "fuzzy", 0.9)),
        (projects("Tide-Knife"), "tide", ("Tide-Knife", "fuzzy", 0.9)),
        (people("Roberto Diaz"), "Rob", ("Roberto Diaz", "fuzzy", 0.8)),
        (people("Sarah"), "Sara", ("Sarah", "fuzzy", 0.8)),
        (people("Roberto"), "ROBRTO", ("Roberto", "fuzzy", 0.857)),
        (projects("Copper Kettle"), "coper kettle", ("Copper Kettle", "fuzzy", 0.923)),
        (projects("Copper Kettle"), "copper-kettle", ("Copper Kettle", "fuzzy", 1.0)),
        (projects("Quarterly Infrastructure"), "Quaterly Infastrcture", ("Quarterly Infrastructure", "fuzzy", 0.875)),
        (people("Priya"), "Pirya", ("Priya", "fuzzy", 0.8)),
    ],
)
def test_short_and_mistyped_forms_are_understood(
    index: NamesInMemory, text: str, expected: tuple[str, str, float]
) -> None:
    assert answer(index, text) == expected


@pytest.mark.parametrize(
    ("index", "text"),
    [
        (people("Jane Smith"), "John Smith"),
        (projects("Phase 2"), "Phase 1"),
        (projects("Phase 2"), "Phase"),
        (projects("Sprint2024 Planning"), "Sprint2025 Planning"),
        (projects("Marketing"), "Mark"),
        (projects("Alpha"), "a"),
        (projects("Alpha"), "al"),
        (people("Alan Reed"), "al"),
        (people("Roberto", "Priya"), "Roberto and Priya"),
        (people("Roberto Diaz"), "berto"),
        (people("Roberto Diaz"), "Diaz"),
        (people("Sarah Lind"), "Sarah Lind Berg"),
        (people("Dora"), "Dara"),
        (people("Mario"), "Maria"),
        (people("Ferrant"), "Terrant"),
        (people("Odile Ferrant"), "Odo Ferrand"),
        (people("Ann Fox"), "Ann Fix"),
        (projects("Copper Kettle"), "Kettle Copper"),
        (projects("Copper Kettle"), ""),
        (projects("Copper Kettle"), "-._/"),
        (projects("Copper Kettle"), "%"),
        (projects("Copper Kettle"), "* * *"),
    ],
)
def test_what_only_looks_near_is_nothing(index: NamesInMemory, text: str) -> None:
    assert resolve(index, text) == NOTHING


def test_a_short_form_that_begins_a_first_name_matches_people_only() -> None:
    index = NamesInMemory([a_name("bot", "tool", "Roberto"), a_name("pc", "pc", "Roberta Quill")])
    assert answer(index, "Rob") == ("pc", "fuzzy", 0.8)


@pytest.mark.parametrize("person", sorted(PEOPLE))
def test_every_kind_of_person_has_short_forms(person: str) -> None:
    assert answer(NamesInMemory([a_name("who", person, "Roberto Diaz")]), "Rob") == ("who", "fuzzy", 0.8)


def test_aliases_have_short_and_mistyped_forms_too() -> None:
    index = NamesInMemory([a_name("lind", "person", "Dr. Lind"), a_name("lind", "person", "Sarah Lind", "alias")])
    assert answer(index, "Sara") == ("lind", "fuzzy", 0.8)
    assert answer(index, "Sarha Lind") == ("lind", "fuzzy", 0.9)


def test_a_clearly_better_fuzzy_answer_wins() -> None:
    assert answer(people("Rob Smith", "Roberto Diaz"), "Rob") == ("Rob Smith", "fuzzy", 0.9)


def test_two_entities_with_one_name_are_ambiguous_best_first() -> None:
    twins = [a_name("b", "person", "Odile Ferrant"), a_name("a", "person", "Odile Ferrant")]
    found = resolve(NamesInMemory(twins), "odile ferrant")
    assert found == Resolution("exact", (NameCandidate(twins[1], 1.0), NameCandidate(twins[0], 1.0)))
    assert (found.entity, found.method, found.rung, found.is_ambiguous, found.score) == (None, "none", "exact", True, 1)


def test_one_alias_on_two_entities_is_ambiguous() -> None:
    shared = [a_name(entity, "person", "The Smith", "alias") for entity in ("anna", "ben")]
    found = resolve(NamesInMemory(shared), "the smith")
    assert (found.rung, [each.entity for each in found.candidates]) == ("alias", ["anna", "ben"])


def test_a_fuzzy_tie_is_ambiguous_and_embedding_does_not_repair_it() -> None:
    rows = [a_name("diaz", "person", "Roberto Diaz"), a_name("quill", "person", "Roberta Quill")]
    found = resolve(alike(*rows, a_name("rob", "tool", "Robot"), Robot=0.99), "Rob")
    assert (found.rung, found.method, [each.entity for each in found.candidates]) == (
        "fuzzy",
        "none",
        ["quill", "diaz"],
    )


def test_a_runner_up_exactly_five_points_behind_still_ties() -> None:
    # 0.95 by one edit in twenty letters, against 0.90 for leading tokens
    index = projects("abcdefghij klmnopqrs", "abcdefghij klmnopqr tail")
    assert resolve(index, "abcdefghij klmnopqr").is_ambiguous


def test_at_most_five_candidates_are_listed() -> None:
    index = people(*(f"Robert{letter} Diaz" for letter in "abcdefgh"))
    assert (len(resolve(index, "Rob").candidates), len(resolve(index, "Rob").tied)) == (5, 8)


def test_answers_of_other_types_can_be_set_aside_but_not_all_of_them() -> None:
    found = resolve(NamesInMemory([KETTLE, a_name("person", "person", "Copper Kettle")]), "copper kettle")
    assert found.preferring(ONLY_PROJECTS) == Resolution("exact", (NameCandidate(KETTLE, 1.0),))
    assert found.preferring(Types(frozenset({"event"}), others=False)) == found


def test_two_names_of_one_entity_do_not_tie() -> None:
    index = NamesInMemory([KETTLE, a_name(KETTLE_ID, "project", "Copper Kettles", "alias")])
    assert answer(index, "coper kettle") == (KETTLE_ID, "fuzzy", 0.923)


def test_only_wanted_types_are_considered_at_every_rung() -> None:
    person, tool = a_name("person", "person", "Copper Kettle"), a_name("tool", "tool", "Copper Kettle")
    index = NamesInMemory([KETTLE, person, tool])
    for text in ("copper kettle", "coper kettle", "copper"):
        assert resolve(index, text).is_ambiguous
        assert resolve(index, text, ONLY_PROJECTS).entity == KETTLE_ID
        assert resolve(index, text, ONLY_CONCEPTS).entity == "tool"
    assert resolve(index, format_entity_id(KETTLE_ID), ONLY_CONCEPTS) == NOTHING
    assert resolve(people("Roberto Diaz"), "Rob", ONLY_PROJECTS) == NOTHING


@pytest.mark.parametrize("joint", [" and ", " & ", "&", " + ", ", ", ",", " AND "])
def test_a_list_that_reaches_two_entities_is_nothing(joint: str) -> None:
    rows = [a_name(name, "person", name) for name in ("Roberto Diaz", "Priya")]
    wedding = a_name("wedding", "event", f"Roberto{joint}Priya Wedding")
    index = alike(*rows, wedding, a_name("team", "tool", "The Two"), The_Two=0.9)
    assert resolve(index, f"Roberto{joint}Priya") == NOTHING


def test_a_list_is_told_from_a_name_by_what_its_parts_reach() -> None:
    assert answer(projects("Salt and Vinegar Launch"), "salt and vinegar")[0] == "Salt and Vinegar Launch"
    assert answer(projects("Johnson & Johnson", "Johnson"), "Jonson & Jonson")[0] == "Johnson & Johnson"
    assert answer(projects("Sandand Island"), "sandand")[0] == "Sandand Island"


def test_a_name_that_is_a_list_is_still_exact() -> None:
    assert answer(people("Roberto", "Priya", "Roberto and Priya"), "roberto and priya")[1] == "exact"


def test_a_name_near_in_meaning_answers_last() -> None:
    index = alike(a_name("brewery", "project", "Brewing Works"), Brewing_Works=0.86)
    assert answer(index, "beer factory") == ("brewery", "embedding", 0.86)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (a_name("x", "project", "Near Miss"), "beer factory"),
        (a_name("x", "person", "Brewing Works"), "beer factory"),
        (a_name("x", "project", "Phase 2"), "stage 1"),
        (a_name("x", "project", "Marketing"), "mark"),
        (a_name("x", "project", "Copper Kettle"), "per ket"),
        (a_name("x", "project", "Alpha"), "al"),
        (a_name("x", "project", "brewing.example", "domain"), "beer factory"),
    ],
)
def test_meaning_alone_is_not_enough(row: Name, text: str) -> None:
    near = alike(
        row, Near_Miss=0.8599, Brewing_Works=0.99, Phase_2=0.99, Marketing=0.99, Copper_Kettle=0.99, Alpha=0.99
    )
    assert resolve(near, text) == NOTHING


def test_whole_words_of_a_name_may_be_near_in_meaning() -> None:
    assert answer(alike(KETTLE, Copper_Kettle=0.9), "kettle") == (KETTLE_ID, "embedding", 0.9)


def test_two_names_near_in_meaning_tie() -> None:
    index = alike(KETTLE, a_name("pot", "project", "Brass Pot"), Copper_Kettle=0.9, Brass_Pot=0.86)
    found = resolve(index, "metal vessel")
    assert (found.rung, [each.entity for each in found.candidates]) == ("embedding", [KETTLE_ID, "pot"])


def test_embeddings_can_be_left_out() -> None:
    assert resolve(alike(KETTLE, Copper_Kettle=0.9), "metal vessel", embeddings=False) == NOTHING


def test_a_writer_is_never_understood_by_likeness() -> None:
    index = alike(KETTLE, Copper_Kettle=0.99)
    assert resolve_exact(index, "coper kettle") == NOTHING
    assert resolve_exact(index, "copper kettle").entity == KETTLE_ID


def test_typing_errors_are_listed_with_their_ties() -> None:
    found = fuzzy_candidates(people("Roberto", "Roberta"), "Robertoa")
    assert [(each.entity, round(each.score, 3)) for each in found] == [("Roberta", 0.875), ("Roberto", 0.875)]
    assert fuzzy_candidates(people("Roberto Diaz"), "Rob") == ()
    assert fuzzy_candidates(people("Al"), "Al") == ()


def test_of_very_many_likely_names_the_closest_is_found() -> None:
    firsts, lasts = (_one_letter_off(word) for word in ("abcdefg", "hijklmn"))
    index = projects(*(f"{first} z" for first in firsts), *(f"y {last}" for last in lasts), "abcdefg hijklmn")
    assert answer(index, "abcdefg-hijklmn") == ("abcdefg hijklmn", "fuzzy", 1.0)


def _one_letter_off(word: str) -> list[str]:
    return [word[:at] + letter + word[at + 1 :] for at in (2, 4, 6) for letter in "opqrstuvwxyzäöüéèêáàâíìî"]


def test_a_text_longer_than_any_name_is_nothing() -> None:
    assert resolve(projects("Copper Kettle"), "copper kettle " * 20) == NOTHING


def test_likenesses_are_listed_with_their_ties() -> None:
    index = alike(KETTLE, a_name("pot", "project", "Brass Pot"), Copper_Kettle=0.9, Brass_Pot=0.86)
    assert [each.entity for each in semantic_candidates(index, "metal vessel")] == [EntityId(KETTLE_ID), "pot"]
    assert semantic_candidates(index, "me") == ()
