// Dialogs: the sheet of keys, the instructions, and questions that need an answer.

import { button, element, keyCap } from "./dom.js";
import { say } from "./language.js";

function open(heading, body, actions) {
  const previous = document.activeElement;
  const dialog = element(
    "dialog",
    { "aria-labelledby": "dialog-heading" },
    element("h2", { id: "dialog-heading" }, heading),
    element("div", { class: "dialog-body", tabindex: "0" }, body),
    element("p", { class: "actions" }, actions),
  );
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (previous?.isConnected) previous.focus();
  });
  dialog.showModal();
  return dialog;
}

export function showKeys(list) {
  const rows = list.map(([keys, label]) =>
    element(
      "tr",
      {},
      element(
        "td",
        {},
        keys.map((key) => keyCap(say(`key_${key}`) === `key_${key}` ? key : say(`key_${key}`))),
      ),
      element("td", {}, label),
    ),
  );
  const dialog = open(say("keys"), element("table", { class: "keys" }, element("tbody", {}, rows)), [
    button(say("close"), () => dialog.close(), { kind: "primary", key: "Esc" }),
  ]);
  dialog.addEventListener("keydown", (event) => event.key === "?" && dialog.close());
}

// HTML that the server sanitized: instructions and consent.
export function htmlBlock(html, kind = "prose") {
  const block = element("div", { class: kind });
  block.innerHTML = html;
  return block;
}

export function showInstructions(html) {
  const dialog = open(say("instructions"), htmlBlock(html), [
    button(say("close"), () => dialog.close(), { kind: "primary", key: "Esc" }),
  ]);
}

// Resolves to the text that was written, "" if none was asked for, null if the rater went back.
export function ask(heading, text, { confirm, field = null, danger = false, more = [] }) {
  return new Promise((resolve) => {
    const input = field && element("textarea", { rows: "3", maxlength: "1000", id: "dialog-field" });
    let result = null;
    const done = () => {
      if (field && !input.value.trim()) return input.focus();
      result = field ? input.value.trim() : "";
      dialog.close();
    };
    const body = [element("p", {}, text), field && element("label", { for: "dialog-field" }, field), input, ...more];
    const dialog = open(heading, body.filter(Boolean), [
      button(confirm, done, { kind: danger ? "danger" : "primary" }),
      button(say("back"), () => dialog.close()),
    ]);
    dialog.addEventListener("close", () => resolve(result));
    input?.focus();
  });
}
