-- Edges between two entities at any valid time, for a drawing that plays through time.

-- fragment: ego_edge
f.object IS NOT NULL AND f.object <> f.subject AND f.stale = 0 AND f.certainty <> 'retracted' AND @fact_known

-- fragment: ego_holds
CASE WHEN @fact_current THEN 1 ELSE 0 END AS holds

-- The neighbours of some entities by predicate; live ones only.
-- name: ego_ties
WITH f AS (
  SELECT f.subject AS near, f.object AS far, f.predicate, f.source_at, @ego_holds FROM fact f
  WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @ego_edge
  UNION ALL
  SELECT f.object, f.subject, f.predicate, f.source_at, @ego_holds FROM fact f
  WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND @ego_edge
), n AS (
  SELECT near, far, predicate, COUNT(*) AS edges, SUM(holds) AS holding, MAX(source_at) AS newest FROM f
  GROUP BY near, far, predicate
)
SELECT n.near, n.far, e.type, n.predicate, n.edges, n.holding, n.newest FROM n
JOIN entity e ON e.ws = :ws AND e.id = n.far AND +e.tx_from <= :known AND e.tx_to > :known AND e.deleted IS NULL
LIMIT :limit

-- The far end is compared through COALESCE, so that only the near end's index can be used.
-- name: ego_edges
SELECT f.id, f.subject, f.object, f.predicate, f.label, f.from_lo, f.until_hi, f.confidence, f.source_at FROM fact f
WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND COALESCE(f.object, '') IN_LIST(:entities) AND @ego_edge
ORDER BY f.source_at DESC, f.id LIMIT :limit

-- name: ego_degrees
SELECT e.entity, COUNT(*) FROM (
  SELECT f.subject AS entity FROM fact f WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @ego_edge
  UNION ALL
  SELECT f.object FROM fact f WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND @ego_edge
) e GROUP BY e.entity
