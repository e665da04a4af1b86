"""What can be wrong with a rule, and where in its text."""

from typing import NamedTuple

from recollect.errors import Refused


class Place(NamedTuple):
    """A position in a rule's text, both counted from 1."""

    line: int
    column: int


class RuleProblem(Refused):
    """A rule that cannot be taken; says where."""

    def __init__(self, why: str, place: Place) -> None:
        super().__init__(f"line {place.line}, column {place.column}: {why}", field="cypher")
        self.line = place.line
        self.column = place.column
        self.more = {"line": place.line, "column": place.column}


class RuleParseError(RuleProblem):
    """The text does not follow the grammar; the place is the first token that cannot continue."""

    code = "RULE_PARSE_ERROR"


class RuleNotReadOnly(RuleProblem):
    code = "RULE_NOT_READ_ONLY"

    def __init__(self, word: str, place: Place) -> None:
        super().__init__(f"{word.upper()} would write; a rule only reads (MATCH, WITH, RETURN)", place)


class RuleUnsupported(RuleProblem):
    code = "RULE_UNSUPPORTED"

    def __init__(self, word: str, place: Place) -> None:
        super().__init__(f"{word} is not part of the rule language", place)


class RuleInvalid(RuleProblem):
    """Well formed, but it cannot mean anything."""

    code = "RULE_INVALID"


class RuleTimeout(Refused):
    """A rule reached a limit before it was done."""

    code = "RULE_TIMEOUT"

    def __init__(self, limit: str) -> None:
        super().__init__(
            f"the rule was stopped after {limit}; name labels and relation types so that it starts from less",
            field="cypher",
        )
