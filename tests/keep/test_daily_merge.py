"""The daily merge: loss-free, without doubles, idempotent, and true to the order of what was there."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.keep.markdown import parse_blocks
from recollect.keep.memories.daily_merge import count_bullets, merge_daily_texts

LINES = st.sampled_from(
    [
        "",
        " ",
        "# Day",
        "## Morning",
        "## Evening",
        "### Tea",
        "- fired the kiln [chat:c1] [via:a]",
        "- fired the kiln [chat:c1] [via:b]",
        "- fired the kiln [chat:c2]",
        "* fired  the kiln [chat:c1]",
        " - one space",
        "  - nested",
        "    deep",
        "wrapped",
        "1. first",
        "2) second",
        "Prose here.",
        "Prose  here.",
        "```",
        "~~~~",
        "```py",
        "  ```",
        "# not a heading in code",
        "\t- tab",
    ]
)
TEXTS = st.lists(LINES, min_size=1, max_size=14).map("\n".join).filter(lambda text: text.strip())


def keys(text: str) -> set[object]:
    return {block.key for block in parse_blocks(text) if block.kind != "heading"}


def blocks(text: str) -> int:
    return sum(block.kind != "heading" for block in parse_blocks(text))


def is_subsequence(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(line in rest for line in part)


@given(TEXTS, TEXTS)
def test_a_merge_loses_and_doubles_nothing_keeps_the_order_and_counts_every_bullet_once(
    existing: str, incoming: str
) -> None:
    merged = merge_daily_texts(existing, incoming)
    assert keys(existing) | keys(incoming) == keys(merged.text), "nothing is lost"
    assert blocks(merged.text) == blocks(existing) + len(merged.fresh), "nothing is doubled"
    assert len(merged.fresh) == len(keys(merged.text) - keys(existing))
    assert is_subsequence(existing.rstrip().split("\n"), merged.text.split("\n"))
    assert merged.added + merged.repeated == count_bullets(incoming)
    assert count_bullets(merged.text) == count_bullets(existing) + merged.added


@given(TEXTS, TEXTS)
def test_the_same_text_again_changes_nothing(existing: str, incoming: str) -> None:
    once = merge_daily_texts(existing, incoming)
    again = merge_daily_texts(once.text, incoming)
    assert (again.text, again.has_new, again.added) == (once.text, False, 0)


@given(TEXTS)
def test_a_text_merged_with_itself_stays_as_it_is(text: str) -> None:
    assert merge_daily_texts(text, text).text == text


@given(TEXTS, TEXTS, TEXTS)
def test_whichever_comes_first_the_same_blocks_are_there(first: str, second: str, third: str) -> None:
    one = merge_daily_texts(merge_daily_texts(first, second).text, third).text
    other = merge_daily_texts(merge_daily_texts(first, third).text, second).text
    assert keys(one) == keys(other)


def test_a_further_bullet_of_a_known_chat_follows_on_the_next_line() -> None:
    merged = merge_daily_texts("# Day\n\n- fired [chat:c7] [via:a]", "- glazed [chat:c7]\n- fired [chat:c7] [via:b]\n")
    assert merged.text == "# Day\n\n- fired [chat:c7] [via:a]\n- glazed [chat:c7]\n"
    assert (merged.added, merged.repeated) == (1, 1)


def test_the_same_words_in_another_chat_are_another_bullet() -> None:
    assert merge_daily_texts("- tea [chat:a]", "- tea [chat:b]\n- tea [chat: b , a]").text == (
        "- tea [chat:a]\n- tea [chat:b]\n- tea [chat: b , a]\n"
    )


def test_several_chats_in_one_tag_are_a_set() -> None:
    assert not merge_daily_texts("- tea [chat:a, b]", "- [chat:b][chat:a] tea").has_new


def test_case_counts() -> None:
    assert merge_daily_texts("- Tea", "- tea").added == 1


def test_wrapped_and_nested_lines_go_with_their_bullet() -> None:
    bullet = "- met Ilse\n  - at the market\nand walked home"
    assert merge_daily_texts("- woke", f"{bullet}\n\nA calm day.").text == f"- woke\n{bullet}\n\nA calm day.\n"


def test_code_under_a_bullet_stays_whole() -> None:
    bullet = "- ran\n  ```sh\n  make\n\n  # test\n  ```"
    assert [block.kind for block in parse_blocks(f"{bullet}\n- slept")] == ["bullet", "bullet"]
    assert merge_daily_texts("- slept", bullet).text == f"- slept\n{bullet}\n"


def test_a_block_goes_to_the_end_of_the_body_of_its_own_heading() -> None:
    existing = "# Day\n- a\n\n## Morning\n- b\n\n## Evening\n- c\n"
    merged = merge_daily_texts(existing, "# Day\n\n## Morning\n- b\n- b2\n")
    assert merged.text == "# Day\n- a\n\n## Morning\n- b\n- b2\n\n## Evening\n- c\n"


def test_a_block_before_any_heading_goes_into_the_first_body() -> None:
    assert merge_daily_texts("# Day\n- a\n## Evening\n- c", "- b").text == "# Day\n- a\n- b\n\n## Evening\n- c\n"
    assert merge_daily_texts("intro\n# Day\n- a", "- b").text == "intro\n\n- b\n\n# Day\n- a\n"


def test_a_new_heading_comes_at_the_end_of_the_section_around_it() -> None:
    existing = "# Day\n\n## Morning\n\n- b\n\n# Notes\n\nfree\n"
    merged = merge_daily_texts(existing, "# Day\n## Evening\n### Tea\n- c\n")
    assert merged.text == "# Day\n\n## Morning\n\n- b\n\n## Evening\n\n### Tea\n\n- c\n\n# Notes\n\nfree\n"


def test_a_heading_without_anything_new_is_not_added() -> None:
    assert not merge_daily_texts("- a", "# Day\n\n## Morning\n\n- a\n").has_new


def test_a_heading_that_comes_twice_is_added_once() -> None:
    assert merge_daily_texts("- a", "## M\n- b\n## M\n- c\n").text == "- a\n\n## M\n\n- b\n- c\n"


def test_code_that_nobody_closed_is_closed_before_more_follows() -> None:
    merged = merge_daily_texts("```\ncode", "- new\n\n~~~\nopen")
    assert merged.text == "```\ncode\n```\n\n- new\n\n~~~\nopen\n"
    assert not merge_daily_texts(merged.text, "```\ncode\n```\n\n- new").has_new
