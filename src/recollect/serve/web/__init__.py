"""Pages of our own, without a script or a foreign asset."""
