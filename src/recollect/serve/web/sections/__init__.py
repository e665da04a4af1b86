"""The sections of the web app, one module each."""
