"""Training of the bundled models; a development tool that nothing in the package imports."""
