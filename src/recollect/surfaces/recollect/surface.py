"""The surface itself."""

from recollect.surfaces.declarations import Surface
from recollect.surfaces.recollect.error_envelope import render_failure
from recollect.surfaces.recollect.error_examples import check_example

_TOOL_ORDER = ("remember", "recall", "correct", "forget", "history", "open_items", "review", "undo", "unread")

surface = Surface(
    "recollect",
    "Everyday memory: what an agent was told, found again by meaning, corrected, and forgotten on request.",
    render_failure,
    check_failure=check_example,
    brief=True,
    blank_is_absent=True,
    tool_order=_TOOL_ORDER,
)
