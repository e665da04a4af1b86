-- Erasure. Each of these tables and columns is a query that removes, in every version, the rows that name something
-- forgotten; `erase_rows` runs all of them, so a table whose rows name a document, an entity or a fact needs its line.

-- erased: artifact document
-- erased: artifact_tag document
-- erased: assertion document fact id
-- erased: attached document
-- erased: awaited document
-- erased: body_due document
-- erased: chat_bullet document memory
-- erased: dispute one other
-- erased: document id
-- erased: entity id
-- erased: fact id
-- erased: fact_number fact
-- erased: finding id
-- erased: finding_part finding part
-- erased: memory_entry document
-- erased: memory_link one other
-- erased: memory_place memory part_of
-- erased: memory_trait memory
-- erased: mention document entity
-- erased: mesh_body document
-- erased: message document
-- erased: name entity
-- erased: record_identity key
-- erased: retcon fact old
-- erased: review_flag node
-- erased: said entity
-- erased: title document
-- erased: told_of document encounter fact hearer teller

-- name: forget_in_memory_trait_value
DELETE FROM memory_trait WHERE ws = :ws AND kind = 'entity' AND value IN_LIST(:ids)

-- What follows serves to find out what rests on a thing alone.

-- name: forgotten_hashes
SELECT hash FROM forgotten WHERE ws = :ws

-- name: forgotten_among
SELECT hash FROM forgotten WHERE ws = :ws AND hash IN_LIST(:hashes)

-- name: forgotten_drop
DELETE FROM forgotten WHERE ws = :ws AND hash IN_LIST(:hashes)

-- name: forgotten_add
INSERT INTO forgotten (ws, hash, at) VALUES (:ws, :hash, :at) ON CONFLICT DO NOTHING

-- name: documents_keyed
SELECT DISTINCT id, kind FROM document WHERE ws = :ws AND kind IN_LIST(:kinds) AND key = :key

-- name: documents_ever
SELECT DISTINCT id, kind, key, content FROM document WHERE ws = :ws

-- name: facts_ever
SELECT DISTINCT id FROM fact WHERE ws = :ws

-- name: entities_ever
SELECT DISTINCT id, type, folded FROM entity WHERE ws = :ws

-- name: document_ever
SELECT DISTINCT kind, key FROM document WHERE ws = :ws AND id = :id

-- name: document_texts_ever
SELECT DISTINCT d.content, c.text FROM document d LEFT JOIN content c ON c.ws = d.ws AND c.hash = d.content
WHERE d.ws = :ws AND d.id = :document AND d.content IS NOT NULL

-- name: document_txs_ever
SELECT tx_from FROM document WHERE ws = :ws AND id IN_LIST(:ids)

-- name: assertions_ever_from
SELECT DISTINCT id, fact, quote, evidence, given, tx_from FROM assertion WHERE ws = :ws AND document IN_LIST(:ids)

-- name: assertions_ever_of
SELECT DISTINCT id, fact, document FROM assertion WHERE ws = :ws AND fact IN_LIST(:ids)

-- name: facts_ever_touching
SELECT DISTINCT id FROM fact WHERE ws = :ws AND subject IN_LIST(:ids)
UNION SELECT DISTINCT id FROM fact WHERE ws = :ws AND object IN_LIST(:ids)

-- name: ends_ever
SELECT DISTINCT subject, object FROM fact WHERE ws = :ws AND id IN_LIST(:ids)

-- name: fact_ever
SELECT 1 FROM fact WHERE ws = :ws AND id = :id LIMIT 1

-- name: fact_slots_ever
SELECT DISTINCT slot FROM fact WHERE ws = :ws AND id IN_LIST(:ids)

-- name: fact_words_ever
SELECT id, tx_from, words, evidence FROM fact WHERE ws = :ws AND id IN_LIST(:ids)

-- name: fact_scrub
UPDATE fact SET words = :words, evidence = :evidence WHERE ws = :ws AND id = :id AND tx_from = :tx_from

-- name: fact_unname
UPDATE fact SET replaced_by = CASE WHEN replaced_by = :id THEN NULL ELSE replaced_by END,
  supersedes = CASE WHEN supersedes = :id THEN NULL ELSE supersedes END
WHERE ws = :ws AND (id IN_LIST(:ids) OR supersedes = :id)

-- A commit knows its text by a hash, and says on a repeat that all its parts are there.
-- name: commits_erase
DELETE FROM folio_commit WHERE ws = :ws AND documents LIKE :pattern

-- name: facts_in_slots_ever
SELECT DISTINCT id FROM fact WHERE ws = :ws AND slot IN_LIST(:slots)

-- name: entity_ever
SELECT type, folded, MIN(tx_from) FROM entity WHERE ws = :ws AND id = :id GROUP BY type, folded

-- name: names_ever_of
SELECT DISTINCT folded, key FROM name WHERE ws = :ws AND entity IN_LIST(:ids)

-- name: mentions_ever_of
SELECT DISTINCT document FROM mention WHERE ws = :ws AND entity = :entity

-- name: mentioned_ever
SELECT DISTINCT entity FROM mention WHERE ws = :ws AND document IN_LIST(:ids)

-- name: findings_naming
SELECT DISTINCT finding FROM finding_part WHERE ws = :ws AND part IN_LIST(:ids)

-- name: memory_words_erase
DELETE FROM memory_word WHERE ws = :ws AND number IN (
  SELECT m.number FROM memory_entry m WHERE m.ws = :ws AND m.document IN_LIST(:ids))

-- name: name_words_erase
DELETE FROM name_word WHERE ws = :ws AND token IN_LIST(:tokens) AND key IN_LIST(:keys)
AND NOT EXISTS (SELECT 1 FROM name n WHERE n.ws = name_word.ws AND n.key = name_word.key)

-- name: token_variant_erase
DELETE FROM token_variant WHERE ws = :ws AND variant = :variant AND token = :token
AND NOT EXISTS (SELECT 1 FROM name_word w WHERE w.ws = token_variant.ws AND w.token = token_variant.token)

-- name: node_vectors_erase
DELETE FROM embedding WHERE ws = :ws AND hash >= :low AND hash < :high

-- name: snapshots_erase
DELETE FROM snapshot WHERE ws = :ws AND category = :category AND stem = :stem

-- name: entities_learned_from
SELECT id, tx_from, reason, properties FROM entity WHERE ws = :ws AND properties LIKE :pattern

-- name: entity_scrub
UPDATE entity SET properties = :properties WHERE ws = :ws AND id = :id AND tx_from = :tx_from

-- name: summaries_ever
SELECT DISTINCT id, key, type, properties FROM document WHERE ws = :ws AND kind = 'memory'
AND type IN ('weekly', 'monthly', 'yearly')

-- name: chat_bullets_by_memory
SELECT document, hash FROM chat_bullet WHERE ws = :ws AND memory = :memory
