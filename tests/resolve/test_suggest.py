from tests.resolve.names_in_memory import NamesInMemory, a_name, people, projects

from recollect.model.names import Types
from recollect.resolve.suggestions import partial_matches, prefix_matches, suggest


def suggested(index: NamesInMemory, text: str) -> list[str]:
    return [each.entity for each in suggest(index, text)]


def test_a_name_with_a_mistyped_word_in_common_is_suggested() -> None:
    assert suggested(people("Odile Ferrant", "Teo Quist"), "Odo Ferrand") == ["Odile Ferrant"]


def test_names_that_share_a_whole_word_are_suggested_likest_first() -> None:
    index = projects("Kettle", "Big Brass Kettle", "Copper Pot", "Copper Kettle")
    assert suggested(index, "Kettle Copper") == ["Copper Kettle", "Copper Pot", "Big Brass Kettle", "Kettle"]


def test_names_that_the_text_begins_are_suggested() -> None:
    assert suggested(projects("Marketing"), "Mark") == ["Marketing"]


def test_the_parts_of_a_list_are_suggested() -> None:
    assert sorted(suggested(people("Roberto", "Priya"), "Roberto and Priya")) == ["Priya", "Roberto"]


def test_suggestions_keep_to_the_wanted_types_and_number() -> None:
    index = people(*(f"Odile {letter}" for letter in "abcdefg"))
    assert len(suggest(index, "Odile Ferrand")) == 5
    assert suggest(index, "Odile Ferrand", Types(frozenset({"project"}), others=False)) == ()


def test_nothing_is_suggested_for_a_text_without_words() -> None:
    assert suggest(projects("Alpha"), " - ") == ()


def test_part_of_a_name_counts_by_how_much_of_it_is_given() -> None:
    index = NamesInMemory([a_name("knife", "item", "Tide-Knife"), a_name("tide", "event", "Tide")])
    found = partial_matches(index, "the knife")
    assert [(each.entity, round(each.score, 4)) for each in found] == [("knife", 0.7667)]


def test_every_word_must_be_in_the_name_whole_or_as_a_beginning_of_three_letters() -> None:
    index = projects("Copper Kettle Farm")
    fits = [
        bool(partial_matches(index, text)) for text in ("kett copper", "farm", "fa", "copper pot", "ettle", "a farm")
    ]
    assert fits == [True, True, False, False, False, True]


def test_an_article_alone_is_a_word() -> None:
    assert [each.entity for each in partial_matches(projects("The End", "A Start"), "the")] == ["The End"]
    assert partial_matches(projects("Alpha"), "/") == ()


def test_an_entity_is_listed_once_under_the_name_that_fits_best() -> None:
    rows = [a_name("k", "item", "Knife of the Long Tide"), a_name("k", "item", "Tide-Knife", "alias")]
    assert [each.name.spelling for each in partial_matches(NamesInMemory(rows), "knife")] == ["Tide-Knife"]


def test_a_rare_word_finds_a_name_among_many_that_share_a_longer_one() -> None:
    index = projects(*(f"Infrastructure {number:04}" for number in range(1000)), "Infrastructure Zest")
    assert [each.entity for each in partial_matches(index, "infrastructure zest")] == ["Infrastructure Zest"]


def test_a_text_may_begin_a_name_or_one_of_its_tokens() -> None:
    index = projects("Copperleaf", "Old Copper 2", "Scopper")
    assert [(each.entity, each.score) for each in prefix_matches(index, "copper")] == [
        ("Copperleaf", 0.8),
        ("Old Copper 2", 0.8),
    ]
    assert [each.entity for each in prefix_matches(index, "old cop")] == ["Old Copper 2"]
    assert prefix_matches(index, "old copy") == prefix_matches(index, ".") == ()
