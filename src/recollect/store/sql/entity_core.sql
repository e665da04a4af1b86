-- name: documents_of_kind
SELECT @document_columns FROM document d WHERE d.ws = :ws AND d.kind = :kind AND @known(d)

-- name: memory_contents
SELECT d.type, d.key, d.content FROM document d
WHERE d.ws = :ws AND d.kind = 'memory' AND d.deleted IS NULL AND @known(d)

-- name: documents_begun_since
SELECT @document_columns FROM document d
WHERE d.ws = :ws AND d.tx_from > :since AND d.tx_from <= :as_of_tx AND +d.tx_to > :as_of_tx AND d.kind || '' IN ('identity', 'memory')

-- name: documents_ended_since
SELECT @document_columns, d.tx_to FROM document d
WHERE d.ws = :ws AND d.tx_to > :since AND d.tx_to <= :as_of_tx AND d.tx_to < @open
AND d.kind || '' IN ('identity', 'memory')
AND NOT EXISTS (SELECT 1 FROM document o WHERE o.ws = d.ws AND o.id = d.id AND @known(o))

-- name: document_version_counts
SELECT id, COUNT(*) FROM document WHERE ws = :ws AND id IN_LIST(:ids) AND +tx_from <= :as_of_tx GROUP BY id

-- name: document_versions
SELECT @document_columns FROM document d WHERE d.ws = :ws AND d.id = :id AND +d.tx_from <= :as_of_tx

-- name: texts
SELECT hash, text FROM content WHERE ws = :ws AND hash IN_LIST(:hashes)

-- name: tx_instants
SELECT tx, at FROM tx WHERE ws = :ws AND tx IN_LIST(:txs)

-- fragment: snapshot_columns
category, stem, at, tx, reason, source, flagged, label, held

-- name: snapshot_add
INSERT INTO snapshot (ws, @snapshot_columns)
VALUES (:ws, :category, :stem, :at, :tx, :reason, :source, :flagged, :label, :held)

-- name: snapshot_one
SELECT @snapshot_columns FROM snapshot WHERE ws = :ws AND category = :category AND stem = :stem AND at = :at

-- name: snapshots_of
SELECT @snapshot_columns FROM snapshot WHERE ws = :ws AND category = :category AND stem = :stem

-- name: snapshots_in
SELECT category, stem, at, tx, reason, source, flagged, label, NULL FROM snapshot
WHERE ws = :ws AND at >= 0 AND category || '' IN_LIST(:categories)

-- name: snapshots_expired
SELECT @snapshot_columns FROM snapshot WHERE ws = :ws AND at < :before AND flagged = 0

-- name: snapshot_remove
DELETE FROM snapshot WHERE ws = :ws AND category = :category AND stem = :stem AND at = :at

-- name: snapshot_flag
UPDATE snapshot SET flagged = :flagged WHERE ws = :ws AND category = :category AND stem = :stem AND at = :at

-- name: instances
SELECT id, type, name, version, synced_at, synced_tx FROM instance WHERE ws = :ws

-- upsert: instance_put instance id = type name version synced_at synced_tx

-- name: extraction_health
SELECT attempts, successes, nodes, edges, attempted_at, succeeded_at, failed_at, error, dropped FROM extraction_health WHERE ws = :ws

-- upsert: extraction_health_put extraction_health = attempts successes nodes edges attempted_at succeeded_at failed_at error dropped