"""Adapters: this memory behind the interfaces of agent frameworks."""
