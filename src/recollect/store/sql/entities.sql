-- Probes that find a handful of rows have no ORDER BY: a sorter costs more than the probe, so the view puts them in order.

-- fragment: entity_columns
e.id, e.tx_from, e.type, e.name, e.folded, e.provisional, e.confidence, e.properties, e.created_at, e.confirmed_at,
e.reason, e.merged_into, e.deleted

-- fragment: name_columns
n.entity, n.type, n.spelling, n.kind, n.folded, n.key, n.trust

-- The property `known_as` of a name.
-- fragment: known_as
CASE WHEN n.kind = 'alias' AND n.trust IN ('unknown', 'untrusted') THEN 'claimed' ELSE n.kind END

-- name: entity_by_id
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND e.id = :id AND @known(e)

-- name: entities_by_id
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND e.id IN_LIST(:ids) AND @known(e) ORDER BY e.id

-- name: entity_versions
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND e.id = :id ORDER BY e.tx_from

-- name: entities_of_types
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND e.type IN_LIST(:types) AND @entity_live
ORDER BY e.created_at, e.id LIMIT :limit

-- Limits a probe to the types that count: those listed, or all but those listed.
-- fragment: name_typed
(:others = 1 AND NOT (n.type IN_LIST(:types)) OR :others = 0 AND n.type IN_LIST(:types))

-- fragment: spelled
n.kind IN ('name', 'alias')

-- name: names_exact
SELECT @name_columns FROM name n WHERE n.ws = :ws AND n.folded = :folded AND @known(n)

-- name: entities_named
SELECT @known_as, @entity_columns FROM name n
JOIN entity e ON e.ws = n.ws AND e.id = n.entity AND @known(e) WHERE n.ws = :ws AND n.folded = :folded AND @known(n)

-- name: names_of_entity
SELECT @name_columns, n.tx_from FROM name n WHERE n.ws = :ws AND n.entity = :entity AND @known(n)

-- name: names_of_entities
SELECT @name_columns FROM name n WHERE n.ws = :ws AND n.entity IN_LIST(:entities) AND @spelled AND @known(n)

-- When each alias was first learned, whatever became of its row since.
-- name: aliases_learned
SELECT n.entity, n.folded, n.tx_from, n.kind <> 'alias', n.place FROM name n
WHERE n.ws = :ws AND n.entity IN_LIST(:entities)

-- name: names_with_keys
SELECT @name_columns FROM name n
WHERE n.ws = :ws AND n.key IN_LIST(:keys) AND n.digits = :digits AND @spelled AND @known(n) AND @name_typed
ORDER BY n.key, n.entity, n.kind LIMIT :limit

-- name: names_starting
SELECT @name_columns FROM name n
WHERE n.ws = :ws AND n.key >= :lo AND n.key < :hi AND n.digits = :digits AND @spelled AND @known(n) AND @name_typed
ORDER BY n.key, n.entity, n.kind LIMIT :limit

-- name: key_continued
SELECT 1 FROM name n
WHERE n.ws = :ws AND n.key >= :lo AND n.key < :hi AND n.digits = :digits AND @spelled AND @known(n) LIMIT 1

-- name: tokens_near
SELECT DISTINCT token FROM token_variant WHERE ws = :ws AND variant IN_LIST(:variants) ORDER BY token LIMIT :limit

-- Only by variants that few tokens have: those of many say little, and reading all of them takes long.
-- name: tokens_near_by_rare_variants
SELECT DISTINCT v.token FROM LISTED(:variants) asked CROSS JOIN token_variant v
WHERE v.ws = :ws AND v.variant = asked.value
AND NOT EXISTS (SELECT 1 FROM token_variant w WHERE w.ws = :ws AND w.variant = asked.value LIMIT 1 OFFSET :common)
ORDER BY v.token LIMIT :limit

-- name: names_with_word
SELECT @name_columns FROM name_word w JOIN name n ON n.ws = w.ws AND n.key = w.key
WHERE w.ws = :ws AND w.token = :token AND @spelled AND @known(n) AND @name_typed
ORDER BY w.key, n.entity, n.kind LIMIT :limit

-- name: names_with_word_start
SELECT @name_columns FROM name_word w JOIN name n ON n.ws = w.ws AND n.key = w.key
WHERE w.ws = :ws AND w.token >= :lo AND w.token < :hi AND @spelled AND @known(n) AND @name_typed
ORDER BY w.token, w.key, n.entity, n.kind LIMIT :limit

-- name: token_known
SELECT 1 FROM token_variant WHERE ws = :ws AND variant = :token AND token = :token

-- name: names_to_index
SELECT DISTINCT folded, key FROM name WHERE ws = :ws AND kind IN ('name', 'alias') ORDER BY folded, key

-- name: name_known_since
SELECT MIN(n.tx_from) FROM name n WHERE n.ws = :ws AND n.entity = :entity AND n.kind = :kind AND n.folded = :folded
