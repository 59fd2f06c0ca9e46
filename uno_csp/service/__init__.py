"""The questions over HTTP: an API, durable jobs, and their solver processes."""
