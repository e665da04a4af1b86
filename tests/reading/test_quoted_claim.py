"""How a quoted claim is meant: what stands around the quote counts, too."""

from datetime import date

import pytest

from recollect.ingest.extract.quoted_items import QuotedItem, check_quote
from recollect.reading.context import Context

WRITTEN = Context("note", date(2026, 5, 12))


@pytest.mark.parametrize(
    ("text", "quote", "predicate", "target", "problem"),
    [
        ("Bosse hopes to sell the sloop.", "Bosse hopes to sell the sloop", "sold", "the sloop", "hoped"),
        ("Did Frida lend the drill to Arvid?", "Frida lend the drill to Arvid", "lent", "drill", "asked"),
        ("Inga did not buy the kiln.", "Inga did not buy the kiln.", "bought", "kiln", "doubted"),
        ("Liv neither owns nor rents the cottage.", "Liv neither owns", "owns", "the cottage", "denies"),
        ("Sixten is no longer treasurer of the club.", "treasurer of the club", "treasurer_of", "the club", "denies"),
        ("Aina doubts that Folke paid the rent.", "Folke paid the rent", "paid", "the rent", "doubted"),
        ("It is not true that Helge owns the sawmill.", "Helge owns the sawmill", "owns", "the sawmill", "denies"),
        ("If Rolf sells, Karin will run the mill.", "Karin will run the mill", "runs", "the mill", "condition"),
        ("Sanna said she will buy the boat.", "Sanna said she will buy the boat.", "bought", "the boat", "planned"),
        ("Ove is said to own the island.", "own the island", "owns", "the island", "hearsay"),
        ("Greger almost won the regatta.", "won the regatta", "won", "the regatta", "attempted"),
        ("Let's ask Ben to join Acme.", "Let's ask Ben to join Acme", "employer", "Acme", "planned"),
        ("We decided to move to Bath.", "decided to move to Bath", "lives_in", "Bath", "planned"),
        ("Shall we go with Stripe?", "go with Stripe", "payment_provider", "Stripe", "asked"),
        ("If they agree, let's go with Stripe.", "let's go with Stripe", "payment_provider", "Stripe", "condition"),
        ("Maybe let's go with Stripe.", "let's go with Stripe", "payment_provider", "Stripe", "doubted"),
        ("Let's not go with Stripe.", "Let's not go with Stripe", "payment_provider", "Stripe", "denies"),
        ("We decided not to renew the lease.", "decided not to renew the lease", "decision", "the lease", "denies"),
        ("I do not like coffee.", "I do not like coffee.", "preference", "coffee", "denies"),
        ("The job must be done by Friday.", "must be done", "status", "done", "planned"),
        ("Ann must live in Bath.", "Ann must live in Bath", "home", "Bath", "planned"),
        ("You must call Ben.", "must call Ben", "contact", "Ben", "planned"),
        ("Rut wants to become captain by 2027.", "become captain by 2027", "role", "captain", "planned"),
    ],
)  # fmt: skip
def test_an_item_beyond_its_quote_is_refused(text: str, quote: str, predicate: str, target: str, problem: str) -> None:
    assert problem in (check_quote(QuotedItem(predicate, target, quote), text, WRITTEN).problem or "")


def test_a_doubt_in_another_language_is_one() -> None:
    context = Context("note", date(2026, 5, 12), language="sv")
    text = "Dag ska kanske köpa kvarnen."
    assert "doubted" in (check_quote(QuotedItem("köpte", "kvarnen", text), text, context).problem or "")


@pytest.mark.parametrize(
    ("text", "predicate", "target"),
    [
        ("Viggo works at the brewery.", "works_at", "brewery"),
        ("Bosse hopes to sell the sloop.", "hopes_to_sell", "the sloop"),
        ("I do not like coffee.", "dislikes", "coffee"),
        ("I will send Lena the photos.", "commitment", "send Lena the photos"),
        ("Can you send me the photos?", "request", "send the photos"),
        ("New code must pass on Python 3.11 and later.", "supports", "Python 3.11"),
        ("Imports have to accept CSV.", "accepts", "CSV"),
        ("ok let's go with Stripe then", "payment_provider", "Stripe"),
        ("We decided to use Postgres.", "database", "Postgres"),
        ("We decided not to renew the lease.", "decision", "not renew the lease"),
    ],
)
def test_an_item_that_says_what_its_quote_says_is_kept(text: str, predicate: str, target: str) -> None:
    assert check_quote(QuotedItem(predicate, target, text), text, WRITTEN).problem is None


@pytest.mark.parametrize(
    ("text", "predicate", "target", "bounds"),
    [
        ("Malte was chairman of the club until 2019.", "chairman_of", "the club", (None, "2019")),
        ("Ebba lived in Lund between 2001 and 2004.", "lives_in", "Lund", ("2001-01-01", "2004-12-31")),
        ("Tove will be director from 1 July 2026.", "role", "director", ("2026-07-01", None)),
        ("Maj led the band in 2023.", "led", "the band", ("2023", None)),
        ("I will send the photos by Friday.", "commitment", "the photos", (None, "2026-05-15")),
        ("My birthday is 12 May.", "birthday", "12 May", (None, None)),
        ("Anna told me yesterday that she lives in Lund.", "lives_in", "Lund", (None, None)),
    ],
)
def test_the_times_of_a_quote_bound_its_item(
    text: str, predicate: str, target: str, bounds: tuple[str | None, str | None]
) -> None:
    found = check_quote(QuotedItem(predicate, target, text), text, WRITTEN)
    assert (found.problem, found.start, found.until) == (None, *bounds)
