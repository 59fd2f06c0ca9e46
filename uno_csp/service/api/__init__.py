"""The HTTP interface: routes, request and response types, guards, and the OpenAPI document."""
