"""What a vault of notes gives: sections, tasks, pages about one person, minutes, and times that wait."""

from pathlib import Path

import pytest
from tests.ingest.records import everything

from recollect.importers.import_run import ImportResult
from recollect.importers.notes import import_notes
from recollect.memory import Memory
from recollect.model.fact import TIME_TEXT
from recollect.reason.unread import find_unread, scan_passages
from recollect.store.fact_rows import FactRow
from recollect.store.ingest_queries import records_below


class Vault:
    """A vault that is taken in whole."""

    def __init__(self, memory: Memory, path: Path) -> None:
        self.memory, self.path = memory, path
        (path / ".obsidian").mkdir(parents=True)
        with memory.write() as change:
            change.put_setting("me.name", "Ines Dahl")

    def __call__(self, **notes: str) -> ImportResult:
        return self.take({f"{name}.md": text for name, text in notes.items()})

    def take(self, notes: dict[str, str]) -> ImportResult:
        for name, text in notes.items():
            file = self.path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        return import_notes(self.memory, self.path)

    def facts(self, *types: str) -> list[FactRow]:
        return [each for each in everything(self.memory) if not types or each.fact.fact_type in types]

    def said(self, *types: str) -> list[tuple[str, str, str]]:
        return [(each.fact.fact_type, each.subject_name, each.text) for each in self.facts(*types)]


@pytest.fixture
def vault(memory: Memory, tmp_path: Path) -> Vault:
    return Vault(memory, tmp_path / "vault")


def test_tasks_without_an_owner_are_the_owners(vault: Vault) -> None:
    vault.take({"2026-05-08.md": "- [ ] order the cake 📅 2026-05-25\n- [x] move the fridge ✅ 2026-05-07\n"})
    [open_], [done] = vault.facts("commitment"), vault.facts("completion")
    assert (open_.subject_name, str(open_.fact.valid_until)) == ("Ines Dahl", "2026-05-25")
    assert (done.subject_name, str(done.fact.valid_from)) == ("Ines Dahl", "2026-05-07")


@pytest.mark.parametrize(
    "task", ["(B) 2025-04-02 hire the two tents due:2025-05-08", "- [ ] hire the two tents ➕ 2025-04-02 📅 2025-05-08"]
)
def test_a_task_counts_from_the_day_on_which_it_was_made(vault: Vault, task: str) -> None:
    vault.take({"lists.md": f"{task}\n", "2025-04-11.md": "- [x] two tents hired\n"})
    [tents] = vault.facts("commitment")
    assert (tents.text, tents.fact.stale) == ("Ines Dahl: hire the two tents", True)


def test_what_lasts_until_a_day_ends_with_it_and_does_not_begin(vault: Vault) -> None:
    vault.take(
        {"2026-05-08.md": "Licence renewed thru 2027.\n\nThe crate stays under the bench til the end of the month.\n"}
    )
    ends = {(str(each.fact.valid_from), str(each.fact.valid_until)) for each in vault.facts()}
    assert ends == {("None", "2027"), ("None", "2026-05-31")}


def test_until_a_name_is_set_a_note_belongs_to_me(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "2026-05-08.md"
    file.write_text("- [ ] order the cake\n", "utf-8")
    import_notes(memory, file)
    assert [each.subject_name for each in everything(memory)] == ["Me"]


def test_headings_say_what_their_items_are(vault: Vault) -> None:
    ideas = "## Ideas\n- an island\n"
    text = f"## Decisions\n- white paint, not sage\n## Risks\n- forks late\n{ideas}## Todo\n- choose handles\n"
    vault(kitchen=text)
    assert vault.said() == [
        ("commitment", "Ines Dahl", "Ines Dahl: choose handles"),
        ("risk", "Ines Dahl", "Ines Dahl: forks late"),
        ("decision", "Ines Dahl", "Ines Dahl: white paint, not sage"),
    ]


def test_nothing_in_a_note_of_ideas_is_asserted(vault: Vault) -> None:
    vault(ideas="- we will rent tandems\n- [ ] ask Bashir for adverts\n")
    assert vault.said() == []


def test_templates_and_recipes_assert_nothing(vault: Vault) -> None:
    steps = "1. Add the stock and let it simmer until soft\n"
    vault.take({"template.md": "- [ ] {{task}} by {{date}}\n- Decision: <fill in>\n", "recipes/stew.md": steps})
    assert vault.said("commitment", "decision") == []


def test_a_mention_in_the_column_of_owners_is_an_owner(vault: Vault) -> None:
    vault.take({"board 2026-03-02.md": "| task | owner |\n| --- | --- |\n| order grease | @pavel |\n"})
    assert [row[1] for row in vault.said("commitment")] == ["Pavel"]


def test_a_page_about_a_person_is_that_person(vault: Vault) -> None:
    front = "---\ntags: [person]\naliases: [Sunkan]\nphone: 070-555\n---\n"
    vault.take({"people/Olle Sundqvist.md": f"{front}- drives the van\n- boss = Gunnar Frisk\n"})
    assert sorted(vault.said()) == [
        ("attribute", "Olle Sundqvist", "Olle Sundqvist: drives the van"),
        ("boss", "Olle Sundqvist", "Olle Sundqvist's boss is Gunnar Frisk"),
        ("phone", "Olle Sundqvist", "Olle Sundqvist's phone is 070-555"),
    ]
    with vault.memory.read() as view:
        [name] = view.names_matching("sunkan")
        [page] = view.names_matching("olle sundqvist")
    assert name.entity == page.entity


def test_front_matter_of_a_project_gives_relations_to_linked_names(vault: Vault) -> None:
    vault.take({"projects/Winter.md": '---\nstatus: active\ncontact: "[[Bashir Noori]]"\n---\n'})
    found = {(each.fact.fact_type, each.object_name or each.fact.literal) for each in vault.facts()}
    assert found == {("status", "active"), ("contact", "Bashir Noori")}


def test_a_first_name_and_initials_mean_the_person_of_that_name(vault: Vault) -> None:
    vault.take(
        {
            "people/Jonah Whitlock.md": "---\ntype: person\n---\n",
            "2026-05-12 weekly.md": "- [ ] JW: rollback plan\n- [ ] send the list @Jonah\n- ACTION JW: call the firm\n",
        }
    )
    assert {who for _, who, _ in vault.said("commitment")} == {"Jonah Whitlock"}
    assert len(vault.said("commitment")) == 3


def test_a_dash_behind_initials_in_minutes_tells_whose_item_it_is(vault: Vault) -> None:
    vault.take(
        {
            "people/Jonah Whitlock.md": "---\ntype: person\n---\n",
            "2026-05-12 weekly.md": "## Actions\n- JW – rollback plan, 20 May\n- **Jonah** - call the firm\n",
        }
    )
    assert {who for _, who, _ in vault.said("commitment")} == {"Jonah Whitlock"}
    assert len(vault.said("commitment")) == 2


def test_two_people_of_one_first_name_leave_it_as_words(vault: Vault) -> None:
    page = "---\ntype: person\n---\n"
    vault.take({"people/Ada Berg.md": page, "people/Ada Holm.md": page, "2026-05-12.md": "- [ ] send the list @Ada\n"})
    assert vault.said("commitment") == []


def test_a_relative_time_in_a_note_without_a_date_waits(vault: Vault) -> None:
    taken = vault(plan="- [ ] call the bank tomorrow\n")
    [waiting] = vault.facts("commitment")
    assert waiting.fact.stale
    assert (waiting.fact.valid_until, waiting.fact.attributes[TIME_TEXT]) == (None, "tomorrow")
    assert [(each.path, each.facts, each.pending) for each in taken.files] == [("plan.md", 1, 1)]


def test_a_fact_whose_time_waits_stays_in_the_list_of_the_unread(vault: Vault) -> None:
    vault(plan="- [ ] call the bank tomorrow\n")
    scan_passages(vault.memory)
    with vault.memory.read() as view:
        assert len(find_unread(view, None, 5).passages) == 1


def test_a_day_without_a_year_takes_the_year_of_the_dates_in_the_note(vault: Vault) -> None:
    vault.take({"plan.md": "---\nstart: 2026-11-01\n---\n- [ ] price list by 20 oct\n"})
    [due] = vault.facts("commitment")
    assert str(due.fact.valid_until) == "2026-10-20"


def test_the_report_names_each_file_and_why_it_gave_nothing(vault: Vault) -> None:
    taken = vault.take({"2026-05-08.md": "- [ ] order the cake\n", "song.md": "la la la\n"})
    assert [(each.path, each.records, each.facts, each.is_text_only, each.reason) for each in taken.files] == [
        ("2026-05-08.md", 1, 1, False, None),
        ("song.md", 1, 0, True, "no fact"),
    ]


def test_a_page_with_a_name_as_title_is_not_about_its_writer(vault: Vault) -> None:
    vault.take({"Tomasz Zieliński.md": "# Tomasz Zieliński\n\nAllergic to nuts.\n- [ ] call him about the script\n"})
    said = {(who, text) for _, who, text in vault.said()}
    assert ("Tomasz Zieliński", "Tomasz Zieliński: Allergic to nuts.") in said
    assert [text for who, text in said if who == "Ines Dahl"] == ["Ines Dahl: call him about the script"]


def test_what_somebody_dislikes_stands_on_their_own_page(vault: Vault) -> None:
    page = "---\ntype: person\n---\n# Helen Achter\nDoesn't like surprises in meetings.\nBirthday: 4 February\n"
    vault.take({"Helen Achter.md": page})
    assert {who for _, who, _ in vault.said()} == {"Helen Achter"}
    [birthday] = [each for each in vault.facts() if each.fact.predicate == "birthday"]
    assert (birthday.fact.literal, birthday.fact.stale) == ("4 February", False)


@pytest.mark.parametrize("line", ["bought winter tyres, 480 €", "- [ ] Order summer tyres", "Spring cleaning done"])
def test_a_season_in_the_name_of_a_thing_is_no_time(vault: Vault, line: str) -> None:
    vault.take({"2026-11-10.md": f"{line}\n"})
    assert [each.fact.valid_until for each in vault.facts()] == [None]


def _body(vault: Vault, note: str) -> str | None:
    with vault.memory.read() as view:
        document = view.document_named("record", f"note:vault/{note}")
        return view.text_of(document) if document is not None else None


def test_the_text_of_a_note_is_stored_as_it_was_written(vault: Vault) -> None:
    code = "```bash\nif [[ -f /etc/passwd ]]; then echo; fi\n```\n\n    x = a[[0]]\n"
    text = f"See ![[frost.png]], ![[Barn#Plan]] and [[Barn|it]], `[[ -z $x ]]`.\n\n{code}"
    vault.take({"shell.md": text, "plain.txt": text})
    assert _body(vault, "shell.md") == _body(vault, "plain.txt") == text


def test_a_fact_from_a_sentence_with_a_link_has_plain_words_and_quotes_what_was_written(vault: Vault) -> None:
    vault.take({"2026-05-08.md": "I will call [[Omar Haddad|Omar]] about the roof.\n"})
    [promise] = vault.facts("commitment")
    assert promise.text == "Ines Dahl: I will call Omar about the roof."
    with vault.memory.read() as view:
        [said] = view.assertions(promise.fact.id)
    assert said.quote == "I will call [[Omar Haddad|Omar]] about the roof."


@pytest.mark.parametrize("folder", ["A", "Z"])
@pytest.mark.parametrize(
    "text",
    [
        "Work with [[Kit Moss|K]].",
        "See ![[Kit Moss]].",
        "[the man](../P/Kit%20Moss.md)",
        "---\nsee: '[[Kit Moss]]'\n---\n",
    ],
)
def test_a_note_mentions_whom_it_links_to_whatever_the_order_of_files(vault: Vault, folder: str, text: str) -> None:
    vault.take({f"{folder}/v7.md": text, "P/Kit Moss.md": "# Kit Moss\n\nTall.\n"})
    with vault.memory.read() as view:
        note = view.document_named("record", f"note:vault/{folder}/v7.md")
        assert note is not None
        mentioned = view.entities(view.mentioned(note.id)).values()
    assert [each.name for each in mentioned if each.name == "Kit Moss"] == ["Kit Moss"]


def test_the_id_of_a_block_is_no_part_of_what_it_says(vault: Vault) -> None:
    page = "---\ntype: person\n---\n# Lena Brandt\n\nWorks on the leaf. ^intro\n\n- likes tea ^tea-1\n"
    vault.take({"Lena Brandt.md": page})
    assert not [text for _, _, text in vault.said() if "^" in text]
    assert len(vault.facts()) == 2


def test_a_comment_in_code_is_no_title(vault: Vault) -> None:
    vault.take({"Fence.md": "Intro.\n\n```python\n# not the title\n```\n"})
    with vault.memory.read() as view:
        document = view.document_named("record", "note:vault/Fence.md")
    assert document is not None
    assert document.title == "Fence"


@pytest.mark.every_case
def test_a_note_that_moved_is_one_note_and_a_deleted_one_is_named(vault: Vault) -> None:
    vault.take({"A/old.md": "# Plan\n\nWe meet at nine.\n", "gone.md": "Buy tea.\n", "stays.md": "Hello.\n"})
    (vault.path / "B").mkdir()
    (vault.path / "A/old.md").rename(vault.path / "B/new.md")
    (vault.path / "gone.md").unlink()
    taken = vault.take({})
    with vault.memory.read() as view:
        keys = [each.key for each in records_below(view, "note:vault/")]
    assert keys == ["note:vault/B/new.md", "note:vault/gone.md", "note:vault/stays.md"]
    [warning] = [each for each in taken.warnings if "no longer there" in each]
    assert "1 stored note is" in warning
    assert "gone.md (" in warning
    assert vault.take({}).tally.changed == 0


def test_two_vaults_of_one_name_are_two_and_one_that_moved_is_one(memory: Memory, tmp_path: Path) -> None:
    for place in ("work", "home"):
        Vault(memory, tmp_path / place / "notes").take({"todo.md": f"Call the {place} office.\n"})
    with memory.read() as view:
        keys = [each.key for each in records_below(view, "note:notes")]
    assert len(keys) == 2
    assert "note:notes/todo.md" in keys
    (tmp_path / "work").rename(tmp_path / "elsewhere")
    assert import_notes(memory, tmp_path / "elsewhere" / "notes").tally.changed == 0
    assert import_notes(memory, tmp_path / "home" / "notes").tally.changed == 0
    assert import_notes(memory, tmp_path / "home" / "notes" / "todo.md").tally.changed == 0


def test_the_note_of_a_day_is_about_nobody(vault: Vault) -> None:
    vault.take(
        {
            "2026-11-10.md": "---\nmood: tired\ntags: [family]\n---\n# Tuesday\n\n- paid the Kita invoice\n",
            "2026-11-11.md": "# Wednesday\n\nSwim club moved. #person\n",
        }
    )
    assert {row.subject_name for row in vault.facts()} == {"Ines Dahl"}


def test_a_tag_for_a_group_makes_no_page_about_a_person(vault: Vault) -> None:
    vault.take({"Budget.md": "---\ntags: [family]\n---\n- rent 900 a month\n", "family/Trip.md": "- ferry at nine\n"})
    assert {row.subject_name for row in vault.facts()} <= {"Ines Dahl"}


NOVEL = "---\nauthor: George Eliot\nrating: 4\n---\nDorothea promises to sort the papers. Fred owes Caleb 160 pounds.\n"


def test_what_happens_in_a_book_is_nobodys_act(vault: Vault) -> None:
    told = "We decided to sell the house. I'll never forgive him.\n\n- [ ] return it to the library 📅 2026-11-30\n"
    vault.take({"Middlemarch.md": NOVEL, "Films/Ran.md": told, "Notes/Essay.md": f"---\ntype: article\n---\n{told}"})
    assert {(row[1], row[2]) for row in vault.said()} == {("Ines Dahl", "Ines Dahl: return it to the library")}


def test_a_note_of_a_colleague_with_a_project_is_about_no_work(vault: Vault) -> None:
    front = "---\nauthor: Ada Holm\ntype: project\nstarted: 2026-01-05\n---\n"
    vault.take({"Kite.md": f"{front}I'll send the plan by 2026-12-01.\n"})
    assert [row[1] for row in vault.said("commitment")] == ["Ada Holm"]


def test_a_folder_outside_a_vault_says_what_its_notes_are(memory: Memory, tmp_path: Path) -> None:
    for name, text in (
        ("Recipes/Menemen.md", "1. Add the tomatoes\n2. Serve with bread by 10\n"),
        ("Ideas/later.md", "We will rent tandems.\n"),
        ("Books/Emma.md", "Emma decides to marry nobody.\n"),
        ("People/Bea Lind.md", "- works on Fridays\n"),
    ):
        file = tmp_path / "notes" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    import_notes(memory, tmp_path / "notes")
    assert {row.subject_name for row in everything(memory)} == {"Bea Lind"}
    again = import_notes(memory, tmp_path / "notes")
    alone = import_notes(memory, tmp_path / "notes" / "Recipes" / "Menemen.md")
    assert (again.tally.changed, alone.tally.changed) == (0, 0)


def test_front_matter_of_the_writer_is_not_taken_for_filing_metadata(vault: Vault) -> None:
    front = (
        "---\ntype: client\ntier: gold\nconfidence: high\nsession: 5\nsource_trust: owner\nclassification: noise\n---\n"
    )
    taken = vault.take(
        {"clients/Halden AG.md": f"{front}- uses SAP\n", "two.md": "---\ntier: 2\nretention_days: 0\n---\nkeep this\n"}
    )
    assert taken.skipped == []
    assert ("tier", "Halden AG", "Halden AG's tier is gold") in vault.said()
    with vault.memory.read() as view:
        notes = {each.title: each for each in records_below(view, "note:")}
        assert notes["two"].content is not None
        assert set(notes["Halden AG"].properties) >= {"Tier", "Confidence", "Session", "Source_trust", "Classification"}


def test_a_template_is_nobodys_list(vault: Vault) -> None:
    task = "- [ ] water plants\n"
    vault.take({"Templates/daily.md": task, "evening.md": f"# {{{{date}}}}\n{task}"})
    assert vault.said() == []


def test_instructions_and_examples_ask_nobody(vault: Vault) -> None:
    steps = "How to reset the router:\n1. Hold the button\n2. Wait until the light blinks\n"
    vault(router=steps, italian="## Example sentences\n- Ho comprato una macchina.\n- I will call you tomorrow.\n")
    assert vault.said() == []


def test_a_card_in_the_column_of_what_is_done_is_done(vault: Vault) -> None:
    board = (
        "---\nkanban-plugin: board\n---\n## Doing\n- [ ] pack the kitchen @{2026-11-28}\n## Done\n- [ ] sell the bed\n"
    )
    vault(Move=board)
    [open_], [done] = vault.facts("commitment"), vault.facts("completion")
    assert (open_.text, str(open_.fact.valid_until)) == ("Ines Dahl: pack the kitchen", "2026-11-28")
    assert done.text == "Ines Dahl: sell the bed"


def test_who_is_present_may_stand_in_the_front_matter(vault: Vault) -> None:
    vault.take(
        {"2026-11-09 council.md": "---\nattendees: [Ines Dahl, Yuki Tanaka]\n---\n- Yuki: I'll bring the printer\n"}
    )
    assert [row[1] for row in vault.said("commitment")] == ["Yuki Tanaka"]


def test_a_callout_is_the_writer_s_own_unless_it_quotes(vault: Vault) -> None:
    todo = "> [!todo] Next\n> - [ ] order the cake\n\n> [!quote]\n> - [ ] conquer the world\n\n> - [ ] be quoted\n"
    vault(plan=todo)
    assert [row[2] for row in vault.said()] == ["Ines Dahl: order the cake"]


def test_a_field_with_two_colons_has_a_label(vault: Vault) -> None:
    vault.take({"2026-11-09.md": "Goal:: pass the exam by June 2027\n"})
    [goal] = vault.facts("goal")
    assert (goal.text, str(goal.fact.valid_until)) == ("Ines Dahl: pass the exam by June 2027", "2027-06")


def test_a_vote_is_told_with_the_motion_ahead_of_it(vault: Vault) -> None:
    vault.take({"2026-05-08 committee minutes.md": "Motion: buy a second tent (KL/JB). Carried.\n"})
    [(_, _, text)] = vault.said("decision")
    assert text.endswith("Motion: buy a second tent (KL/JB). Carried.")


@pytest.mark.parametrize(
    "text",
    [
        "**Niko:** I'll bring the ladder\n",
        "Sanja: I'll call the roofer\nNiko: I'll bring the ladder\n",
        "- Me: I'll pay\n- Niko: I'll bring the ladder\n",
    ],
)
def test_lines_behind_a_name_are_its_bearers(vault: Vault, text: str) -> None:
    vault.take({"2026-05-08.md": text})
    assert ("commitment", "Niko", "Niko: I'll bring the ladder") in vault.said("commitment")


def test_who_speaks_in_a_dialogue_also_asks_in_it(vault: Vault) -> None:
    vault.take({"2026-05-08.md": "Sanja: I'll call the roofer\nNiko: please order the paint by 12 May\n"})
    assert [who for _, who, _ in vault.said("request")] == ["Niko"]


def test_a_name_that_may_be_a_topic_speaks_for_nobody(vault: Vault) -> None:
    vault.take({"2026-05-08.md": "Kitchen: I'll paint it\n\nTilda: I'll bring the ladder\n"})
    assert vault.said("commitment") == [("commitment", "Ines Dahl", "Ines Dahl: Kitchen: I'll paint it")]


@pytest.mark.parametrize(
    "text",
    [
        "# #ops-room\n\nsaskia: i'll call the roofer\njonas: can you send the invoice?\n",
        "# #ops-room\n\n[10:30] saskia: i'll call the roofer\n[10:31] jonas: nice\n",
        "ines: who calls?\nsaskia: i'll call the roofer\nines: thanks\njonas: nice\n",
    ],
)
def test_lines_of_a_copied_chat_in_small_letters_are_their_speakers(vault: Vault, text: str) -> None:
    vault.take({"2026-05-08.md": text})
    assert [(who, said.removeprefix("Saskia: ")) for _, who, said in vault.said("commitment")] == [
        ("Saskia", "i'll call the roofer")
    ]


def test_keys_in_small_letters_are_no_speakers(vault: Vault) -> None:
    vault.take({"2026-05-08.md": "fix: i'll paint the wall\nfeat: new door\nfix: the lock\ndocs: none\n"})
    assert {who for _, who, _ in vault.said()} <= {"Ines Dahl"}


def test_what_is_put_in_place_of_what_was_said_is_stored_with_the_words_ahead(vault: Vault) -> None:
    vault.take({"2026-05-08.md": "Let's take the red tent. No wait, the blue one.\n"})
    assert vault.said() == [("decision", "Ines Dahl", "Ines Dahl: Let's take the blue one.")]


def test_a_dated_event_among_fragments_is_no_story(vault: Vault) -> None:
    vault.take({"2026-05-12.md": "Seminar moved to tue 19 at 4. Presenting 2 June with Yusuf, he does the slides.\n"})
    assert ("event", "Ines Dahl", "Ines Dahl: Seminar moved to tue 19 at 4.") in vault.said("event")


@pytest.mark.parametrize("task", ["Saskia's badge by Tuesday", "Saskia’s keys: copy them"])
def test_a_task_about_a_thing_of_somebody_is_the_owners(vault: Vault, task: str) -> None:
    vault.take({"2026-05-08.md": f"Saskia: I'll call the roofer\nInes: I'll paint\n\n# Todo\n\n- [ ] {task}\n"})
    assert [who for _, who, said in vault.said("commitment") if task in said] == ["Ines Dahl"]


def test_a_name_and_a_day_behind_a_thing_say_who_is_to_see_to_it(vault: Vault) -> None:
    note = """there: Ines Dahl, Tom Ruud (TR), Petra Wik

- gloves, second box: TR, by Tue 12 May
- shears to sharpen, Petra -> fri 15 may
- leaflet to the printer: TR by 14 May
"""
    vault.take({"huddle/2026-05-08.md": note})
    found = {(each.subject_name, str(each.fact.valid_until)) for each in vault.facts("commitment")}
    assert found == {("Tom Ruud", "2026-05-12"), ("Petra Wik", "2026-05-15"), ("Tom Ruud", "2026-05-14")}


def test_a_decision_may_begin_with_open_and_a_vote_needs_what_was_voted_on(vault: Vault) -> None:
    vault.take({"2026-05-08.md": "decided: open garden again in june\n\nbikes in the yard ok - decided, 4 to 1\n"})
    assert {text for _, _, text in vault.said("decision")} == {
        "Ines Dahl: open garden again in june",
        "Ines Dahl: bikes in the yard ok - decided, 4 to 1",
    }
