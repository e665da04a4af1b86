-- Work that waits: the first that is due, whoever asks first; a claim ends by itself, so a crash loses nothing.

-- name: job_due
SELECT id, payload, attempts FROM job
WHERE ws = :ws AND (due_at <= :now OR due_at > :latest) AND kind || '' = :kind AND attempts < :attempts
ORDER BY due_at, id LIMIT 1

-- name: job_claim
UPDATE job SET due_at = :until WHERE ws = :ws AND id = :id

-- name: job_failed
UPDATE job SET attempts = attempts + 1, due_at = :due_at, error = :error WHERE ws = :ws AND id = :id

-- name: jobs_begin_again
UPDATE job SET due_at = :now, attempts = 0 WHERE ws = :ws AND id >= :low AND id < :high AND kind = :kind
AND (due_at > :now OR attempts >= :attempts)

-- name: job_put
INSERT INTO job (ws, id, kind, payload, attempts, due_at, error) VALUES (:ws, :id, :kind, :payload, 0, :due_at, NULL)
ON CONFLICT (ws, id) DO UPDATE SET kind = excluded.kind, payload = excluded.payload, attempts = 0,
  due_at = excluded.due_at, error = NULL

-- name: job_drop
DELETE FROM job WHERE ws = :ws AND id = :id

-- name: job_one
SELECT kind, payload, attempts, due_at, error FROM job WHERE ws = :ws AND id = :id

-- name: jobs_of_kind
SELECT payload, attempts FROM job WHERE ws = :ws AND id >= :low AND id < :high ORDER BY id
