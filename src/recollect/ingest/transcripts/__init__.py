"""Transcripts of coding agents: Claude Code, Codex CLI and Gemini CLI session files, read turn by turn."""
