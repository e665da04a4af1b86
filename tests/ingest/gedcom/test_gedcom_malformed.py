"""Whatever a file holds, it is read without a crash."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.ingest.gedcom.encodings import decode_gedcom
from recollect.ingest.gedcom.tree import NotGedcom, parse_tree

_tags = st.sampled_from(
    "HEAD INDI FAM NAME BIRT DEAT DATE PLAC HUSB WIFE CHIL FAMS FAMC MARR DIV NOTE SOUR CONC CONT PEDI TITL RESI EVEN "
    "TYPE _X TRLR ADOP OCCU SEX".split()
)
_values = st.one_of(
    st.sampled_from(
        [
            "",
            "@I1@",
            "@I2@",
            "@F1@",
            "@VOID@",
            "@@",
            "Y",
            "N",
            "ABT 1850",
            "1731/32",
            "a, b, c",
            ",,",
            "/x/",
            "@",
            "(p)",
        ]
    ),
    st.text(max_size=30),
)
_xrefs = st.sampled_from(["", "@I1@ ", "@I2@ ", "@F1@ ", "@ @ ", "@N1@ "])
_lines = st.builds(
    lambda level, xref, tag, value: f"{level} {xref}{tag} {value}", st.integers(0, 6), _xrefs, _tags, _values
)


@given(st.lists(st.one_of(_lines, st.text(max_size=40)), max_size=40).map("\n".join))
def test_any_lines_are_read(text: str) -> None:
    found = parse_tree("t", "0 HEAD\n" + text)
    assert found.people >= 0


@given(st.binary(max_size=300))
def test_any_bytes_are_read(content: bytes) -> None:
    for prefix in (b"", b"0 HEAD\n1 CHAR ANSEL\n", b"\xff\xfe", b"0 HEAD\n1 CHAR ANSI\n"):
        decoded = decode_gedcom(prefix + content)
        try:
            parse_tree("t", decoded.text)
        except NotGedcom:
            assert "HEAD" not in decoded.text.split("\n")[0]
