-- One writer at a time per workspace, so that transaction numbers follow the order of commits.
-- name: lock_workspace
SELECT w.last_tx, (SELECT t.at FROM tx t WHERE t.ws = w.ws AND t.tx = w.last_tx) FROM workspace w WHERE w.ws = :ws FOR UPDATE OF w
