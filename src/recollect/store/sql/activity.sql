-- Transactions and what each of them began.

-- The index of instants is not used: transactions are wanted in the order of their numbers, and few at a time.
-- fragment: tx_wanted
t.ws = :ws AND t.tx < :before AND t.tx <= :as_of_tx AND +t.at >= :since AND +t.at <= :until
AND (CAST(:actor AS TEXT) IS NULL OR t.actor = :actor)
AND (CAST(:surface AS TEXT) IS NULL OR t.surface = :surface)
AND (CAST(:tool AS TEXT) IS NULL OR t.tool = :tool)

-- name: activity
SELECT t.tx, t.at, t.surface, t.tool, t.actor, t.undoes FROM tx t WHERE @tx_wanted ORDER BY t.tx DESC LIMIT :limit

-- name: activity_of_entity
SELECT t.tx, t.at, t.surface, t.tool, t.actor, t.undoes FROM tx t
WHERE @tx_wanted AND t.tx IN (
  SELECT f.tx_from FROM fact f WHERE f.ws = :ws AND f.subject = :entity
  UNION SELECT f.tx_from FROM fact f WHERE f.ws = :ws AND f.object = :entity
  UNION SELECT f.tx_to FROM fact f WHERE f.ws = :ws AND f.subject = :entity
  UNION SELECT f.tx_to FROM fact f WHERE f.ws = :ws AND f.object = :entity
  UNION SELECT e.tx_from FROM entity e WHERE e.ws = :ws AND e.id = :entity
  UNION SELECT n.tx_from FROM name n WHERE n.ws = :ws AND n.entity = :entity
)
ORDER BY t.tx DESC LIMIT :limit

-- name: activity_authors
SELECT DISTINCT t.surface, t.tool, t.actor FROM (
  SELECT surface, tool, actor FROM tx WHERE ws = :ws AND tx <= :as_of_tx ORDER BY tx DESC LIMIT :limit
) t ORDER BY t.surface, t.tool, t.actor

-- name: facts_begun_count
SELECT COUNT(*) FROM fact f WHERE f.ws = :ws AND f.tx_from = :tx

-- name: entities_begun_by
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND e.tx_from = :tx ORDER BY e.id LIMIT :limit

-- name: entities_ended_by
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND e.id IN_LIST(:ids) AND e.tx_to = :tx

-- name: aliases_begun_by
SELECT n.entity, n.spelling, 1 FROM name n WHERE n.ws = :ws AND n.tx_from = :tx AND n.kind = 'alias'
  AND NOT EXISTS (SELECT 1 FROM name b WHERE b.ws = n.ws AND b.folded = n.folded AND b.entity = n.entity
    AND b.kind = n.kind AND b.tx_to = n.tx_from)
UNION ALL
SELECT n.entity, n.spelling, 0 FROM name n WHERE n.ws = :ws AND n.tx_to = :tx AND n.tx_to < @open AND n.kind = 'alias'
  AND NOT EXISTS (SELECT 1 FROM name b WHERE b.ws = n.ws AND b.folded = n.folded AND b.entity = n.entity
    AND b.kind = n.kind AND b.tx_from = n.tx_to)
LIMIT :limit

-- name: settings_begun_by
SELECT s.key, (SELECT b.value FROM setting b WHERE b.ws = s.ws AND b.key = s.key AND b.tx_to = s.tx_from), s.value
FROM setting s WHERE s.ws = :ws AND s.tx_from = :tx ORDER BY s.key LIMIT :limit

-- name: decisions_begun_by
SELECT r.node, r.reason FROM review_flag r WHERE r.ws = :ws AND r.tx_from = :tx AND r.kind = 'decision' ORDER BY r.node LIMIT :limit

-- Rows of a table that a transaction between two moments began or ended, the newest first.
-- fragment: touched_between
SELECT i.id, MAX(i.tx) FROM (
  SELECT r.id, r.tx_from AS tx FROM $ r WHERE r.ws = :ws AND r.tx_from > :after AND r.tx_from <= :upto
  UNION ALL
  SELECT r.id, r.tx_to FROM $ r WHERE r.ws = :ws AND r.tx_to > :after AND r.tx_to <= :upto AND r.tx_to < @open
) i GROUP BY i.id ORDER BY MAX(i.tx) DESC, i.id LIMIT :limit

-- name: facts_touched_between
@touched_between(fact)

-- name: entities_touched_between
@touched_between(entity)
