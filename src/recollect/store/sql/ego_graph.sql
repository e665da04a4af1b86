-- Edges between two entities at any valid time, for a drawing that plays through time.

-- fragment: ego_edge
f.object IS NOT NULL AND f.object <> f.subject AND f.stale = 0 AND f.certainty <> 'retracted' AND @known(f)

-- fragment: ego_holds
CASE WHEN @fact_current THEN 1 ELSE 0 END AS holds

-- fragment: ego_tie
@ego_edge AND (:any_predicate = 1 OR CAST(f.predicate AS TEXT) IN_LIST(:predicates))

-- fragment: ego_ties
SELECT f.object AS far, f.predicate, f.source_at, @ego_holds FROM fact f
WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @ego_tie AND NOT f.object IN_LIST(:known_nodes)
UNION ALL
SELECT f.subject, f.predicate, f.source_at, @ego_holds FROM fact f
WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND @ego_tie AND NOT f.subject IN_LIST(:known_nodes)

-- fragment: ego_far
JOIN entity e ON e.ws = :ws AND e.id = f.far AND @known(e) AND e.deleted IS NULL
  AND (:any_type = 1 OR e.type IN_LIST(:types))

-- The degree is counted in the indexes alone, so it takes retracted facts in.
-- fragment: ego_degree
(SELECT COUNT(*) FROM fact g WHERE g.ws = :ws AND g.subject = f.far AND g.tx_to > :as_of_tx)
+ (SELECT COUNT(*) FROM fact g WHERE g.ws = :ws AND g.object = f.far AND g.tx_to > :as_of_tx)

-- The neighbours with most edges to these entities and elsewhere, those that hold first.
-- name: ego_neighbours
WITH f AS (
  SELECT f.far, COUNT(*) AS edges, SUM(f.holds) AS holding, MAX(f.source_at) AS newest FROM (@ego_ties) f GROUP BY f.far
), n AS (
  SELECT f.far, f.edges, f.holding, f.newest, @ego_degree AS degree FROM f @ego_far
)
SELECT far, edges, holding, newest, degree FROM n
ORDER BY CASE WHEN holding > 0 THEN 0 ELSE 1 END, holding + edges + degree DESC, newest DESC, far LIMIT :limit

-- name: ego_neighbours_by_type
WITH f AS (SELECT f.far FROM (@ego_ties) f GROUP BY f.far)
SELECT e.type, COUNT(*) FROM f @ego_far GROUP BY e.type

-- name: ego_edges_by_predicate
SELECT f.predicate, COUNT(*) FROM (@ego_ties) f GROUP BY f.predicate

-- name: ego_edges_of_types_by_predicate
SELECT f.predicate, COUNT(*) FROM (@ego_ties) f @ego_far GROUP BY f.predicate

-- The far end is compared through COALESCE, so that only the near end's index can be used.
-- name: ego_edges
SELECT f.id, f.subject, f.object, f.predicate, f.label, f.from_lo, f.until_hi, f.confidence, f.source_at FROM fact f
WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND COALESCE(f.object, '') IN_LIST(:entities) AND @ego_edge
ORDER BY f.source_at DESC, f.id LIMIT :limit

-- Counted up to a limit at each side, so that a hub among the nodes costs no more than others.
-- name: ego_degrees
SELECT e.id,
  (SELECT COUNT(*) FROM (SELECT 1 FROM fact f WHERE f.ws = :ws AND f.subject = e.id AND @ego_edge LIMIT :limit) out_edges)
  + (SELECT COUNT(*) FROM (SELECT 1 FROM fact f WHERE f.ws = :ws AND f.object = e.id AND @ego_edge LIMIT :limit) in_edges)
FROM entity e WHERE e.ws = :ws AND e.id IN_LIST(:entities) AND @known(e)
