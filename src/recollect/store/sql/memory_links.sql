-- name: linkable_documents
SELECT @document_columns FROM document d
WHERE d.ws = :ws AND d.id IN_LIST(:ids) AND d.kind IN ('memory', 'artifact') AND @known(d)

-- name: links_from
SELECT one, other, type, origin, confidence FROM memory_link WHERE ws = :ws AND one IN_LIST(:memories) AND @row_known

-- name: links_to
SELECT one, other, type, origin, confidence FROM memory_link WHERE ws = :ws AND other IN_LIST(:memories) AND @row_known

-- name: links_between
SELECT one, other, type, origin, confidence FROM memory_link
WHERE ws = :ws AND one = :one AND other = :other AND @row_known

-- name: memory_places
SELECT memory, stream, at, written, part_of FROM memory_place WHERE ws = :ws AND memory IN_LIST(:memories)

-- name: any_memory_place
SELECT 1 FROM memory_place WHERE ws = :ws LIMIT 1

-- upsert: memory_place_put memory_place memory = stream at written part_of

-- name: memory_place_drop
DELETE FROM memory_place WHERE ws = :ws AND memory = :memory

-- name: memory_before
SELECT memory, stream, at, written, part_of FROM memory_place
WHERE ws = :ws AND stream = :stream AND (at < :at OR (at = :at AND written < :written)) ORDER BY at DESC, written DESC LIMIT 1

-- name: memory_after
SELECT memory, stream, at, written, part_of FROM memory_place
WHERE ws = :ws AND stream = :stream AND (at > :at OR (at = :at AND written > :written)) ORDER BY at, written LIMIT 1

-- name: memory_traits
SELECT memory, kind, value FROM memory_trait WHERE ws = :ws AND memory IN_LIST(:memories)

-- name: memory_trait_add
INSERT INTO memory_trait (ws, kind, value, memory) VALUES (:ws, :kind, :value, :memory) ON CONFLICT DO NOTHING

-- name: memory_traits_drop
DELETE FROM memory_trait WHERE ws = :ws AND memory = :memory

-- name: memories_with_trait
SELECT memory FROM memory_trait WHERE ws = :ws AND kind = :kind AND value = :value ORDER BY memory DESC LIMIT :limit

-- name: memories_asserting
SELECT DISTINCT a.document FROM assertion a JOIN memory_place p ON p.ws = a.ws AND p.memory = a.document
WHERE a.ws = :ws AND a.fact IN_LIST(:facts)
