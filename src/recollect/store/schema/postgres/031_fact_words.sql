-- The words of facts, for those who look for them without a name: made when first asked for, then caught up.
CREATE TABLE fact_number (
  number BIGINT GENERATED ALWAYS AS IDENTITY,
  ws BIGINT NOT NULL,
  fact TEXT NOT NULL,
  PRIMARY KEY (ws, fact)
);
CREATE INDEX fact_numbered ON fact_number (ws, number);
CREATE TABLE fact_word (
  ws BIGINT NOT NULL,
  number BIGINT NOT NULL,
  words TSVECTOR NOT NULL,
  PRIMARY KEY (ws, number)
);
CREATE INDEX fact_word_words ON fact_word USING GIN (words);
