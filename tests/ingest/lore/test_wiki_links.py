"""One parser of wiki links serves lore documents and notes."""

from recollect.ingest.lore.markup import iter_links, links_to_labels, links_to_targets, split_front_matter, wiki_links

TEXT = "See [[Halden#History|the town]],\n![[map.png]] and [[folder/Ann Lee.md]] or [[Bob|]]."


def test_a_link_without_its_anchor_names_the_entity() -> None:
    page = split_front_matter(TEXT)
    assert list(iter_links(page)) == [("Halden", 1), ("folder/Ann Lee.md", 2), ("Bob", 2)]


def test_an_embedded_file_is_not_linked_and_leaves_no_text() -> None:
    assert "map.png" not in links_to_targets(TEXT)
    assert "map.png" not in links_to_labels(TEXT)
    assert [link.target for link in wiki_links(TEXT) if link.is_embed] == ["map.png"]


def test_a_link_reads_as_its_target_or_as_the_words_it_shows() -> None:
    assert links_to_targets("[[Halden#History|the town]]") == "Halden"
    assert links_to_labels("[[Halden#History|the town]]") == "the town"
    assert links_to_labels("[[Bob|]] of [[Halden^top]]") == "Bob of Halden"


def test_a_note_is_linked_without_folder_and_suffix() -> None:
    assert [link.note for link in wiki_links(TEXT)] == ["Halden", "map.png", "Ann Lee", "Bob"]


def test_a_link_does_not_span_lines() -> None:
    assert list(wiki_links("[[Hal\nden]]")) == []
