"""ZIP files that are made to fill the memory or the disk, or to go on for ever."""

import tracemalloc
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from recollect.importers.formats import detect_format, read_sample
from recollect.importers.upload_folder import UnsafeArchive, UploadFolder
from recollect.keep.archive.zip_file import BadArchive, unpack_zip
from recollect.memory import Memory
from recollect.safe_zip import SafeZip, UnsafeZip, ZipLimits

MIB = 1024**2
PAGE = "Kettle 0123456789abcdef0123456789abcdef.md"


def zipped(**files: bytes) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def nested(depth: int) -> bytes:
    """An export of Notion in as many parts, each in the next."""
    packed = zipped(**{PAGE: b"# Kettle\n\nIt whistles.\n"})
    for _ in range(depth):
        packed = zipped(**{"Export-1.zip": packed})
    return packed


def skipped(memory: Memory, path: Path) -> list[str]:
    """Why parts of a file were not read."""
    kind = detect_format(read_sample(memory, path))
    return [each.reason for each in kind.take(memory, path, None).skipped]


def test_more_files_than_allowed_are_refused() -> None:
    packed = BytesIO(zipped(**{str(number): b"" for number in range(4)}))
    with pytest.raises(UnsafeZip, match="4 files; 3 can be imported"):
        SafeZip(packed, ZipLimits(members=3))


def test_what_is_read_of_all_files_together_is_bounded() -> None:
    with SafeZip(BytesIO(zipped(a=b"x" * 600, b=b"y" * 600)), ZipLimits(bytes=1000)) as archive:
        assert len(archive.read("a")) == 600
        with pytest.raises(UnsafeZip, match="when unpacked"):
            archive.read("b")


def test_a_file_that_is_hardly_anything_packed_is_refused() -> None:
    with (
        SafeZip(BytesIO(zipped(bomb=bytes(101 * MIB)))) as archive,
        pytest.raises(UnsafeZip, match="compressed more than"),
    ):
        archive.read("bomb")


def test_only_the_beginning_that_is_asked_for_is_unpacked() -> None:
    packed = BytesIO(zipped(chapter=bytes(60 * MIB)))
    tracemalloc.start()
    try:
        with SafeZip(packed) as archive:
            assert archive.read_start("chapter", 1000) == bytes(1000)
        assert tracemalloc.get_traced_memory()[1] < 5 * MIB
    finally:
        tracemalloc.stop()


def test_files_in_files_count_together_and_only_so_deep(memory: Memory, tmp_path: Path) -> None:
    flat, deep = tmp_path / "Export-2.zip", tmp_path / "Export-9.zip"
    flat.write_bytes(nested(2))
    deep.write_bytes(nested(9))
    assert skipped(memory, flat) == []
    [reason] = skipped(memory, deep)
    assert "ZIP files in ZIP files" in reason
    inside = BytesIO(zipped(inner=zipped(a=b"x" * 900, b=b"y" * 900)))
    with SafeZip(inside, ZipLimits(bytes=1200)) as archive, archive.nested("inner") as inner:
        inner.read("a")
        with pytest.raises(UnsafeZip, match="when unpacked"):
            inner.read("b")


def test_a_damaged_file_inside_is_named(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "Export-3.zip"
    path.write_bytes(zipped(**{"Export-1.zip": b"PK\x03\x04 and no more"}))
    [reason] = skipped(memory, path)
    assert "damaged ZIP file 'Export-1.zip'" in reason


def test_a_word_document_that_unpacks_to_too_much_is_refused(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("docx")
    monkeypatch.setattr("recollect.ingest.document_text.MAX_UNPACKED_BYTES", MIB)
    path = tmp_path / "offer.docx"
    path.write_bytes(zipped(**{"word/document.xml": bytes(2 * MIB)}))
    [reason] = skipped(memory, path)
    assert "when unpacked" in reason


def test_a_book_with_an_endless_chapter_ends(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "book.epub"
    container = b'<container><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>'
    package = b'<package><item id="a" href="a.xhtml"/><itemref idref="a"/></package>'
    chapter = b"<html><body><p>It whistles.</p>" + b" " * (101 * MIB)
    path.write_bytes(zipped(**{"META-INF/container.xml": container, "c.opf": package, "a.xhtml": chapter}))
    [reason] = skipped(memory, path)
    assert "compressed more than" in reason


def test_uploads_and_archives_have_the_same_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.importers.upload_folder.MOST_UNPACKED_BYTES", 1000)
    path = tmp_path / "a.zip"
    path.write_bytes(zipped(a=b"x" * 600, b=b"y" * 600))
    folder = UploadFolder()
    with pytest.raises(UnsafeArchive, match="when unpacked"):
        folder.unpack(path)
    folder.remove()
    monkeypatch.setattr("recollect.keep.archive.zip_file.MAX_BYTES", 1000)
    with pytest.raises(BadArchive, match="when unpacked"):
        unpack_zip(path.read_bytes())
