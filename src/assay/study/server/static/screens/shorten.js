// Shorten: the source on the left, the text to be shortened on the right, with what is left to cut. Every change is
// kept as [milliseconds, start, characters deleted, text inserted], to be replayed.

import { button, element, textAttributes, textPanel } from "../dom.js";
import { say } from "../language.js";
import { difference, measure, splitWords, wellFormed } from "../text_length.js";

const SEND_MS = 1000;
const MAX_DELTAS = 500; // per event

// The text as the server knows it, and changes that it was not told yet.
class EditLog {
  constructor(start, send) {
    this.text = start;
    this.send = send;
    this.deltas = [];
    this.since = performance.now();
    this.timer = null;
  }

  record(text) {
    if (text === this.text) return;
    const change = difference(this.text, text);
    this.deltas.push([Math.round(performance.now() - this.since), ...change]);
    this.text = text;
    this.timer ??= setTimeout(() => this.flush(), SEND_MS);
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    while (this.deltas.length) this.send(this.deltas.splice(0, MAX_DELTAS));
  }
}

function makeEditor(context, start, changed) {
  const field = element("textarea", {
    class: "text",
    id: "editor",
    spellcheck: "true",
    "aria-label": say("your_text"),
    "aria-describedby": "length",
    ...textAttributes(context.study.text_language),
  });
  field.value = start;
  field.addEventListener("input", () => changed(wellFormed(field.value)));
  return { node: field, set: (text) => (field.value = text), focus: () => field.focus(), bindings: [] };
}

// Deletion only: words are clicked away and back; a drag takes all words that it passes.
function makeDeleter(context, source, start, changed) {
  const words = splitWords(source);
  const kept = markKept(words, start);
  let cursor = 0;
  let stroke = null; // what a drag does: true keeps, false deletes
  const box = element("div", {
    class: "text words",
    id: "editor",
    role: "group",
    "aria-label": say("your_words"),
    ...textAttributes(context.study.text_language),
  });
  const nodes = words.map(({ word }, place) => {
    const node = element(
      "button",
      { type: "button", class: "word", tabindex: place ? "-1" : "0", "aria-pressed": "false" },
      word,
    );
    // A finger scrolls as well: only its tap counts.
    node.addEventListener(
      "pointerdown",
      (event) => event.pointerType !== "touch" && toggle(place, (stroke = !kept[place])),
    );
    node.addEventListener("pointerenter", () => stroke !== null && toggle(place, stroke));
    node.addEventListener("click", (event) => {
      if (event.detail === 0 || event.pointerType === "touch") toggle(place, !kept[place]);
    });
    node.addEventListener("focus", () => (cursor = place));
    return node;
  });
  for (const end of ["pointerup", "pointerleave"]) box.addEventListener(end, () => (stroke = null));
  nodes.forEach((node, place) => box.append(place ? words[place].space.replace(/^$/, " ") : "", node));
  const text = () =>
    words
      .filter((_, place) => kept[place])
      .map(({ space, word }, place) => (place ? space : "") + word)
      .join("");
  const paint = () =>
    nodes.forEach((node, place) => {
      node.classList.toggle("deleted", !kept[place]);
      node.setAttribute("aria-pressed", kept[place] ? "false" : "true");
    });
  const toggle = (place, keep) => {
    kept[place] = keep;
    paint();
    changed(text());
  };
  const move = (by) => {
    nodes[cursor].tabIndex = -1;
    cursor = Math.max(0, Math.min(nodes.length - 1, cursor + by));
    nodes[cursor].tabIndex = 0;
    nodes[cursor].focus();
  };
  box.addEventListener("keydown", (event) => {
    const forward = getComputedStyle(box).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") move(event.key === forward ? 1 : -1);
    else if (event.key === "Home") move(-cursor);
    else if (event.key === "End") move(nodes.length);
    else if (event.key === "x" || event.key === "Delete") {
      toggle(cursor, !kept[cursor]);
      move(1);
    } else if (event.key === "Backspace") {
      move(-1);
      toggle(cursor, !kept[cursor]);
    } else return;
    event.preventDefault();
  });
  paint();
  const nothing = () => false; // handled by the words
  return {
    node: box,
    set(now) {
      kept.splice(0, kept.length, ...markKept(words, now));
      paint();
    },
    focus: () => nodes[cursor].focus(),
    bindings: [
      { keys: [], shown: ["x", "Space"], label: say("key_delete_word"), run: nothing },
      { keys: [], shown: ["ArrowLeft", "ArrowRight"], label: say("key_move_word"), run: nothing },
    ],
  };
}

// Which words of the source a text still has: the first ones that match, in order.
function markKept(words, text) {
  const left = splitWords(text).map(({ word }) => word);
  return words.map(({ word }) => {
    const isKept = left[0] === word;
    if (isKept) left.shift();
    return isKept;
  });
}

export function draw(context) {
  const { study, screen } = context;
  const [source] = screen.source;
  const start = screen.draft ?? source;
  const log = new EditLog(start, (deltas) => context.edited(deltas));
  const counter = element("p", { class: "length", id: "length" });
  const meter = element("div", { class: "meter", "aria-hidden": "true" }, element("span", {}));
  const changed = (text) => {
    log.record(text);
    showLength(screen.limit, text, counter, meter);
    context.changed();
  };
  const isDeletion = screen.mode === "delete";
  const editor = isDeletion ? makeDeleter(context, source, start, changed) : makeEditor(context, start, changed);
  const reset = () => {
    editor.set(source);
    changed(source);
    editor.focus();
  };
  showLength(screen.limit, start, counter, meter);
  const heading = say(isDeletion ? "your_words" : "your_text");
  const view = element(
    "div",
    { class: "halves" },
    element("h1", { class: "hidden", tabindex: "-1" }, say("question_shorten")),
    textPanel(say("source"), screen.source, study.text_language, { kind: "source" }),
    element(
      "section",
      { class: "panel output editor" },
      element("h2", {}, heading),
      editor.node,
      meter,
      element("div", { class: "editor-foot" }, counter, button(say("start_again"), reset, { kind: "quiet" })),
    ),
  );
  return {
    view,
    typing: true,
    bindings: editor.bindings,
    missing: () => lengthProblem(screen.limit, log.text),
    read: () => ({ text: log.text }),
    keep: () => ({ draft: log.text }),
    flush: () => log.flush(),
    focus: () => editor.focus(),
  };
}

function showLength(limit, text, counter, meter) {
  const length = measure(text, limit.unit);
  const name = limit.least > 0 ? `range_${limit.unit}` : `length_${limit.unit}`;
  counter.textContent = `${say(name, { length, ...limit })}${lengthProblem(limit, text) ? "" : " ✓"}`;
  const over = length > limit.most || length < limit.least;
  meter.classList.toggle("over", over);
  meter.firstChild.style.width = `${Math.min(100, (100 * length) / limit.source)}%`;
  meter.style.setProperty("--limit", `${(100 * limit.most) / limit.source}%`);
}

// Why a text cannot be sent yet, or null.
export function lengthProblem(limit, text) {
  const length = measure(text, limit.unit);
  if (!length) return say("missing_text");
  if (length > limit.most) return say(`over_${limit.unit}`, { count: length - limit.most });
  return length < limit.least ? say(`under_${limit.unit}`, { count: limit.least - length }) : null;
}
