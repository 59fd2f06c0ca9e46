"""Experiments: families of instances with known answers."""
