-- What follows removes for good, in every version: for privacy and retention alone.

-- name: chunks_ever
SELECT number, hash, stop - start FROM chunk WHERE ws = :ws AND document = :document

-- The number that was given out last stays taken, by a passage that says nothing: indexes know how far they came by it.
-- name: chunk_number_keep
UPDATE chunk SET document = '', tx_from = 0, tx_to = 0, seq = 0, start = 0, stop = 0, hash = '', text = ''
WHERE ws = :ws AND document = :document AND number = (SELECT MAX(c.number) FROM chunk c WHERE c.ws = :ws)

-- name: chunks_erase
DELETE FROM chunk WHERE ws = :ws AND document = :document

-- name: embeddings_erase
DELETE FROM embedding WHERE ws = :ws AND hash IN_LIST(:hashes)
AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.ws = embedding.ws AND c.hash = embedding.hash)

-- name: contents_ever
SELECT DISTINCT content FROM document WHERE ws = :ws AND id = :document AND content IS NOT NULL

-- name: contents_unname
UPDATE document SET content = NULL WHERE ws = :ws AND id = :document

-- name: contents_erase
DELETE FROM content WHERE ws = :ws AND hash IN_LIST(:hashes)
AND NOT EXISTS (SELECT 1 FROM document d WHERE d.ws = content.ws AND d.content = content.hash)

-- name: quotes_erase
UPDATE assertion SET quote = NULL WHERE ws = :ws AND document = :document AND quote IS NOT NULL
