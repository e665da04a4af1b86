"""An ordinary inbox for `benchmarks.mail --ordinary`: of 20 mails six are newsletters, five notices of programs, seven
short replies above the mail that they answer, and two are mails of the worlds, in which most sentences are acts.

All texts are invented. One newsletter in six and two notices in five have none of the headers by which they are told
from people's mail, as in real inboxes. Replies end in a signature, and every second one in small print, too.
"""

from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from random import Random
from typing import NamedTuple

_NEWSLETTERS = (
    "The {thing} is back in three colours, and it will not stay long.",
    "Over {n} readers told us what they think of the {thing}; here is what we learned.",
    "Five small changes that make a {thing} last for years.",
    "Our editors tested {n} kinds of {thing} so that you do not have to.",
    "This week only: {n} % off everything in the {thing} range.",
    "Meet Jonna, who turned a spare {thing} into a business with {n} customers.",
    "You asked for longer opening hours, and from March we have them.",
    "New on the blog: why every {thing} deserves a second look.",
    "The spring programme is out, with {n} walks, talks and concerts.",
    "Members get free delivery on every order above {n} euros.",
    "Last month {n} of you joined the {thing} challenge, a new record.",
    "Scientists have found an old {thing} below the harbour of a small town.",
    "Tickets for the summer festival go on sale on Friday at noon.",
    "Read on to see the pictures that won this year's competition.",
    "Did you know that the first {thing} was built more than {n} years ago?",
    "Not sure which {thing} is right for you? Take our quiz.",
)
_NOTICES = (
    """Your order {n} has been shipped

Good news! Your order {n} is on its way.

Items: 1 x {thing}, 2 x {other}
Carrier: ParcelNorth
Tracking number: PN{n}{n}
Estimated delivery: {day}

Track your parcel: https://parcel.example/t/{n}""",
    """[main] Build #{n} failed

Build #{n} of branch main failed after 4 min 12 s.

Failed step: unit tests
2 of {n} tests failed.

See the log: https://build.example/runs/{n}

You get this mail because you are subscribed to this project.""",
    """Reminder: {thing} review

{thing} review
{day}, 10:00 - 10:30
Where: Room 2.{n}

Guests: 4 yes, 1 awaiting

More details: https://calendar.example/e/{n}""",
    """Your invoice {n} is available

Dear customer,

your invoice {n} for the {thing} is now available.

Amount: {n}.40 EUR
Due date: {day}

The amount will be debited from your account.

Your service team""",
    """New sign-in to your account

A new sign-in to your account was noticed.

Device: Firefox on Linux
Place: near Lyon
Time: {day}, 08:{n}

If this was you, there is nothing to do. If not, change your password.""",
    """{name} commented on {thing}

{name} commented on "{thing}":

"Looks good to me, only the {other} is missing."

Reply to this mail to add a comment, or open https://board.example/c/{n}""",
)
"""The subject of each, and its text."""
_REPLIES = (
    "Thanks, got it.",
    "{day} works for me.",
    "Yes, that's fine.",
    "I'll send you the {thing} by {day}.",
    "Can you check the {thing} again? The total looks off to me.",
    "No, that was the old {thing}. The new one is on the shared drive.",
    "Sounds good, let's do that.",
    "I'm out until {day} and will read it then.",
    "Could you forward this to {name}?",
    "Sorry for the late answer, last week was full.",
    "The {thing} arrived this morning, all complete.",
    "We can talk about the {thing} on {day}.",
    "I had a look and have nothing to add.",
    "Please hold off on the {thing} until we hear from {name}.",
    "Who has the key to the {thing} at the moment?",
)
_SMALL_PRINT = (
    "This message and its attachments are confidential and meant for the addressee only. If you have received it in "
    "error, please tell the sender and delete it. Any use or disclosure without permission is prohibited."
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "next week", "the 14th", "the end of the month")
_COMPANIES = ("Harrow & Finch Ltd", "Nordlicht GmbH", "Quayside Studio", "Atelier Brume")
KINDS = (
    "letter", "notice", "reply", "letter", "reply", "own", "notice", "reply", "letter", "reply", "notice", "letter",
    "reply", "own", "notice", "letter", "reply", "notice", "letter", "reply",
)  # fmt: skip


class Earlier(NamedTuple):
    """A mail that others answer: its id, who wrote it, what, and when."""

    id: str
    author: str
    address: str
    text: str
    at: datetime


class OrdinaryInbox:
    """Makes the mails of an inbox one after another; replies quote one of the last that somebody wrote."""

    def __init__(self, names: list[str], things: list[str], random: Random) -> None:
        self._names, self._things, self._random = names, things, random
        self._written: list[Earlier] = []

    def fill(self, message: EmailMessage, kind: str, number: int, at: datetime) -> None:
        """Give a mail from a person its subject and text; one of a program its sender, too."""
        makers: dict[str, Callable[[EmailMessage, int, datetime], None]] = {
            "letter": self._fill_newsletter, "notice": self._fill_notice, "reply": self._fill_reply,
        }  # fmt: skip
        makers[kind](message, number, at)

    def note(self, earlier: Earlier) -> None:
        """Take in a mail that later ones may answer."""
        self._written = [*self._written[-9:], earlier]

    def _words(self, text: str) -> str:
        pick = self._random.choice
        return text.format(
            thing=pick(self._things), other=pick(self._things), n=self._random.randint(10, 59), day=pick(_DAYS),
            name=pick(self._names).split()[0],
        )  # fmt: skip

    def _fill_newsletter(self, message: EmailMessage, number: int, _: datetime) -> None:
        lines = [self._words(each) for each in self._random.sample(_NEWSLETTERS, 9)]
        _replace(message, "From", f"{self._random.choice(_COMPANIES)} <news{number % 7}@letters.example>")
        message["Subject"] = lines[0].rstrip(".")
        if self._random.random() > 1 / 6:
            message["List-Unsubscribe"] = f"<https://letters.example/u/{number}>"
            message["Precedence"] = "bulk"
        foot = f"You get this letter because you signed up on our site. Unsubscribe: https://letters.example/u/{number}"
        message.set_content("\n\n".join([*lines, foot]) + "\n")
        paragraphs = "".join(f"<tr><td style='padding:12px'><p>{each}</p></td></tr>" for each in (*lines, foot))
        message.add_alternative(f"<html><body><table width='600'>{paragraphs}</table></body></html>", subtype="html")

    def _fill_notice(self, message: EmailMessage, number: int, at: datetime) -> None:  # noqa: ARG002 as the others
        subject, _, text = self._words(self._random.choice(_NOTICES)).partition("\n\n")
        is_marked = self._random.random() < 3 / 5
        _replace(message, "From", f"Service <{'no-reply' if is_marked else 'service'}@programs{number % 5}.example>")
        if is_marked:
            message["Auto-Submitted"] = "auto-generated"
        message["Subject"] = subject
        message.set_content(f"{text}\n")

    def _fill_reply(self, message: EmailMessage, number: int, at: datetime) -> None:
        author, address = str(message["From"]).rstrip(">").split(" <")
        said = " ".join(self._words(each) for each in self._random.sample(_REPLIES, self._random.randint(1, 3)))
        company = _COMPANIES[sum(map(ord, author)) % len(_COMPANIES)]
        signature = f"-- \n{author}\n{company}\nPhone +44 1632 960{len(author):03d}"
        body = f"Hi,\n\n{said}\n\nBest\n{author.split()[0]}\n\n{signature}\n"
        body += f"\n{_SMALL_PRINT}\n" if number % 2 else ""
        before = self._random.choice(self._written) if self._written else None
        message["Subject"] = "Re: " + self._words("the {thing}")
        if before is not None:
            message["In-Reply-To"] = before.id
            quoted = "\n".join(f"> {line}".rstrip() for line in before.text.split("\n"))
            body += f"\nOn {before.at:%a, %d %b %Y at %H:%M}, {before.author} <{before.address}> wrote:\n{quoted}\n"
        message.set_content(body)
        self.note(Earlier(str(message["Message-ID"]), author, address, body, at))


def _replace(message: EmailMessage, header: str, value: str) -> None:
    del message[header]
    message[header] = value
