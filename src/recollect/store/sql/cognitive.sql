-- Facts as joins between two ends, with as much of their newest assertion as weighing them takes.

-- The transaction that brought the newest assertion of a fact: one that undo restores is no newer for it.
-- fragment: newest_told
COALESCE((SELECT MIN(v.tx_from) FROM assertion v WHERE v.ws = f.ws AND v.id = f.newest), f.tx_from)

-- fragment: link_columns
f.id, f.predicate, f.literal, f.recorded_at, f.source_count, f.subject, s.type, s.name, f.object, o.type, o.name,
f.source_at, @newest_told, COALESCE(a.confidence, f.confidence), a.given, a.document, a.source_url,
a.source_key, f.attributes

-- fragment: link_fact
f.ws, f.id, f.tx_from, f.predicate, f.literal, f.recorded_at, f.source_count, f.subject, f.object, f.source_at,
f.confidence, f.newest, f.attributes

-- fragment: link_joins
JOIN entity s ON s.ws = f.ws AND s.id = f.subject AND @known(s) AND s.deleted IS NULL
LEFT JOIN entity o ON o.ws = f.ws AND o.id = f.object AND @known(o)
LEFT JOIN assertion a ON a.ws = f.ws AND a.id = f.newest AND @known(a)

-- fragment: link_live
(f.literal IS NOT NULL OR (o.id IS NOT NULL AND o.deleted IS NULL))

-- The cast keeps an engine that knows no numbers from walking the index of predicates instead of that of the end.
-- fragment: link_wanted
CAST(f.predicate AS TEXT) IN_LIST(:predicates) AND @known(f) AND @fact_current

-- fragment: with_links_touching
WITH f AS (
  SELECT @link_fact FROM fact f WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @link_wanted
  UNION
  SELECT @link_fact FROM fact f WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND @link_wanted
)

-- name: links_about
WITH f AS (
  SELECT @link_fact FROM fact f
  WHERE f.ws = :ws AND f.subject = :entity AND @link_wanted AND NOT f.id IN_LIST(:closed)
  UNION ALL
  SELECT @link_fact FROM fact f
  WHERE f.ws = :ws AND f.object = :entity AND f.subject <> :entity AND @link_wanted AND NOT f.id IN_LIST(:closed)
)
SELECT @link_columns FROM f @link_joins WHERE @link_live
ORDER BY f.recorded_at DESC, (SELECT MIN(v.tx_from) FROM fact v WHERE v.ws = f.ws AND v.id = f.id) DESC, f.id DESC
LIMIT :limit

-- name: links_touching
@with_links_touching
SELECT @link_columns FROM f @link_joins WHERE @link_live ORDER BY f.source_at DESC, f.id DESC

-- name: links_with
SELECT @link_columns FROM fact f @link_joins
WHERE f.ws = :ws AND f.predicate IN_LIST(:predicates) AND @known(f) AND @fact_current AND @link_live
  AND (CAST(:since AS BIGINT) IS NULL OR f.source_at >= :since)
  AND (CAST(:literal AS TEXT) IS NULL OR f.literal = :literal)
ORDER BY f.source_at DESC, f.id DESC

-- name: sentences_touching
@with_links_touching
SELECT @link_columns FROM f @link_joins WHERE @seen_live ORDER BY f.source_at DESC, f.id DESC

-- name: sentences_with
SELECT @link_columns FROM fact f @link_joins
WHERE f.ws = :ws AND f.predicate IN_LIST(:predicates) AND @known(f) AND @fact_current AND @seen_live
ORDER BY f.source_at DESC, f.id DESC

-- name: link_neighbours
WITH f AS (
  SELECT f.object AS other, f.recorded_at FROM fact f
  WHERE f.ws = :ws AND f.subject = :entity AND f.object <> f.subject AND @link_wanted AND NOT f.id IN_LIST(:closed)
  UNION ALL
  SELECT f.subject AS other, f.recorded_at FROM fact f
  WHERE f.ws = :ws AND f.object = :entity AND f.object <> f.subject AND @link_wanted AND NOT f.id IN_LIST(:closed)
), n AS (
  SELECT other, COUNT(*) AS facts, MAX(recorded_at) AS newest FROM f GROUP BY other
)
SELECT e.id, e.name, e.type, n.facts FROM n
JOIN entity e ON e.ws = :ws AND e.id = n.other AND @known(e) AND e.deleted IS NULL
ORDER BY n.facts DESC, n.newest DESC, e.name, e.id LIMIT :limit

-- Entities of these types that may have begun since then: made or linked no earlier.
-- name: entities_linked_since
SELECT e.id, e.type, e.name, e.created_at,
  (SELECT MIN(v.tx_from) FROM entity v WHERE v.ws = e.ws AND v.id = e.id)
FROM entity e WHERE e.ws = :ws AND e.type IN_LIST(:types) AND @entity_live
  AND (e.created_at >= :since
    OR EXISTS (SELECT 1 FROM fact f WHERE f.ws = :ws AND f.subject = e.id AND @link_wanted AND f.source_at >= :since)
    OR EXISTS (SELECT 1 FROM fact f WHERE f.ws = :ws AND f.object = e.id AND @link_wanted AND f.source_at >= :since))
ORDER BY e.created_at, e.id

-- name: tx_time
SELECT at FROM tx WHERE ws = :ws AND tx <= :as_of_tx ORDER BY tx DESC LIMIT 1
