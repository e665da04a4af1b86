-- name: accented_tokens
SELECT DISTINCT token FROM token_variant WHERE ws = :ws AND variant = token AND OCTET_LENGTH(token) > LENGTH(token)
