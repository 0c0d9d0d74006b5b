"""Defects of the chat endpoint."""
