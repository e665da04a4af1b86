"""One parser of wiki links serves lore documents and notes."""

import pytest

from recollect.ingest.lore.markup import iter_links, split_front_matter
from recollect.text.wiki_links import linked_notes, links_to_labels, links_to_targets, plain_text, wiki_links

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


@pytest.mark.parametrize(
    "text",
    [
        "```bash\nif [[ -f /etc/passwd ]]; then\n```\n",
        "~~~\nx=[[1]]\n",
        "  ```\n  a[[0]]\n  ```\n",
        "Use `if [[ -z $x ]]` here.",
        "Code:\n\n    x = a[[0]]\n\n    y = b[[1]]\n",
    ],
)
def test_code_holds_no_links(text: str) -> None:
    assert list(wiki_links(text)) == []
    assert links_to_labels(text) == links_to_targets(text) == text


def test_links_beside_code_and_in_nested_lists_are_links() -> None:
    text = "```\n[[no]]\n```\n[[Ann]]\n\n- one\n\n    [[Bob]]\n"
    assert [link.target for link in wiki_links(text)] == ["Ann", "Bob"]


def test_a_note_links_by_wiki_link_embed_and_markdown_link_but_not_to_files_and_sites() -> None:
    text = "![[Kit Moss#Plan]] ![[frost.png]] [him](../P/Omar%20Haddad.md#a) [x](https://a.example/b.md) [[P/Ann.md|A]]"
    assert linked_notes(text) == ["Kit Moss", "Ann", "Omar Haddad"]


def test_words_of_the_plain_text_are_found_as_they_were_written() -> None:
    plain = plain_text("Met [[Omar Haddad|Omar]] and ![[x.png]][[Kit]]. Then home.")
    assert plain.text == "Met Omar and Kit. Then home."
    assert plain.quote("Met Omar and Kit.") == "Met [[Omar Haddad|Omar]] and ![[x.png]][[Kit]]."
    assert plain.quote("Omar and") == "[[Omar Haddad|Omar]] and"
    assert plain.quote("Then home.") == "Then home."
    assert plain.quote("no such words") == "no such words"
    assert plain.written[plain.place(plain.text.index("Then")) :] == "Then home."
