// The page of the API: its requests in a table, and Swagger UI to try them if it is wanted. Both are
// served from this host.

import { element } from "./cards.js";
import { trying } from "./failing.js";

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);
const attempt = trying((words) => (at("failed").textContent = words));
const SPECIFICATION = "api/v1/openapi.json";

async function list() {
  const { paths } = await (await fetch(SPECIFICATION)).json();
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { summary, description }]) =>
      element(
        "tr",
        {},
        element("td", {}, element("code", {}, `${method.toUpperCase()} ${path}`)),
        element("td", {}, description || summary || ""),
      ),
    ),
  );
  at("requests").tBodies[0].replaceChildren(...rows);
}

const loaded = (made) =>
  new Promise((done, fail) => {
    made.addEventListener("load", done);
    made.addEventListener("error", fail);
    document.head.append(made);
  });

async function explore() {
  at("try").setAttribute("aria-disabled", "true");
  document.head.append(element("link", { rel: "stylesheet", href: "swagger/swagger-ui.css" }));
  await loaded(element("script", { src: "swagger/swagger-ui-bundle.js" }));
  /** @type {any} */ (window).SwaggerUIBundle({
    url: SPECIFICATION,
    dom_id: "#api",
    deepLinking: true,
    validatorUrl: null,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: true,
  });
  at("api").scrollIntoView();
}

at("base").textContent = new URL("api/v1/", location.href).href;
at("try").addEventListener("click", () => attempt(explore));
attempt(list);
