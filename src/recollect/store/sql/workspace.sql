-- name: workspace_named
SELECT ws, name, created_at, last_tx FROM workspace WHERE name = :name

-- name: workspaces
SELECT ws, name, created_at, last_tx FROM workspace ORDER BY name

-- name: workspace_create
INSERT INTO workspace (ws, name, created_at, last_tx)
SELECT COALESCE(MAX(ws), 0) + 1, CAST(:name AS TEXT), CAST(:at AS BIGINT), 0 FROM workspace WHERE TRUE
ON CONFLICT DO NOTHING

-- name: last_tx
SELECT last_tx FROM workspace WHERE ws = :ws

-- name: next_tx
UPDATE workspace SET last_tx = last_tx + 1 WHERE ws = :ws RETURNING last_tx

-- name: last_tx_put
UPDATE workspace SET last_tx = :tx WHERE ws = :ws

-- name: tx_begin
INSERT INTO tx (ws, tx, at, surface, tool, actor, undoes) VALUES (:ws, :tx, :at, :surface, :tool, :actor, :undoes)

-- name: tx_at
SELECT tx FROM tx WHERE ws = :ws AND at <= :at ORDER BY at DESC, tx DESC LIMIT 1

-- name: tx_one
SELECT tx, at, surface, tool, actor, undoes FROM tx WHERE ws = :ws AND tx = :tx

-- name: tx_undoing
SELECT tx FROM tx WHERE ws = :ws AND undoes = :tx AND tx > :tx ORDER BY tx DESC LIMIT 1

-- name: tx_latest
SELECT tx, at, surface, tool, actor, undoes FROM tx WHERE ws = :ws ORDER BY tx DESC LIMIT :limit

-- name: settings
SELECT key, value FROM setting WHERE ws = :ws AND +tx_from <= :known AND tx_to > :known

-- name: definitions
SELECT kind, slug, value, tx_from FROM definition WHERE ws = :ws AND +tx_from <= :known AND tx_to > :known

-- name: predicate_used
SELECT name, first_surface, is_symmetric FROM predicate
WHERE ws = :ws AND name = :name AND +tx_from <= :known AND tx_to > :known

-- name: counts
SELECT
  (SELECT COUNT(*) FROM entity WHERE ws = :ws AND +tx_from <= :known AND tx_to > :known AND deleted IS NULL AND merged_into IS NULL),
  (SELECT COUNT(*) FROM fact WHERE ws = :ws AND +tx_from <= :known AND tx_to > :known),
  (SELECT COUNT(*) FROM document WHERE ws = :ws AND +tx_from <= :known AND tx_to > :known AND deleted IS NULL),
  (SELECT COUNT(*) FROM job WHERE ws = :ws)
