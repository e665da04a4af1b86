-- name: shards
SELECT name, address, added_at FROM shard ORDER BY name LIMIT :limit

-- name: shard_add
INSERT INTO shard (name, address, added_at) VALUES (:name, :address, :at)
ON CONFLICT (name) DO UPDATE SET address = EXCLUDED.address

-- name: shard_homes
SELECT ws, shard, moving_to FROM shard_workspace ORDER BY ws LIMIT :limit

-- name: shard_home
SELECT ws, shard, moving_to FROM shard_workspace WHERE ws = :ws

-- name: shard_home_put
INSERT INTO shard_workspace (ws, shard, moving_to) VALUES (:ws, :shard, :moving_to)
ON CONFLICT (ws) DO UPDATE SET shard = EXCLUDED.shard, moving_to = EXCLUDED.moving_to

-- name: shard_store
SELECT id FROM shard_store

-- name: shard_store_add
INSERT INTO shard_store (id) VALUES (:id)

-- name: workspace_close
INSERT INTO closed_workspace (ws) VALUES (:ws) ON CONFLICT DO NOTHING

-- name: workspace_open
DELETE FROM closed_workspace WHERE ws = :ws

-- name: move_lock
SELECT PG_ADVISORY_XACT_LOCK(7273304, CAST(:ws AS INTEGER))

-- name: move_lock_if_free
SELECT PG_TRY_ADVISORY_XACT_LOCK(7273304, CAST(:ws AS INTEGER))

-- name: write_pause
SELECT PG_ADVISORY_XACT_LOCK(7273303, CAST(:ws AS INTEGER))
