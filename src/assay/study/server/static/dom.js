// Elements: texts are only ever set as text, never as HTML.

// element("p", { class: "note", onclick: f }, "text", child): what is null or false is left out.
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

// A key as it stands on a keyboard; screen readers are told by aria-keyshortcuts of the control.
export function keyCap(key) {
  return element("kbd", { "aria-hidden": "true" }, key);
}

/**
 * @param {any} label
 * @param {any} onclick
 * @param {Record<string, any>} [options] more of them are attributes of the button
 */
export function button(label, onclick, { key = null, shortcut = null, kind = "", ...more } = {}) {
  const attributes = { type: "button", class: kind || null, "aria-keyshortcuts": shortcut, onclick, ...more };
  return element("button", attributes, element("span", {}, label), key && keyCap(key));
}

const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|iw|ks|ps|sd|ug|ur|yi)\b/i;

export function directionOf(language) {
  return RIGHT_TO_LEFT.test(language) ? "rtl" : "ltr";
}

// The attributes of an element that holds a text of the study, which may be in another language than the interface.
export function textAttributes(language) {
  return language ? { lang: language, dir: directionOf(language) } : { dir: "auto" };
}

// A panel with a heading and texts: long ones scroll inside it, so that the page does not.
export function textPanel(heading, texts, language, { kind = "", id = "" } = {}) {
  const body = element(
    "div",
    { class: "text-body", tabindex: "0", role: "group", "aria-label": heading },
    texts.map((text) => element("p", { class: "text", ...textAttributes(language) }, text)),
  );
  return element("section", { class: `panel ${kind}`, id: id || null }, element("h2", {}, heading), body);
}
