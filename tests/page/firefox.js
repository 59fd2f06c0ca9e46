// Firefox, driven over WebDriver BiDi: open each page of a server and use it. Called with the
// path of Firefox, a folder for its profile, and the address of the server; prints each page that
// works, and fails with what does not.

import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

const [firefox, folder, server] = process.argv.slice(2);
const TRIES = 1200; // of a condition, ten in a second
const PAGES = [
  ["", "#fan li:nth-child(7) button", "#show-me", ".verdict.yes"],
  [
    "game?deal=3&players=2&cards=3&rules=classic",
    ".mover button.card, .mover #draw",
    "#draw, .mover button.card:not([aria-disabled])",
    "#history li",
  ],
  [
    "puzzle?date=2026-11-23&level=medium",
    "#hand li:nth-child(9)",
    "#show",
    "#row li:nth-child(10)",
  ],
  ["graph", "#verdict.yes", "[data-example=petersen]", "#verdict.no"],
  ["docs", "#requests td", "#send", "#reply:not([hidden])"],
];

const child = spawn(firefox, [
  "--headless",
  "--no-remote",
  "--profile",
  folder,
  "--remote-debugging-port",
  "0",
]);
const address = await new Promise((found) => {
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
    const place = /WebDriver BiDi listening on (ws:\S+)/.exec(said);
    if (place) found(place[1]);
  });
});
const socket = new WebSocket(`${address}/session`);
await new Promise((open) => socket.addEventListener("open", open));
const waiting = new Map();
const errors = [];
let sent = 0;
socket.addEventListener("message", ({ data }) => {
  const message = JSON.parse(data);
  if (message.method === "log.entryAdded" && message.params.level === "error")
    errors.push(message.params.text);
  waiting.get(message.id)?.(message);
});

async function send(method, params) {
  sent += 1;
  const id = sent;
  const reply = new Promise((done) => waiting.set(id, done));
  socket.send(JSON.stringify({ id, method, params }));
  const { error, message, result } = await reply;
  if (error) throw new Error(`${method}: ${message}`);
  return result;
}

await send("session.new", { capabilities: {} });
await send("session.subscribe", { events: ["log.entryAdded"] });
const { contexts } = await send("browsingContext.getTree", {});
const [{ context }] = contexts;

async function evaluate(expression) {
  const { result } = await send("script.evaluate", {
    expression,
    target: { context },
    awaitPromise: true,
  });
  return result.value;
}

async function appears(selector) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await evaluate(`document.querySelector(${JSON.stringify(selector)}) !== null`)) return;
    await sleep(100);
  }
  throw new Error(`there is no ${selector}: ${await evaluate("document.body.innerText")}`);
}

try {
  for (const [path, sign, button, then] of PAGES) {
    await send("browsingContext.navigate", { context, url: server + path, wait: "complete" });
    await appears(sign);
    await appears(button);
    await evaluate(`document.querySelector(${JSON.stringify(button)}).click()`);
    await appears(then);
    const wide = await evaluate("document.documentElement.scrollWidth - innerWidth");
    if (wide > 0) throw new Error(`${path} is ${wide} pixels too wide`);
    if (errors.length) throw new Error(errors.join("\n"));
    console.log(path || "home");
  }
} finally {
  child.kill();
}
