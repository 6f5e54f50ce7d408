// The list of units: weight, label, which models state each; a digit before those that one key chooses.

import { element, keyCap, textAttributes } from "../dom.js";
import { say } from "../language.js";

export class UnitList {
  // on.choose(id)
  constructor(language, on) {
    this.language = language;
    this.on = on;
    this.node = element("ol", { class: "unit-list", "aria-label": say("content_units") });
    this.node.addEventListener("keydown", (event) => this.press(event));
  }

  press(event) {
    if (!["ArrowDown", "ArrowUp"].includes(event.key) || !event.target.classList.contains("unit-head")) return;
    const heads = [...this.node.querySelectorAll(".unit-head")];
    const place = heads.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1);
    heads[Math.max(0, Math.min(heads.length - 1, place))].focus();
    event.preventDefault();
    event.stopPropagation();
  }

  // rows: [{id, weight, label, models: [bool, ...], note, key, isCurrent, isMarked, detail}]
  draw(rows, empty) {
    const focused = document.activeElement?.closest?.(".unit-list > li")?.dataset.id;
    const isHead = document.activeElement?.classList.contains("unit-head");
    if (rows.length) this.node.replaceChildren(...rows.map((row) => this.row(row)));
    else this.node.replaceChildren(element("li", { class: "hint" }, empty));
    if (isHead && focused) this.head(focused)?.focus();
  }

  head(id) {
    return this.node.querySelector(`li[data-id="${CSS.escape(id)}"] > .unit-head`);
  }

  row({ id, weight, label, models, note, key, isCurrent, isMarked, detail }) {
    const dots =
      models &&
      element(
        "span",
        { class: "dots", "aria-hidden": "true" },
        models.map((has) => element("span", { class: has ? "dot has" : "dot" })),
      );
    const head = element(
      "button",
      {
        type: "button",
        class: "unit-head",
        "aria-expanded": String(Boolean(detail)),
        "aria-keyshortcuts": key,
        onclick: () => this.on.choose(id),
      },
      key && keyCap(key),
      weight !== null && element("span", { class: "weight", title: say("weight") }, String(weight)),
      element("span", { class: "unit-label", ...textAttributes(this.language) }, label),
      note && element("span", { class: "unit-note" }, note),
      dots,
    );
    const kind = [isCurrent && "current", isMarked && "is-marked", id === "none" && "bin"].filter(Boolean).join(" ");
    return element("li", { "data-id": id, class: kind || null }, head, detail);
  }
}
