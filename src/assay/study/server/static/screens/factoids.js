// Factoids: for each listed unit and each text, whether the text holds it. A mark is yes, no, or not set yet.

import { element, keyCap, textAttributes, textPanel } from "../dom.js";
import { say } from "../language.js";

class Marks {
  constructor(context) {
    const { screen, restored, study } = context;
    this.context = context;
    this.units = screen.units;
    this.texts = screen.texts;
    this.isSingle = screen.texts.length === 1;
    this.values = new Map(
      screen.texts.map(({ key }) => [key, restored?.units[key]?.slice() ?? screen.units.map(() => null)]),
    );
    this.cells = new Map();
    const head = this.isSingle
      ? null
      : element(
          "thead",
          {},
          element(
            "tr",
            {},
            element("th", { scope: "col" }, say("unit")),
            this.texts.map((_, place) => element("th", { scope: "col" }, this.name(place))),
          ),
        );
    const rows = this.units.map((unit, row) => {
      const cells = this.texts.map(({ key }, place) => element("td", {}, this.cell(key, place, row, unit)));
      return element("tr", {}, element("th", { scope: "row", ...textAttributes(study.text_language) }, unit), cells);
    });
    this.node = element(
      "table",
      { class: `marks ${this.isSingle ? "single-text" : ""}` },
      element("caption", { class: "hidden" }, say("question_factoids")),
      head,
      element("tbody", {}, rows),
    );
    this.activate(this.texts[0].key, 0);
  }

  name(place) {
    return `${say("text")} ${place + 1}`;
  }

  cell(key, place, row, unit) {
    const label = this.isSingle ? unit : `${this.name(place)}: ${unit}`;
    const inputs = [true, false].map((value) => {
      const input = element("input", {
        type: "radio",
        name: `unit-${key}-${row}`,
        "aria-keyshortcuts": value ? "y" : "n",
      });
      input.checked = this.values.get(key)[row] === value;
      input.addEventListener("change", () => this.set(key, row, value));
      return input;
    });
    const labels = inputs.map((input, no) =>
      element("label", { class: no ? "no" : "yes" }, input, element("span", {}, say(no ? "no" : "yes"))),
    );
    const group = element("fieldset", { class: "mark" }, element("legend", { class: "hidden" }, label), labels);
    group.addEventListener("focusin", () => this.activate(key, row));
    group.addEventListener("pointerdown", () => this.activate(key, row));
    this.cells.set(`${key}-${row}`, { group, inputs });
    return group;
  }

  activate(key, row) {
    this.active = { key, row };
    this.node.querySelectorAll(".active").forEach((node) => node.classList.remove("active"));
    const { group } = this.cells.get(`${key}-${row}`);
    group.classList.add("active");
    group.closest("tr").classList.add("active");
    document
      .querySelectorAll(".held-text")
      .forEach((panel) => panel.classList.toggle("active", panel.dataset.key === key));
    group.closest("tr").scrollIntoView({ block: "nearest" });
  }

  set(key, row, value) {
    this.values.get(key)[row] = value;
    const [yes, no] = this.cells.get(`${key}-${row}`).inputs;
    yes.checked = value === true;
    no.checked = value === false;
    this.context.changed();
  }

  // Mark the active unit and go to the next one without a mark: down the units of one text, then the next text.
  press(value) {
    const { key, row } = this.active;
    this.set(key, row, value);
    this.context.announce(say(value ? "yes" : "no"));
    const order = this.texts.flatMap((one) => this.units.map((_, place) => ({ key: one.key, row: place })));
    const here = order.findIndex((one) => one.key === key && one.row === row);
    const next = [...order.slice(here + 1), ...order.slice(0, here)].find(
      (one) => this.values.get(one.key)[one.row] === null,
    );
    if (next) this.focus(next.key, next.row);
  }

  move(rows, texts) {
    const places = this.texts.map((one) => one.key);
    const row = Math.max(0, Math.min(this.units.length - 1, this.active.row + rows));
    const place = Math.max(0, Math.min(places.length - 1, places.indexOf(this.active.key) + texts));
    this.focus(places[place], row);
  }

  focus(key, row) {
    this.activate(key, row);
    const { inputs } = this.cells.get(`${key}-${row}`);
    (inputs.find((input) => input.checked) ?? inputs[0]).focus({ preventScroll: true });
  }

  missing() {
    const count = [...this.values.values()].flat().filter((value) => value === null).length;
    return count ? say("missing_marks", { count }) : null;
  }
}

export function draw(context) {
  const { study, screen } = context;
  const marks = new Marks(context);
  const panels = screen.texts.map(({ key, text }, place) => {
    const panel = textPanel(marks.isSingle ? say("text") : marks.name(place), [text], study.text_language, {
      kind: "output held-text",
    });
    panel.dataset.key = key;
    return panel;
  });
  const view = element(
    "div",
    { class: `factoids ${marks.isSingle ? "" : "several"}` },
    element("h1", { class: "hidden", tabindex: "-1" }, say("question_factoids")),
    element(
      "div",
      { class: "texts" },
      screen.source?.length ? textPanel(say("source"), screen.source, study.text_language, { kind: "source" }) : null,
      panels,
    ),
    element(
      "section",
      { class: "panel" },
      element("h2", {}, `${say("question_factoids")} `, keyCap("y"), ` ${say("yes")} `, keyCap("n"), ` ${say("no")}`),
      element("div", { class: "text-body", tabindex: "0", role: "group", "aria-label": say("units") }, marks.node),
    ),
  );
  marks.activate(marks.active.key, 0);
  return {
    view,
    bindings: [
      { keys: ["y", "1"], shown: ["y"], label: say("key_yes"), run: () => marks.press(true) },
      { keys: ["n", "0"], shown: ["n"], label: say("key_no"), run: () => marks.press(false) },
      {
        keys: ["ArrowDown", "ArrowUp"],
        label: say("key_unit_move"),
        held: true,
        run: (event) => marks.move(event.key === "ArrowDown" ? 1 : -1, 0),
      },
      ...(marks.isSingle
        ? []
        : [
            {
              keys: ["ArrowLeft", "ArrowRight"],
              label: say("key_text_move"),
              held: true,
              run: (event) => marks.move(0, event.key === "ArrowRight" ? 1 : -1),
            },
          ]),
    ],
    missing: () => marks.missing(),
    read: () => ({ units: Object.fromEntries(marks.values) }),
    focus: () => marks.activate(marks.active.key, marks.active.row),
  };
}
