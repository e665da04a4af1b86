"""The web app over HTTP."""
