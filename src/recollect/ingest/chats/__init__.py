"""Chat exports of other platforms: detected by content, read as streams."""
