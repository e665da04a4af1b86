-- name: names_begun_after
SELECT folded, tx_from FROM name
WHERE ws = :ws AND tx_from > :tx AND kind IN ('name', 'alias') AND NOT (type IN_LIST(:people))
ORDER BY tx_from LIMIT :limit
