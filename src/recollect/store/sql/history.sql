-- What changed, newest first. A version begins with the transaction that wrote it; one that an undo removed has no successor.

-- name: fact_versions_begun
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.tx_from > :after AND f.tx_from <= :upto
ORDER BY f.tx_from DESC, f.id DESC LIMIT :limit

-- name: fact_versions_begun_of
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND f.id IN_LIST(:facts) AND +f.tx_from > :after AND +f.tx_from <= :upto
ORDER BY f.tx_from DESC, f.id DESC LIMIT :limit

-- fragment: without_successor
f.tx_to > :after AND f.tx_to <= :upto AND f.tx_to < @open
AND NOT EXISTS (SELECT 1 FROM fact n WHERE n.ws = f.ws AND n.id = f.id AND n.tx_from = f.tx_to)

-- name: fact_versions_removed
SELECT @fact_columns, f.tx_to FROM fact f WHERE f.ws = :ws AND f.tx_to IN_LIST(:txs) AND @without_successor
ORDER BY f.tx_to DESC, f.id DESC LIMIT :limit

-- name: fact_versions_removed_of
SELECT @fact_columns, f.tx_to FROM fact f WHERE f.ws = :ws AND f.id IN_LIST(:facts) AND @without_successor
ORDER BY f.tx_to DESC, f.id DESC LIMIT :limit

-- name: fact_versions_ended_by
SELECT @fact_columns, f.tx_to FROM fact f WHERE f.ws = :ws AND f.id IN_LIST(:ids) AND f.tx_to IN_LIST(:txs)

-- name: facts_recorded_by
SELECT f.id FROM fact f WHERE f.ws = :ws AND f.subject = :subject AND f.predicate = :predicate AND f.tx_from = :tx
  AND NOT EXISTS (SELECT 1 FROM fact b WHERE b.ws = f.ws AND b.id = f.id AND b.tx_from < f.tx_from) LIMIT 1

-- fragment: newly_gone
e.tx_from > :after AND e.tx_from <= :upto AND (e.merged_into IS NOT NULL OR e.deleted IS NOT NULL)
AND NOT EXISTS (SELECT 1 FROM entity b WHERE b.ws = e.ws AND b.id = e.id AND b.tx_to = e.tx_from
  AND (b.merged_into IS NOT NULL OR b.deleted IS NOT NULL))

-- name: entities_merged_or_deleted
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND @newly_gone ORDER BY e.tx_from DESC, e.id DESC LIMIT :limit

-- name: entities_merged_or_deleted_of
SELECT @entity_columns FROM entity e
WHERE e.ws = :ws AND e.id IN_LIST(:candidates) AND @newly_gone
  AND (e.id IN_LIST(:entities) OR COALESCE(e.merged_into, '') IN_LIST(:entities))
ORDER BY e.tx_from DESC, e.id DESC LIMIT :limit

-- name: documents_first_or_hidden
SELECT @document_columns FROM document d
WHERE d.ws = :ws AND d.tx_from > :after AND d.tx_from <= :upto AND (d.deleted = 'hidden'
  OR NOT EXISTS (SELECT 1 FROM document b WHERE b.ws = d.ws AND b.id = d.id AND b.tx_from < d.tx_from))
ORDER BY d.tx_from DESC, d.id DESC LIMIT :limit

-- name: undos
SELECT tx, at, surface, tool, actor, undoes FROM tx
WHERE ws = :ws AND tx > :after AND tx <= :upto AND undoes IS NOT NULL ORDER BY tx DESC LIMIT :limit

-- name: txs_by_number
SELECT tx, at, surface, tool, actor, undoes FROM tx WHERE ws = :ws AND tx IN_LIST(:txs)

-- name: entity_names_ever
SELECT e.id, e.name FROM entity e WHERE e.ws = :ws AND e.id IN_LIST(:ids) ORDER BY e.tx_from

-- name: entities_ever_named
SELECT DISTINCT n.entity FROM name n WHERE n.ws = :ws AND n.folded = :folded AND n.tx_from <= :as_of_tx ORDER BY n.entity

-- The newest are picked before their names are looked up.
-- fragment: world_fact
f.ws = :ws AND @fact_live

-- name: facts_by_start
WITH f AS (
  SELECT f.ws, @fact_columns FROM fact f WHERE @world_fact AND f.from_lo <= :until AND f.from_hi >= :since ORDER BY f.from_lo DESC, f.id DESC LIMIT :limit)
SELECT @seen_columns FROM f @seen_joins WHERE @seen_live

-- name: facts_by_end
WITH f AS (
  SELECT f.ws, @fact_columns FROM fact f WHERE @world_fact AND f.until_lo <= :until AND f.until_hi >= :since ORDER BY f.until_lo DESC, f.id DESC LIMIT :limit)
SELECT @seen_columns FROM f @seen_joins WHERE @seen_live

-- name: events_by_source
WITH f AS (
  SELECT f.ws, @fact_columns FROM fact f
  WHERE @world_fact AND f.label = 'TRANSITIONED' AND f.from_lo IS NULL AND f.until_lo IS NULL
    AND f.source_at <= :until AND f.source_at >= :since
  ORDER BY f.source_at DESC, f.id DESC LIMIT :limit)
SELECT @seen_columns FROM f @seen_joins WHERE @seen_live

-- name: facts_with_dates
SELECT @seen_columns FROM fact f @seen_joins
WHERE @world_fact AND f.id IN_LIST(:facts) AND @seen_live
  AND (f.from_lo IS NOT NULL OR f.until_lo IS NOT NULL OR f.label = 'TRANSITIONED')
