-- name: idempotent_claim
INSERT INTO idempotent_call (ws, subject, key, call, fingerprint, created_at)
VALUES (:ws, :subject, :key, :call, :fingerprint, :created_at)
ON CONFLICT (ws, subject, key) DO UPDATE SET call = idempotent_call.call WHERE idempotent_call.call = EXCLUDED.call
RETURNING key

-- name: idempotent_find
SELECT fingerprint, answer FROM idempotent_call WHERE ws = :ws AND subject = :subject AND key = :key

-- name: idempotent_keep
UPDATE idempotent_call SET answer = :answer WHERE ws = :ws AND subject = :subject AND key = :key AND call = :call

-- name: idempotent_sweep
DELETE FROM idempotent_call WHERE ws = :ws AND created_at < :before

-- name: idempotent_answers_erase
UPDATE idempotent_call SET answer = NULL WHERE ws = :ws
