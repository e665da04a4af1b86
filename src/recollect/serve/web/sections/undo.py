"""Undo: the button after every change, and in the activity list."""

from recollect.serve.web.framework.forms import number_field
from recollect.serve.web.framework.pages import Action, Done, PageRequest, WebSection
from recollect.surfaces.recollect.undo import undo


def undo_transaction(request: PageRequest) -> Done:
    """Take back the transaction named in the form; undoing that brings it back."""
    result = undo(request.acting("undo"), number_field(request, "transaction")).value
    return Done(request.back(), f"Undone: {'; '.join(result['changes']) or 'nothing is left of it'}", result["undo"])


SECTION = WebSection("undo", pages=(), actions=(Action("undo", undo_transaction),))
