-- name: names_begun_after
SELECT folded, tx_from, entity FROM name
WHERE ws = :ws AND tx_from > :tx AND kind IN ('name', 'alias') AND NOT (type IN_LIST(:people))
ORDER BY tx_from LIMIT :limit

-- name: vectors_keyed
SELECT hash, vector FROM embedding WHERE ws = :ws AND model = :model AND hash IN_LIST(:hashes)
