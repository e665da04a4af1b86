"""Random rules: grown from the grammar, every other one then broken; a seed gives the same."""

import random
from collections.abc import Iterator

LABELS = ("Person", "Location", "Event", "Faction", "Item", "Nowhere", "Entity", "Literal", "Time", "Npc", "`odd name`")
RELATIONS = ("RULES", "RULED_BY", "SPOUSE_OF", "PART_OF", "BORN", "PARENT_OF", "OCCURRED_DURING", "NOBODY_SAYS", "X|:Y")
KEYS = ("name", "id", "type", "valid_from", "confidence", "sources", "joint", "aliases", "value", "missing")
FUNCTIONS = (
    "now()",
    "existence({0})",
    "event_time({0})",
    "interval({0})",
    "stated({0})",
    "start({0})",
    "end({0})",
    "overlaps({0}, {1})",
    "clash({0}, {1})",
    "outside({0}, {1})",
    "exceeds({0}, {1})",
    "during({0}, {1})",
    "before({0}, {1})",
    "after({0}, {1})",
    "years_between({0}, {1})",
    "coalesce({0}, {1})",
    "size({0})",
    "toLower({0})",
    "toString({0})",
    "abs({0})",
    "labels({0})",
    "type({0})",
    "startNode({0})",
    "endNode({0})",
    "time('1848~')",
    "time({0})",
    "nonsense({0})",
)
LITERALS = ("1", "-2", "0", "3.5", "'text'", '"DELETE // n"', "true", "false", "null", "[]", "[1, 'a', null]", "1e3")
JUNK = (
    "DELETE n", "SET n.x = 1", "CREATE (x)", "$p", "=~ 'x'", "UNION", "OPTIONAL", "SKIP 1", "/*", "'", "`", "((", "))",
    "}", "\\", "\0", "*", "..", "{}", "[", "]", "é", "\n", "\r\n", "/* MERGE */", "// CALL\n", "p =", "EXISTS {", "END",
)  # fmt: skip


class Grower:
    """Grows rules that follow the grammar; most of them mean something."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names: list[str] = []
        self.nodes: list[str] = []
        self.edges = 0

    def rule(self) -> str:
        self.names, self.nodes, self.edges = [], [], 0
        clauses = [self.match()]
        while self.random.random() < 0.3:
            clauses.append(self.random.choice((self.match, self.with_))())
        return " ".join((*clauses, self.returned()))

    def match(self) -> str:
        patterns = ", ".join(self.pattern(3) for _ in range(self.random.choice((1, 1, 1, 2))))
        return f"MATCH {patterns}{self.where()}"

    def where(self, depth: int = 3) -> str:
        return f" WHERE {self.expression(depth)}" if self.random.random() < 0.7 else ""

    def pattern(self, longest: int) -> str:
        parts = [self.node()]
        for _ in range(self.random.randrange(longest)):
            parts += (self.edge(), self.node())
        return "".join(parts)

    def _name(self) -> str:
        if self.nodes and self.random.random() < 0.4:
            return self.random.choice(self.nodes)
        name = f"n{len(self.nodes)}"
        self.nodes.append(name)
        self.names.append(name)
        return name

    def node(self) -> str:
        name = self._name() if self.random.random() < 0.8 else ""
        label = f":{self.random.choice(LABELS)}" if self.random.random() < 0.5 else ""
        return f"({name}{label}{self.map()})"

    def map(self) -> str:
        if self.random.random() < 0.9:
            return ""
        return f" {{{self.random.choice(KEYS)}: {self.random.choice(LITERALS)}}}"

    def edge(self) -> str:
        self.edges += 1
        name = f"r{self.edges}" if self.random.random() < 0.5 else ""
        if name:
            self.names.append(name)
        kind = f":{self.random.choice(RELATIONS)}" if self.random.random() < 0.7 else ""
        hops = self.random.choice(("*1..2", "*2", "*0..3", "*..6", "*1..2", "*")) if self.random.random() < 0.12 else ""
        detail = f"[{name}{kind}{hops}]" if name or kind or hops else ""
        return self.random.choice(("-{}->", "<-{}-", "-{}-")).format(detail)

    def expression(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.2:
            return self.atom()
        deeper = depth - 1
        if self.random.random() < 0.12:
            return self.exists(deeper)
        one, other = self.expression(deeper), self.expression(deeper)
        return self.random.choice(
            (
                f"{one} AND {other}",
                f"{one} OR {other}",
                f"{one} XOR {other}",
                f"NOT ({one})",
                f"({one}) {self.random.choice(('=', '<>', '<', '<=', '>', '>=', 'IN', 'CONTAINS'))} ({other})",
                f"({one}) STARTS WITH ({other})",
                f"({one}) IS {self.random.choice(('', 'NOT '))}NULL",
                f"({one}) {self.random.choice('+-*/%')} ({other})",
                f"CASE WHEN {one} THEN {other} ELSE {one} END",
                self.random.choice(FUNCTIONS).format(self.atom(), self.atom()),
            )
        )

    def exists(self, depth: int) -> str:
        """A path that may exist; the names it brings are its own."""
        names, nodes = list(self.names), list(self.nodes)
        text = f"EXISTS {{ {self.random.choice(('', 'MATCH '))}{self.pattern(2)}{self.where(depth)} }}"
        self.names, self.nodes = names, nodes
        return text

    def atom(self) -> str:
        choice = self.random.random()
        if choice < 0.45 and self.names:
            return f"{self.random.choice(self.names)}.{self.random.choice(KEYS)}"
        if choice < 0.7 and self.names:
            return self.random.choice(self.names)
        return self.random.choice(LITERALS)

    def with_(self) -> str:
        kept = sorted(set(self.names))[:3] or ["a"]
        extra = self.random.choice(("", ", count(*) AS n", f", collect({kept[0]}) AS c", f", max({kept[0]}.name) AS m"))
        self.names = [*kept, *(["n"] if "AS n" in extra else [])]
        self.nodes = [name for name in kept if name in self.nodes]
        return f"WITH {self.random.choice(('', 'DISTINCT '))}{', '.join(kept)}{extra}{self.order()}{self.where()}"

    def order(self) -> str:
        text = f" ORDER BY {self.atom()}{self.random.choice(('', ' DESC'))}" if self.random.random() < 0.2 else ""
        return text + (f" LIMIT {self.random.randrange(20)}" if self.random.random() < 0.2 else "")

    def returned(self) -> str:
        items = sorted(set(self.names))[:3] or ["1"]
        if self.random.random() < 0.3:
            items.append(f"{self.expression(2)} AS v")
        return f"RETURN {', '.join(items)}{self.order()}"


def rules(seed: int) -> Iterator[str]:
    """Rules without end; every other one is broken somewhere."""
    grower = Grower(seed)
    while True:
        yield grower.rule()
        yield _broken(grower.rule(), grower.random)


def _broken(text: str, chance: random.Random) -> str:
    for _ in range(chance.randrange(1, 4)):
        at, to = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
        match chance.randrange(4):
            case 0:
                text = text[:at] + text[min(to, at + 8) :]
            case 1:
                text = f"{text[:at]} {chance.choice(JUNK)} {text[at:]}"
            case 2:
                text = text[:at] + text[at:to] * 2 + text[to:]
            case _:
                text = text[:at] + chr(chance.randrange(1, 0x3000)) + text[at + 1 :]
        if not text:
            return "MATCH"
    return text[:4000]
