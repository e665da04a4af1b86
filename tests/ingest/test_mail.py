"""Mail from files, however it was made."""

from collections.abc import Collection
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path

import pytest
from tests.ingest.records import everything, said
from tests.support.facts import entity_named

from recollect.importers.formats import detect_format, read_sample
from recollect.importers.import_run import ImportResult, Progress
from recollect.importers.mail import import_mail
from recollect.ingest.mail.message import parse_mail
from recollect.memory import Memory
from recollect.store.ingest_queries import ingested_lines
from recollect.store.view import View


def mail(number: int = 1, body: str = "I will send it by Friday.", **headers: str) -> EmailMessage:
    message = EmailMessage()
    given = {
        "From": "Marcus Webb <marcus@harrow-bridge.example>",
        "To": "Lee Park <lee@harrow-bridge.example>",
        "Subject": "Ledger",
        "Date": "Wed, 11 Mar 2026 09:00:00 +0000",
        "Message-ID": f"<{number}@mail.example>",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    for name, value in given.items():
        message[name] = value
    message.set_content(body)
    return message


def mailbox(path: Path, *messages: bytes) -> Path:
    path.write_bytes(b"".join(b"From x@y Wed Mar 11 09:00:00 2026\n" + each.strip() + b"\n\n" for each in messages))
    return path


def take(memory: Memory, path: Path) -> ImportResult:
    return import_mail(memory, path)


def test_a_single_mail_is_a_record_known_by_its_message_id(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "one.eml"
    path.write_bytes(mail().as_bytes())
    assert detect_format(read_sample(memory, path)).name == "mail"
    taken = take(memory, path)
    assert (taken.tally.changed, taken.skipped, taken.warnings) == (1, [], [])
    key = f"email_{sha256(b'1@mail.example').hexdigest()[:12]}"
    with memory.read() as view:
        document = view.document_named("record", key)
        assert document is not None
        assert (document.type, document.title, document.source_at) == ("email", "Ledger", 1_773_219_600_000_000)
        assert (view.text_of(document) or "").strip() == "I will send it by Friday."
    assert said(memory) == [("commitment", "Marcus Webb", "", "2026-03-13")]
    assert take(memory, path).tally.unchanged == 1


def test_a_mailbox_is_taken_mail_by_mail_and_grows(memory: Memory, tmp_path: Path) -> None:
    first = [mail(number, f"I will send part {number}.").as_bytes() for number in range(3)]
    path = mailbox(tmp_path / "all.mbox", *first)
    told: list[Progress] = []
    taken = import_mail(memory, path, told.append)
    assert (taken.tally.lines, taken.tally.changed, told[-1].done) == (3, 3, path.stat().st_size)
    mailbox(path, *first, mail(9, "I will send the rest.\n\nFrom here on it is easy.").as_bytes())
    taken = take(memory, path)
    assert (taken.tally.unchanged, taken.tally.changed) == (3, 1)
    assert len(said(memory)) == 4


def test_a_line_that_looks_like_a_separator_is_unescaped(memory: Memory, tmp_path: Path) -> None:
    path = mailbox(tmp_path / "all.mbox", mail(1, "Hello\n\n>From now on I will sing.").as_bytes())
    assert take(memory, path).tally.lines == 1
    assert [each.text for each in everything(memory)][-1].endswith("From now on I will sing.")


def test_a_maildir_and_a_folder_of_mails_are_taken_whole(memory: Memory, tmp_path: Path) -> None:
    for name in ("cur", "new", "tmp"):
        (tmp_path / "box" / name).mkdir(parents=True)
    (tmp_path / "box" / "cur" / "1:2,S").write_bytes(mail(1).as_bytes())
    (tmp_path / "box" / "new" / "2").write_bytes(mail(2).as_bytes())
    (tmp_path / "box" / "tmp" / "3").write_bytes(mail(3).as_bytes())
    assert take(memory, tmp_path / "box").tally.changed == 2
    (tmp_path / "single").mkdir()
    (tmp_path / "single" / "a.eml").write_bytes(mail(4).as_bytes())
    assert take(memory, tmp_path / "single").tally.changed == 1


def test_the_plain_part_is_read_else_the_page_without_what_it_quotes() -> None:
    both = mail()
    both.add_alternative("<p>I will <b>not</b> be read.</p>", subtype="html")
    assert (parse_mail(both.as_bytes()).record.content or "").strip() == "I will send it by Friday."
    page = mail()
    page.set_content(
        "<html><head><style>x</style></head><body><p>Hi&nbsp;Lee,</p><div>I will<br>go.</div>"
        "<blockquote><p>You will stay.</p></blockquote><ul><li>one</li></ul></body></html>",
        subtype="html",
    )
    assert parse_mail(page.as_bytes()).record.content == "Hi Lee,\n\nI will\ngo.\n\n> You will stay.\n\n- one"


CUT_MAIL = (
    b"From: Ann <a@x.example>\nTo: Bob <b@x.example>\nDate: 11 Mar 2026 09:00:00 GMT\nMessage-ID: <1@x>\n"
    b"Content-Type: multipart/alternative; boundary=xyz\n\n--xyz\nContent-Type: text/plain\n\n"
    b"Hi Bob,\n\nCarla Ruiz lives in Porto. Lena Voss works at Nord"
)


def test_the_last_sentence_of_a_mail_that_was_cut_off_states_nothing(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "one.eml"
    path.write_bytes(CUT_MAIL)
    taken = take(memory, path)
    assert "its text is cut off" in "".join(taken.warnings)
    assert entity_named(memory, "Carla Ruiz")
    assert entity_named(memory, "Lena Voss") is None
    with memory.read() as view:
        document = view.document_named("record", f"email_{sha256(b'1@x').hexdigest()[:12]}")
        assert document is not None
        assert "works at Nord" in (view.text_of(document) or "")
    path.write_bytes(CUT_MAIL + b"light.\n--xyz--\n")
    assert take(memory, path).warnings == []
    assert entity_named(memory, "Nordlight")


@pytest.mark.parametrize(
    ("end", "is_cut"),
    [
        (b"", True),
        (b"\n--xyz\nContent-Type: text/html\n\n<p>Lena", False),
        (b"\n--xyz\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBOR", False),
        (b"light.\n--xyz--\n", False),
    ],
)
def test_a_text_is_cut_off_where_the_mail_ends_in_it(end: bytes, *, is_cut: bool) -> None:
    assert parse_mail(CUT_MAIL + end).record.properties.get("cut_off", False) is is_cut


def test_headers_are_decoded_and_people_cut_apart_before_that() -> None:
    raw = (
        b"From: =?utf-8?q?Webb=2C_J=C3=BCrgen?= <j@x.example>\r\n"
        b"To: Ann <a@x.example>,\r\n =?iso-8859-1?Q?Andr=E9?= =?iso-8859-1?Q?_Roy?= <r@x.example>\r\n"
        b"Subject: =?utf-8?b?R3LDvMOfZQ==?=\r\nMessage-ID: <1@x>\r\nDate: 11 Mar 2026 09:00:00 GMT\r\n\r\nHello\r\n"
    )
    found = parse_mail(raw)
    assert found.record.title == "Grüße"
    assert found.record.properties["sender"] == "Webb, Jürgen <j@x.example>"
    assert found.record.properties["recipients"] == ["Ann <a@x.example>", "André Roy <r@x.example>"]
    assert found.problems == []


MALFORMED: dict[str, tuple[bytes, str]] = {
    "an unknown charset": (
        b"From: a@x.example\nDate: 11 Mar 2026 09:00:00 GMT\nContent-Type: text/plain; charset=klingon\n\nGr\xfc\xdfe",
        "charset 'klingon'",
    ),
    "a wrong charset": (
        b"From: a@x.example\nDate: 11 Mar 2026 09:00:00 GMT\nContent-Type: text/plain; charset=utf-8\n\nGr\xfc\xdfe",
        "charset 'utf-8'",
    ),
    "a multipart without its boundary": (
        b"From: a@x.example\nDate: 11 Mar 2026 09:00:00 GMT\nContent-Type: multipart/mixed; boundary=xyz\n\nHello",
        "MIME is broken",
    ),
    "parts within parts without end": (
        b"From: a@x.example\nDate: 11 Mar 2026 09:00:00 GMT\nContent-Type: message/rfc822\n\n"
        + b"Content-Type: message/rfc822\n\n" * 3_000,
        "lie too deep",
    ),
    "base64 that is none": (
        b"From: a@x.example\nDate: 11 Mar 2026 09:00:00 GMT\nContent-Transfer-Encoding: base64\n\n!!!not base64===\n",
        "MIME is broken",
    ),
    "a date in the year 1": (b"From: a@x.example\nDate: Mon, 1 Jan 0001 00:00:00 +1400\n\nHello", "cannot be right"),
    "a date in the year 9999": (
        b"From: a@x.example\nDate: Fri, 31 Dec 9999 23:59:59 -1200\n\nHello",
        "cannot be right",
    ),
    "a date that is none": (b"From: a@x.example\nDate: whenever\n\nHello", "cannot be right"),
    "no date": (b"From: a@x.example\n\nHello", "no date"),
    "a thread that refers to itself": (
        b"From: a@x.example\nDate: 11 Mar 2026 09:00:00 GMT\nMessage-ID: <1@x>\nReferences: <2@x> <1@x>\n\nHello",
        "refers to itself",
    ),
    "ten thousand recipients": (
        b"From: a@x.example\nDate: 11 Mar 2026 09:00:00 GMT\nTo: "
        + b",\n ".join(b"p%d@gmail.com" % number for number in range(10_000))
        + b"\n\nHello",
        "10000 recipients",
    ),
    "bare bytes and a NUL in a header": (
        b"From: J\xfcrgen \x00 <j@x.example>\nDate: 11 Mar 2026 09:00:00 GMT\nSubject: \xff\xfe\n\nHello\x00",
        "",
    ),
    "encoded words that are broken": (
        b"From: =?utf-8?b?!!!?= <j@x.example>\nDate: 11 Mar 2026 09:00:00 GMT\nSubject: =?x?q?a?= =?utf-8?b?=\n\nHi",
        "",
    ),
}


@pytest.mark.parametrize(
    ("named", "meant", "text"),
    [
        ("gb2312", "gb18030", "镕基"),
        ("iso-8859-1", "cp1252", "“So it is” – €5"),
        ("shift_jis", "cp932", "①株式会社"),
        ("ks_c_5601-1987", "cp949", "똠방각하"),
        ("us-ascii", "ascii", "plain"),
    ],
)
def test_a_charset_is_read_as_the_wider_one_that_mail_programs_mean(named: str, meant: str, text: str) -> None:
    head = f"From: a@x.example\nDate: 11 Mar 2026 09:00:00 GMT\nContent-Type: text/plain; charset={named}\n\n"
    found = parse_mail(head.encode() + text.encode(meant))
    assert (found.record.content, found.problems) == (text, [])


@pytest.mark.parametrize("what", MALFORMED)
def test_malformed_mail_is_taken_and_told_in_one_line(memory: Memory, tmp_path: Path, what: str) -> None:
    raw, problem = MALFORMED[what]
    taken = take(memory, mailbox(tmp_path / "bad.mbox", raw, mail(7).as_bytes()))
    assert (taken.tally.changed, taken.skipped) == (2, [])
    assert len(taken.warnings) == bool(problem)
    assert problem in "".join(taken.warnings)
    assert entity_named(memory, "Marcus Webb") is not None


def test_what_cannot_be_cut_into_its_parts_is_read_as_text() -> None:
    found = parse_mail(b"From: a@x.example\nContent-Type: multipart/mixed; boundary=b\n\nI will send it.")
    assert found.record.content == "I will send it."


def test_what_is_no_mail_is_skipped_with_its_number(memory: Memory, tmp_path: Path) -> None:
    taken = take(memory, mailbox(tmp_path / "bad.mbox", mail(1).as_bytes(), b"\njust text", mail(2).as_bytes()))
    assert [(each.line, taken.tally.changed) for each in taken.skipped] == [(2, 2)]


@pytest.mark.large
def test_a_huge_attachment_is_named_not_kept(memory: Memory, tmp_path: Path) -> None:
    line = b"QUJD" * 19 + b"\n"
    raw = (
        b"From: Kim <kim@x.example>\nDate: 11 Mar 2026 09:00:00 GMT\nContent-Type: multipart/mixed; boundary=b\n\n"
        b"--b\nContent-Type: text/plain\n\nI will send it.\n"
        b"--b\nContent-Type: application/zip\nContent-Disposition: attachment; filename=big.zip\n"
        b"Content-Transfer-Encoding: base64\n\n" + line * 160_000 + b"--b--\n"
    )
    taken = take(memory, mailbox(tmp_path / "big.mbox", raw))
    [warning] = taken.warnings
    assert "attachments were skipped" in warning
    assert [each[0] for each in said(memory)] == ["commitment"]
    with memory.read() as view:
        [[document, _]] = view.rows("records_all")
        kept = view.document(document)
    assert kept is not None
    assert kept.properties["attachments"] == [{"name": "big.zip", "type": "application/zip"}]


def test_an_interrupted_mailbox_goes_on_where_it_stopped(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from recollect.importers import import_run

    monkeypatch.setattr(import_run, "COMMIT_RECORDS", 2)
    path = mailbox(tmp_path / "all.mbox", *(mail(number).as_bytes() for number in range(5)))

    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_mail(memory, path, interrupt)
    taken = take(memory, path)
    assert (taken.tally.unchanged, taken.tally.changed) == (2, 3)


def test_many_mails_are_looked_up_together(memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from recollect.importers import import_run

    asked: list[int] = []

    def look_up(view: View, lines: Collection[str]) -> dict[str, bool]:
        asked.append(len(lines))
        return ingested_lines(view, lines)

    monkeypatch.setattr(import_run, "ingested_lines", look_up)
    path = mailbox(tmp_path / "all.mbox", *(mail(number).as_bytes() for number in range(1, 6)))
    assert take(memory, path).tally.changed == 5
    assert take(memory, path).tally.unchanged == 5
    assert asked == [5, 5]


@pytest.mark.parametrize(
    ("headers", "was_received", "has_failed"),
    [
        ({}, False, False),
        ({"Return_Path": "<marcus@harrow-bridge.example>"}, False, False),
        ({"Received": "from mx.example by mx2.example"}, True, False),
        ({"Delivered_To": "marcus@harrow-bridge.example"}, True, False),
        ({"X_Received": "by 10.0.0.1"}, True, False),
        ({"Return_Path": "<m@evil.example>"}, True, False),
        ({"Authentication_Results": "mx.example; spf=fail; dkim=fail"}, True, True),
        ({"Authentication_Results": "mx.example; spf=fail; dkim=pass"}, True, False),
        ({"Authentication_Results": "mx.example; dmarc=fail", "X_Gmail_Labels": "Sent"}, True, True),
        ({"X_Gmail_Labels": "Sent", "Received": "by mx.example"}, False, False),
        ({"Received": "by mx.example", "X_Gmail_Labels": "Sent"}, True, False),
    ],
)
def test_a_mail_that_a_server_delivered_is_known_by_what_servers_write(
    headers: dict[str, str], was_received: bool, has_failed: bool
) -> None:
    fields = parse_mail(mail(1, "Hello.", **headers).as_bytes()).record.properties
    assert (bool(fields.get("received")), bool(fields.get("unauthenticated"))) == (was_received, has_failed)


def test_one_newsletter_is_not_the_reason_of_a_whole_mailbox(memory: Memory, tmp_path: Path) -> None:
    offer = mail(2, "50% off", List_Unsubscribe="<mailto:x@y.example>").as_bytes()
    [both] = take(memory, mailbox(tmp_path / "both.mbox", mail().as_bytes(), offer)).files
    assert (both.records, both.unread, both.reason) == (2, 1, None)
    assert both.facts
    other = mail(3, "50% off", List_Unsubscribe="<mailto:x@y.example>").as_bytes()
    [offers] = take(memory, mailbox(tmp_path / "offers.mbox", other)).files
    assert offers.reason == "noise"
