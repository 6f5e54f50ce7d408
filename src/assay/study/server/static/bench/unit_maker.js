// Stage 1: units are made from models that stand side by side. Selected words make a unit, or join one.

import { button, element, keyCap, textAttributes } from "../dom.js";
import { say } from "../language.js";
import { codePoints, wellFormed } from "../text_length.js";
import { Bench } from "./bench.js";
import { MarkedText } from "./marked_text.js";
import { PyramidShape } from "./pyramid_shape.js";
import { UnitList } from "./unit_list.js";

const MAX_LABEL = 300; // of the words that a label begins with

export class UnitMaker extends Bench {
  constructor(context) {
    super(context, context.screen.units);
    const { study, screen } = context;
    this.aspects = screen.aspects;
    this.names = new Map(screen.models.map(({ key }, place) => [key, say("model", { number: place + 1 })]));
    for (const { key, text } of screen.models) {
      this.texts.set(
        key,
        new MarkedText({ key, text, heading: this.names.get(key), language: study.text_language, on: this }),
      );
    }
    this.others = screen.others; // made by other annotators: taken over, or left
    this.offered = element("div", { class: "suggestions" });
    this.shape = new PyramidShape(screen.models.length);
    this.total = element("p", { class: "bench-total", role: "status" });
    this.list = new UnitList(study.text_language, this);
    this.draw();
  }

  unit(id) {
    return this.history.entries.get(id);
  }

  unitIds() {
    return [...this.history.entries.keys()];
  }

  labelOf(id) {
    return this.unit(id).label;
  }

  weightOf(unit) {
    return new Set(unit.contributors.map(({ text }) => text)).size;
  }

  spansOver(key) {
    return [...this.history.entries.values()].flatMap((unit) => spansIn(unit, key));
  }

  unitsAt(key, offset) {
    const isThere = (unit) => spansIn(unit, key).some(([start, end]) => start <= offset && offset < end);
    return this.unitIds().filter((id) => isThere(this.unit(id)));
  }

  // What the annotator does

  takeSelection() {
    const { key, spans } = this.selection;
    this.clearSelection();
    return { text: key, spans };
  }

  // A label begins as the words of the text, without the mark at their end.
  firstLabel(key, spans) {
    const words = this.texts.get(key).quote(spans);
    return codePoints(words.replace(/[\s.,;:]+$/u, "") || words)
      .slice(0, MAX_LABEL)
      .join("");
  }

  make() {
    if (!this.selection) return this.context.announce(say("nothing_selected"));
    const label = this.firstLabel(this.selection.key, this.selection.spans);
    const contributor = this.takeSelection();
    const id = this.history.newId();
    this.history.change([id, { label, contributors: [contributor] }]);
    this.current = id;
    this.edited(say("unit_made"));
    this.editLabel(contributor.text);
  }

  assign(id) {
    const unit = this.unit(id);
    const contributor = this.takeSelection();
    this.history.change([id, { ...unit, contributors: [...unit.contributors, contributor] }]);
    this.current = id;
    this.edited(say("unit_joined", { label: unit.label, weight: this.weightOf(this.unit(id)) }), contributor.text);
    this.list.head(id)?.scrollIntoView({ block: "nearest" });
  }

  remove(id, place = null) {
    const unit = this.unit(id);
    const contributors = unit.contributors.filter((_, number) => number !== place);
    const isGone = place === null || !contributors.length;
    this.history.change([id, isGone ? null : { ...unit, contributors }]);
    if (isGone) this.current = null;
    this.edited(say(isGone ? "unit_removed" : "words_removed"), isGone ? unit.contributors[0].text : null);
    if (!isGone) this.list.head(id)?.focus();
  }

  // Make a contributor of a unit a unit of its own.
  splitOff(id, place) {
    const unit = this.unit(id);
    const contributor = unit.contributors[place];
    const made = this.history.newId();
    const label = this.firstLabel(contributor.text, contributor.spans);
    this.history.change(
      [id, { ...unit, contributors: unit.contributors.filter((_, number) => number !== place) }],
      [made, { label, contributors: [contributor] }],
    );
    this.current = made;
    this.edited(say("unit_made"));
    this.editLabel(contributor.text);
  }

  // Put everything of a unit into another one.
  merge(id, other) {
    const [unit, into] = [this.unit(id), this.unit(other)];
    const aspects = [...new Set([...(into.aspects ?? []), ...(unit.aspects ?? [])])];
    this.history.change(
      [
        other,
        { ...into, ...(aspects.length ? { aspects } : {}), contributors: [...into.contributors, ...unit.contributors] },
      ],
      [id, null],
    );
    this.current = other;
    this.edited(say("units_merged"));
  }

  // Units of others that are not here yet, by their words.
  openOthers() {
    const wordsOf = ({ contributors }) => JSON.stringify(contributors.map(({ text, spans }) => [text, spans]).sort());
    const own = new Set([...this.history.entries.values()].map(wordsOf));
    return this.others.filter((unit) => !own.has(wordsOf(unit)));
  }

  takeOver(unit = this.openOthers()[0]) {
    if (!unit) return this.context.announce(say("no_suggestions"));
    const id = this.history.newId();
    this.history.change([id, unit]);
    this.current = id;
    this.edited(say("unit_taken_over", { label: unit.label }));
    this.list.head(id)?.scrollIntoView({ block: "nearest" });
  }

  drawOthers() {
    const open = this.selection ? [] : this.openOthers();
    if (!open.length) return this.offered.replaceChildren();
    const rows = open.map((unit, place) => {
      const isFirst = place === 0;
      const words = unit.contributors.map(({ text, spans }) => this.texts.get(text).quote(spans)).join(" | ");
      return element(
        "li",
        {},
        element("span", { class: "weight" }, String(this.weightOf(unit))),
        element(
          "span",
          { class: "unit-label", ...textAttributes(this.context.study.text_language) },
          unit.label,
          element("q", {}, words),
        ),
        button("✓", () => this.takeOver(unit), {
          key: isFirst ? "t" : null,
          shortcut: isFirst ? "t" : null,
          title: say("take_over"),
          "aria-label": `${say("take_over")}: ${unit.label}`,
        }),
      );
    });
    this.offered.replaceChildren(element("h3", {}, say("others_units")), element("ul", {}, rows));
  }

  setLabel(id, text) {
    const label = wellFormed(text).trim();
    if (!label || !this.unit(id) || label === this.labelOf(id)) return;
    this.history.change([id, { ...this.unit(id), label }]);
    // Nothing is drawn anew: the field loses its focus to a click, which would miss what it was meant for.
    this.list.head(id).querySelector(".unit-label").textContent = label;
    this.context.announce(say("label_changed"));
    this.context.changed();
  }

  setAspect(id, aspect, isOn) {
    const { aspects = [], ...unit } = this.unit(id);
    const chosen = this.aspects.filter((name) => (name === aspect ? isOn : aspects.includes(name)));
    this.history.change([id, chosen.length ? { ...unit, aspects: chosen } : unit]);
    this.edited(say("aspects_changed"));
    [...this.list.node.querySelectorAll(".aspects input")][this.aspects.indexOf(aspect)]?.focus();
  }

  // A label that is being written counts when the topic is saved.
  flush() {
    const field = this.list.node.querySelector(".current input.label");
    if (field) this.setLabel(this.current, field.value);
  }

  editLabel(backTo = null) {
    const field = this.list.node.querySelector(".current input.label");
    if (!field) return this.context.announce(say("no_unit_chosen"));
    field.dataset.back = backTo ?? "";
    field.focus();
    field.select();
  }

  // What is shown

  draw() {
    for (const text of this.texts.values()) {
      text.draw(this.marks(text.key));
      text.showCount(text.bareWords(this.spansOver(text.key)).length);
    }
    const units = this.unitIds().map((id) => [id, this.unit(id), this.weightOf(this.unit(id))]);
    this.shape.draw(units.map(([, , weight]) => weight));
    const bare = [...this.texts.values()].reduce(
      (sum, text) => sum + text.bareWords(this.spansOver(text.key)).length,
      0,
    );
    this.total.textContent = `${say("content_units_count", { count: units.length })} · ${say("words_left", { count: bare })}`;
    const order = (id) => (this.ranking && this.selection ? this.ranking.indexOf(id) : 0);
    units.sort((a, b) => order(a[0]) - order(b[0]) || b[2] - a[2]);
    this.list.draw(
      units.map(([id, unit, weight]) => this.row(id, unit, weight)),
      say("no_units_yet"),
    );
    this.drawOthers();
    this.drawChooser(button(say("new_content_unit"), () => this.make(), { key: "n", shortcut: "n", kind: "primary" }));
  }

  marks(key) {
    const marks = this.unitIds().flatMap((id) => {
      const kind = id === this.current ? "of-current" : "covered";
      return spansIn(this.unit(id), key).map(([start, end]) => ({ start, end, kind, covers: true }));
    });
    const chosen = this.selection?.key === key ? this.selection.spans : [];
    return [...marks, ...chosen.map(([start, end]) => ({ start, end, kind: "chosen" }))];
  }

  row(id, unit, weight) {
    const models = [...this.texts.keys()].map((key) => unit.contributors.some(({ text }) => text === key));
    const isCurrent = id === this.current;
    const note = unit.aspects?.length ? unit.aspects.join(", ") : null;
    return {
      id,
      weight,
      label: unit.label,
      models,
      note,
      key: this.keyOf(id),
      isCurrent,
      detail: isCurrent && !this.selection ? this.detail(id, unit) : null,
    };
  }

  detail(id, unit) {
    const language = this.context.study.text_language;
    const field = element("input", {
      type: "text",
      class: "label",
      value: unit.label,
      maxlength: "2000",
      "aria-label": say("unit_name"),
      ...textAttributes(language),
    });
    field.addEventListener("change", () => this.setLabel(id, field.value));
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      if (event.ctrlKey || event.metaKey) return; // saves the topic
      event.preventDefault();
      event.stopPropagation();
      const back = field.dataset.back;
      if (event.key === "Escape") field.value = unit.label;
      this.setLabel(id, field.value);
      (this.texts.get(back)?.box ?? this.list.head(id))?.focus({ preventScroll: true });
    });
    const quotes = unit.contributors.map(({ text, spans }, place) => {
      const words = this.texts.get(text).quote(spans);
      const name = this.names.get(text);
      return element(
        "li",
        {},
        element("span", { class: "from" }, name),
        element("span", { ...textAttributes(language) }, `“${words}”`),
        unit.contributors.length > 1 &&
          button("⑂", () => this.splitOff(id, place), {
            kind: "quiet",
            "aria-label": `${say("split_off")}: ${words}`,
            title: say("split_off"),
          }),
        button("×", () => this.remove(id, place), {
          kind: "quiet",
          "aria-label": `${say("remove")}: ${words}`,
          title: say("remove"),
        }),
      );
    });
    return element(
      "div",
      { class: "unit-detail" },
      field,
      this.aspectChoice(id, unit),
      element("ul", { class: "quotes" }, quotes),
      this.unitActions(id),
    );
  }

  aspectChoice(id, unit) {
    if (!this.aspects.length) return null;
    const boxes = this.aspects.map((aspect) => {
      const box = element("input", { type: "checkbox" });
      box.checked = unit.aspects?.includes(aspect) ?? false;
      box.addEventListener("change", () => this.setAspect(id, aspect, box.checked));
      return element("label", { class: "aspect" }, box, element("span", {}, aspect));
    });
    return element("fieldset", { class: "aspects" }, element("legend", {}, `${say("aspects")} `, keyCap("a")), boxes);
  }

  unitActions(id) {
    const others = this.unitIds().filter((other) => other !== id);
    const choice = element(
      "select",
      { "aria-label": say("merge_into") },
      element("option", { value: "" }, `${say("merge_into")} …`),
      others.map((other) => element("option", { value: other }, this.labelOf(other).slice(0, 80))),
    );
    choice.addEventListener("change", () => choice.value && this.merge(id, choice.value));
    return element(
      "div",
      { class: "actions" },
      others.length ? choice : null,
      button(say("remove_unit"), () => this.remove(id), { key: "d", shortcut: "d", kind: "quiet" }),
    );
  }

  view() {
    const models = element(
      "div",
      { class: "bench-texts", "data-count": Math.min(this.texts.size, 4) },
      [...this.texts.values()].map((text) => text.node),
    );
    const side = element(
      "aside",
      { class: "panel bench-side", tabindex: "0", "aria-label": say("content_units") },
      this.shape.node,
      this.total,
      this.chooser,
      this.offered,
      this.list.node,
    );
    return element(
      "div",
      { class: "bench making" },
      element("h1", { class: "hidden", tabindex: "-1" }, say("question_make_units")),
      models,
      side,
    );
  }

  start() {
    return this.form(this.view(), {
      bindings: [
        { keys: ["n"], label: say("key_new_unit"), run: () => this.make() },
        { keys: ["l"], label: say("key_label"), run: () => this.editLabel() },
        { keys: ["a"], label: say("key_aspects"), run: () => this.list.node.querySelector(".aspects input")?.focus() },
        ...(this.others.length ? [{ keys: ["t"], label: say("key_take_over"), run: () => this.takeOver() }] : []),
        { keys: ["d"], label: say("key_remove_unit"), run: () => this.current && this.remove(this.current) },
      ],
      missing: () => (this.history.entries.size ? null : say("missing_content_units")),
      read: () => ({ units: this.history.list() }),
    });
  }
}

function spansIn(unit, key) {
  return unit.contributors.flatMap(({ text, spans }) => (text === key ? spans : []));
}
