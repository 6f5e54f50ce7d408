// What both stages of the workbench share: selected words, units ranked by similarity to them, edits, undo and redo.

import { getJson } from "../api.js";
import { button, element } from "../dom.js";
import { say } from "../language.js";
import { joinSpans } from "../text_selection.js";
import { EditHistory } from "./edit_history.js";

const RANK_MS = 120; // while a selection grows, the order of units rests
const WAIT_MS = 1500; // after that, words alone decide the order
const MAX_WORDS = 40; // a quote is cut to this number of words

export class Bench {
  constructor(context, entries) {
    this.context = context;
    this.history = new EditHistory(
      context.screen.draft ?? entries,
      (deltas) => context.edited(deltas),
      context.storage,
    );
    this.texts = new Map(); // key -> MarkedText in which words are selected
    this.selection = null; // {key, spans}
    this.fixed = []; // parts of the selection that stay while another is added
    this.isAdding = false;
    this.current = null; // the unit that is looked at
    this.ranking = null; // ids, most similar to the selection first
    this.chooser = element("div", { class: "chooser" });
    this.help = element("p", { class: "hint", id: "bench-help" }, say("bench_help"));
  }

  // With what a bench of one kind adds: draw, unitsAt, labelOf, marks, spansOver, unitIds, assign, list, flush.
  get own() {
    return /** @type {any} */ (this);
  }

  // Selected words

  select({ key, start, end, adds, isExtending = false }) {
    if (this.selection?.key !== key) this.stopAdding();
    if (adds) this.isAdding = true;
    if (!this.isAdding) this.fixed = [];
    else if (!isExtending) this.fixed = this.selection?.spans ?? [];
    this.selection = { key, spans: joinSpans([...this.fixed, [start, end]]) };
    if (!isExtending) for (const text of this.texts.values()) if (text.key !== key) text.cursor = null;
    this.ranking = null;
    this.rankSoon();
    this.context.announce(this.quote(this.selection));
    this.own.draw();
    this.context.changed();
  }

  // The cursor went to another word: what was selected stays, and in adding the next selection is a part of its own.
  move(key) {
    const text = this.texts.get(key);
    if (this.isAdding) this.fixed = this.selection?.spans ?? [];
    const { start, end } = text.cursorSpan();
    const labels = this.own.unitsAt(key, start).map((id) => this.own.labelOf(id));
    this.context.announce([text.slice(start, end), ...labels].join(": "));
    text.draw(this.own.marks(key));
    text.reveal("cursor");
  }

  addPart() {
    if (!this.selection) return this.context.announce(say("nothing_selected"));
    this.isAdding = !this.isAdding;
    this.fixed = this.isAdding ? this.selection.spans : [];
    this.context.announce(say(this.isAdding ? "adding_part" : "not_adding_part"));
    this.own.draw();
  }

  stopAdding() {
    this.isAdding = false;
    this.fixed = [];
  }

  cancel() {
    if (!this.selection && !this.current) return false;
    if (!this.selection) this.current = null;
    this.clearSelection();
    this.context.announce(say("cancelled"));
    this.own.draw();
    this.context.changed();
    return true;
  }

  clearSelection() {
    this.selection = this.ranking = null;
    this.stopAdding();
    for (const text of this.texts.values()) text.cursor &&= { anchor: text.cursor.head, head: text.cursor.head };
  }

  quote({ key, spans }) {
    const words = this.texts.get(key).quote(spans).split(" ");
    return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS).join(" ")} …` : words.join(" ");
  }

  // Go to the next words that nothing covers, in this text or the following ones.
  nextBare() {
    const texts = [...this.texts.values()];
    const here = Math.max(
      0,
      texts.findIndex((text) => text.box === document.activeElement || text.key === this.selection?.key),
    );
    for (let turn = 0; turn <= texts.length; turn += 1) {
      const text = texts[(here + turn) % texts.length];
      const after = turn === 0 && text.cursor ? Math.max(...text.cursorWords()) : -1;
      const run = text.nextBareRun(this.own.spansOver(text.key), after);
      if (run) {
        text.box.focus({ preventScroll: true });
        text.selectWords(...run);
        return text.reveal("chosen");
      }
    }
    this.context.announce(say("all_covered"));
  }

  // Which units are like the selected words

  rankSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.rank(), RANK_MS);
  }

  async rank() {
    const { selection } = this;
    if (!selection) return;
    const query = new URLSearchParams({
      task: this.context.screen.task,
      text: selection.key,
      spans: JSON.stringify(selection.spans),
    });
    const late = new Promise((resolve) => setTimeout(resolve, WAIT_MS, null));
    const ask = async () => {
      await this.context.settled(); // so that the newest unit is ranked as well
      return getJson(`/api/proposals?${query}`).catch(() => null);
    };
    const answer = await Promise.race([ask(), late]);
    if (this.selection !== selection) return;
    const ids = new Set(this.own.unitIds());
    const ranked = (answer?.status === 200 ? answer.body.units : []).filter((id) => ids.has(id));
    // Without an answer, and for units the server does not know yet, words in common decide.
    const others = [...ids].filter((id) => !ranked.includes(id));
    this.ranking = answer?.status === 200 ? [...ranked, ...others] : this.rankByWords(others);
    this.own.draw();
    this.own.list.node.scrollTop = 0; // the most similar is on top
  }

  rankByWords(ids) {
    const split = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
    const own = split(this.quote(this.selection));
    const overlap = (id) => {
      const words = split(this.own.labelOf(id));
      return (2 * [...words].filter((word) => own.has(word)).length) / (words.size + own.size || 1);
    };
    return ids
      .map((id) => [overlap(id), id])
      .sort((a, b) => b[0] - a[0])
      .map(([, id]) => id);
  }

  // The digit that chooses a unit now, or null.
  keyOf(id) {
    const place = this.ranking?.indexOf(id) ?? -1;
    return this.selection && place >= 0 && place < 9 ? String(place + 1) : null;
  }

  pressDigit(digit) {
    if (!this.selection) return this.context.announce(say("nothing_selected"));
    if (!this.ranking) return this.context.announce(say("loading"));
    const id = this.ranking[digit - 1];
    if (id) this.own.assign(id);
  }

  // A click or Enter on a unit: takes the selected words, else shows the unit.
  choose(id) {
    if (this.selection) return this.own.assign(id);
    this.show(this.current === id ? null : id);
  }

  show(id) {
    this.current = id;
    this.own.draw();
    if (id) this.context.announce(this.own.labelOf(id));
  }

  // The units at a place in a text, one after the other with each click.
  pick(key, offset) {
    const ids = this.own.unitsAt(key, offset);
    if (!ids.length) return;
    this.show(ids[(ids.indexOf(this.current) + 1) % ids.length]);
    this.own.list.node.querySelector("li.current")?.scrollIntoView({ block: "nearest" });
  }

  pickAtCursor() {
    const text = [...this.texts.values()].find((one) => one.box === document.activeElement && one.cursor);
    if (text) this.pick(text.key, text.cursorSpan().start);
  }

  // After an edit

  edited(message, key = null) {
    this.context.announce(message);
    this.own.draw();
    this.context.changed();
    if (key) this.texts.get(key)?.box.focus({ preventScroll: true });
  }

  undo() {
    const ids = this.history.undo();
    if (ids) this.edited(say("edit_undone"));
    return ids !== null;
  }

  redo() {
    const ids = this.history.redo();
    if (ids) this.edited(say("edit_redone"));
    else this.context.announce(say("no_redo"));
  }

  // The selected words, and what can be done with them
  drawChooser(...actions) {
    const isKnown = this.history.entries.size > 0; // then the help is for screen readers, and the units have its place
    this.help.className = isKnown ? "hidden" : "hint";
    this.chooser.classList.toggle("is-empty", isKnown && !this.selection);
    if (!this.selection) return this.chooser.replaceChildren(this.help);
    const quote = element("p", { class: "quote" }, `“${this.quote(this.selection)}”`);
    const part = button(say("add_part"), () => this.addPart(), {
      key: "+",
      shortcut: "+",
      kind: this.isAdding ? "is-on" : "",
      "aria-pressed": String(this.isAdding),
    });
    const cancel = button(say("cancel"), () => this.cancel(), { key: "Esc", shortcut: "Escape", kind: "quiet" });
    this.chooser.replaceChildren(quote, element("div", { class: "actions" }, ...actions, part, cancel));
  }

  bindings() {
    const digits = Array.from({ length: 9 }, (_, place) => String(place + 1));
    return [
      { keys: ["Enter"], onButton: false, run: () => true }, // saving a whole topic is not for a stray key: Ctrl+Enter
      { keys: [], shown: ["ArrowLeft", "ArrowRight"], label: say("key_span_move"), run: () => false },
      { keys: [], shown: ["Shift", "ArrowRight"], label: say("key_span_extend"), run: () => false },
      { keys: [], shown: ["Space"], label: say("key_take_word"), run: () => false },
      { keys: ["+"], label: say("key_add_part"), run: () => this.addPart() },
      { keys: ["."], label: say("key_next_bare"), run: () => this.nextBare() },
      {
        keys: digits,
        shown: ["1", "…", "9"],
        label: say("key_choose_unit"),
        run: (event) => this.pressDigit(Number(event.key)),
      },
      { keys: ["w"], label: say("key_which_unit"), run: () => this.pickAtCursor() },
      { keys: ["Escape"], shown: ["Esc"], label: say("key_span_cancel"), run: () => this.cancel() },
      { keys: ["u", "Ctrl+z"], shown: ["u"], label: say("key_undo_edit"), run: () => this.context.undo() },
      { keys: [], shown: ["Ctrl+Enter"], label: say("key_submit"), run: () => false },
      { keys: ["U", "Ctrl+y", "Ctrl+Z"], shown: ["Shift", "u"], label: say("key_redo"), run: () => this.redo() },
    ];
  }

  form(view, { bindings, missing, read }) {
    return {
      view,
      typing: true,
      bindings: [...bindings, ...this.bindings()],
      missing: () => (this.selection ? say("missing_assign") : missing()),
      read,
      flush: () => this.own.flush?.(),
      isBehind: (draft) => Boolean(draft) && this.history.state(draft) !== this.history.state(),
      keep: () => ({ draft: this.history.list() }),
      canUndo: () => this.history.done.length > 0,
      undo: () => this.undo(),
      focus: () => [...this.texts.values()][0].box.focus({ preventScroll: true }),
    };
  }
}
