"""Parser of rules: `grammar.lark` read by lark, its parse tree turned into our syntax tree, its errors into ours."""

from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple, cast

from lark import Lark, Token, Transformer_NonRecursive, UnexpectedToken, v_args
from lark.tree import Meta

from recollect.reason.rules.ast_nodes import (
    ArithmeticExpression,
    ArithmeticOperator,
    CaseExpression,
    ComparisonExpression,
    ComparisonOperator,
    EdgeDirection,
    EdgePattern,
    Exists,
    Expression,
    FunctionCall,
    HopRange,
    IsNull,
    ListExpression,
    LiteralExpression,
    LogicalExpression,
    MatchClause,
    NodePattern,
    Not,
    Pattern,
    ProjectionClause,
    ProjectionItem,
    PropertyAccess,
    PropertyMap,
    Rule,
    SignedExpression,
    SortItem,
    Variable,
)
from recollect.reason.rules.rule_errors import SourcePosition
from recollect.reason.rules.tokens import RulePostLex, explain_error, unquote


def parse_rule(text: str) -> Rule:
    """The syntax tree of a rule; a RuleError says what is wrong and where."""
    try:
        tree = _grammar().parse(text)
    except UnexpectedToken as error:
        raise explain_error(error, text) from None
    return cast(Rule, _TreeBuilder(text).transform(tree))


@cache
def _grammar() -> Lark:
    return Lark.open(
        "grammar.lark",
        rel_to=__file__,
        start="rule",
        parser="lalr",
        lexer="basic",
        postlex=RulePostLex(),
        propagate_positions=True,
    )


def _position(meta: Meta) -> SourcePosition:
    return SourcePosition(meta.line, meta.column)


class _EdgeDetail(NamedTuple):
    """The content of the brackets of a relation."""

    variable: str | None = None
    types: tuple[str, ...] = ()
    hops: HopRange | None = None
    properties: PropertyMap = ()


def _edge(direction: EdgeDirection, detail: _EdgeDetail | None, meta: Meta) -> EdgePattern:
    variable, types, hops, properties = detail or _EdgeDetail()
    return EdgePattern(variable, types, direction, hops, properties, _position(meta))


def _as_tuple(_builder: "_TreeBuilder", *parts: Any) -> tuple[Any, ...]:
    return parts


@v_args(inline=True)
class _TreeBuilder(Transformer_NonRecursive[Token, Any]):
    """Builds the syntax tree from the inside out; each method is named after a rule of the grammar."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    # Clauses

    def rule(self, *clauses: MatchClause | ProjectionClause) -> Rule:
        return Rule(clauses[:-1], cast(ProjectionClause, clauses[-1]))

    def match(self, patterns: tuple[Pattern, ...], where: Expression | None) -> MatchClause:
        return MatchClause(patterns, where)

    def with_(self, projection: ProjectionClause, where: Expression | None) -> ProjectionClause:
        return replace(projection, where=where)

    def return_(self, projection: ProjectionClause) -> ProjectionClause:
        return projection

    def projection(
        self,
        distinct: str | None,
        items: tuple[ProjectionItem, ...],
        order: tuple[SortItem, ...] | None,
        limit: LiteralExpression | None,
    ) -> ProjectionClause:
        most = None if limit is None else cast(int, limit.value)
        return ProjectionClause(items, distinct is not None, order or (), most)

    def item(self, expression: tuple[Expression, str, SourcePosition], name: str | None) -> ProjectionItem:
        of, text, position = expression
        return ProjectionItem(of, text.strip("`") if name is None else name, position)

    @v_args(inline=True, meta=True)
    def item_expression(self, meta: Meta, of: Expression) -> tuple[Expression, str, SourcePosition]:
        return of, self._text[meta.start_pos : meta.end_pos], _position(meta)

    def ascending(self, by: Expression) -> SortItem:
        return SortItem(by, descending=False)

    def descending(self, by: Expression) -> SortItem:
        return SortItem(by, descending=True)

    items = order = patterns = _as_tuple

    # Patterns

    def pattern(self, *parts: NodePattern | EdgePattern) -> Pattern:
        return Pattern(cast("tuple[NodePattern, ...]", parts[::2]), cast("tuple[EdgePattern, ...]", parts[1::2]))

    @v_args(inline=True, meta=True)
    def node(
        self, meta: Meta, name: str | None, labels: tuple[tuple[str, ...], ...] | None, properties: PropertyMap | None
    ) -> NodePattern:
        return NodePattern(name, labels or (), properties or (), _position(meta))

    path_start = node
    labels = label_group = types = pair = when = _as_tuple

    @v_args(inline=True, meta=True)
    def edge_out(self, meta: Meta, detail: _EdgeDetail | None) -> EdgePattern:
        return _edge("out", detail, meta)

    @v_args(inline=True, meta=True)
    def edge_in(self, meta: Meta, _arrow: str, detail: _EdgeDetail | None) -> EdgePattern:
        return _edge("in", detail, meta)

    @v_args(inline=True, meta=True)
    def edge_both(self, meta: Meta, detail: _EdgeDetail | None) -> EdgePattern:
        return _edge("both", detail, meta)

    def edge_detail(
        self, name: str | None, types: tuple[str, ...] | None, hops: HopRange | None, properties: PropertyMap | None
    ) -> _EdgeDetail:
        return _EdgeDetail(name, types or (), hops, properties or ())

    def exact_hops(self, count: LiteralExpression | None) -> HopRange:
        return HopRange(1, None) if count is None else HopRange(cast(int, count.value), cast(int, count.value))

    def hop_range(self, least: LiteralExpression | None, most: LiteralExpression | None) -> HopRange:
        return HopRange(1 if least is None else cast(int, least.value), None if most is None else cast(int, most.value))

    def map(self, *pairs: tuple[str, Expression] | None) -> PropertyMap:
        return tuple(pair for pair in pairs if pair is not None)

    # Expressions

    def any_of(self, *parts: Expression) -> Expression:
        return LogicalExpression("or", parts)

    def one_of(self, *parts: Expression) -> Expression:
        return LogicalExpression("xor", parts)

    def all_of(self, *parts: Expression) -> Expression:
        return LogicalExpression("and", parts)

    def negated(self, *parts: Any) -> Expression:
        """An odd number of NOTs means one, an even number two."""
        once = Not(parts[-1])
        return once if len(parts) % 2 == 0 else Not(once)

    def compare(self, one: Expression, operator: ComparisonOperator, other: Expression) -> Expression:
        return ComparisonExpression(operator, one, other)

    def comparator(self, *words: str) -> ComparisonOperator:
        return cast(ComparisonOperator, " ".join(word.lower() for word in words))

    def is_null(self, of: Expression, negation: str | None) -> Expression:
        return IsNull(of, negation is not None)

    def arithmetic(self, first: Expression, *rest: Any) -> Expression:
        return ArithmeticExpression(first, tuple(zip(rest[::2], rest[1::2], strict=True)))

    def sum_operator(self, sign: str) -> ArithmeticOperator:
        return cast(ArithmeticOperator, sign)

    product_operator = sum_operator

    def minus(self, of: Expression) -> Expression:
        return SignedExpression("-", of)

    def plus(self, of: Expression) -> Expression:
        return SignedExpression("+", of)

    def property_access(self, of: Expression, *keys: str) -> Expression:
        return PropertyAccess(of, keys)

    @v_args(inline=True, meta=True)
    def variable(self, meta: Meta, name: str) -> Expression:
        return Variable(name, _position(meta))

    def list(self, *items: Expression) -> Expression:
        return ListExpression(items)

    @v_args(inline=True, meta=True)
    def call(self, meta: Meta, name: str, distinct: str | None, *arguments: Expression) -> Expression:
        return FunctionCall(name, arguments, _position(meta), distinct is not None)

    @v_args(inline=True, meta=True)
    def call_star(self, meta: Meta, name: str) -> Expression:
        return FunctionCall(name, (), _position(meta), star=True)

    @v_args(inline=True, meta=True)
    def exists(self, meta: Meta, patterns: tuple[Pattern, ...], where: Expression | None) -> Expression:
        return Exists(patterns, where, False, _position(meta))

    @v_args(inline=True, meta=True)
    def path(self, meta: Meta, *parts: NodePattern | EdgePattern) -> Expression:
        return Exists((self.pattern(*parts),), None, True, _position(meta))

    def case(self, *parts: Any) -> Expression:
        *whens, otherwise, _end = parts
        return CaseExpression(tuple(whens), otherwise)

    def group(self, inner: Expression) -> Expression:
        return inner

    def true(self) -> Expression:
        return LiteralExpression(True)

    def false(self) -> Expression:
        return LiteralExpression(False)

    def null(self) -> Expression:
        return LiteralExpression(None)

    def __default_token__(self, token: Token) -> Any:
        match token.type:
            case "INTEGER":
                return LiteralExpression(int(token))
            case "FLOAT":
                return LiteralExpression(float(token))
            case "STRING":
                return LiteralExpression(unquote(token))
            case "QUOTED":
                return token[1:-1].replace("``", "`")
            case _:
                return token.value
