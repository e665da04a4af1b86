-- The write transaction holds the only lock there is.
-- name: lock_workspace
SELECT last_tx FROM workspace WHERE ws = :ws
