-- What is printed of a fact.
-- fragment: gist_columns
f.id, f.subject, f.predicate, f.object, f.literal, f.label, f.fact_type, f.words, f.evidence, f.valid_from, f.from_lo,
f.valid_until, f.until_hi, f.source_at, f.recorded_at, f.confidence, f.certainty, f.stale, f.replaced_by, f.disputed,
f.source_count, f.attributes, s.name, s.type, o.name, o.type, a.source_key, a.source_url, a.given, a.quote,
a.extracted_by

-- name: gists_about
@with_facts_at_either_end SELECT @gist_columns FROM f @seen_joins WHERE @seen_live LIMIT :limit + 1

-- The newest facts with an entity at either end, and how many there are; ranked before anything wide is read.
-- name: gists_about_counted
WITH f AS (
  SELECT f.id, f.tx_from, f.object AS other, f.source_at, f.recorded_at FROM fact f
  WHERE f.ws = :ws AND f.subject = :entity AND @fact_wanted
  UNION ALL
  SELECT f.id, f.tx_from, f.subject, f.source_at, f.recorded_at FROM fact f
  WHERE f.ws = :ws AND f.object = :entity AND f.subject <> :entity AND @fact_wanted
), top AS (
  SELECT f.id, f.tx_from, COUNT(*) OVER () AS total FROM f
  WHERE f.other IS NULL OR EXISTS (
    SELECT 1 FROM entity e
    WHERE e.ws = :ws AND e.id = f.other AND @known(e) AND e.deleted IS NULL)
  ORDER BY f.source_at DESC, f.recorded_at DESC, f.id DESC LIMIT :limit
)
SELECT @gist_columns, t.total FROM top t JOIN fact f ON f.ws = :ws AND f.id = t.id AND f.tx_from = t.tx_from @seen_joins
ORDER BY f.source_at DESC, f.recorded_at DESC, f.id DESC

-- Neighbours of an entity, one row for each label and type of fact that joins them, and how many rows there are in all.
-- name: connections_of
WITH f AS (
  SELECT f.object AS other, f.label, f.fact_type, f.source_at, 1 AS outgoing FROM fact f
  WHERE f.ws = :ws AND f.subject = :entity AND f.object <> f.subject AND @fact_wanted
  UNION ALL
  SELECT f.subject, f.label, f.fact_type, f.source_at, 0 FROM fact f
  WHERE f.ws = :ws AND f.object = :entity AND f.object <> f.subject AND @fact_wanted
), joined AS (
  SELECT f.other, f.label, f.fact_type, COUNT(*) AS facts, MAX(f.source_at) AS last_at, SUM(f.outgoing) AS outgoing
  FROM f GROUP BY f.other, f.label, f.fact_type
)
SELECT e.id, e.name, e.type, j.label, j.fact_type, j.facts, j.last_at, j.outgoing, COUNT(*) OVER () FROM joined j
JOIN entity e ON e.ws = :ws AND e.id = j.other AND @known(e) AND e.deleted IS NULL
ORDER BY j.last_at DESC, e.name, j.label, j.fact_type, e.id LIMIT :limit

-- The far end is compared through COALESCE, so that only the near end's index can be used.
-- name: gists_between
WITH f AS (
  SELECT f.ws, @fact_columns FROM fact f
  WHERE f.ws = :ws AND f.subject = :near AND COALESCE(f.object, '') = :far AND @known(f) AND @fact_current
    AND NOT f.id IN_LIST(:closed)
  UNION ALL
  SELECT f.ws, @fact_columns FROM fact f
  WHERE f.ws = :ws AND f.object = :near AND COALESCE(f.subject, '') = :far AND @known(f) AND @fact_current
    AND NOT f.id IN_LIST(:closed)
)
SELECT @gist_columns FROM f @seen_joins WHERE @seen_live
ORDER BY f.source_at DESC, f.recorded_at DESC, f.id DESC LIMIT :limit

-- Live entities one current fact away from any of these, each with the least of those it was reached from.
-- name: one_hop_away
WITH f AS (
  SELECT f.object AS other, f.subject AS station FROM fact f
  WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND f.object IS NOT NULL AND @known(f) AND @fact_current
    AND NOT f.id IN_LIST(:closed)
  UNION ALL
  SELECT f.subject, f.object FROM fact f
  WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND @known(f) AND @fact_current AND NOT f.id IN_LIST(:closed)
), reached AS (
  SELECT f.other, MIN(f.station) AS station FROM f GROUP BY f.other
)
SELECT r.other, r.station FROM reached r
JOIN entity e ON e.ws = :ws AND e.id = r.other AND @known(e) AND e.deleted IS NULL ORDER BY r.other

-- name: facts_at_ends
SELECT COUNT(*) FROM (
  SELECT 1 FROM (
    SELECT f.tx_to FROM fact f WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND f.tx_to > :as_of_tx
    UNION ALL
    SELECT f.tx_to FROM fact f WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND f.tx_to > :as_of_tx
  ) AS touching LIMIT :limit
) AS counted

-- name: entity_types
@with_stored_types
SELECT type FROM t WHERE type IS NOT NULL AND EXISTS (
  SELECT 1 FROM entity e WHERE e.ws = :ws AND e.type = t.type AND @known(e))
ORDER BY type
