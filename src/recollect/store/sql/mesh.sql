-- name: mesh_accounts
SELECT connector, account, path, enabled, refetch, retention_days FROM mesh_account WHERE ws = :ws
ORDER BY connector, account

-- name: mesh_account_one
SELECT connector, account, path, enabled, refetch, retention_days FROM mesh_account
WHERE ws = :ws AND connector = :connector AND account = :account

-- upsert: mesh_account_put mesh_account connector account = path enabled refetch retention_days

-- name: mesh_secret
SELECT secret FROM mesh_secret WHERE ws = :ws

-- name: mesh_secret_put
INSERT INTO mesh_secret (ws, secret) VALUES (:ws, :secret) ON CONFLICT DO NOTHING

-- name: mesh_token_used
SELECT at FROM mesh_token_used WHERE ws = :ws AND token = :token

-- name: mesh_token_use
INSERT INTO mesh_token_used (ws, token, at) VALUES (:ws, :token, :at) ON CONFLICT DO NOTHING

-- name: mesh_token_give_back
DELETE FROM mesh_token_used WHERE ws = :ws AND token = :token

-- name: mesh_tokens_forget
DELETE FROM mesh_token_used WHERE ws = :ws AND at < :before

-- name: mesh_used
SELECT session, at, tokens FROM mesh_use WHERE ws = :ws AND at >= :since

-- name: mesh_use_add
INSERT INTO mesh_use (ws, at, id, session, tokens) VALUES (:ws, :at, :id, :session, :tokens)

-- name: mesh_use_forget
DELETE FROM mesh_use WHERE ws = :ws AND at < :before

-- name: mesh_slots
SELECT id FROM mesh_slot WHERE ws = :ws AND until > :now

-- name: mesh_slot_take
INSERT INTO mesh_slot (ws, id, until) VALUES (:ws, :id, :until)

-- name: mesh_slot_free
DELETE FROM mesh_slot WHERE ws = :ws AND (id = :id OR until <= :now)

-- name: external_servers
SELECT name, enabled, value FROM external_server WHERE ws = :ws ORDER BY name

-- upsert: external_server_put external_server name = enabled value

-- name: external_server_drop
DELETE FROM external_server WHERE ws = :ws AND name = :name

-- name: mesh_body_put
INSERT INTO mesh_body (ws, uri, document) VALUES (:ws, :uri, :document) ON CONFLICT DO NOTHING

-- name: mesh_bodies
SELECT document FROM mesh_body WHERE ws = :ws AND uri = :uri

-- name: attached_put
INSERT INTO attached (ws, document, data) VALUES (:ws, :document, :data)

-- name: attached
SELECT data FROM attached WHERE ws = :ws AND document = :document
