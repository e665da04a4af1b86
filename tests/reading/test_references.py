"""Sentences that point at a record or a page, and those that only name one."""

import pytest

from recollect.reading.references import is_reference

REFERRING = (
    "See ENG-212.",
    "See the discussion in ENG-212.",
    "For the history, see PR 418.",
    "For the reasoning see https://x.example/a.",
    "The test was skipped (see also #77).",
    "This happened before (see issue 9).",
    "Refer to https://x.example/a for pictures.",
    "cf. ENG-9",
    "The plan is documented in ADR 7.",
    "The remaining cases are tracked in BE-20.",
    "As noted in PR #41, the cache stays.",
    "As per ENG-12 the limit is ten.",
    "According to ticket 902, the meter was swapped.",
    "Meeting notes: https://x.example/n",
    "The recording is here: https://x.example/r",
    "Full details can be found at https://x.example/full.",
)
NOT_REFERRING = (
    "See you on Monday.",
    "See you at https://meet.example/x.",
    "See whether ENG-12 works.",
    "See how ENG-3 behaves.",
    "See attached.",
    "I see ENG-12 is open.",
    "We see BE-7 as a warning.",
    "PR 41 needs a review.",
    "Zoom link: https://meet.example/x",
    "https://x.example is slow.",
    "I could not open https://x.example/a.",
    "The meeting is at https://meet.example/x.",
    "It is not described in ENG-12.",
    "Nothing is documented in ENG-12.",
    "The plan will be documented in ADR 8.",
    "As agreed in May, they stop.",
)


@pytest.mark.parametrize("sentence", REFERRING)
def test_what_points_at_a_source_is_a_reference(sentence: str) -> None:
    assert is_reference(sentence)


@pytest.mark.parametrize("sentence", NOT_REFERRING)
def test_what_only_names_a_source_is_none(sentence: str) -> None:
    assert not is_reference(sentence)
