"""Mail: single messages, mailboxes and Maildir folders, however malformed."""
