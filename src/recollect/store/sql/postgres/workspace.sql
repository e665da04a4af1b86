-- name: tables_by_workspace
SELECT table_name FROM information_schema.columns
WHERE table_schema = CURRENT_SCHEMA() AND column_name = 'ws' AND table_name <> 'workspace' ORDER BY table_name

-- name: passage_words_drop
DELETE FROM chunk_word WHERE ws = :ws
