"""No query reaches across workspaces, so that they can live on different servers and behind row security."""

import re

from recollect.store.queries import postgres_queries, schema

_NOT_AN_ALIAS = (
    "ON WHERE JOIN SET CROSS LEFT ORDER GROUP LIMIT UNION USING INNER VALUES SELECT NOT OFFSET RETURNING AND".split()
)
_REFERENCE = re.compile(
    rf"\b(FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)(?:\s+(?:AS\s+)?(?!(?:{'|'.join(_NOT_AN_ALIAS)})\b)([a-z_]+))?"
)
_TABLE = re.compile(r"CREATE TABLE ([a-z_]+)\s*\((.*?)\);", re.DOTALL)
_TEXT = re.compile(r"'[^']*'")

OF_THE_WHOLE_STORE = {
    # Lists of the store as a whole, kept in the first database: who may do what, and where each workspace lives.
    ("member_drop", "member"),
    ("session_ended", "access_token"),
    ("session_ended", "idempotent_call"),
    ("sessions_forget", "idempotent_call"),
    ("shard_homes", "shard_workspace"),
    ("token_revoke", "access_token"),
}


def workspace_tables() -> set[str]:
    """Tables whose rows belong to a workspace; the list of workspaces itself is of the store."""
    scripts = "\n".join(script for _, _, script in schema("postgres"))
    return {name for name, body in _TABLE.findall(scripts) if re.search(r"^\s*ws\b", body, re.MULTILINE)} - {
        "workspace"
    }


def is_bound(sql: str, verb: str, table: str, alias: str) -> bool:
    """Whether a query names the workspace of a table it reads or writes."""
    who = alias or table
    named = rf"\b{who}\.ws\s*=|=\s*{who}\.ws\b"
    plain = r"(?<![.\w])ws\s*=|=\s*ws\b|\(ws\b"
    return bool(re.search(named, sql)) or ((not alias or verb == "INTO") and bool(re.search(plain, sql)))


def test_every_table_in_a_query_is_bound_to_a_workspace() -> None:
    queries, tables = postgres_queries(), workspace_tables()
    unbound = {
        (name, table)
        for name in queries.names
        for sql in (_TEXT.sub("''", queries[name].sql),)
        for verb, table, alias in _REFERENCE.findall(sql)
        if table in tables and not is_bound(sql, verb, table, alias)
    }
    assert unbound == OF_THE_WHOLE_STORE


def test_a_workspace_is_only_ever_compared_for_equality() -> None:
    queries = postgres_queries()
    odd = {
        name for name in queries.names if re.search(r"\bws\s*(?:<|>|!=|IN\b|BETWEEN\b|IS\b|LIKE\b)", queries[name].sql)
    }
    # By the name of the workspace, in a subquery.
    assert odd == {"member_drop", "session_ended"}
