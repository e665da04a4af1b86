-- How far a mailbox of a mail server was read: bookkeeping of one installation, so neither versioned nor exported.
CREATE TABLE mailbox_read (
  ws BIGINT NOT NULL,
  mailbox TEXT NOT NULL,
  validity BIGINT NOT NULL,
  uid BIGINT NOT NULL,
  PRIMARY KEY (ws, mailbox)
);
