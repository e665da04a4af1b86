-- The write transaction holds the only lock there is.
-- name: lock_workspace
SELECT w.last_tx, (SELECT t.at FROM tx t WHERE t.ws = w.ws AND t.tx = w.last_tx) FROM workspace w WHERE w.ws = :ws
