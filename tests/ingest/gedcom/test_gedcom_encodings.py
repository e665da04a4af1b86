"""From the bytes of a family tree to its text."""

import pytest

from recollect.ingest.gedcom.encodings import DecodedText, decode_ansel, decode_gedcom

TEXT = "0 HEAD\n1 CHAR {}\n0 @I1@ INDI\n1 NAME Zoë Müller\n"


@pytest.mark.parametrize(
    ("said", "encoding", "bom"),
    [
        ("UTF-8", "utf-8", b""),
        ("UTF-8", "utf-8", b"\xef\xbb\xbf"),
        ("ANSI", "cp1252", b""),
        ("WINDOWS-1252", "cp1252", b""),
        ("UNICODE", "utf-16-le", b"\xff\xfe"),
        ("UNICODE", "utf-16-be", b"\xfe\xff"),
        ("UNICODE", "utf-16-le", b""),
        ("UNICODE", "utf-16-be", b""),
        ("IBMPC", "cp437", b""),
        ("SOMETHING", "utf-8", b""),
        ("SOMETHING", "cp1252", b""),
        # The mark at the beginning wins over a head that says otherwise.
        ("ANSEL", "utf-8", b"\xef\xbb\xbf"),
    ],
)
def test_a_text_comes_back_whole(said: str, encoding: str, bom: bytes) -> None:
    text = TEXT.format(said)
    assert decode_gedcom(bom + text.encode(encoding)) == DecodedText(text, 0)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"M\xe8uller", "Müller"),
        (b"Zo\xe8e", "Zoë"),
        (b"\xe2Etienne", "Étienne"),
        (b"K\xe5osh\xe5o", "Kōshō"),
        (b"\xa2rsted", "Ørsted"),
        (b"Stra\xcfe", "Straße"),
        (b"\xc7", "ß"),
        (b"\xf0c\xf0C", "çÇ"),
        (b"\xeaAngstr\xe8om", "Ångström"),
        (b"Dvo\xe9r\xe2ak", "Dvořák"),
        (b"\xe3\xf2a", "ậ"),
        (b"plain", "plain"),
    ],
)
def test_ansel_marks_stand_before_their_letter(content: bytes, text: str) -> None:
    assert decode_ansel(content) == text


def test_the_head_says_ansel() -> None:
    content = b"0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME Zo\xe8e\n"
    assert decode_gedcom(content).text.endswith("1 NAME Zoë\n")


def test_what_cannot_be_read_is_marked_and_counted() -> None:
    assert decode_gedcom(b"0 HEAD\n1 CHAR ASCII\n1 NOTE \xff\xfe!\n") == DecodedText(
        "0 HEAD\n1 CHAR ASCII\n1 NOTE ��!\n", 2
    )
    assert decode_gedcom(b"0 HEAD\n1 CHAR UTF-8\n1 NOTE \xff!\n").unreadable == 1
    assert decode_gedcom(b"0 HEAD\n1 CHAR ANSEL\n1 NOTE \xd5x\n").unreadable == 1
    assert decode_gedcom(b"0 HEAD\n1 CHAR ANSEL\n1 NOTE \xe8\n").text.endswith("�\n")
    assert decode_gedcom(b"0 HEAD\n1 NOTE \0\n") == DecodedText("0 HEAD\n1 NOTE �\n", 1)
