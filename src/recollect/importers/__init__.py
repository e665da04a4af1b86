"""Importers of files: formats, detection, bundles, mail, notes, seeds, lore, chat exports."""
