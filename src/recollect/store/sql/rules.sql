-- What rules begin with: entities by type, facts by predicate, in pages.

-- fragment: entity_live
@known(e) AND e.deleted IS NULL AND e.merged_into IS NULL

-- fragment: fact_live
@known(f) AND f.stale = 0 AND f.certainty <> 'retracted' AND f.is_alias = 0

-- Each stored type once, by jumping from one to the next in the index.
-- fragment: with_stored_types
WITH RECURSIVE t(type) AS (
  SELECT MIN(type) FROM entity WHERE ws = :ws
  UNION ALL
  SELECT (SELECT MIN(e.type) FROM entity e WHERE e.ws = :ws AND e.type > t.type) FROM t WHERE t.type IS NOT NULL
)

-- name: rule_types_used
@with_stored_types
SELECT type FROM t WHERE type IS NOT NULL AND EXISTS (
  SELECT 1 FROM entity e WHERE e.ws = :ws AND e.type = t.type AND @entity_live) ORDER BY type

-- name: rule_types_counted
SELECT 1 FROM entity e WHERE e.ws = :ws AND e.type IN_LIST(:types) AND @entity_live LIMIT :limit

-- name: rule_entities_few
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND e.type IN_LIST(:types) AND @entity_live LIMIT :limit

-- name: entities_after
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND e.id > :after AND @entity_live ORDER BY e.id LIMIT :limit

-- name: rule_predicates_counted
SELECT 1 FROM fact f WHERE f.ws = :ws AND f.predicate IN_LIST(:predicates) AND @fact_live LIMIT :limit

-- name: rule_facts_few
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.predicate IN_LIST(:predicates) AND @fact_live LIMIT :limit

-- name: rule_facts_after
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.id > :after AND @fact_live ORDER BY f.id LIMIT :limit
