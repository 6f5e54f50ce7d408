// Cut: the source on the left, the statements that it is cut into on the right.

import { button, element, textAttributes, textPanel } from "../dom.js";
import { say } from "../language.js";
import { collapse, wellFormed } from "../text_length.js";

export function draw(context) {
  const { study, screen, restored } = context;
  const language = study.text_language;
  const list = element("ol", { class: "units", "aria-label": say("units") });
  const field = element("input", {
    type: "text",
    id: "new-unit",
    maxlength: "2000",
    autocomplete: "off",
    "aria-label": say("new_unit"),
    placeholder: say("new_unit"),
    ...textAttributes(language),
  });
  const fields = () => [...list.querySelectorAll("input")];
  const texts = () =>
    fields()
      .map((one) => collapse(wellFormed(one.value)))
      .filter(Boolean);

  const add = (text) => {
    const unit = collapse(wellFormed(text));
    if (!unit) return;
    const input = element("input", {
      type: "text",
      value: unit,
      maxlength: "2000",
      "aria-label": say("unit"),
      ...textAttributes(language),
    });
    input.addEventListener("input", () => context.changed());
    const remove = () => {
      row.remove();
      field.focus();
      context.changed();
    };
    const row = element("li", {}, input, button("×", remove, { kind: "quiet", "aria-label": say("remove") }));
    list.append(row);
    list.scrollTop = list.scrollHeight;
    field.value = "";
    context.announce(say("units_count", { count: texts().length }));
    context.changed();
  };
  const panel = textPanel(say("source"), screen.source, language, { kind: "source" });
  const addSelection = () => {
    const selection = getSelection();
    if (panel.contains(selection.anchorNode)) add(String(selection));
    field.focus();
  };
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
    event.preventDefault();
    add(field.value);
  });
  for (const unit of restored?.units ?? []) add(unit);
  const view = element(
    "div",
    { class: "halves" },
    element("h1", { class: "hidden", tabindex: "-1" }, say("question_cut")),
    panel,
    element(
      "section",
      { class: "panel output" },
      element("h2", {}, say("units")),
      list,
      element(
        "div",
        { class: "unit-new" },
        field,
        button(say("add"), () => add(field.value), { key: "⏎" }),
        button(say("add_selection"), addSelection, { id: "add-selection" }),
      ),
    ),
  );
  return {
    view,
    typing: true,
    bindings: [{ keys: [], shown: ["Enter"], label: say("key_add_unit"), run: () => false }],
    missing() {
      if (collapse(field.value)) return say("missing_add");
      const all = texts();
      if (!all.length) return say("missing_units");
      return new Set(all).size < all.length ? say("missing_different") : null;
    },
    read: () => ({ units: texts() }),
    focus: () => field.focus(),
  };
}
