-- One writer at a time per workspace, so that transaction numbers follow the order of commits.
-- name: lock_workspace
SELECT last_tx FROM workspace WHERE ws = :ws FOR UPDATE

-- name: next_tx
UPDATE workspace SET last_tx = last_tx + 1 WHERE ws = :ws RETURNING last_tx
