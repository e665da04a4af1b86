-- name: token_by_hash
SELECT access_token.id, access_token.name, workspace.name, access_token.scope, access_token.hash,
  access_token.created_at, access_token.revoked_at
FROM access_token JOIN workspace ON workspace.ws = access_token.ws
WHERE access_token.hash = :hash AND access_token.revoked_at IS NULL

-- name: token_by_id
SELECT access_token.id, access_token.name, workspace.name, access_token.scope, access_token.hash,
  access_token.created_at, access_token.revoked_at
FROM access_token JOIN workspace ON workspace.ws = access_token.ws
WHERE access_token.id = :id AND access_token.revoked_at IS NULL

-- name: tokens
SELECT access_token.id, access_token.name, workspace.name, access_token.scope, access_token.hash,
  access_token.created_at, access_token.revoked_at
FROM access_token JOIN workspace ON workspace.ws = access_token.ws
ORDER BY access_token.created_at, access_token.id LIMIT :limit

-- name: token_add
INSERT INTO access_token (ws, id, name, hash, scope, created_at)
SELECT workspace.ws, CAST(:id AS TEXT), CAST(:name AS TEXT), CAST(:hash AS TEXT), CAST(:scope AS TEXT),
  CAST(:created_at AS BIGINT)
FROM workspace WHERE workspace.name = :workspace
RETURNING id

-- name: token_revoke
UPDATE access_token SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL
RETURNING id
