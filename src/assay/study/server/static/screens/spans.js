// Spans: errors are marked in the text, each with a category and a severity. Marked by pointer, or by arrow keys with
// Shift; then one key for the category and one for the severity.

import { button, element, keyCap, textAttributes, textPanel } from "../dom.js";
import { say } from "../language.js";
import { codePoints } from "../text_length.js";
import { cutAtMarks, takeSelection, wordBounds } from "../text_selection.js";

class SpanMarker {
  constructor(context) {
    const { screen, restored, study } = context;
    this.context = context;
    this.text = screen.texts[0].text;
    this.points = codePoints(this.text);
    this.words = wordBounds(this.text);
    this.categories = screen.categories;
    this.severities = screen.severities;
    this.spans = (restored?.spans ?? screen.first_spans ?? []).map((span) => ({ ...span }));
    this.isClean = restored ? this.spans.length === 0 : false;
    this.cursor = null; // {anchor, head}: words between which the keyboard marks
    this.draft = null; // {start, end, category}: what is being described
    this.box = element("div", {
      class: "text marked",
      id: "marked",
      tabindex: "0",
      role: "group",
      "aria-label": say("text"),
      "aria-describedby": "span-help",
      ...textAttributes(study.text_language),
    });
    this.box.addEventListener("keydown", (event) => this.press(event));
    this.box.addEventListener("mouseup", () => this.takeSelection());
    this.box.addEventListener("touchend", () => setTimeout(() => this.takeSelection(), 50));
    this.panel = element("div", { class: "span-panel" });
    this.list = element("ol", { class: "span-list", "aria-label": say("errors") });
    this.clean = element("input", { type: "checkbox", id: "no-error", "aria-keyshortcuts": "0" });
    this.clean.addEventListener("change", () => this.setClean(this.clean.checked));
    this.draw();
  }

  takeSelection() {
    const span = takeSelection(this.box, this.points);
    if (span) this.describe(span.start, span.end);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.words.length) return;
    const forward = getComputedStyle(this.box).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (event.key === "ArrowLeft" || event.key === "ArrowRight")
      this.step(event.key === forward ? 1 : -1, event.shiftKey);
    else if (event.key === "Enter" || event.key === " ") {
      if (!this.cursor || this.draft) return;
      const [first, last] = this.cursorWords();
      this.describe(this.words[first].start, this.words[last].end);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  step(by, isExtending) {
    const limit = (place) => Math.max(0, Math.min(this.words.length - 1, place));
    const head = this.cursor ? limit(this.cursor.head + by) : 0;
    this.cursor = { anchor: isExtending && this.cursor ? this.cursor.anchor : head, head };
    this.draft = null;
    const [first, last] = this.cursorWords();
    this.context.announce(this.slice(this.words[first].start, this.words[last].end));
    this.draw();
  }

  cursorWords() {
    return [this.cursor.anchor, this.cursor.head].sort((a, b) => a - b);
  }

  slice(start, end) {
    return this.points.slice(start, end).join("");
  }

  describe(start, end) {
    const isOne = this.categories.length === 1; // then only the severity is asked for
    this.draft = { start, end, category: isOne ? this.categories[0] : null };
    this.context.announce(`${this.slice(start, end)}: ${say(isOne ? "choose_severity" : "choose_category")}`);
    this.draw();
    this.context.changed();
    this.panel.querySelector("button")?.focus();
  }

  // One key for the category, the next for the severity.
  choose(place) {
    if (!this.draft) return false;
    if (this.draft.category === null) {
      if (place >= this.categories.length) return false;
      this.draft.category = this.categories[place];
      this.context.announce(say("choose_severity"));
      this.draw();
      this.panel.querySelector("button")?.focus();
      return true;
    }
    if (place >= this.severities.length) return false;
    const { start, end, category } = this.draft;
    this.spans.push({ start, end, category, severity: this.severities[place] });
    this.spans.sort((a, b) => a.start - b.start || a.end - b.end);
    this.draft = this.cursor = null;
    this.isClean = false;
    this.finish(say("error_marked"));
    return true;
  }

  cancel() {
    if (!this.draft && !this.cursor) return false;
    this.draft = this.cursor = null;
    this.finish(say("cancelled"));
  }

  remove(span) {
    this.spans = this.spans.filter((one) => one !== span);
    this.finish(say("error_removed"));
  }

  finish(message) {
    this.draw();
    this.context.announce(message);
    this.context.changed();
    this.box.focus();
  }

  setClean(isClean) {
    this.isClean = isClean && this.spans.length === 0;
    this.draw();
    this.context.changed();
  }

  draw() {
    this.drawText();
    this.drawPanel();
    this.list.replaceChildren(...this.spans.map((span) => this.row(span)));
    this.clean.checked = this.isClean;
    this.clean.disabled = this.spans.length > 0;
  }

  // Marks may overlap: the text is cut wherever one begins or ends.
  drawText() {
    const marks = this.spans.map((span) => ({
      ...span,
      kind: `severity-${this.severities.indexOf(span.severity) + 1}`,
    }));
    if (this.draft) marks.push({ ...this.draft, kind: "draft" });
    else if (this.cursor) {
      const [first, last] = this.cursorWords();
      marks.push({ start: this.words[first].start, end: this.words[last].end, kind: "cursor" });
    }
    const parts = cutAtMarks(this.points, marks).map(({ text, marks: over }) => {
      return over.length ? element("mark", { class: over.map((mark) => mark.kind).join(" ") }, text) : text;
    });
    this.box.replaceChildren(...parts);
  }

  drawPanel() {
    if (!this.draft) {
      this.panel.replaceChildren(element("p", { class: "hint", id: "span-help" }, say("span_help")));
      return;
    }
    const isCategory = this.draft.category === null;
    const names = isCategory ? this.categories : this.severities;
    const buttons = names.map((name, place) =>
      button(labelOf(name), () => this.choose(place), { key: String(place + 1), shortcut: String(place + 1) }),
    );
    const quote = element(
      "p",
      { class: "quote" },
      `“${this.slice(this.draft.start, this.draft.end)}”`,
      isCategory || this.categories.length === 1 ? "" : ` · ${labelOf(this.draft.category)}`,
    );
    const heading = element("h3", {}, say(isCategory ? "choose_category" : "choose_severity"));
    this.panel.replaceChildren(
      quote,
      heading,
      element("div", { class: "span-buttons" }, buttons),
      button(say("cancel"), () => this.cancel(), { key: "Esc", kind: "quiet" }),
    );
  }

  row(span) {
    const place = this.severities.indexOf(span.severity) + 1;
    const quote = element("mark", { class: `severity-${place}` }, this.slice(span.start, span.end));
    const names = [...(this.categories.length > 1 ? [span.category] : []), span.severity];
    const kind = element("span", {}, names.map(labelOf).join(", "));
    const label = `${say("remove")}: ${this.slice(span.start, span.end)}`;
    return element(
      "li",
      {},
      quote,
      kind,
      button("×", () => this.remove(span), { kind: "quiet", "aria-label": label }),
    );
  }
}

// Names that come with the package are in the language of the interface; a study's own are shown as they are.
function labelOf(name) {
  const known = say(`mqm_${name}`);
  return known === `mqm_${name}` ? name : known;
}

// The text with its marks on the left, what is marked on the right; `below` goes under it.
export function drawMarker(context, { heading, below }) {
  const { study, screen } = context;
  const marker = new SpanMarker(context);
  const output = element(
    "section",
    { class: "panel output" },
    element("h2", {}, say("text")),
    element("div", { class: "text-body" }, marker.box),
  );
  const view = element(
    "div",
    { class: "split" },
    element("h1", { class: "hidden", tabindex: "-1" }, heading),
    element(
      "div",
      { class: "texts" },
      screen.source?.length ? textPanel(say("source"), screen.source, study.text_language, { kind: "source" }) : null,
      output,
    ),
    element(
      "div",
      { class: "side" },
      element(
        "section",
        { class: "panel span-side" },
        marker.panel,
        element("h2", {}, say("errors")),
        marker.list,
        below(marker),
      ),
    ),
  );
  const bindings = [
    { keys: [], shown: ["ArrowLeft", "ArrowRight"], label: say("key_span_move"), run: () => false },
    { keys: [], shown: ["Shift", "ArrowRight"], label: say("key_span_extend"), run: () => false },
    { keys: [], shown: ["Enter"], label: say("key_span_take"), run: () => false },
    { keys: ["Escape"], shown: ["Esc"], label: say("key_span_cancel"), run: () => marker.cancel() },
  ];
  return { marker, view, bindings };
}

export function draw(context) {
  const { marker, view, bindings } = drawMarker(context, {
    heading: say("question_spans"),
    below: ({ clean }) =>
      element("label", { class: "choice", for: "no-error" }, clean, keyCap("0"), element("span", {}, say("no_error"))),
  });
  const digits = Array.from({ length: 9 }, (_, place) => String(place + 1));
  return {
    view,
    bindings: [
      ...bindings,
      {
        keys: digits,
        shown: ["1", "…", String(Math.max(marker.categories.length, marker.severities.length))],
        label: say("key_span_kind"),
        run: (event) => marker.choose(Number(event.key) - 1),
      },
      { keys: ["0"], label: say("no_error"), run: () => marker.setClean(!marker.isClean) },
    ],
    missing: () =>
      marker.draft ? say("missing_kind") : marker.spans.length || marker.isClean ? null : say("missing_spans"),
    read: () => ({ spans: marker.spans }),
    focus: () => marker.box.focus(),
  };
}
