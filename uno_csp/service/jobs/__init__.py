"""Jobs and short requests: their queue's threads, their workers, here or on a cluster."""
