"""Reading: what the sentences and clauses of mails, notes and chats state, ask, promise or deny."""
