-- name: chunks_to_recut
SELECT number, document FROM chunk
WHERE ws = :ws AND number > :behind AND number <= :upto AND +tx_to = @open ORDER BY number LIMIT :limit
