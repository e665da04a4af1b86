"""The exchange with embodiments: pull, push, conflicts."""
