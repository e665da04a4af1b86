-- name: messages_of
SELECT seq, key, role, at, estimated, start, stop, more FROM message
WHERE ws = :ws AND document = :document AND @row_known ORDER BY seq

-- name: answered_within
SELECT 1 FROM message WHERE ws = :ws AND document = :document AND @row_known
  AND role = 'assistant' AND start < :until AND stop > :since LIMIT 1

-- name: chat_bullets_of
SELECT memory, hash, messages FROM chat_bullet WHERE ws = :ws AND document = :document AND @row_known
