// Shows the document this gateway serves. Nothing is fetched from anywhere else: without the null
// below, the page would ask a public validator about it. Credentials live as long as the page.
SwaggerUIBundle({
  url: "openapi.json",
  domNode: document.getElementById("page"),
  validatorUrl: null,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
});
