"""What a family tree says in words: notes and sources, as passages and as quotes of what they hang on."""

from collections.abc import Iterable, Iterator, Mapping

from recollect.ingest.gedcom.lines import Node

LONGEST_QUOTE = 2_000


class Notes:
    """The notes and sources of a file, and the passages they make."""

    def __init__(self, roots: Iterable[Node]) -> None:
        self._records: Mapping[str, Node] = {
            root.xref: root for root in roots if root.xref is not None and root.tag in ("NOTE", "SNOTE", "SOUR")
        }
        self._passages: dict[str, str] = {}

    def quote(self, heading: str, node: Node) -> str | None:
        """What hangs on one line, which becomes a passage too; none if nothing does."""
        texts = [text for text in self._below(node) if text]
        for text in texts:
            self._passages.setdefault(text, heading)
        return "\n".join(texts)[:LONGEST_QUOTE] or None

    def keep_records(self) -> None:
        """Let records that nothing points at be passages too."""
        for record in self._records.values():
            text = _source_words(record) if record.tag == "SOUR" else record.words
            if text:
                self._passages.setdefault(text, "")

    @property
    def text(self) -> str:
        """All passages, each under what it hangs on."""
        return "\n\n".join(f"{heading}\n{text}" if heading else text for text, heading in self._passages.items())

    def _below(self, node: Node) -> Iterator[str]:
        for child in node.children:
            if child.tag in ("NOTE", "SNOTE"):
                yield self._note(child)
            elif child.tag == "SOUR":
                yield self._source(child)

    def _note(self, node: Node) -> str:
        if node.pointer is None:
            return node.words
        record = self._records.get(node.pointer)
        return record.words if record else ""

    def _source(self, node: Node) -> str:
        """The words of the source that are cited, else its title and page."""
        quoted = [text.words for text in _texts(node) if text.words]
        if quoted:
            return "\n".join(quoted)
        record = self._records.get(node.pointer) if node.pointer else None
        title = (record.said("TITL", "ABBR") if record else "") if node.pointer else node.words
        page = node.said("PAGE")
        return ", ".join(part for part in (title, page) if part)


def _texts(node: Node) -> Iterator[Node]:
    yield from node.all("TEXT")
    for held in node.all("DATA"):
        yield from held.all("TEXT")


def _source_words(record: Node) -> str:
    return "\n".join(found.words for found in record.all("TITL", "AUTH", "PUBL", "TEXT") if found.words)
