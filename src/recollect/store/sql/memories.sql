-- name: memories_changed
SELECT id FROM document
WHERE ws = :ws AND tx_from > :upto AND tx_from <= :as_of_tx AND kind || '' = 'memory'
UNION
SELECT id FROM document
WHERE ws = :ws AND tx_to > :upto AND tx_to <= :as_of_tx AND tx_to < @open AND kind || '' = 'memory'

-- A store without memories has none to be found among many documents.
-- name: memory_lagging
SELECT 1 WHERE EXISTS (SELECT 1 FROM document WHERE ws = :ws AND kind = 'memory') AND (
  EXISTS (SELECT 1 FROM document WHERE ws = :ws AND tx_from > :upto AND kind || '' = 'memory')
  OR EXISTS (
    SELECT 1 FROM document WHERE ws = :ws AND tx_to > :upto AND tx_to < @open AND kind || '' = 'memory'
  )
)

-- fragment: entry_columns
m.number, m.document, m.key, m.content, m.granularity, m.instance, m.others, m.first_day, m.last_day

-- name: entries_of_documents
SELECT @entry_columns FROM memory_entry m WHERE m.ws = :ws AND m.document IN_LIST(:documents)

-- name: entries_numbered
SELECT @entry_columns FROM memory_entry m WHERE m.ws = :ws AND m.number IN_LIST(:numbers)

-- name: entry_last
SELECT COALESCE(MAX(number), 0) FROM memory_entry WHERE ws = :ws

-- name: entry_put
INSERT INTO memory_entry (ws, number, document, key, content, granularity, place, instance, others, first_day, last_day)
VALUES (:ws, :number, :document, :key, :content, :granularity, :place, :instance, :others, :first_day, :last_day)
ON CONFLICT (ws, number) DO UPDATE SET content = excluded.content, instance = excluded.instance, others = excluded.others

-- name: entry_drop
DELETE FROM memory_entry WHERE ws = :ws AND number = :number

-- name: memory_word_add
INSERT INTO memory_word (ws, word, number) VALUES (:ws, :word, :number) ON CONFLICT DO NOTHING

-- name: memory_word_drop
DELETE FROM memory_word WHERE ws = :ws AND word = :word AND number = :number

-- fragment: entry_wanted
m.ws = :ws AND m.last_day >= :after AND m.first_day <= :before
AND (:any_granularity = 1 OR m.granularity IN_LIST(:granularities))
AND (CAST(:instance AS TEXT) IS NULL OR m.instance = :instance)

-- name: entries_listed
SELECT m.document FROM memory_entry m WHERE @entry_wanted
ORDER BY m.last_day DESC, m.place, m.key LIMIT :limit OFFSET :offset

-- name: entries_counted
SELECT COUNT(*) FROM memory_entry m WHERE @entry_wanted

-- Long lists of numbers come as one text, which is read several times faster than rows.
-- name: entries_wanted
SELECT @join m.number @joined FROM memory_entry m WHERE @entry_wanted

-- name: entries_with_text
SELECT @entry_columns, t.text FROM memory_entry m JOIN content t ON t.ws = m.ws AND t.hash = m.content
WHERE @entry_wanted AND m.number > :behind ORDER BY m.number LIMIT :limit

-- name: entries_with_word
SELECT @join number @joined FROM memory_word WHERE ws = :ws AND word = :word

-- name: entries_with_word_start
SELECT @join number @joined FROM memory_word WHERE ws = :ws AND word >= :word AND word < :behind

-- name: entries_naming
SELECT @join number @joined FROM (
  SELECT m.number FROM mention x JOIN memory_entry m ON m.ws = x.ws AND m.document = x.document
  WHERE x.ws = :ws AND x.entity IN_LIST(:entities) AND @known(x)
  UNION
  SELECT m.number FROM @told_facts
  JOIN memory_entry m ON m.ws = a.ws AND m.document = a.document
  WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @known(f) AND f.certainty <> 'retracted'
  UNION
  SELECT m.number FROM @told_facts
  JOIN memory_entry m ON m.ws = a.ws AND m.document = a.document
  WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND @known(f) AND f.certainty <> 'retracted'
) named

-- The same of any document, for a moment that the index does not know.
-- name: documents_naming
SELECT x.document FROM mention x WHERE x.ws = :ws AND x.entity IN_LIST(:entities) AND @known(x)
UNION
SELECT a.document FROM @told_facts
WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @known(f) AND f.certainty <> 'retracted' AND a.document IS NOT NULL
UNION
SELECT a.document FROM @told_facts
WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND @known(f) AND f.certainty <> 'retracted' AND a.document IS NOT NULL

-- name: entries_of_chunks
SELECT c.number, m.number FROM chunk c JOIN memory_entry m ON m.ws = c.ws AND m.document = c.document
WHERE c.ws = :ws AND c.number IN_LIST(:numbers)

-- name: chunks_of_entries
SELECT c.number, m.number FROM memory_entry m JOIN chunk c ON c.ws = m.ws AND c.document = m.document
WHERE m.ws = :ws AND m.number IN_LIST(:numbers) AND @known(c)

-- name: memories_between
SELECT @document_columns FROM document d
WHERE d.ws = :ws AND d.kind = 'memory' AND @memory_key >= :low AND @memory_key < :high AND @known(d)

-- Those that were written, changed or taken out after a transaction, whatever became of them.
-- name: memories_touched_between
SELECT DISTINCT d.key FROM document d
WHERE d.ws = :ws AND d.kind = 'memory' AND @memory_key >= :low AND @memory_key < :high
AND +d.tx_from <= :as_of_tx AND (d.tx_from > :since OR d.tx_to > :since AND d.tx_to <= :as_of_tx)

-- name: names_known_tokens
SELECT DISTINCT token FROM name_word WHERE ws = :ws AND token IN_LIST(:tokens)

-- name: names_keyed
SELECT @name_columns FROM name n WHERE n.ws = :ws AND n.key IN_LIST(:keys) AND @spelled AND @known(n)

-- name: names_going_on
SELECT 1 FROM name n WHERE n.ws = :ws AND n.key >= :low AND n.key < :high AND @spelled AND @known(n) LIMIT 1

-- name: names_to_link
SELECT n.tx_from, n.folded, n.entity FROM name n
WHERE n.ws = :ws AND n.tx_from > :upto AND n.tx_from <= :as_of_tx AND +n.tx_to > :as_of_tx AND @spelled AND n.type <> 'self'
ORDER BY n.tx_from, n.folded, n.entity LIMIT :limit

-- name: embeddings_of_dead
DELETE FROM embedding WHERE ws = :ws AND hash IN_LIST(:hashes)
AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.ws = embedding.ws AND c.hash = embedding.hash AND c.tx_to = @open)

-- Passages that ended before they were embedded.
-- name: hashes_ended_between
SELECT DISTINCT c.hash FROM chunk c JOIN document d ON d.ws = c.ws AND d.id = c.document AND d.kind = 'memory'
WHERE c.ws = :ws AND c.number > :low AND c.number <= :high AND c.tx_to < @open

-- name: hashes_of_dead_memories
SELECT DISTINCT e.hash FROM document d JOIN chunk c ON c.ws = d.ws AND c.document = d.id
JOIN embedding e ON e.ws = c.ws AND e.hash = c.hash
WHERE d.ws = :ws AND d.kind = 'memory'
AND NOT EXISTS (SELECT 1 FROM chunk l WHERE l.ws = c.ws AND l.hash = c.hash AND l.tx_to = @open)

-- name: vectors_of_memories
SELECT COUNT(*) FROM embedding e WHERE e.ws = :ws AND e.hash IN (
  SELECT c.hash FROM memory_entry m JOIN chunk c ON c.ws = m.ws AND c.document = m.document
  WHERE m.ws = :ws AND c.tx_to = @open)

-- name: embedding_drop
DELETE FROM embedding WHERE ws = :ws AND model = :model AND hash = :hash

-- name: entry_periods
SELECT DISTINCT m.granularity, m.first_day FROM memory_entry m WHERE m.ws = :ws AND m.granularity <> 'significant'

-- name: entry_placed
SELECT m.number, m.document, m.instance, m.others, m.last_day FROM memory_entry m
WHERE m.ws = :ws AND m.document IN_LIST(:documents)

-- name: entries_placed
SELECT m.number, m.document, m.instance, m.others, m.last_day FROM memory_entry m WHERE m.ws = :ws

-- name: entries_overlapping
SELECT @join m.number @joined FROM memory_entry m WHERE m.ws = :ws AND m.last_day >= :low AND m.first_day <= :high

-- name: entries_behind
SELECT @entry_columns FROM memory_entry m WHERE m.ws = :ws AND m.number > :behind ORDER BY m.number LIMIT :limit

-- name: artifacts_between
SELECT @document_columns FROM document d
WHERE d.ws = :ws AND d.kind = 'artifact' AND @memory_key >= :low AND @memory_key < :high
AND @known(d) AND d.deleted IS NULL
