-- name: tables_by_workspace
SELECT table_name FROM information_schema.columns
WHERE table_schema = CURRENT_SCHEMA() AND column_name = 'ws' AND table_name <> 'workspace' ORDER BY table_name

-- name: passage_words_drop
DELETE FROM chunk_word WHERE ws = :ws

-- The notification is sent when the transaction commits; the same one several times counts once.
-- name: next_tx
WITH numbered AS (UPDATE workspace SET last_tx = last_tx + 1 WHERE ws = :ws RETURNING last_tx)
SELECT n.last_tx, (SELECT t.at FROM tx t WHERE t.ws = :ws AND t.tx = n.last_tx - 1), PG_CURRENT_XACT_ID()::TEXT
FROM numbered n, PG_NOTIFY('recollect_commit', '')

-- name: last_tx_put
WITH numbered AS (UPDATE workspace SET last_tx = :tx WHERE ws = :ws RETURNING last_tx)
SELECT PG_NOTIFY('recollect_commit', ''), PG_CURRENT_XACT_ID()::TEXT FROM numbered n

-- name: storage_bytes
SELECT PG_DATABASE_SIZE(CURRENT_DATABASE())

-- name: role_bypasses_row_security
SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = CURRENT_USER
