-- Retention first says where the log begins and then removes what is before that.
CREATE TRIGGER audit_entry_kept BEFORE DELETE ON audit_entry
WHEN OLD.number > (SELECT first_number FROM audit_chain WHERE id = 1)
BEGIN
  SELECT RAISE(ABORT, 'entries of the audit log are not removed one by one');
END;
-- INSERT OR REPLACE removes a row without the trigger above.
CREATE TRIGGER audit_entry_not_replaced BEFORE INSERT ON audit_entry
WHEN EXISTS (SELECT 1 FROM audit_entry WHERE number = NEW.number OR rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'entries of the audit log do not change');
END;
