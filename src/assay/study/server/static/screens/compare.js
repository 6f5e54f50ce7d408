// Compare: two texts side by side under the source; for each dimension left, right or no difference.

import { element, keyCap, textPanel } from "../dom.js";
import { say } from "../language.js";

const KEYS = { a: "1", tie: "0", b: "2" };

class Choice {
  constructor(name, heading, hasTies, changed) {
    this.name = name;
    this.value = null;
    const values = hasTies ? ["a", "tie", "b"] : ["a", "b"];
    this.inputs = values.map((value) =>
      element("input", { type: "radio", name: `choice-${name}`, value, "aria-keyshortcuts": KEYS[value] }),
    );
    for (const input of this.inputs) {
      input.addEventListener("change", () => (this.value = input.value));
      input.addEventListener("click", (event) => changed(this, event.detail > 0));
    }
    const choices = this.inputs.map((input) =>
      element(
        "label",
        { class: `choice choice-${input.value}` },
        input,
        keyCap(KEYS[input.value]),
        element("span", { class: "choice-text" }, say(`prefer_${input.value}`)),
      ),
    );
    this.node = element(
      "fieldset",
      { class: "scale preference", tabindex: "-1" },
      element("legend", {}, heading),
      choices,
    );
  }

  set(value) {
    this.value = value;
    for (const input of this.inputs) input.checked = input.value === value;
  }
}

export function draw(context) {
  const { study, screen, restored } = context;
  const isSingle = study.dimensions.length === 1;
  let active = null;
  const activate = (choice) => {
    active = choice;
    for (const one of choices) one.node.classList.toggle("active", one === choice);
  };
  const take = (choice, auto) => {
    const next = choices.find((one) => one.value === null);
    if (auto && next) {
      activate(next);
      next.node.focus();
    }
    context.changed(auto);
  };
  const heading = (scale) => (isSingle && scale.name === "preference" ? say("question_compare") : scale.name);
  const choices = study.dimensions.map((scale) => new Choice(scale.name, heading(scale), study.settings.ties, take));
  if (restored) for (const one of choices) one.set(restored.choices[one.name]);
  activate(choices[0]);
  const press = (event) => {
    const value = Object.keys(KEYS).find((name) => KEYS[name] === event.key);
    if (!active.inputs.some((input) => input.value === value)) return false;
    active.set(value);
    take(active, true);
  };
  const side = (place, name) =>
    textPanel(say(name), [screen.texts[place].text], study.text_language, { kind: "output" });
  const form = element(
    "form",
    { class: "choices-form" },
    choices.map((one) => one.node),
  );
  form.addEventListener("focusin", (event) => activate(choices.find((one) => one.node.contains(event.target))));
  form.addEventListener("submit", (event) => event.preventDefault());
  const view = element(
    "div",
    { class: "stack" },
    element("h1", { class: "hidden", tabindex: "-1" }, say("question_compare")),
    screen.source?.length ? textPanel(say("source"), screen.source, study.text_language, { kind: "source" }) : null,
    element("div", { class: "pair" }, side(0, "text_a"), side(1, "text_b")),
    form,
  );
  return {
    view,
    bindings: [
      {
        keys: ["1", "2", "0"],
        shown: study.settings.ties ? ["1", "0", "2"] : ["1", "2"],
        label: say("key_compare"),
        run: press,
      },
    ],
    missing: () => (choices.every((one) => one.value !== null) ? null : say("missing_choice")),
    read: () => ({ choices: Object.fromEntries(choices.map((one) => [one.name, one.value])) }),
    focus: () => view.querySelector("h1").focus(),
  };
}
