-- fragment: document_columns
d.id, d.tx_from, d.kind, d.type, d.key, d.title, d.author, d.url, d.source_at, d.content, d.properties, d.deleted

-- name: document_by_id
SELECT @document_columns FROM document d WHERE d.ws = :ws AND d.id = :id AND @known(d)

-- name: documents_by_id
SELECT @document_columns FROM document d WHERE d.ws = :ws AND d.id IN_LIST(:ids) AND @known(d) ORDER BY d.id

-- name: document_by_key
SELECT @document_columns FROM document d WHERE d.ws = :ws AND d.kind = :kind AND d.key = :key AND @known(d)

-- name: hidden_documents_with_text
SELECT @document_columns FROM document d
WHERE d.ws = :ws AND d.content = :hash AND d.deleted = 'hidden' AND d.kind = :kind AND @known(d) ORDER BY d.id

-- name: records_below
SELECT @document_columns FROM document d
WHERE d.ws = :ws AND d.kind = 'record' AND d.key >= :low AND d.key < :high AND @known(d) AND d.deleted IS NULL
ORDER BY d.key

-- name: content
SELECT text FROM content WHERE ws = :ws AND hash = :hash

-- name: content_add
INSERT INTO content (ws, hash, text) VALUES (:ws, :hash, :text) ON CONFLICT DO NOTHING

-- name: mentions_of_document
SELECT entity FROM mention WHERE ws = :ws AND document = :document AND @row_known

-- name: documents_mentioning
SELECT document FROM mention WHERE ws = :ws AND entity = :entity AND @row_known

-- name: line_taken
SELECT tx_from FROM line WHERE ws = :ws AND hash = :hash AND @row_known

-- name: lines_ever_taken
SELECT hash, MAX(tx_to) FROM line WHERE ws = :ws AND hash IN_LIST(:hashes) GROUP BY hash

-- The lines that told a document or what it says, up to the one that replaces them.
-- name: lines_of_document
SELECT l.hash FROM line l
WHERE l.ws = :ws AND l.tx_to = @open AND l.tx_from IN (
  SELECT d.tx_from FROM document d WHERE d.ws = :ws AND d.id = :document
  UNION SELECT a.tx_from FROM assertion a WHERE a.ws = :ws AND a.document = :document
  UNION SELECT a.tx_to FROM assertion a WHERE a.ws = :ws AND a.document = :document
)

-- name: chunks_of_document
SELECT number, document, seq, start, stop, hash, text FROM chunk
WHERE ws = :ws AND document = :document AND @row_known ORDER BY seq

-- name: chunks_end
UPDATE chunk SET tx_to = :tx WHERE ws = :ws AND document = :document AND tx_to = @open

-- name: chunks_begun
SELECT document FROM chunk WHERE ws = :ws AND tx_from = :tx GROUP BY document

-- Chunks that the vector index has passed, but whose vectors were dropped: they must be entered anew.
-- name: chunks_lacking_vectors
SELECT c.document FROM chunk c JOIN indexed i ON i.ws = c.ws AND i.part LIKE 'meaning:%' AND i.upto >= c.number
WHERE c.ws = :ws AND c.tx_to = :tx AND c.tx_to < @open AND c.hash <> '' AND NOT EXISTS (
  SELECT 1 FROM embedding e WHERE e.ws = c.ws AND e.model = SUBSTR(i.part, 9) AND e.hash = c.hash)
GROUP BY c.document

-- name: chunks_reopen
UPDATE chunk SET tx_to = @open WHERE ws = :ws AND document = :document AND tx_to = :tx

-- name: chunks_ended
SELECT document, seq, start, stop, hash, text FROM chunk WHERE ws = :ws AND tx_to = :tx AND tx_to < @open ORDER BY document, seq

-- name: documents_next_begun
SELECT MIN(d.tx_from) FROM document d
WHERE d.ws = :ws AND d.tx_from > :after AND d.tx_from <= :upto AND @known(d)
AND d.kind IN ('record', 'lore_source') AND d.deleted IS NULL

-- name: documents_begun_in
SELECT d.id, (SELECT MIN(o.tx_from) FROM document o WHERE o.ws = d.ws AND o.id = d.id) FROM document d
WHERE d.ws = :ws AND d.tx_from = :tx AND @known(d) AND d.kind IN ('record', 'lore_source') AND d.deleted IS NULL
ORDER BY d.id

-- name: documents_begun_counted
SELECT COUNT(*) FROM document d
WHERE d.ws = :ws AND d.tx_from > :after AND d.tx_from <= :upto AND @known(d)
AND d.kind IN ('record', 'lore_source') AND d.deleted IS NULL
