"""Plain sentences give facts; whatever is asked, doubted, planned, hoped, denied or told by others gives none."""

import pytest
from tests.ingest.notes.remembering import bounds, claims, outcomes, states, tell
from tests.support.facts import entity_named

from recollect.memory import Memory

ME = "Me"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Ada Brandt works at Acme.", ("Ada Brandt", "works_at", "Acme", "current")),
        ("I work for Acme as a designer.", (ME, "works_at", "Acme", "current")),
        ("Bob worked at Acme.", ("Bob", "works_at", "Acme", "ended")),
        ("Lena lives in Porto.", ("Lena", "lives_in", "Porto", "current")),
        ("I lived in Berlin.", (ME, "lives_in", "Berlin", "ended")),
        ("I moved to Porto.", (ME, "lives_in", "Porto", "current")),
        ("Kim's car is a Volvo.", ("Kim", "car", "Volvo", "current")),
        ("My car is an old Skoda Fabia.", (ME, "car", "old Skoda Fabia", "current")),
        ("Kim's bicycle is red.", ("Kim", "bicycle", "red", "current")),
        ("I moved to Lisbon last autumn.", (ME, "lives_in", "Lisbon", "current")),
        ("We use pnpm, not npm.", (ME, "uses", "pnpm", "current")),
        ("I always use tabs.", (ME, "uses", "tabs", "current")),
        ("I prefer tabs over spaces.", (ME, "prefers", "tabs", "current")),
        ("Ada likes oat milk.", ("Ada", "likes", "oat milk", "current")),
        ("Lena speaks Portuguese.", ("Lena", "speaks", "Portuguese", "current")),
        ("Dana Cole owns a boat.", ("Dana Cole", "owns", "boat", "current")),
        ("I'm allergic to penicillin", (ME, "allergic_to", "penicillin", "current")),
        ("Bob's wife is Carol.", ("Bob", "spouse_of", "Carol", "current")),
        ("My rent is 900 euros.", (ME, "rent", "900 euros", "current")),
        ("My favourite editor is helix.", (ME, "favourite_editor", "helix", "current")),
        ("The budget of Apollo is 50,000 EUR.", ("Apollo", "budget", "50,000 EUR", "current")),
        ("My birthday is 12 May 1990.", (ME, "birthday", "12 May 1990", "current")),
        ("My dentist is Dr. Roe.", (ME, "dentist", "Dr. Roe", "current")),
        ("our staging server is at staging.example.org", (ME, "staging_server", "staging.example.org", "current")),
        ("my sister Lena lives in Porto since 2021", ("Lena", "lives_in", "Porto", "current")),
        ("We no longer use npm.", (ME, "uses", "npm", "ended")),
        ("I don't use Twitter anymore.", (ME, "uses", "Twitter", "ended")),
        ("Remember that I use fish shell.", (ME, "uses", "fish shell", "current")),
        ("I used to live in Rome.", (ME, "lives_in", "Rome", "ended")),
        ("acme-web uses `pnpm`.", ("acme-web", "uses", "pnpm", "current")),
        ("acme-web's default branch is main.", ("acme-web", "default_branch", "main", "current")),
        ("We use pnpm for acme-web.", ("acme-web", "uses", "pnpm", "current")),
        ("We use Slack for chat.", (ME, "uses", "Slack", "current")),
        ("I'm allergic to cats as well.", (ME, "allergic_to", "cats", "current")),
        ("Kim's mood is good.", ("Kim", "mood", "good", "current")),
        ("My desk is tidy.", (ME, "desk", "tidy", "current")),
        ("My dog is called Rex.", (ME, "dog", "Rex", "current")),
        ("Kim's dog's name is Rex.", ("Kim", "dog", "Rex", "current")),
        ("My sister is called Ana.", (ME, "sister", "Ana", "current")),
        ("Ana is my sister.", (ME, "sister", "Ana", "current")),
        ("Carol is Bob's wife.", ("Bob", "spouse_of", "Carol", "current")),
        ("Ana is married to Bob.", ("Ana", "spouse_of", "Bob", "current")),
        ("Kim is 34 years old.", ("Kim", "age", "34", "current")),
        ("My commute takes 40 minutes.", (ME, "commute_duration", "40 minutes", "current")),
        ("Bluebird costs 12 euros.", ("Bluebird", "cost", "12 euros", "current")),
    ],
)
def test_a_plain_sentence_gives_a_fact(memory: Memory, text: str, claim: tuple[str, ...]) -> None:
    result = tell(memory, text)
    assert claims(memory, result) == [claim]
    assert result.not_understood == ()


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("I live in Porto since 2021.", "2021", None),
        ("I've lived in Porto since March 2021.", "2021-03", None),
        ("Bob worked at Acme from 2019 to 2021.", "2019", "2021"),
        ("Bob worked at Acme between 2014 and 2018.", "2014", "2018"),
        ("I lived in Berlin until 2019.", None, "2019"),
        ("I worked at Acme in 2019.", "2019", "2019"),
        ("In 2019 I moved to Lisbon.", "2019", None),
        ("In 2019, I moved to Lisbon.", "2019", None),
        ("Since March 2026, we use pnpm.", "2026-03", None),
        ("We use pnpm from 2026-03-10.", "2026-03-10", None),
        ("We use npm until 2026-06-30.", None, "2026-06-30"),
        ("As of 1 May 2026 my rent is 950.", "2026-05-01", None),
        ("We used npm until March 2026.", None, "2026-03"),
        ("I moved to Porto yesterday.", "2026-05-19", None),
    ],
)
def test_a_time_gives_the_bounds(memory: Memory, text: str, since: str | None, until: str | None) -> None:
    assert bounds(memory, tell(memory, text)) == (since, until)


TRAPS = """
Do I live in Porto?
Ada lives in Porto, right?
If I live in Porto, I use trams.
Unless Ada works at Acme, we use npm.
Suppose my rent is 900.
When deploying, we use npm.
After the merger, we use pnpm.
I don't live in Porto.
Ada doesn't use pnpm.
I am not allergic to penicillin.
Nobody uses npm.
Neither Ada nor Bob uses npm.
I think Ada lives in Porto.
Maybe I live in Porto by then.
Ada probably works at Acme.
Ada must live in Porto.
Ada seems to live in Porto.
I'm not sure I live in Porto.
Bob says Ada works at Acme.
I heard that Lena moved to Rome.
Apparently Lena lives in Rome.
According to Bob, Ada works at Acme.
Ada is said to live in Porto.
My doctor thinks I'm allergic to nuts.
I want to work at Acme.
I hope Ada lives in Porto.
I wish I lived in Porto.
I would like a coffee.
I considered moving to Porto.
I tried to use pnpm.
I almost moved to Porto.
Imagine I live in Porto.
In the novel, Ada lives in Porto.
I dreamt that I lived in Porto.
We should use pnpm.
We could use pnpm.
I live in Porto since the merger.
We use npm until further notice.
I work at Acme since 3/4/2026.
I've lived in Porto for more than 3 years.
From 2019 to 2021: Bob worked at Acme.
I use npm or yarn.
We only use npm in legacy projects.
My rent is 900 or 950.
My wife is sick.
My boss is angry.
My job is boring.
My password is weak.
My birthday is soon.
My answer is No.
My plan is Porto.
He lives in Porto.
They use npm.
Everyone likes Ada.
Only Ada uses npm.
Students moved to Berlin.
We moved to Slack.
The meeting moved to Tuesday.
I live in fear.
I work at night.
I like it.
I like your answer.
I used the ladder yesterday.
I have worked at Acme.
Bob: I live in Porto.
Assistant: I live in the cloud.
Rewrite this: I live in Porto.
"I live in Porto," said Ada.
> I live in Porto.
The invoice is not paid.
The report is almost done.
The rent is paid by Bob.
Most invoices are paid.
I forgot to pay the rent.
Has Ada sent the contract?
I switched from Monday to Tuesday.
We have not switched from npm to pnpm.
e-mail uses SMTP.
I just finished binge-watching.
Deploys happen on Tuesdays.
It is not true that Ada lives in Porto.
I'm allergic to early mornings, haha.
I'm allergic to cats lol.
I live in Narnia 😂
I live in Narnia ;)
My favourite food is despair, jk.
I'm allergic to cats, ugh, whatever.
I'm allergic to early mornings.
I am allergic to bullshit.
I'll kill him!
I'll send the moon to Bob, haha.
Tim's favourite food is said to be pizza.
Tim's favourite food is supposed to be pizza.
Tim's favourite food is rumoured to be pizza.
My job is killing me.
My current job is killing us.
My job is draining.
My favourite colour is blue, or maybe green.
My favourite colour is blue, or green.
My favourite colour is blue, I think.
My favourite colour is blue, perhaps.
We use pnpm for acme-web and npm for acme-api.
We use pnpm for acme-web and acme-api.
We use pnpm for our frontend.
Ada uses pnpm for acme-web.
We use npm in Germany.
We switched to pnpm for acme-web and acme-api.
My phone is broken.
My email is down.
My rent is high.
My address is wrong.
My name is difficult.
My flight was terrible.
My brother is tall.
My sister lives in the past.
The deploy takes 20 minutes.
The deploy takes ages.
Kim is my everything.
Rex is my dog or hers.
Bob said Ana lives in Rome and Bo lives in Porto.
If Ana lives in Rome and Bo lives in Porto, call me.
Ana lives in Rome and Bo might live in Porto.
I won't repaint the shed after all.
""".strip().splitlines()


@pytest.mark.parametrize("text", TRAPS)
def test_a_trap_gives_no_fact(memory: Memory, text: str) -> None:
    result = tell(memory, text)
    assert result.facts == ()
    assert [text] == list(result.not_understood) or text.startswith((">", '"'))


def test_laughter_in_a_sentence_of_its_own_makes_the_one_before_it_a_joke(memory: Memory) -> None:
    result = tell(memory, "I live in Porto. I'm allergic to cats. Haha!")
    assert [claim[1] for claim in claims(memory, result)] == ["lives_in"]


def test_an_outburst_is_no_commitment_but_killing_a_process_is(memory: Memory) -> None:
    assert [claim[1] for claim in claims(memory, tell(memory, "I'll kill the old process."))] == ["commitment"]


def test_an_activity_may_be_a_pastime(memory: Memory) -> None:
    assert claims(memory, tell(memory, "My hobby is playing chess."))[0][2] == "playing chess"


def test_clauses_are_read_one_by_one(memory: Memory) -> None:
    result = tell(memory, "I use helix but I might use zed. Lena works at Acme and lives in Porto.")
    assert [claim[1:3] for claim in claims(memory, result)] == [
        ("uses", "helix"),
        ("works_at", "Acme"),
        ("lives_in", "Porto"),
    ]


def test_full_clauses_joined_by_and_give_a_fact_each(memory: Memory) -> None:
    result = tell(memory, "Kim likes tea and Kim likes rum. Ana works at Acme and my rent is 900.")
    assert [claim[:3] for claim in claims(memory, result)] == [
        ("Kim", "likes", "tea"),
        ("Kim", "likes", "rum"),
        ("Ana", "works_at", "Acme"),
        (ME, "rent", "900"),
    ]


def test_a_known_relative_may_be_the_subject(memory: Memory) -> None:
    tell(memory, "My sister is Ana. Kim's boss is Bo.")
    result = tell(memory, "My sister lives in Porto. My sister's phone is 555-1234. Kim's boss works at Acme.")
    assert [claim[:3] for claim in claims(memory, result)] == [
        ("Ana", "lives_in", "Porto"),
        ("Ana", "phone", "555-1234"),
        ("Bo", "works_at", "Acme"),
    ]


def test_one_of_several_relatives_is_not_guessed(memory: Memory) -> None:
    tell(memory, "My sister is Ana. My sister is Bea.")
    result = tell(memory, "My sister lives in Porto.")
    assert claims(memory, result) == [("Me", "sister_lives_in", "Porto", "current")]


def test_with_a_topic_what_takes_time_is_an_attribute_of_it(memory: Memory) -> None:
    result = tell(memory, "The deploy takes 20 minutes.", about="acme-web")
    assert claims(memory, result) == [("acme-web", "deploy_duration", "20 minutes", "current")]


def test_an_enumeration_gives_a_fact_for_each_member(memory: Memory) -> None:
    result = tell(memory, "I speak German, French and Dutch.")
    assert [claim[2] for claim in claims(memory, result)] == ["German", "French", "Dutch"]


def test_moving_replaces_the_former_home(memory: Memory) -> None:
    tell(memory, "I live in Berlin.", at="2025-01-01T10:00:00Z")
    result = tell(memory, "I moved to Porto in March 2026.")
    assert outcomes(result) == ["replaced"]
    assert states(memory, "me", "lives_in") == {"Berlin": "ended", "Porto": "current"}


def test_switching_ends_one_value_and_begins_the_other(memory: Memory) -> None:
    tell(memory, None, {"subject": "acme-web", "predicate": "uses", "value": "npm"}, at="2025-01-01T10:00:00Z")
    tell(memory, None, {"subject": "acme-web", "predicate": "uses", "value": "make"}, at="2025-01-01T10:00:00Z")
    result = tell(memory, "acme-web switched from npm to pnpm on 2026-03-10.")
    assert outcomes(result) == ["replaced"]
    assert bounds(memory, result) == ("2026-03-10", None)
    assert states(memory, "acme-web", "uses") == {"npm": "ended", "make": "current", "pnpm": "current"}


def test_switching_from_something_unknown_records_it_as_ended(memory: Memory) -> None:
    result = tell(memory, "We switched from npm to pnpm.", about="acme-web")
    assert [claim[2:] for claim in claims(memory, result)] == [("npm", "ended"), ("pnpm", "current")]


def test_people_do_not_switch_companies_as_tools(memory: Memory) -> None:
    tell(memory, "Ada works at Acme.")
    assert tell(memory, "Ada switched from Acme to Globex.").facts == ()


def test_no_longer_ends_a_known_fact(memory: Memory) -> None:
    tell(memory, "We use Slack.", about="acme-web", at="2025-01-01T10:00:00Z")
    tell(memory, "We no longer use Slack.", about="acme-web")
    assert states(memory, "acme-web", "uses") == {"Slack": "ended"}


def test_what_is_no_longer_used_on_the_day_it_began_is_stale(memory: Memory) -> None:
    tell(memory, "Kim switched from npm to pnpm.", at="2026-05-20T09:00:00Z")
    result = tell(memory, "Kim no longer uses pnpm.")
    assert outcomes(result) == ["confirmed"]
    assert states(memory, "Kim", "uses") == {"npm": "ended", "pnpm": "stale"}


def test_the_topic_is_the_subject_of_sentences_that_name_none(memory: Memory) -> None:
    result = tell(memory, "Uses pnpm. We prefer tabs. I live in Porto. The deadline is 2026-06-30.", about="acme-web")
    assert [claim[:3] for claim in claims(memory, result)] == [
        ("acme-web", "uses", "pnpm"),
        ("acme-web", "prefers", "tabs"),
        (ME, "lives_in", "Porto"),
        ("acme-web", "deadline", "2026-06-30"),
    ]


def test_a_relative_deadline_is_stored_as_a_date(memory: Memory) -> None:
    assert claims(memory, tell(memory, "Apollo's deadline is Friday."))[0][2] == "2026-05-22"


def test_names_become_entities_of_the_type_that_their_role_implies(memory: Memory) -> None:
    tell(memory, "Lena works at Acme. Lena lives in Porto. Lena speaks Danish. Lena uses Figma.")
    types = {name: entity_named(memory, name) for name in ("Lena", "Acme", "Porto", "Danish", "Figma")}
    assert {name: entity.type if entity else None for name, entity in types.items()} == {
        "Lena": "person",
        "Acme": "organization",
        "Porto": "location",
        "Danish": "language",
        "Figma": "tool",
    }


def test_my_name_is_sets_an_unset_name(memory: Memory) -> None:
    tell(memory, "I live in Porto.")
    before = entity_named(memory, "Me")
    result = tell(memory, "My name is Ada Brandt.")
    owner = entity_named(memory, "Ada Brandt")
    assert before is not None
    assert owner is not None
    assert owner.id == before.id
    assert claims(memory, result) == [("Ada Brandt", "name", "Ada Brandt", "current")]
    assert [each.name for each in result.entities] == ["Ada Brandt"]
    tell(memory, "My name is Bea.", at="2026-05-20T11:00:00Z")
    assert entity_named(memory, "Ada Brandt") == owner


def test_a_transcript_speaks_for_its_speakers(memory: Memory) -> None:
    text = "User: Hello there.\nAssistant: I live in Lisbon. I use pnpm.\n"
    assert tell(memory, text).facts == ()
    tell(memory, "My name is Ada Brandt.")
    own = tell(memory, "Ada Brandt: I live in Porto. I use vim.\nBob: I live in Rome.")
    assert [claim[:3] for claim in claims(memory, own)] == [
        ("Ada Brandt", "lives_in", "Porto"),
        ("Ada Brandt", "uses", "vim"),
    ]


@pytest.mark.parametrize("ending", ["Best,\nBob", "— Bob", "/Bob", "Kind regards\n\nBob Stone", "\nBob"])
def test_a_letter_speaks_for_whoever_signed_it(memory: Memory, ending: str) -> None:
    assert tell(memory, f"Hi Ada,\nI live in Rome and I will send the contract.\n{ending}").facts == ()


def test_a_letter_that_the_owner_signed_is_the_owners(memory: Memory) -> None:
    tell(memory, "My name is Ada Brandt.")
    result = tell(memory, "Hi Bob,\nI live in Rome.\nBest,\nAda Brandt")
    assert [claim[:3] for claim in claims(memory, result)] == [("Ada Brandt", "lives_in", "Rome")]


def test_a_claim_both_given_and_read_counts_once(memory: Memory) -> None:
    given = {"subject": "me", "predicate": "works for", "object": "Acme", "valid_from": "2021"}
    item = {"subject": "me", "predicate": "commitment", "value": "send the report", "valid_until": "2026-05-22"}
    result = tell(memory, "I work at Acme. I will send the report by Friday.", given, item)
    assert [claim[1] for claim in claims(memory, result)] == ["works_at", "commitment"]
    assert bounds(memory, result) == ("2021", None)
    assert result.not_understood == ()


def test_the_note_is_kept_verbatim_and_mentions_what_it_names(memory: Memory) -> None:
    tell(memory, "Lena lives in Porto.")
    text = "  Lena said maybe…\n\n> quoted\n"
    result = tell(memory, text)
    assert result.note is not None
    lena = entity_named(memory, "Lena")
    assert lena is not None
    with memory.read() as view:
        note = view.document(result.note)
        assert note is not None
        assert view.text_of(note) == text
        assert (note.kind, note.type, note.properties["source"]) == ("record", "note", "chat")
        assert view.mentioned(note.id) == [lena.id]
        assert view.chunks(note.id) != []


def test_on_a_fictional_timeline_times_are_not_read(memory: Memory) -> None:
    from recollect.serve.workspace_settings import put_setting

    with memory.write() as change:
        put_setting(change, "timeline", "fictional")
    result = tell(memory, "Lena lives in Porto since 2021. Lena works at Acme.")
    assert [claim[1] for claim in claims(memory, result)] == ["works_at"]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Our daughter Elsa is 9.", ("Elsa", "age", "9", "current")),
        ("My son Max turned 7.", ("Max", "age", "7", "current")),
        ("I am 34.", (ME, "age", "34", "current")),
        ("I weigh 64 kg.", (ME, "weight", "64 kg", "current")),
        ("I'm 172 cm tall.", (ME, "height", "172 cm", "current")),
        ("My address is 12 Mill Lane, Leith.", (ME, "address", "12 Mill Lane, Leith", "current")),
        ("I live at Torstraße 4, 10119 Berlin.", (ME, "address", "Torstraße 4, 10119 Berlin", "current")),
        ("Our flat is at 5 Rue Cler, Paris.", (ME, "address", "5 Rue Cler, Paris", "current")),
        ("Mei Chen was born on 3 May 1990.", ("Mei Chen", "birthday", "3 May 1990", "current")),
        ("I was born in 1984.", (ME, "birth_year", "1984", "current")),
        ("Lena started working at Zalando on 1 April.", ("Lena", "works_at", "Zalando", "current")),
        ("I started at Feedzai in March.", (ME, "works_at", "Feedzai", "current")),
        ("I got promoted to staff engineer.", (ME, "role", "staff engineer", "current")),
        ("Bob became CTO of Acme.", ("Acme", "cto", "Bob", "current")),
        ("We adopted a cat called Miso.", (ME, "cat", "Miso", "current")),
        ("I take 20 mg of sertraline daily.", (ME, "takes", "20 mg of sertraline daily", "current")),
    ],
)
def test_more_plain_sentences_are_read(memory: Memory, text: str, claim: tuple[str, str, str, str]) -> None:
    result = tell(memory, text)
    assert (claims(memory, result), result.not_understood) == ([claim], ())


@pytest.mark.parametrize(
    "text",
    [
        "Chapter is 9.",
        "The total is 9.",
        "I started at Aston University.",
        "We moved our office from Paris to London.",
        "We moved the meeting from Monday to Friday.",
    ],
)
def test_sentences_of_a_like_form_are_not_misread(memory: Memory, text: str) -> None:
    assert claims(memory, tell(memory, text)) == []


def test_a_part_that_changes_its_tool_ends_the_former_one(memory: Memory) -> None:
    result = tell(memory, "We switched CI from Jenkins to GitHub Actions")
    assert claims(memory, result) == [(ME, "uses", "Jenkins", "ended"), (ME, "uses", "GitHub Actions", "current")]


@pytest.mark.parametrize(
    ("text", "read", "unread"),
    [
        ("I moved to Porto and started at Feedzai.", [("lives_in", "Porto"), ("works_at", "Feedzai")], ()),
        ("I moved to Ghent and bought a house.", [("lives_in", "Ghent")], ("bought a house.",)),
        (
            "I live in Kyoto and my sister lives in Osaka.",
            [("lives_in", "Kyoto"), ("sister_lives_in", "Osaka")],
            (),
        ),
        ("I live in Kyoto and my sister skates in Osaka.", [("lives_in", "Kyoto")], ("my sister skates in Osaka.",)),
        ("I collect stamps and I live in Kyoto.", [("lives_in", "Kyoto")], ("I collect stamps",)),
        ("I use vim and hate emacs.", [("uses", "vim"), ("dislikes", "emacs")], ()),
        ("Bob's email is bob@x.example and his car is red.", [("email", "bob@x.example"), ("car", "red")], ()),
        ("I speak Dutch and Polish.", [("speaks", "Dutch"), ("speaks", "Polish")], ()),
        ("Carla and I got married.", [("spouse_of", "Carla")], ()),
    ],
)
def test_each_half_of_a_sentence_is_read_or_listed(
    memory: Memory, text: str, read: list[tuple[str, str]], unread: tuple[str, ...]
) -> None:
    result = tell(memory, text)
    assert [claim[1:3] for claim in claims(memory, result)] == read
    assert result.not_understood == unread
