"""Finding passages by their words, their meaning, the names and the times a query gives."""

from recollect.search.find import search
from recollect.search.hit import Found, Hit, Why
from recollect.store.found import Filter

__all__ = ["Filter", "Found", "Hit", "Why", "search"]
