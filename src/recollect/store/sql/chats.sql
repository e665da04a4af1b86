-- name: messages_of
SELECT seq, key, role, at, estimated, start, stop, more FROM message
WHERE ws = :ws AND document = :document AND +tx_from <= :as_of_tx AND tx_to > :as_of_tx ORDER BY seq

-- name: answered_within
SELECT 1 FROM message
WHERE ws = :ws AND document = :document AND +tx_from <= :as_of_tx AND tx_to > :as_of_tx
  AND role = 'assistant' AND start < :until AND stop > :since LIMIT 1

-- name: chat_bullets_of
SELECT memory, hash, messages FROM chat_bullet
WHERE ws = :ws AND document = :document AND +tx_from <= :as_of_tx AND tx_to > :as_of_tx
