// A text with marks, in which words are selected: by pointer, or by arrow keys with Shift.

import { element, textAttributes } from "../dom.js";
import { say } from "../language.js";
import { codePoints } from "../text_length.js";
import { cutAtMarks, offsetIn, takeSelection, wordBounds } from "../text_selection.js";

const IS_WORD = /[\p{L}\p{N}]/u;
const ENDS_SENTENCE = /[.!?؟。！？]["”’)\]]*$/u;

export class MarkedText {
  // on: {select({ key, start, end, adds }), move(key), pick(key, offset)}; without it the text is only read
  constructor({ key, text, heading, language, on = null }) {
    this.key = key;
    this.on = on;
    this.points = codePoints(text);
    this.words = wordBounds(text).map((word) => ({ ...word, counts: IS_WORD.test(this.slice(word.start, word.end)) }));
    this.cursor = null; // {anchor, head}: numbers of words
    this.count = element("span", { class: "left-count" });
    const attributes = on
      ? { tabindex: "0", role: "group", "aria-label": heading, "aria-describedby": "bench-help", "data-key": key }
      : { "data-key": key };
    this.box = element("div", {
      class: `text marked ${on ? "can-select" : ""}`,
      ...attributes,
      ...textAttributes(language),
    });
    if (on) {
      this.box.addEventListener("keydown", (event) => this.press(event));
      this.box.addEventListener("mouseup", (event) => this.point(event));
      this.box.addEventListener("touchend", (event) => setTimeout(() => this.point(event), 50));
    }
    const body = element(
      "div",
      { class: "text-body", ...(on ? {} : { tabindex: "0", role: "group", "aria-label": heading }) },
      this.box,
    );
    this.node = element("section", { class: "panel bench-text" }, element("h2", {}, heading, this.count), body);
    if (!this.points.length) this.box.append(element("em", { class: "hint" }, say("text_empty")));
  }

  slice(start, end) {
    return this.points.slice(start, end).join("");
  }

  quote(spans) {
    return spans.map(([start, end]) => this.slice(start, end).replace(/\s+/g, " ")).join(" … ");
  }

  // A drag selects; a click shows what stands there.
  point(event) {
    const span = takeSelection(this.box, this.points);
    if (span) return this.on.select({ key: this.key, ...span, adds: event.ctrlKey || event.metaKey });
    const { anchorNode, anchorOffset, isCollapsed } = getSelection();
    if (isCollapsed && anchorNode && this.box.contains(anchorNode))
      this.on.pick(this.key, offsetIn(this.box, anchorNode, anchorOffset));
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.words.length) return;
    const forward = getComputedStyle(this.box).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (event.key === "ArrowLeft" || event.key === "ArrowRight")
      this.step(event.key === forward ? 1 : -1, event.shiftKey);
    else if (event.key === "Home") this.step(-this.words.length, event.shiftKey);
    else if (event.key === "End") this.step(this.words.length, event.shiftKey);
    else if (event.key === " ") this.selectWords(...this.cursorWords());
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  step(by, isExtending) {
    const limit = (place) => Math.max(0, Math.min(this.words.length - 1, place));
    const head = this.cursor ? limit(this.cursor.head + by) : limit(by > 1 ? by : 0);
    this.cursor = { anchor: isExtending && this.cursor ? this.cursor.anchor : head, head };
    if (isExtending) this.selectWords(...this.cursorWords(), true);
    else this.on.move(this.key);
  }

  cursorWords() {
    if (!this.cursor) return [0, 0];
    return [this.cursor.anchor, this.cursor.head].sort((a, b) => a - b);
  }

  cursorSpan() {
    if (!this.cursor) return null;
    const [first, last] = this.cursorWords();
    return { start: this.words[first].start, end: this.words[last].end };
  }

  selectWords(first, last, isExtending = false) {
    if (!isExtending) this.cursor = { anchor: first, head: last };
    this.on.select({
      key: this.key,
      start: this.words[first].start,
      end: this.words[last].end,
      adds: false,
      isExtending,
    });
  }

  // Numbers of the words that no span touches; marks of punctuation do not count.
  bareWords(spans) {
    const isBare = ({ start, end, counts }) => counts && !spans.some(([from, to]) => from < end && start < to);
    return this.words.flatMap((word, place) => (isBare(word) ? [place] : []));
  }

  // The next words that no span touches, after a word: up to the end of their sentence.
  nextBareRun(spans, after = -1) {
    const bare = new Set(this.bareWords(spans));
    const first = [...bare].find((place) => place > after);
    if (first === undefined) return null;
    let last = first;
    while (
      !ENDS_SENTENCE.test(this.slice(this.words[last].start, this.words[last].end)) &&
      (bare.has(last + 1) || (this.words[last + 1] && !this.words[last + 1].counts))
    )
      last += 1;
    return [first, last];
  }

  // marks: [{start, end, kind}]; words without a mark that counts as covering stand out.
  draw(marks) {
    if (!this.points.length) return;
    const cursor = this.cursorSpan();
    const all = cursor ? [...marks, { ...cursor, kind: "cursor" }] : marks;
    const parts = cutAtMarks(this.points, all).map(({ text, marks: over }) => {
      const kinds = new Set(over.map((mark) => mark.kind));
      if (over.filter((mark) => mark.covers).length > 1) kinds.add("twice");
      if (this.on && !over.some((mark) => mark.covers) && IS_WORD.test(text)) kinds.add("bare");
      return kinds.size ? element("mark", { class: [...kinds].join(" ") }, text) : text;
    });
    this.box.replaceChildren(...parts);
  }

  showCount(bare) {
    const total = this.words.filter((word) => word.counts).length;
    this.count.textContent = total ? (bare ? say("words_left", { count: bare }) : `✓ ${say("all_covered")}`) : "";
    this.count.classList.toggle("all", bare === 0);
  }

  reveal(kind) {
    this.box.querySelector(`mark.${kind}`)?.scrollIntoView({ block: "nearest" });
  }
}
