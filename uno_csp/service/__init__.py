"""HTTP service: the API, the web page, durable jobs, and the processes that solve them."""
