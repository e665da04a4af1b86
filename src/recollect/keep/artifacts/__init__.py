"""Documents as artifacts: versions, parts, commits, retention."""
