"""Values that JSON parsers give up on are refused by the tool, through every door."""

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner

from recollect.serve.cli.main import main
from recollect.serve.lenient_json import DEEPEST, is_readable, load_json, make_readable
from tests.serve.test_http_fast_path import result_of
from tests.support.processes import LONGEST_WAIT, environment, http, stdio

DEPTH = "should not be nested deeper than 100 levels"
VALUES = {
    "lists": ("[" * 5_000 + "]" * 5_000, DEPTH),
    "lists that only one parser takes": ("[" * 300 + "]" * 300, DEPTH),
    "objects": ('{"k":[1,' * 200 + "2" + ',"x"]}' * 200, DEPTH),
    "an integer": ("9" * 5_000, "should hold finite numbers only"),
}
SURROGATE = (r'"a\ud800b"', "should be valid Unicode text and should not contain NUL")
every_value = pytest.mark.parametrize(("value", "message"), list(VALUES.values()), ids=list(VALUES))
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


def call_of(value: str) -> str:
    """A call of a tool that may destroy, with its id behind everything else, where some clients put it."""
    params = f'{{"name":"delete_node","arguments":{{"id":{value},"reason":"x"}}}}'
    return f'{{"method":"tools/call","params":{params},"jsonrpc":"2.0","id":7}}'


def assert_refused(structured: dict[str, Any], message: str) -> None:
    assert (structured["error"], structured["field"]) == ("BAD_INPUT", "id")
    assert structured["message"] == f"id {message}"


def test_over_stdio(tmp_path: Path) -> None:
    with stdio(tmp_path, "--surface", "lore-engine") as spoken:
        spoken.greet()
        for value, message in VALUES.values():
            spoken.say(call_of(value))
            assert_refused(spoken.reply_to(7)["result"]["structuredContent"], message)


def test_over_http(tmp_path: Path) -> None:
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    hello = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO})
    with (
        http(tmp_path, "--surface", "lore-engine") as address,
        httpx2.Client(headers=headers, timeout=LONGEST_WAIT) as client,
    ):
        opened = client.post(f"{address}/mcp", content=hello)
        client.headers["Mcp-Session-Id"] = opened.headers["mcp-session-id"]
        for value, message in (*VALUES.values(), SURROGATE):
            reply = client.post(f"{address}/mcp", content=call_of(value))
            assert_refused(result_of(reply)["result"]["structuredContent"], message)
        assert client.post(f"{address}/mcp", content="[" * 5_000).json()["error"]["code"] == -32700


@every_value
def test_from_the_command_line(tmp_path: Path, value: str, message: str) -> None:
    words = ["call", "delete_node", "--surface", "lore-engine", "--json", "-"]
    done = CliRunner(env=environment(tmp_path)).invoke(main, words, input=f'{{"id":{value},"reason":"x"}}')
    assert done.exit_code == 1
    assert_refused(json.loads(done.stdout), message)


@every_value
def test_every_parser_takes_the_rewritten_text(value: str, message: str) -> None:
    del message
    assert not is_readable(value)
    assert is_readable(make_readable(value))
    json.loads(make_readable(value))


@pytest.mark.parametrize(
    "text",
    [
        r'{"a": "\ud83d\ude00 \\ud800 é", "b": [1, -2.5e3, true, null], "]": "[{\""}',
        "9" * 900,
        "[" * DEEPEST + "]" * DEEPEST,
        '"unclosed',
        "not json ]]",
        "",
    ],
)
def test_text_that_parsers_take_or_that_is_malformed_stays_as_it_is(text: str) -> None:
    assert make_readable(text) == text


def test_malformed_json_is_still_an_error() -> None:
    with pytest.raises(json.JSONDecodeError):
        load_json("[" * 100_000)
