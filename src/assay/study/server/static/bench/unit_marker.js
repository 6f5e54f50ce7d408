// Stage 2: the units of a pyramid are marked in a peer. Selected words get a unit, or go into the bin.

import { getJson } from "../api.js";
import { button, element, keyCap, textAttributes } from "../dom.js";
import { say } from "../language.js";
import { Bench } from "./bench.js";
import { MarkedText } from "./marked_text.js";
import { UnitList } from "./unit_list.js";

const ATTEMPTS = 5;
const BIN = "none"; // the id of facts that are not in the pyramid, on the screen only

export class UnitMarker extends Bench {
  constructor(context) {
    super(context, []);
    const { study, screen } = context;
    const language = study.text_language;
    this.units = new Map([...screen.units].sort((a, b) => b.weight - a.weight).map((unit) => [unit.id, unit]));
    this.models = screen.models.map(
      ({ key, text }, place) => new MarkedText({ key, text, heading: say("model", { number: place + 1 }), language }),
    );
    this.peer = new MarkedText({ key: "a", text: screen.texts[0].text, heading: say("peer"), language, on: this });
    this.texts.set("a", this.peer);
    this.suggestions = [];
    this.suggested = element("div", { class: "suggestions" });
    this.rest = element("input", { type: "checkbox", id: "complete", "aria-keyshortcuts": "r" });
    this.rest.checked = context.restored?.complete ?? false;
    this.rest.addEventListener("change", () => this.context.changed());
    this.list = new UnitList(language, this);
    this.draw();
    this.loadSuggestions();
  }

  get isExhaustive() {
    return this.context.study.settings.exhaustive;
  }

  unitIds() {
    return [...this.units.keys()];
  }

  labelOf(id) {
    return id === BIN ? say("not_in_pyramid") : this.units.get(id).label;
  }

  marksOf(id) {
    return [...this.history.entries].filter(([, mark]) => (mark.unit ?? BIN) === id);
  }

  spansOver() {
    return [...this.history.entries.values()].flatMap((mark) => mark.spans);
  }

  unitsAt(key, offset) {
    const marks = [...this.history.entries.values()].filter(({ spans }) =>
      spans.some(([start, end]) => start <= offset && offset < end),
    );
    return [...new Set(marks.map(({ unit }) => unit ?? BIN))];
  }

  // What other texts suggest

  // Asked for when the server has the answer before this one; again if it cannot be reached.
  async loadSuggestions() {
    await null; // the screen is drawn first
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      await this.context.settled();
      if (!this.peer.box.isConnected) return;
      const answer = await getJson(`/api/suggestions?task=${this.context.screen.task}`).catch(() => null);
      if (answer?.status === 200) {
        this.suggestions = answer.body.suggestions;
        return this.draw();
      }
      await new Promise((resolve) => setTimeout(resolve, 1000 * attempt));
    }
  }

  openSuggestions() {
    return this.suggestions.filter(({ unit, isDismissed }) => !isDismissed && !this.marksOf(unit).length);
  }

  accept(suggestion = this.openSuggestions()[0]) {
    if (!suggestion) return this.context.announce(say("no_suggestions"));
    const { unit, spans, suggested } = suggestion;
    this.history.change([this.history.newId(), { unit, spans, suggested }]);
    this.current = unit;
    this.edited(say("unit_marked", { label: this.labelOf(unit) }));
  }

  dismiss(suggestion = this.openSuggestions()[0]) {
    if (!suggestion) return this.context.announce(say("no_suggestions"));
    suggestion.isDismissed = true;
    this.edited(say("suggestion_dismissed"));
  }

  // What the annotator does

  assign(id) {
    if (!this.selection) return this.context.announce(say("nothing_selected"));
    const { key, spans } = this.selection;
    this.clearSelection();
    this.history.change([this.history.newId(), { unit: id === BIN ? null : id, spans }]);
    this.current = id;
    this.edited(say("unit_marked", { label: this.labelOf(id) }), key);
    this.list.head(id)?.scrollIntoView({ block: "nearest" });
  }

  remove(id) {
    this.history.change([id, null]);
    this.edited(say("words_removed"), "a");
  }

  removeLast() {
    const marks = this.current ? this.marksOf(this.current) : [];
    if (!marks.length) return this.context.announce(say("no_unit_chosen"));
    this.remove(marks.at(-1)[0]);
  }

  // What is shown

  draw() {
    this.peer.draw(this.marks());
    const bare = this.peer.bareWords(this.spansOver()).length;
    this.peer.showCount(bare);
    for (const model of this.models) model.draw(this.marksInModel(model.key));
    const ids = this.unitIds();
    if (this.selection && this.ranking) ids.sort((a, b) => this.ranking.indexOf(a) - this.ranking.indexOf(b));
    this.list.draw(
      [...ids, BIN].map((id) => this.row(id)),
      say("no_units_yet"),
    );
    this.drawSuggestions();
    this.drawChooser(button(say("not_in_pyramid"), () => this.assign(BIN), { key: "0", shortcut: "0" }));
    this.drawRest();
  }

  // Asked of exhaustive annotation, and of a peer without a mark.
  drawRest() {
    if (!this.restLabel) return;
    this.restLabel.hidden = !this.peer.points.length || (!this.isExhaustive && this.history.entries.size > 0);
    this.restLabel.classList.toggle("asked", this.needsRest());
  }

  show(id) {
    super.show(id);
    this.models.find((model) => model.box.querySelector("mark.of-current"))?.reveal("of-current");
  }

  marks() {
    const marks = [...this.history.entries.values()].flatMap(({ unit, spans }) => {
      const kind = (unit ?? BIN) === this.current ? "of-current" : unit === null ? "in-bin" : "covered";
      return spans.map(([start, end]) => ({ start, end, kind, covers: true }));
    });
    const suggested = this.openSuggestions().flatMap(({ spans }) =>
      spans.map(([start, end]) => ({ start, end, kind: "suggested" })),
    );
    const chosen = (this.selection?.spans ?? []).map(([start, end]) => ({ start, end, kind: "chosen" }));
    return [...marks, ...suggested, ...chosen];
  }

  marksInModel(key) {
    return [...this.units.values()].flatMap(({ id, contributors }) =>
      contributors
        .filter(({ text }) => text === key)
        .flatMap(({ spans }) =>
          spans.map(([start, end]) => ({
            start,
            end,
            kind: id === this.current ? "of-current" : "covered",
            covers: true,
          })),
        ),
    );
  }

  row(id) {
    const unit = this.units.get(id);
    const marks = this.marksOf(id);
    const models = unit && this.models.map(({ key }) => unit.contributors.some(({ text }) => text === key));
    const isCurrent = id === this.current;
    return {
      id,
      weight: unit?.weight ?? null,
      label: this.labelOf(id),
      models,
      note: marks.length ? `✓${marks.length > 1 ? ` ${marks.length}` : ""}` : null,
      key: id === BIN ? (this.selection ? "0" : null) : this.keyOf(id),
      isCurrent,
      isMarked: marks.length > 0,
      detail: isCurrent && !this.selection ? this.detail(unit, marks) : null,
    };
  }

  detail(unit, marks) {
    const own = marks.map(([id, { spans, suggested }]) => {
      const words = this.peer.quote(spans);
      const how = suggested
        ? element("span", { class: "from" }, say("was_suggested"))
        : element("span", { class: "from" }, say("peer"));
      return element(
        "li",
        {},
        how,
        element("span", textAttributes(this.context.study.text_language), `“${words}”`),
        button("×", () => this.remove(id), {
          kind: "quiet",
          "aria-label": `${say("remove")}: ${words}`,
          title: say("remove"),
        }),
      );
    });
    const models = (unit?.contributors ?? []).map(({ text, spans }) => {
      const place = this.models.findIndex((model) => model.key === text);
      return element(
        "li",
        {},
        element("span", { class: "from" }, say("model", { number: place + 1 })),
        element("span", textAttributes(this.context.study.text_language), `“${this.models[place].quote(spans)}”`),
      );
    });
    return element("div", { class: "unit-detail" }, element("ul", { class: "quotes" }, own, models));
  }

  drawSuggestions() {
    const open = this.openSuggestions();
    if (!open.length || this.selection) return this.suggested.replaceChildren();
    const rows = open.map((suggestion, place) => {
      const label = this.labelOf(suggestion.unit);
      const isFirst = place === 0;
      return element(
        "li",
        {},
        element("span", { class: "weight" }, String(this.units.get(suggestion.unit).weight)),
        element(
          "span",
          { class: "unit-label", ...textAttributes(this.context.study.text_language) },
          label,
          element("q", {}, this.peer.quote(suggestion.spans)),
        ),
        button("✓", () => this.accept(suggestion), {
          key: isFirst ? "y" : null,
          shortcut: isFirst ? "y" : null,
          title: say("accept"),
          "aria-label": `${say("accept")}: ${label}`,
        }),
        button("×", () => this.dismiss(suggestion), {
          key: isFirst ? "x" : null,
          shortcut: isFirst ? "x" : null,
          kind: "quiet",
          title: say("dismiss"),
          "aria-label": `${say("dismiss")}: ${label}`,
        }),
      );
    });
    this.suggested.replaceChildren(element("h3", {}, say("suggestions")), element("ul", {}, rows));
  }

  // Whether the annotator has to say that nothing is left: of exhaustive annotation, and of a peer without a mark.
  needsRest() {
    const bare = this.peer.bareWords(this.spansOver()).length;
    return bare > 0 && (this.isExhaustive || !this.history.entries.size);
  }

  missing() {
    if (!this.needsRest() || this.rest.checked) return null;
    const count = this.peer.bareWords(this.spansOver()).length;
    return this.isExhaustive ? say("missing_rest", { count }) : say("missing_marks_or_none");
  }

  view() {
    this.restLabel = element(
      "label",
      { class: "choice", for: "complete" },
      this.rest,
      keyCap("r"),
      element("span", {}, say("nothing_else")),
    );
    const peer = element("div", { class: "bench-peer" }, this.peer.node, this.restLabel);
    const units = element(
      "section",
      { class: "panel bench-side", "aria-label": say("content_units") },
      element("h2", {}, say("content_units")),
      this.chooser,
      this.suggested,
      this.list.node,
    );
    const models = element(
      "div",
      { class: "bench-models" },
      this.models.map((model) => model.node),
    );
    this.draw();
    return element(
      "div",
      { class: "bench marking" },
      element("h1", { class: "hidden", tabindex: "-1" }, say("question_mark_units")),
      peer,
      units,
      models,
    );
  }

  start() {
    return this.form(this.view(), {
      bindings: [
        { keys: ["0"], label: say("key_bin"), run: () => this.assign(BIN) },
        { keys: ["y"], label: say("key_accept"), run: () => this.accept() },
        { keys: ["x"], label: say("key_dismiss"), run: () => this.dismiss() },
        { keys: ["d"], label: say("key_remove_mark"), run: () => this.removeLast() },
        { keys: ["r"], label: say("nothing_else"), run: () => this.restLabel.hidden || this.rest.click() },
      ],
      missing: () => this.missing(),
      read: () => ({
        marks: this.history.list(),
        complete: this.rest.checked || !this.peer.bareWords(this.spansOver()).length,
      }),
    });
  }
}
