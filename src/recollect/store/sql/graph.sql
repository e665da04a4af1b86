-- Entities as nodes and the facts between them as edges. The overlays of the engines say how a weight is read.

-- fragment: edge_ends
JOIN entity s ON s.ws = f.ws AND s.id = f.subject AND @known(s)
JOIN entity o ON o.ws = f.ws AND o.id = f.object AND @known(o)

-- fragment: ends_live
s.deleted IS NULL AND o.deleted IS NULL

-- fragment: edge_shown
@known(f) AND @not_hidden AND s.deleted IS DISTINCT FROM 'hidden' AND o.deleted IS DISTINCT FROM 'hidden'
AND (:deleted = 1 OR (f.certainty <> 'retracted' AND @ends_live))
AND (:valid = 0 OR (@ends_live AND @fact_current AND NOT f.id IN_LIST(:closed)))

-- Ranked and counted on a few columns, before anything wide is read.
-- fragment: edges_ranked
WITH ranked AS (
  SELECT f.id, f.tx_from, CASE WHEN @ends_live THEN 1 ELSE 0 END AS live, COUNT(*) OVER () AS total
  FROM fact f @edge_ends

-- fragment: edge_order
ORDER BY CASE WHEN f.from_lo IS NULL THEN 1 ELSE 0 END, f.from_lo, f.recorded_at, f.id

-- fragment: edges_in_order
  @edge_order LIMIT :limit OFFSET :offset
)
SELECT @fact_columns, r.live, r.total FROM ranked r JOIN fact f ON f.ws = :ws AND f.id = r.id AND f.tx_from = r.tx_from
@edge_order

-- fragment: edge_typed
(CAST(:type AS TEXT) IS NULL OR CAST(f.predicate AS TEXT) = :type)

-- name: edge_one
SELECT @fact_columns, CASE WHEN @ends_live THEN 1 ELSE 0 END FROM fact f @edge_ends
WHERE f.ws = :ws AND f.id = :id AND @known(f) AND @not_hidden

-- The far end is compared through COALESCE, so that only the near end's index can be used.
-- name: edges_leaving
@edges_ranked
  WHERE f.ws = :ws AND f.subject = :subject AND (CAST(:object AS TEXT) IS NULL OR COALESCE(f.object, '') = :object)
    AND @edge_typed AND @edge_shown
@edges_in_order

-- name: edges_reaching
@edges_ranked
  WHERE f.ws = :ws AND f.object = :object AND @edge_typed AND @edge_shown
@edges_in_order

-- name: edges_typed
@edges_ranked
  WHERE f.ws = :ws AND f.predicate = :type AND @edge_shown
@edges_in_order

-- name: edges_all
@edges_ranked
  WHERE f.ws = :ws AND @edge_shown
@edges_in_order

-- name: edges_of_node_count
SELECT COUNT(*) FROM (
  SELECT f.ws, f.subject, f.object FROM fact f
  WHERE f.ws = :ws AND f.subject = :entity AND f.object IS NOT NULL AND f.certainty <> 'retracted' AND @known(f)
  UNION ALL
  SELECT f.ws, f.subject, f.object FROM fact f
  WHERE f.ws = :ws AND f.object = :entity AND f.subject <> :entity AND f.certainty <> 'retracted' AND @known(f)
) f @edge_ends WHERE @ends_live

-- name: statements_of
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND f.subject = :entity AND f.object IS NULL AND f.is_alias = 0 AND f.certainty <> 'retracted'
  AND @known(f)

-- name: fact_version_counts
SELECT f.id, COUNT(*) FROM fact f WHERE f.ws = :ws AND f.id IN_LIST(:ids) AND f.tx_from <= :as_of_tx GROUP BY f.id

-- Every row by which an entity was ever known, so that a change of names counts as a version.
-- name: names_ever
SELECT n.tx_from, n.tx_to FROM name n WHERE n.ws = :ws AND n.entity = :entity AND @spelled AND n.tx_from <= :as_of_tx

-- name: nodes_listed
SELECT @entity_columns FROM entity e
WHERE e.ws = :ws AND e.tx_from <= :as_of_tx AND e.tx_to > :as_of_tx AND e.merged_into IS NULL
  AND (e.deleted IS NULL OR (:deleted = 1 AND e.deleted <> 'hidden'))
ORDER BY e.tx_from DESC, e.name, e.id LIMIT :limit OFFSET :offset

-- name: nodes_listed_of_type
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND e.type = :type AND @known(e) AND e.merged_into IS NULL
  AND (e.deleted IS NULL OR (:deleted = 1 AND e.deleted <> 'hidden'))
ORDER BY e.tx_from DESC, e.name, e.id LIMIT :limit OFFSET :offset

-- Nodes that an undo brought back as they were, so that the change that stands is an earlier one; there are few.
-- name: nodes_brought_back
SELECT @entity_columns FROM tx t CROSS JOIN entity e
WHERE t.ws = :ws AND t.undoes IS NOT NULL AND t.tx <= :as_of_tx AND e.ws = t.ws AND e.tx_from = t.tx AND e.tx_to > :as_of_tx
  AND e.merged_into IS NULL AND (e.deleted IS NULL OR (:deleted = 1 AND e.deleted <> 'hidden'))
  AND (CAST(:type AS TEXT) IS NULL OR e.type = :type)

-- name: transactions_undone
SELECT tx, undoes FROM tx WHERE ws = :ws AND tx IN_LIST(:txs) AND undoes IS NOT NULL

-- name: nodes_counted
SELECT COUNT(*) FROM entity e WHERE e.ws = :ws AND @known(e) AND e.merged_into IS NULL
  AND (e.deleted IS NULL OR (:deleted = 1 AND e.deleted <> 'hidden')) AND (CAST(:type AS TEXT) IS NULL OR e.type = :type)

-- Nodes that something is told about in words; there are few of them beside those that only have a name.
-- name: nodes_described
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND @known(e) AND e.merged_into IS NULL AND e.deleted IS NULL
  AND e.properties LIKE '%"description"%' AND (CAST(:type AS TEXT) IS NULL OR e.type = :type)

-- Scripts without spaces have no words to look up; this looks at every name.
-- name: names_containing
SELECT @name_columns FROM name n
WHERE n.ws = :ws AND @spelled AND @known(n) AND n.folded LIKE :part ORDER BY n.key, n.entity, n.kind LIMIT :limit

-- name: nodes_begun_after
SELECT @entity_columns FROM entity e
WHERE e.ws = :ws AND e.tx_from > :upto AND e.tx_from <= :as_of_tx AND e.tx_to > :as_of_tx AND e.merged_into IS NULL
  AND e.deleted IS NULL
ORDER BY e.tx_from, e.id LIMIT :limit

-- Live memories that name an entity or are a source of one of its facts.
-- name: memories_of_node
WITH told AS (
  SELECT m.document FROM mention m WHERE m.ws = :ws AND m.entity = :entity AND @known(m)
  UNION
  SELECT a.document FROM @told_facts
  WHERE f.ws = :ws AND f.subject = :entity AND f.certainty <> 'retracted' AND @known(f) AND a.document IS NOT NULL
  UNION
  SELECT a.document FROM @told_facts
  WHERE f.ws = :ws AND f.object = :entity AND f.certainty <> 'retracted' AND @known(f) AND a.document IS NOT NULL
)
SELECT d.key FROM told t
JOIN document d ON d.ws = :ws AND d.id = t.document AND @known(d)
WHERE d.kind = 'memory' AND d.deleted IS NULL AND d.type IN_LIST(:granularities)
ORDER BY d.source_at DESC, d.key LIMIT :limit

-- name: predicates_symmetric
SELECT name FROM predicate WHERE ws = :ws AND is_symmetric = 1 AND @row_known

-- fragment: walked
(:any_type = 1 OR CAST(f.predicate AS TEXT) IN_LIST(:predicates)) AND @known(f) AND @fact_current

-- Steps from a node over valid edges, the heaviest first; a symmetric predicate is walked both ways.
-- name: steps_from
WITH f AS MATERIALIZED (
  SELECT f.id, f.object AS other, @edge_weight AS weight FROM fact f
  WHERE f.ws = :ws AND f.subject = :entity AND f.object IS NOT NULL AND f.object <> f.subject
    AND (:leaving = 1 OR CAST(f.predicate AS TEXT) IN_LIST(:both_ways)) AND @walked
  UNION ALL
  SELECT f.id, f.subject, @edge_weight FROM fact f
  WHERE f.ws = :ws AND f.object = :entity AND f.object <> f.subject
    AND (:reaching = 1 OR CAST(f.predicate AS TEXT) IN_LIST(:both_ways)) AND @walked
)
SELECT f.id, @entity_columns FROM f
JOIN entity e ON e.ws = :ws AND e.id = f.other AND @known(e) AND e.deleted IS NULL
ORDER BY f.weight DESC, f.id LIMIT :limit OFFSET :offset

-- name: edges_among
SELECT f.id, f.subject, f.object, f.predicate, @edge_weight FROM fact f
WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND COALESCE(f.object, '') IN_LIST(:entities)
  AND @known(f) AND @fact_current
ORDER BY f.id

-- fragment: nodes_left_out
SELECT e.id FROM entity e WHERE e.ws = :ws AND @known(e) AND (e.deleted IS NOT NULL OR e.type = 'self')

-- fragment: joins_two
f.ws = :ws AND f.object IS NOT NULL AND f.object <> f.subject AND @known(f)
AND NOT (f.subject IN (@nodes_left_out)) AND NOT (f.object IN (@nodes_left_out))

-- name: joins
SELECT f.id, f.subject, f.object FROM fact f WHERE @joins_two AND @fact_current ORDER BY f.id LIMIT :limit

-- name: joins_repeated
WITH f AS (
  SELECT f.id, f.predicate, f.from_lo, f.until_hi,
    CASE WHEN f.subject < f.object THEN f.subject ELSE f.object END AS one,
    CASE WHEN f.subject < f.object THEN f.object ELSE f.subject END AS other
  FROM fact f
  WHERE @joins_two AND f.label = 'AFFILIATED' AND f.stale = 0 AND f.certainty <> 'retracted'
), g AS (
  SELECT f.id, f.one, f.other, f.predicate, f.from_lo, f.until_hi,
    COUNT(*) OVER (PARTITION BY f.one, f.other, f.predicate) AS times
  FROM f
)
SELECT g.id, g.one, g.other, g.predicate, g.from_lo, g.until_hi FROM g
WHERE g.times > 1 ORDER BY g.one, g.other, g.predicate, g.id LIMIT :limit

-- name: node_statistics
SELECT e.type, COUNT(*), MIN(e.created_at), MAX(e.created_at) FROM entity e
WHERE e.ws = :ws AND @entity_live GROUP BY e.type ORDER BY e.type

-- fragment: nodes_deleted
SELECT e.id FROM entity e WHERE e.ws = :ws AND @known(e) AND e.deleted IS NOT NULL

-- name: edge_statistics
SELECT f.predicate, COUNT(*), SUM(CASE WHEN @fact_current THEN 1 ELSE 0 END),
  SUM(CASE WHEN f.label = 'AFFILIATED' AND f.until_hi < :at_lo THEN 1 ELSE 0 END)
FROM fact f WHERE f.ws = :ws AND f.object IS NOT NULL AND f.certainty <> 'retracted' AND @known(f)
  AND NOT (f.subject IN (@nodes_deleted)) AND NOT (f.object IN (@nodes_deleted))
GROUP BY f.predicate ORDER BY f.predicate
