-- The write transaction holds the only lock there is.
-- name: lock_workspace
SELECT last_tx FROM workspace WHERE ws = :ws

-- name: next_tx
UPDATE workspace SET last_tx = last_tx + 1 WHERE ws = :ws
