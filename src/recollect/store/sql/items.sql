-- Statements about open items (commitments, requests, blockers, …) and the events that may close them, at these entities.

-- fragment: item_fact
f.ws, f.id, f.tx_from, f.predicate, f.literal, f.words, f.evidence, f.subject, f.object, f.source_at, f.newest

-- fragment: item_wanted
f.predicate IN_LIST(:predicates) AND f.label <> 'AFFILIATED'
AND @fact_known AND f.stale = 0 AND f.certainty <> 'retracted'

-- name: item_facts_touching
WITH f AS (
  SELECT @item_fact FROM fact f WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @item_wanted
  UNION
  SELECT @item_fact FROM fact f WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND @item_wanted
)
SELECT f.id, f.predicate, f.literal, f.words, f.evidence, f.subject, s.type, s.name, f.object, o.type, o.name,
  f.source_at, COALESCE(a.tx_from, f.tx_from)
FROM f @link_joins WHERE f.object IS NULL OR (o.id IS NOT NULL AND o.deleted IS NULL)
ORDER BY f.source_at, f.id
