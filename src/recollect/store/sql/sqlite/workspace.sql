-- name: tables_by_workspace
SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'ws' WHERE m.type = 'table' AND m.name <> 'workspace'
ORDER BY m.name

-- name: passage_words_drop
DELETE FROM chunk_word WHERE rowid IN (SELECT number FROM chunk WHERE ws = :ws)

-- name: last_tx_put
UPDATE workspace SET last_tx = :tx WHERE ws = :ws

-- name: storage_bytes
SELECT c.page_count * s.page_size FROM pragma_page_count() c, pragma_page_size() s
