// The API documentation: Swagger UI, served from this host, without requests to any other.
globalThis.SwaggerUIBundle({
  url: "api/v1/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  validatorUrl: null,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
});
