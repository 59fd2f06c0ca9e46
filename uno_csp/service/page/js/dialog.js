// A dialog with one field, and sharing by whatever the browser lets a page use.

import { element } from "./cards.js";

// Ask for a text, or show one to copy; null if the dialog is left.
/** @type {(title: string, words: string, how?: any) => Promise<string | null>} */
export function askFor(title, words, { value = "", done = "OK", ...attributes } = {}) {
  const field = element("input", { ...attributes, "aria-label": title, autocomplete: "off" });
  field.value = value;
  const box = element(
    "dialog",
    { "aria-label": title },
    element(
      "form",
      { method: "dialog" },
      element("h2", {}, title),
      element("p", {}, words),
      field,
      element(
        "div",
        { class: "buttons" },
        element("button", { class: "main", value: "done" }, done),
        element("button", { value: "", formnovalidate: true }, "Cancel"),
      ),
    ),
  );
  document.body.append(box);
  box.showModal();
  field.select();
  return new Promise((leave) =>
    box.addEventListener("close", () => {
      box.remove();
      leave(box.returnValue === "done" ? field.value : null);
    }),
  );
}

// Share a link or a text: by the sheet of a phone, the clipboard, or by hand.
export async function share(text, say) {
  const sheet = navigator.share && matchMedia("(pointer: coarse)").matches;
  try {
    if (sheet) return await navigator.share(text.startsWith("http") ? { url: text } : { text });
    await navigator.clipboard.writeText(text);
    say("Copied.");
  } catch (error) {
    if (error.name === "AbortError") return;
    await askFor("Copy this", "The browser does not let the page copy it: press Ctrl-C.", {
      value: text,
      done: "Close",
      readonly: true,
    });
  }
}
