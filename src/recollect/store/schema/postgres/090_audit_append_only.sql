-- Retention first says where the log begins and then removes what is before that.
CREATE FUNCTION refuse_audit_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.number <= (SELECT first_number FROM audit_chain WHERE id = 1) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'entries of the audit log are not removed one by one';
END $$;
CREATE TRIGGER audit_entry_kept BEFORE DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_removal();
CREATE TRIGGER audit_entry_not_truncated BEFORE TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_removal();
