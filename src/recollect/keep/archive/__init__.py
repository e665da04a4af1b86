"""An entity's archive: export and import, lossless."""
