"""Text that was made to break readers: it is read, quickly and without a failure."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.properties import examples

from recollect.ingest.fields import BadLine
from recollect.ingest.mail.message import parse_mail
from recollect.ingest.notes.reader import split_sentences
from recollect.ingest.parties import parse_parties
from recollect.reading.context import Context
from recollect.reading.reader import MAX_SENTENCE_CHARS, read_block
from recollect.when.instant import date_of_day

CONTEXT = Context("note", date_of_day(20_000))

PIECES = [
    "I will ", "will ", "waiting for ", "before ", "On ", "wrote:\n", "From: x\nTo: y\n", '"', "“", "> ", "- ", "\n",
    ". ", "fixed the ", "is fixed ", "see ", "ENG-1 ", "https://x.example ", "described in ", "really ",
    "```\n", "<!--", "-->", "by Monday ", "end of ", "-- \n", "NAME", "\x00", "\ud800", "é", "=?utf-8?q?", "@",
    "<", ",", "Am 1 ", "schrieb ", ":\n",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
@settings(max_examples=examples(150))
def test_every_text_has_sentences_that_stand_in_it(text: str) -> None:
    for each in split_sentences(text):
        assert text[each.start : each.stop] == each.quote
        read_block(each.masked_text, CONTEXT)
    parse_parties(text)


def test_a_name_that_goes_on_for_ever_is_read_by_its_beginning() -> None:
    for text in ("x" * 1_000_000, "x" * 1_000_000 + "@acme.example", "<" * 1_000_000, '"' * 1_000_000):
        assert all(len(str(party)) < 5_000 for party in parse_parties([text]))


def test_what_goes_on_for_ever_is_no_sentence() -> None:
    for piece in ("waiting for ", "<!-- ", "“ ", '" ', "On ", "> ", "Am 1 schrieb ", "Am 1\n", "1:\n", "Von: x\n"):
        assert not any(found.is_fact for found in read_block(piece * 20_000, CONTEXT))
    endless = "I will send " + "very " * MAX_SENTENCE_CHARS + "much."
    assert not any(found.is_fact for found in read_block(endless, CONTEXT))


@given(st.lists(st.sampled_from([
    b"From: a@x.example\n", b"Date: Mon, 99 Foo 12345 99:99:99 +9999\n", b"Content-Type: multipart/mixed; boundary=b\n",
    b"Content-Type: message/rfc822\n", b"Content-Transfer-Encoding: base64\n",
    b"Content-Type: text/html; charset=\xff\n",
    b"--b\n", b"--b--\n", b"\n", b"=?utf-8?b?", b"\x00", b"\xff\xfe", b"<html><p", b"To: (((,,,;<>\n", b"text ",
    b"Content-Disposition: attachment; filename*=utf-8''%ff%\n", b"Message-ID: <<>>\n", b"References: <a> <a\n",
]), max_size=25).map(b"".join))  # fmt: skip
@settings(max_examples=examples(200))
def test_every_mail_is_read_or_refused(raw: bytes) -> None:
    try:
        found = parse_mail(raw)
    except BadLine:
        return
    assert "\x00" not in (found.record.content or "")
    assert found.record.id.startswith("email_")
