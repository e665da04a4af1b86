"""PDF, DOCX, EPUB and HTML give their text with its structure, and never their bytes."""

from pathlib import Path
from zipfile import ZipFile

import pytest
from docx import Document
from tests.ingest.formats.importing import Imported, documents, facts, text_of

from recollect.importers import formats
from recollect.importers.formats import Unreadable
from recollect.memory import Memory


@pytest.fixture(params=["sqlite"])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def write_pdf(path: Path, *lines: str) -> Path:
    """A PDF of one page with these lines."""
    shown = " ".join(f"({line}) Tj T*" for line in lines)
    content = f"BT /F1 12 Tf 14 TL 72 720 Td {shown} ET".encode("latin-1")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
            b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
        ),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Title (Gasket offer) /CreationDate (D:20260401090000Z) >>",
    ]
    whole, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        places.append(len(whole))
        whole += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % each for each in places)
    end = b"trailer\n<< /Size 6 /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(whole)
    path.write_bytes(whole + b"xref\n0 6\n0000000000 65535 f \n" + table + end)
    return path


def write_docx(path: Path) -> Path:
    document = Document()
    document.core_properties.author = "Mira Okafor"
    document.add_heading("Decisions", level=2)
    document.add_paragraph("We decided to buy cork.", style="List Bullet")
    document.add_heading("Tasks", level=2)
    table = document.add_table(rows=2, cols=3)
    for row, cells in enumerate([("Task", "Owner", "Due"), ("Send samples", "Tom Reyes", "2026-06-01")]):
        for column, text in enumerate(cells):
            table.rows[row].cells[column].text = text
    document.add_paragraph("I will call the port by 12 June 2026.")
    document.save(str(path))
    return path


def write_epub(path: Path) -> Path:
    with ZipFile(path, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        )
        book.writestr(
            "OEBPS/book.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
            "<dc:title>Cork Days</dc:title><dc:creator>A. Writer</dc:creator><dc:date>2019-05-01</dc:date></metadata>"
            '<manifest><item id="b" href="two.xhtml"/><item id="a" href="one%20a.xhtml"/><item id="c" href="x.css"/>'
            '<item id="n" href="two.xhtml" properties="scripted nav"/>'
            '</manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="n"/></spine></package>',
        )
        page = "<html><head><title>x</title></head><body><h1>{}</h1><p>I will sail {}.</p></body></html>"
        book.writestr("OEBPS/one a.xhtml", page.format("The Port", "tomorrow"))
        book.writestr("OEBPS/two.xhtml", page.format("The Ship", "by 3 March 2027"))
    return path


def test_a_pdf_gives_its_text_and_its_title(memory: Memory, tmp_path: Path) -> None:
    path = write_pdf(
        tmp_path / "offer.pdf", "Olga Lind will send the offer by 12 June 2026.", "The gas-", "ket is blue."
    )
    taken = Imported(memory, path)
    assert (taken.kinds, taken.counts, taken.skipped) == (["pdf"], (1, 1, 0), [])
    [record] = documents(memory).values()
    assert (record.title, record.author) == ("Gasket offer", None)
    assert "The gasket is blue." in text_of(memory, record.key)
    assert Imported(memory, path).counts == (1, 0, 1)


def test_a_pdf_without_text_is_refused_with_what_to_do(memory: Memory, tmp_path: Path) -> None:
    [reason] = Imported(memory, write_pdf(tmp_path / "scan.pdf")).skipped
    assert "ocrmypdf" in reason
    assert documents(memory) == {}


def test_a_word_document_keeps_headings_lists_and_tables(memory: Memory, tmp_path: Path) -> None:
    path = write_docx(tmp_path / "minutes.docx")
    taken = Imported(memory, path)
    assert (taken.kinds, taken.counts) == (["docx"], (1, 1, 0))
    [record] = documents(memory).values()
    assert record.author == "Mira Okafor"
    text = text_of(memory, record.key)
    assert text.startswith("## Decisions\n\n- We decided to buy cork.")
    assert "| Send samples | Tom Reyes | 2026-06-01 |" in text
    assert "Mira Okafor: I will call the port by 12 June 2026." in facts(memory)
    assert Imported(memory, path).counts == (1, 0, 1)


def test_the_chapters_of_a_book_are_records_and_nobodys_promises(memory: Memory, tmp_path: Path) -> None:
    path = write_epub(tmp_path / "book.epub")
    taken = Imported(memory, path)
    assert (taken.kinds, taken.counts) == (["epub"], (2, 2, 0))
    assert sorted(str(each.title) for each in documents(memory).values()) == [
        "Cork Days: The Port",
        "Cork Days: The Ship",
    ]
    assert facts(memory) == set()
    assert Imported(memory, path).counts == (2, 0, 2)


def test_a_chapter_that_is_missing_or_damaged_leaves_the_others(memory: Memory, tmp_path: Path) -> None:
    whole = write_epub(tmp_path / "book.epub")
    path = tmp_path / "cut.epub"
    with ZipFile(whole) as given, ZipFile(path, "w") as book:
        for name in given.namelist():
            if name != "OEBPS/one a.xhtml":
                book.writestr(name, given.read(name))
    taken = Imported(memory, path)
    assert (taken.counts, taken.skipped) == ((1, 1, 0), [])
    assert taken.warnings == ["cut.epub: skipped 1 chapters that are missing or damaged"]


def test_what_a_saved_page_says_is_not_what_the_owner_says(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<html><body><h2>News</h2><p>I will sell the house by 3 March 2027.</p></body></html>")
    assert Imported(memory, path).counts == (1, 1, 0)
    [record] = documents(memory).values()
    assert text_of(memory, record.key) == "## News\n\nI will sell the house by 3 March 2027."
    assert facts(memory) == set()


def test_without_the_extra_a_document_is_refused_with_the_command_that_installs_it(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "find_spec", lambda _: None)
    for path in (write_pdf(tmp_path / "offer.pdf", "Blue."), write_docx(tmp_path / "minutes.docx")):
        with pytest.raises(Unreadable, match=r'pip install "pypdf>=5\.1" "python-docx>=1\.1"'):
            Imported(memory, path)
    assert Imported(memory, write_epub(tmp_path / "book.epub")).counts == (2, 2, 0)
