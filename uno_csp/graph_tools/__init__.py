"""Graph algorithms that know nothing of cards: components, blocks, Eulerian circuits, trails."""
