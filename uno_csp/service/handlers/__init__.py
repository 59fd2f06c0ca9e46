"""Handlers of requests: each is declared once, with its request, reply, lane and example."""
