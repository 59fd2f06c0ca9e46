// The page of the API: its requests in a table, and a form that sends them.

import { BASE, call } from "./api.js";
import { element } from "./cards.js";
import { share } from "./dialog.js";
import { Problem, trying } from "./failing.js";

const MOST_SHOWN = 20_000; // characters of a reply

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);
const attempt = trying((words) => say(words, "bad"));
let requests = []; // each a method, a path, what it does, and example bodies by their titles

function say(words, style = "") {
  at("status").textContent = words;
  at("status").className = style;
}

const titleOf = ({ method, path }) => `${method} ${path}`;

function requestsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { summary, description, parameters, requestBody }]) => ({
        method: method.toUpperCase(),
        path: path.replace(`/${BASE}/`, ""),
        about: (description || summary || "").replaceAll("``", ""),
        queries: (parameters ?? []).filter((each) => each.in === "query").map(({ name }) => name),
        examples: requestBody?.content["application/json"].examples ?? {},
      }),
    ),
  );
}

function choose(index) {
  const { path, queries, examples } = requests[index];
  at("request").value = String(index);
  at("path").value = path;
  at("path-field").hidden = !path.includes("{");
  at("queries").replaceChildren(
    ...queries.map((name) =>
      element("label", {}, `${name} `, element("input", { name, size: 10, spellcheck: false })),
    ),
  );
  at("example").replaceChildren(
    ...Object.keys(examples).map((title) => element("option", {}, title)),
  );
  at("example-field").hidden = Object.keys(examples).length < 2;
  fillBody();
}

function fillBody() {
  const { examples } = requests[at("request").value];
  const example = examples[at("example").value];
  at("body").hidden = !example;
  at("body").value = example ? JSON.stringify(example.value, null, 2) : "";
  at("reply").hidden = true;
  say("");
}

async function list() {
  requests = requestsOf(await (await call("openapi.json")).json());
  at("request").replaceChildren(
    ...requests.map((each, index) => element("option", { value: index }, titleOf(each))),
  );
  at("requests").tBodies[0].replaceChildren(
    ...requests.map((each, index) => {
      const onclick = () => {
        choose(index);
        at("request").focus();
      };
      const button = element("button", { onclick }, titleOf(each));
      return element("tr", {}, element("td", {}, button), element("td", {}, each.about));
    }),
  );
  choose(0);
}

// The path and the parameters that were given.
function addressNow() {
  const given = [...at("queries").querySelectorAll("input")].filter(({ value }) => value);
  const query = new URLSearchParams(given.map(({ name, value }) => [name, value]));
  return at("path").value + (given.length ? `?${query}` : "");
}

function optionsNow() {
  const { method } = requests[at("request").value];
  if (at("body").hidden) return { method };
  const body = at("body").value;
  if (!body.trim()) throw new Problem("The body is empty: this request needs JSON.");
  return { method, headers: { "Content-Type": "application/json" }, body };
}

const shortened = (text) =>
  text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}\n… ${text.length} characters` : text;

// The text of a reply, laid out if it is JSON.
async function wordsOfReply(response) {
  const kind = response.headers.get("content-type") ?? "";
  if (kind.includes("zip")) return `${(await response.blob()).size} bytes of ${kind}`;
  const text = await response.text();
  return shortened(kind.includes("json") ? JSON.stringify(JSON.parse(text), null, 2) : text);
}

async function send() {
  await listed;
  at("reply").hidden = true;
  const options = optionsNow();
  say("Waiting …");
  const began = performance.now();
  const response = await call(addressNow(), options).catch(({ status, message }) => {
    throw new Problem(status ? `${status}: ${message}` : message); // in the words of the API
  });
  at("reply").textContent = await wordsOfReply(response);
  at("reply").hidden = false;
  say(`${response.status}, ${((performance.now() - began) / 1000).toFixed(2)} s`);
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl() {
  const { method, body } = optionsNow();
  const url = new URL(`${BASE}/${addressNow()}`, location.href).href;
  const sent = body ? ` -H 'Content-Type: application/json' -d ${quoted(body)}` : "";
  return `curl -X ${method} ${quoted(url)}${sent}`;
}

at("base").textContent = new URL(`${BASE}/`, location.href).href;
at("request").addEventListener("change", (event) => choose(event.target.value));
at("example").addEventListener("change", fillBody);
at("send").addEventListener("click", () => attempt(send));
at("copy").addEventListener("click", () => attempt(() => share(curl(), say)));
const listed = attempt(list);
