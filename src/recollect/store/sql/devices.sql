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

-- upsert: sync_peer_put sync_peer name = address synced_at

-- name: sync_peer_drop
DELETE FROM sync_peer WHERE ws = :ws AND name = :name

-- name: entities_merged_into
SELECT id FROM entity WHERE ws = :ws AND merged_into = :entity AND @row_known ORDER BY id

-- name: facts_replaced_by
SELECT id FROM fact WHERE ws = :ws AND replaced_by = :fact AND source_count = 0 AND @row_known ORDER BY id
