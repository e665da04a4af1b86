"""From a text to the one entity it names, or to nothing."""
