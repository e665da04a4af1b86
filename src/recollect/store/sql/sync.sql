-- name: sync_state
SELECT upto, total FROM sync_state WHERE ws = :ws

-- name: sync_state_put
INSERT INTO sync_state (ws, upto, total) VALUES (:ws, :upto, :total)
ON CONFLICT (ws) DO UPDATE SET upto = excluded.upto, total = excluded.total

-- name: sync_state_drop
DELETE FROM sync_state WHERE ws = :ws

-- name: synced_between
SELECT id FROM document
WHERE ws = :ws AND tx_from > :low AND tx_from <= :high AND kind || '' IN ('identity', 'memory')
UNION
SELECT id FROM document
WHERE ws = :ws AND tx_to > :low AND tx_to <= :high AND tx_to < 9223372036854775807 AND kind || '' IN ('identity', 'memory')
