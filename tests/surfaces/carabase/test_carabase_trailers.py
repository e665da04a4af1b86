"""Trailers are one line each, short, and cannot be closed from inside."""

from recollect.surfaces.carabase.hints import Hint, format_options, hinted_answer, quote, suggest_call


def test_trailers_are_the_last_lines_in_their_order() -> None:
    hint = Hint("generic", "Try\nthis [now].", (suggest_call("commit_to_folio", folioName="x", content=None),))
    made = hinted_answer({"count": 0}, ["Nothing."], hint=hint, trace=["look a → b", "look c → [d]"], mesh_tier="gone")
    assert made.text == "Nothing.\n[mesh-tier: gone]\n[hint: Try this [now).]\n[trace: look a → b; look c → [d)]"
    assert made.value == {
        "count": 0,
        "_hint": {
            "shape": "generic",
            "text": "Try this [now).",
            "next": [{"tool": "commit_to_folio", "args": {"folioName": "x"}}],
        },
        "_trace": ["look a → b", "look c → [d)"],
    }


def test_long_trailers_are_clipped_in_text_and_fields_alike() -> None:
    made = hinted_answer({}, [""], hint=Hint("generic", "x" * 900), trace=["y" * 250, "z" * 250, "never"])
    assert len(made.value["_hint"]["text"]) == 400
    assert len("; ".join(made.value["_trace"])) == 300
    assert made.value["_trace"][1].endswith("…")
    assert len(made.value["_trace"]) == 2


def test_who_asked_about_a_moment_is_led_on_to_what_was_known_then() -> None:
    hint = Hint("generic", "Look.", (suggest_call("carabase_search_semantic", query="plums"),))
    assert hinted_answer({}, [], hint=hint, as_of=7).value["_hint"]["next"] == [
        {"tool": "carabase_search_semantic", "args": {"query": "plums", "as_of": 7}}
    ]


def test_what_a_caller_wrote_is_quoted_and_clipped() -> None:
    assert quote("a\n b") == '"a b"'
    assert len(quote("x" * 500)) == 82


def test_several_choices_are_numbered() -> None:
    assert (format_options(["a"]), format_options(["a", "b"])) == ("a", "(1) a (2) b")
