-- One writer at a time per workspace, so that transaction numbers follow the order of commits.
-- name: lock_workspace
SELECT last_tx FROM workspace WHERE ws = :ws FOR UPDATE
