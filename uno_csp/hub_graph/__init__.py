"""The hub graph of a hand, its kernel, and the sequences that trails on it represent.

A question about one hand is a question about trails on a small graph (see ``hub-trail``). This
package builds the graph, reduces it exactly to a kernel, and reads trails as sequences.
"""
