-- name: sync_state
SELECT upto, total FROM sync_state WHERE ws = :ws

-- upsert: sync_state_put sync_state = upto total

-- name: sync_state_drop
DELETE FROM sync_state WHERE ws = :ws

-- name: synced_between
SELECT id FROM document
WHERE ws = :ws AND tx_from > :low AND tx_from <= :high AND kind || '' IN ('identity', 'memory')
UNION
SELECT id FROM document
WHERE ws = :ws AND tx_to > :low AND tx_to <= :high AND tx_to < @open AND kind || '' IN ('identity', 'memory')
