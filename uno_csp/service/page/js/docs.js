// The API, to be read and tried out. Swagger UI is served from here too, and asks nobody else.
/* global SwaggerUIBundle */
SwaggerUIBundle({
  url: "api/v1/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  validatorUrl: null,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
});
