-- Passages with sentences that nothing was read from: derived from chunks and assertions, and checked when they are listed.
CREATE TABLE unread_passage (
  ws BIGINT NOT NULL,
  number BIGINT NOT NULL,
  PRIMARY KEY (ws, number)
);
