-- fragment: stored_tokens
SELECT access_token.id, access_token.name, workspace.name, access_token.scope, access_token.hash,
  access_token.created_at, access_token.revoked_at, access_token.limits
FROM access_token JOIN workspace ON workspace.ws = access_token.ws

-- name: token_by_hash
@stored_tokens WHERE access_token.hash = :hash AND access_token.revoked_at IS NULL

-- name: token_by_id
@stored_tokens WHERE access_token.id = :id AND access_token.revoked_at IS NULL

-- name: tokens
@stored_tokens ORDER BY access_token.created_at, access_token.id LIMIT :limit

-- name: token_add
INSERT INTO access_token (ws, id, name, hash, scope, created_at, limits)
SELECT workspace.ws, CAST(:id AS TEXT), CAST(:name AS TEXT), CAST(:hash AS TEXT), CAST(:scope AS TEXT),
  CAST(:created_at AS BIGINT), CAST(:limits AS TEXT)
FROM workspace WHERE workspace.name = :workspace
RETURNING id

-- name: token_revoke
UPDATE access_token SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL
RETURNING id

-- A session that was signed out is a call that was carried out once: its row is kept as an idempotency key's.
-- name: session_end
INSERT INTO idempotent_call (ws, subject, key, call, fingerprint, created_at)
SELECT access_token.ws, CAST(:subject AS TEXT), CAST(:session AS TEXT), 'sign-out', 'sign-out', CAST(:at AS BIGINT)
FROM access_token WHERE access_token.id = :token
ON CONFLICT (ws, subject, key) DO NOTHING

-- name: session_ended
SELECT 1 FROM idempotent_call
WHERE ws IN (SELECT ws FROM access_token WHERE id = :token) AND subject = :subject AND key = :session

-- name: sessions_forget
DELETE FROM idempotent_call WHERE subject LIKE 'session:%' AND created_at < :before

-- name: grants_of
SELECT workspace.name, member.scope
FROM member JOIN workspace ON workspace.ws = member.ws
WHERE member.subject = :subject
ORDER BY workspace.name LIMIT :limit

-- name: members
SELECT workspace.name, member.subject, member.scope, member.created_at
FROM member JOIN workspace ON workspace.ws = member.ws
ORDER BY workspace.name, member.subject LIMIT :limit

-- name: member_put
INSERT INTO member (ws, subject, scope, created_at)
SELECT workspace.ws, CAST(:subject AS TEXT), CAST(:scope AS TEXT), CAST(:created_at AS BIGINT)
FROM workspace WHERE workspace.name = :workspace
ON CONFLICT (ws, subject) DO UPDATE SET scope = EXCLUDED.scope
RETURNING subject

-- name: member_drop
DELETE FROM member
WHERE subject = :subject AND ws IN (SELECT ws FROM workspace WHERE name = :workspace)
RETURNING subject

-- name: facts_written_since
SELECT COUNT(*) FROM tx JOIN assertion ON assertion.ws = tx.ws AND assertion.tx_from = tx.tx
WHERE tx.ws = :ws AND tx.at >= :since AND tx.actor = :actor
