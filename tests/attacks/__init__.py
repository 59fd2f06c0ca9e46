"""Answers, outputs, questions and certificates changed at random: what is accepted is right."""
