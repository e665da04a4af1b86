-- name: sync_device
SELECT id FROM sync_device WHERE ws = :ws

-- name: sync_device_add
INSERT INTO sync_device (ws, id) VALUES (:ws, :id)

-- name: sync_device_drop
DELETE FROM sync_device WHERE ws = :ws

-- name: sync_origins
SELECT device, number, tx, stamp, seen FROM sync_origin WHERE ws = :ws ORDER BY tx

-- name: sync_origin_add
INSERT INTO sync_origin (ws, device, number, tx, stamp, seen) VALUES (:ws, :device, :number, :tx, :stamp, :seen)

-- name: txs_after
SELECT tx, at, surface, tool, actor, undoes FROM tx WHERE ws = :ws AND tx > :after ORDER BY tx

-- name: sync_peers
SELECT name, address, synced_at FROM sync_peer WHERE ws = :ws ORDER BY name

-- name: sync_peer_put
INSERT INTO sync_peer (ws, name, address, synced_at) VALUES (:ws, :name, :address, :synced_at)
ON CONFLICT (ws, name) DO UPDATE SET address = excluded.address, synced_at = excluded.synced_at

-- name: sync_peer_drop
DELETE FROM sync_peer WHERE ws = :ws AND name = :name

-- name: entities_merged_into
SELECT id FROM entity WHERE ws = :ws AND merged_into = :entity AND +tx_from <= :as_of_tx AND tx_to > :as_of_tx ORDER BY id

-- name: facts_replaced_by
SELECT id FROM fact WHERE ws = :ws AND replaced_by = :fact AND source_count = 0 AND +tx_from <= :as_of_tx AND tx_to > :as_of_tx
ORDER BY id
