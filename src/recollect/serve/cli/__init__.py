"""The command `recollect`: one module for each group of verbs, loaded when the verb is used."""
