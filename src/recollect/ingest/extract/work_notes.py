"""Notes about books, films, articles and clippings: what they tell is nobody's act, and their author is not the writer.

A note is about a work by its `type`, a tag or its folder, or by properties that only works have.
"""

from recollect.ingest.extract.entity_pages import type_of_word
from recollect.ingest.extract.passages import note_folders
from recollect.model.document import Document
from recollect.model.names import fold
from recollect.text.fold import plain_letters

_WORK_WORDS = frozenset(
    (
        "book books booknote booknotes reading-notes literature literature-note literature-notes film films "
        "movie movies podcast podcasts article "
        "articles paper papers clipping clippings highlight highlights kindle readwise audiobook audiobooks "
        "novel novels comic comics manga anime youtube "
        "buch bucher filme zitate artikel livre livres roman romans citations libro libros "
        "pelicula peliculas citas livro livros filmes libri film citazioni boek boeken films citaten bok "
        "bocker filmer citat ksiazka ksiazki filmy cytaty"
    ).split()
)
_WORK_KEYS = frozenset("isbn isbn10 isbn13 asin doi imdb tmdb goodreads publisher genre genres".split())
_READER_KEYS = frozenset("rating pages shelf bookshelf started finished".split())


def is_work_word(word: str) -> bool:
    """Whether a folder, a tag or a `type` stands for works."""
    return plain_letters(fold(word.split("/")[0].strip("[]# _"))).replace(" ", "-") in _WORK_WORDS


def is_about_work(document: Document) -> bool:
    """Whether a note is about a book, a film or another work, and not of a type that has pages of its own."""
    fields = document.properties
    keys = {fold(key).replace("-", "").replace("_", "") for key in fields}
    given = (fields.get("type"), fields.get("kind"), fields.get("category"))
    if any(isinstance(each, str) and type_of_word(each) is not None for each in given):
        return False
    if keys & _WORK_KEYS or (document.author is not None and keys & _READER_KEYS):
        return True
    tags = fields.get("tags")
    words = [*given, *(tags if isinstance(tags, list) else ()), *note_folders(document)]
    return any(isinstance(word, str) and is_work_word(word) for word in words)
