"""Shared parts of tests: servers, question sets, brute force, stand-ins."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The root of the repository."""
