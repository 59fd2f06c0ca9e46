"""Stores of jobs: the interface, and its implementations for SQLite and PostgreSQL."""
