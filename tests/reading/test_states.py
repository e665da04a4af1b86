"""The states that a clause asserts: of whom, what, and within which bounds; and the sentences that assert none."""

from datetime import date

import pytest

from recollect.reading import dated_patterns, state_patterns, state_reader
from recollect.reading.context import Context, Person
from recollect.reading.phrases import words_of
from recollect.reading.reader import read_block
from recollect.reading.state import State

MONDAY = date(2026, 11, 16)

STATED: dict[str, tuple[str, ...]] = {
    # Settings of a household or team, which name no owner
    "The wifi password is otter-lamp-42": ("the wifi password: otter-lamp-42",),
    "the database is Postgres 17": ("the database: Postgres 17",),
    "The grant deadline is 12 December 2026": ("the grant deadline: 12 December 2026",),
    "The deadline for the grant is 12 December 2026": ("the grant deadline: 12 December 2026",),
    "The greenhouse thermostat is set to 18 degrees": ("the greenhouse thermostat: 18 degrees",),
    "Invoices go to billing@kite.example": ("the invoices: billing@kite.example",),
    "bin collection is on Tuesdays": ("the bin collection: Tuesdays",),
    "Our standup is at 9:15 on weekdays": ("we standup: 9:15 on weekdays",),
    "The car's plate is B-KL 2207": ("the car plate: B-KL 2207",),
    "My sister's phone is 0471 22 33 44": ("I sister phone: 0471 22 33 44",),
    "Our supplier for flour is Mulino Rossi": ("we flour supplier: Mulino Rossi",),
    # Tools
    "We track bugs in Linear": ("we uses: Linear",),
    "we deploy with Ansible": ("we uses: Ansible",),
    "We're on Jira now": ("we uses: Jira",),
    "Our team uses Miro": ("we uses: Miro",),
    "acme-web runs Django": ("acme-web uses: Django",),
    "Bram runs the pottery studio": ("Bram runs: pottery studio",),
    "Grafana runs on port 3000": ("Grafana port: 3000",),
    # People
    "I was born on 3 May 1988": ("I birthday: 3 May 1988",),
    "Ines was born in Porto": ("Ines born_in: Porto",),
    "Carla and I got married in 2015": ("I spouse_of: Carla since 2015",),
    "Dad has diabetes": ("Dad condition: diabetes",),
    "Tilda owes me 40 euros": ("Tilda owes: 40 euros to me",),
    "You can reach Odile at odile@example.com": ("Odile email: odile@example.com",),
    "The projector belongs to Anneke": ("Anneke owns: projector",),
    "Hugo is a nurse at St. Anne's": ("Hugo occupation: nurse", "Hugo works_at: St. Anne's"),
    "My rent went up from 900 to 960 in October": ("I rent: 960 since 2026-10",),
    "My knee surgery is scheduled for 14 January 2027": ("I knee surgery: 14 January 2027",),
    "I am away from 30 November to 4 December": ("I status: away since 2026-11-30 until 2026-12-04",),
    # Names that look like plurals, names behind an article, languages that no list has
    "Jonas moved to Hamburg in May 2022": ("Jonas lives_in: Hamburg since 2022-05",),
    "Nils lived in Kiel between 2010 and 2014": ("Nils lives_in: Kiel since 2010 until 2014",),
    "Dana works at the Natural History Museum": ("Dana works_at: Natural History Museum",),
    "Tom lives in the Netherlands": ("Tom lives_in: Netherlands",),
    "Karl speaks Klingon": ("Karl speaks: Klingon",),
    "Sofia just moved to Lisbon": ("Sofia lives_in: Lisbon",),
    # What is liked or owned may take more words
    "Karl likes hiking in the Alps": ("Karl likes: hiking in the Alps",),
    "Karl prefers to work in the mornings": ("Karl prefers: to work in the mornings",),
    "I like oat milk in my coffee": ("I likes: oat milk in my coffee",),
    "Bo owns a sailing boat": ("Bo owns: sailing boat",),
    "Bo owns a house in Brittany": ("Bo owns: house in Brittany",),
    # Both ends of a range, as finely as they were written
    "Karl worked at Bosch from 2025-01-01 to 2025-06-30": ("Karl works_at: Bosch since 2025-01-01 until 2025-06-30",),
    "Karl worked at Bosch from 2019 to March 2021": ("Karl works_at: Bosch since 2019 until 2021-03",),
    "Karl worked at Bosch from January 2020 to December 2022": ("Karl works_at: Bosch since 2020-01 until 2022-12",),
    "Karl worked at Bosch 1999–2004": ("Karl works_at: Bosch since 1999 until 2004",),
    # Pronouns, where one person only was named
    "Kim moved to Oslo. She works at Nokia": ("Kim lives_in: Oslo", "Kim works_at: Nokia"),
    "Kim moved to Oslo and she works at Nokia": ("Kim lives_in: Oslo", "Kim works_at: Nokia"),
    "Kim is a teacher. Her phone is 0471 22 33 44": ("Kim occupation: teacher", "Kim phone: 0471 22 33 44"),
    "My sister Ana lives in Oslo. She speaks Danish": ("Ana lives_in: Oslo", "Ana speaks: Danish"),
    "Ravi Menon lives in Pune, and his phone is 0471 22": ("Ravi Menon lives_in: Pune", "Ravi Menon phone: 0471 22"),
    "I had lunch with Sven. He works at Ericsson": ("Sven works_at: Ericsson",),
    # What is said in passing, and what is right instead
    "Maria, my boss, is on leave until June 3": ("Maria status: on leave until 2027-06-03", "I boss: Maria"),
    "Helga, a violinist by trade, lives in Ghent": ("Helga lives_in: Ghent", "Helga occupation: violinist"),
    "Our landlord, Mr. Petrov, lives in Graz": ("Mr. Petrov lives_in: Graz", "we landlord: Mr. Petrov"),
    "Per, who lives in Umeå, likes skiing": ("Per likes: skiing", "Per lives_in: Umeå"),
    "Vera doesn't live in Graz but in Linz": ("Vera lives_in: Linz",),
    "We don't use npm but pnpm": ("we uses: pnpm",),
    "My rent was 800 until 2024 and is 950 now": ("I rent: 800 until 2024", "I rent: 950"),
    "Emma's birthday is 29 February, she was born in 2000": ("Emma birthday: 29 February", "Emma birth year: 2000"),
    # What one has, where one works without a name, whom one left for whom, what is over
    "Helga has the spare keys": ("Helga has: the spare keys",),
    "Helga no longer has the car": ("Helga has: the car",),
    "Helga has the car until Friday": ("Helga has: the car until 2026-11-20",),
    "My brother Olaf works for the city council": ("Olaf works_at: the city council",),
    "I was working at Ikea until May": ("I works_at: Ikea until 2026-05",),
    "Nina left Acme in March and joined Globex in April": (
        "Nina works_at: Acme since 2026-03",
        "Nina works_at: Globex since 2026-04",
    ),
    "We don't use Jenkins anymore, everything is on Woodpecker since May": ("we uses: Jenkins",),
    "Sofia is no longer vegetarian": ("Sofia diet: vegetarian",),
    "Ana is no longer my boss": ("I boss: Ana",),
    "The rent went up to 980": ("the rent: 980",),
    "My car is a 2014 Skoda Octavia": ("I car: 2014 Skoda Octavia",),
    "I'm on leave today": ("I status: on leave since 2026-11-16 until 2026-11-16",),
    "Maria is away on Friday": ("Maria status: away since 2026-11-20 until 2026-11-20",),
    "Lena works at Nordwind since 2024": ("Lena works_at: Nordwind since 2024",),
}
SILENT = (
    "The weather is nice", "The password is wrong", "The wifi is down", "The database is corrupted",
    "The API version is deprecated", "The gate code is in the drawer", "The wifi password was otter-41",
    "Is the wifi password otter-42?", "The wifi password is probably otter-42", "Pretend the gate code is 1234",
    "If the gate code is 1234, tell me", "My boss thinks the database is Oracle", "The future belongs to AI",
    "We track deer in Norway", "We store wine in Porto", "We deploy on Fridays", "We host Anna on Monday",
    "We're on Zoom now", "We're on Mallorca", "My family uses Signal", "Tom runs late", "Lena runs a marathon",
    "Bram runs out of time", "Dad has a point", "Dad may have diabetes", "Tilda owes me a favour",
    "You can reach Odile at work", "You can call Bob at noon", "My rent might go up to 960", "My rent went up",
    "I was born in a barn", "I was born yesterday", "Anna and I almost got married in 2015", "Anna married young",
    "Invoices go to Bob", "Our standup is at the office", "Lunch is on Friday", "Our office is on fire",
    "Kim met Lena in Oslo. She works at Nokia", "Kim's sister phoned. She works at Nokia", "She works at Nokia",
    "Kim called. She might work at Nokia", "Karl speaks Friday at PyCon", "Germans lived in Togo until 1914",
    "Maria, my boss, might move to Oslo", "Is Maria, my boss, on leave?", "Helga has the flu",
    "Helga has the right idea", "Helga has the day off", "Helga doesn't have the keys", "Do you have the keys?",
    "Ida works at the kitchen table", "Ida is working at the school today", "Karl is no longer sure",
    "Jonas left the party and joined us",
    "The party at the office is cancelled", "The temperature went up to 30", "Ida was working at Nokia when we met",
    "I like to think it works", "Karl likes it in Oslo",
    "The deadline for the grant is soon", "I'd rather die than use Slack", "Zoe said she prefers mornings",
)  # fmt: skip


def stated(text: str, kind: str = "note") -> tuple[str, ...]:
    """The states of a text, each as `subject predicate: target` with its bounds."""
    context = Context("note" if kind == "note" else "mail", MONDAY, speaker=Person("Ada"))
    found = []
    for state in (each for reading in read_block(text, context) for each in reading.states):
        since = f" since {state.bounds.valid_from}" if state.bounds.valid_from else ""
        until = f" until {state.bounds.valid_until}" if state.bounds.valid_until else ""
        found.append(f"{state.subject} {state.predicate}: {state.target}{since}{until}")
    return tuple(found)


@pytest.mark.parametrize("text", STATED)
def test_a_clause_asserts_its_states(text: str) -> None:
    assert stated(text) == STATED[text]


@pytest.mark.parametrize("text", [each for each in STATED if each.startswith(("I ", "Lena", "We", "Our s", "My r"))])
def test_a_mail_is_read_as_a_note_is(text: str) -> None:
    assert stated(text, "mail") == STATED[text]


@pytest.mark.parametrize("text", SILENT)
def test_what_is_judged_doubted_supposed_or_passing_is_no_state(text: str) -> None:
    assert stated(text) == ()


def test_each_clause_has_the_states_that_stand_in_it() -> None:
    context = Context("mail", MONDAY, speaker=Person("Ada"))
    readings = read_block("I live in Leeds, but Lena works at Nordwind. I'll call her tomorrow.", context)
    found = [(each.text, each.act, [state.target for state in each.states]) for each in readings]
    assert [(text, targets) for text, _, targets in found if targets] == [
        ("I live in Leeds", ["Leeds"]),
        ("Lena works at Nordwind.", ["Nordwind"]),
    ]
    assert found[-1][1] == "commitment"


def test_a_text_without_a_day_gives_no_relative_bounds() -> None:
    undated = Context("note", None, speaker=Person("Ada"))
    assert [each.states for each in read_block("Lena works at Nordwind since March.", undated)] == [()]
    [reading] = read_block("Lena works at Nordwind since 2024.", undated)
    assert str(reading.states[0].bounds.valid_from) == "2024"


@pytest.mark.parametrize(
    "unit", ["is ", "my rent ", "Ana's ", "I moved to Porto and ", "a, ", "Kim works at Acme for "]
)
def test_forms_are_tried_on_short_clauses_only(monkeypatch: pytest.MonkeyPatch, unit: str) -> None:
    """Some forms take the square of the length of a clause; the tool that looks for slow ones trusts this bound."""
    lengths: list[int] = []

    def noted(clause: str, *_: object, **__: object) -> list[State]:
        lengths.append(len(clause))
        return []

    for module, names in (
        (state_reader, ("match_endings", "match_forms")),
        (dated_patterns, ("match_forms", "match_attributes")),
    ):
        for name in names:
            monkeypatch.setattr(module, name, noted)
    for text in (unit * (1_400 // len(unit)), unit * 40, "I like it. " + unit * 8, "I " + unit * 5 + ", " + unit * 60):
        state_reader.read_states(text, Context("note", MONDAY, has_topic=True))
    assert 0 < max(lengths) <= 400


@pytest.mark.parametrize("text", [*STATED, "3 years  old", "re-used", "He's Bo", "the\tdog is", "OWES", "the house"])
def test_a_word_alone_is_a_cue_only_where_the_whole_pattern_finds_one(text: str) -> None:
    assert state_patterns.may_match(text) == (state_patterns._CUE.search(text) is not None)


def test_nouns_of_people_are_looked_for_once_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def noted(text: str) -> list[str]:
        asked.append(text)
        return words_of(text)

    monkeypatch.setattr(state_reader, "words_of", noted)
    list(state_reader._with_names(["Ines lives in Porto", "her phone is 22"]))
    assert asked == ["Ines lives in Porto"]


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("Runa joined Halden Bank in 2014 and left Halden Bank in 2018.", "2018"),
        ("Runa joined Halden Bank in 2014 but was dismissed in 2018.", "2018"),
        ("Runa joined Halden Bank in 2014 and left it in 2018.", "2018"),
        ("Runa joined Halden Bank in 2014 and left Kolb Mills in 2018.", None),
    ],
)
def test_a_second_clause_ends_a_job_that_the_first_tells(text: str, until: str | None) -> None:
    context = Context("note", MONDAY, speaker=Person("Ada Holm"))
    states = [state for clause in read_block(text, context) for state in clause.states if state.target == "Halden Bank"]
    assert [state.bounds.valid_until and state.bounds.valid_until.text for state in states] == [until]
