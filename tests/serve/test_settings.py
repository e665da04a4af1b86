"""Where a setting comes from, and which place wins."""

from pathlib import Path

import pytest

from recollect.settings import BadSetting, Settings, read_settings


def test_the_environment_wins_over_the_workspace_and_that_over_the_file() -> None:
    key = "cognitive_graph.mark_errors"
    file = Settings(file={key: "file"})
    workspace = file.for_workspace({key: "workspace"})
    both = Settings({"RECOLLECT_COGNITIVE_GRAPH_MARK_ERRORS": "environment"}, workspace.workspace, file.file)
    assert [each.text(key) for each in (file, workspace, both)] == ["file", "workspace", "environment"]


def test_sections_of_the_file_become_dotted_keys(tmp_path: Path) -> None:
    (tmp_path / "recollect.toml").write_text('db = "x.db"\n[embedding]\nurl = "http://e"\n[serve]\nport = 9\n')
    settings = read_settings({}, tmp_path)
    assert (settings.database, settings.text("embedding.url"), settings.integer("serve.port", 1)) == (
        "x.db",
        "http://e",
        9,
    )


def test_keys_inside_a_section_may_be_dotted_and_tables_stay_tables(tmp_path: Path) -> None:
    (tmp_path / "recollect.toml").write_text("[carabase]\ncompaction.max_tokens = 400\n[a.b]\nc = 1\n")
    settings = read_settings({}, tmp_path)
    assert settings.integer("carabase.compaction.max_tokens", 1) == 400
    assert (settings.table("carabase.compaction"), settings.table("a.b")) == ({"max_tokens": 400}, {"c": 1})


def test_without_any_setting_there_are_defaults(tmp_path: Path) -> None:
    settings = read_settings({}, tmp_path)
    assert (settings.workspace_name, settings.surface, settings.now) == ("default", "recollect", None)
    assert settings.database.endswith("memory.db")


def test_another_file_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text('workspace = "aster"')
    assert read_settings({"RECOLLECT_CONFIG": str(tmp_path / "other.toml")}).workspace_name == "aster"


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "recollect.toml").write_text("db = ")
    with pytest.raises(BadSetting, match=r"recollect\.toml"):
        read_settings({}, tmp_path)


@pytest.mark.parametrize(("word", "meaning"), [("1", True), ("TRUE", True), ("off", False), ("", False)])
def test_a_flag_takes_the_usual_words(word: str, meaning: bool) -> None:
    assert Settings({"RECOLLECT_A_B": word}).flag("a.b", not meaning) is meaning


def test_values_of_the_wrong_kind_are_refused_by_key() -> None:
    settings = Settings({"RECOLLECT_A_B": "maybe"})
    for read in (settings.flag, settings.table, lambda key: settings.integer(key, 1)):
        with pytest.raises(BadSetting, match=r"a\.b"):
            read("a.b")


def test_a_nested_setting_is_json_in_the_environment() -> None:
    settings = Settings({"RECOLLECT_A_B": '{"c": {"d": 1}}'})
    assert settings.table("a.b") == {"c": {"d": 1}}
    assert settings.table("a.other") == {}
