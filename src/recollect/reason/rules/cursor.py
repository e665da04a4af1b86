"""A place among the tokens of a rule, and what to say when they cannot go on."""

from collections.abc import Callable
from typing import NoReturn, TypeVar

from recollect.reason.rules.problems import RuleInvalid, RuleNotReadOnly, RuleParseError, RuleUnsupported
from recollect.reason.rules.tokens import Token, tokens_of

WRITING = frozenset("CREATE MERGE SET DELETE DETACH REMOVE DROP LOAD CALL FOREACH".split())
UNSUPPORTED_CLAUSES = frozenset("OPTIONAL UNWIND UNION SKIP USE".split())
UNSUPPORTED_SIGNS = frozenset({"$", "=~"})
DEEPEST = 20
Read = TypeVar("Read")


class Cursor:
    """Reads tokens one by one; every refusal names the first token that cannot continue."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = tokens_of(text)
        self._at = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        return self._tokens[self._at]

    def ahead(self, steps: int) -> Token:
        """The token so many steps on; the end stands for all that lies behind it."""
        return self._tokens[min(self._at + steps, len(self._tokens) - 1)]

    def take(self) -> Token:
        taken = self.token
        self._at += 1
        return taken

    @property
    def last(self) -> Token:
        """The token just taken."""
        return self._tokens[self._at - 1]

    def is_sign(self, sign: str, steps: int = 0) -> bool:
        token = self.ahead(steps)
        return token.kind == "sign" and token.text == sign

    def is_keyword(self, *words: str) -> bool:
        return self.token.keyword in words

    def is_name(self, steps: int = 0) -> bool:
        """Whether a name stands there: a word that is not reserved, or anything in backticks."""
        token = self.ahead(steps)
        return token.kind == "quoted" or (token.kind == "word" and token.keyword is None)

    def skip_sign(self, sign: str) -> bool:
        """Go past the sign if it is here."""
        found = self.is_sign(sign)
        self._at += found
        return found

    def skip_keyword(self, word: str) -> bool:
        found = self.token.keyword == word
        self._at += found
        return found

    def sign(self, sign: str) -> Token:
        return self.take() if self.is_sign(sign) else self.fail(f"{sign!r}")

    def keyword(self, word: str) -> Token:
        return self.take() if self.token.keyword == word else self.fail(word)

    def name(self) -> str:
        return self.take().text if self.is_name() else self.fail("a name")

    def integer(self) -> int:
        return int(self.take().text) if self.token.kind == "integer" else self.fail("a whole number")

    def nested(self, read: Callable[["Cursor"], Read]) -> Read:
        """What is read one level further down; there is a deepest one."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise RuleInvalid(f"this is nested more than {DEEPEST} deep", self.token.place)
        found = read(self)
        self._depth -= 1
        return found

    def fail(self, wanted: str) -> NoReturn:
        token = self.token
        if token.kind == "bad":
            raise RuleParseError(token.text, token.place)
        if token.kind == "sign" and token.text in UNSUPPORTED_SIGNS:
            raise RuleUnsupported("a $ parameter" if token.text == "$" else token.text, token.place)
        raise RuleParseError(f"{token} cannot stand here; expected {wanted}", token.place)

    def fail_at_clause(self, wanted: str) -> NoReturn:
        """Refuse what stands where a clause may begin: words that write, and clauses we do not have."""
        token = self.token
        word = token.text.upper() if token.kind == "word" else ""
        if word in WRITING:
            raise RuleNotReadOnly(word, token.place)
        if word in UNSUPPORTED_CLAUSES:
            raise RuleUnsupported(word, token.place)
        self.fail(wanted)
