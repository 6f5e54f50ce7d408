// Two annotators of one topic side by side: the words they marked, the units that go together, and their agreement.

import { getJson } from "./api.js";
import { button, element, textAttributes } from "./dom.js";
import { say, useLanguage } from "./language.js";
import { codePoints } from "./text_length.js";
import { cutAtMarks } from "./text_selection.js";

const number = (value, digits) =>
  value === null || value === undefined
    ? "–"
    : value.toLocaleString(document.documentElement.lang, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });

class ComparisonPage {
  constructor(items) {
    this.items = items.filter(({ annotators }) => annotators.length > 1);
    this.root = document.getElementById("admin");
    this.title = this.root.querySelector("h1").textContent;
    this.choices = element("div", { class: "choices" });
    this.result = element("div");
    this.first = this.second = null; // names of the annotators
    this.current = null; // {first: ids, second: ids}: the units that are looked at
    const back = element("a", { href: "/admin" }, this.title);
    this.root.replaceChildren(element("h1", {}, back, ` · ${say("compare_annotators")}`), this.choices, this.result);
  }

  async start() {
    if (!this.items.length) return this.result.replaceChildren(element("p", { class: "hint" }, say("compare_choose")));
    this.item = this.items[0].item;
    [this.first, this.second] = this.items[0].annotators;
    await this.load();
  }

  drawChoices() {
    const { annotators } = this.items.find(({ item }) => item === this.item);
    const select = (label, value, options, change) => {
      const node = element(
        "select",
        { "aria-label": label },
        options.map((option) => element("option", { value: option, selected: option === value }, option)),
      );
      node.addEventListener("change", () => change(node.value));
      return element("label", {}, `${label} `, node);
    };
    this.choices.replaceChildren(
      select(
        say("compare_item"),
        this.item,
        this.items.map(({ item }) => item),
        (item) => this.choose({ item }),
      ),
      select(
        say("compare_first"),
        this.first,
        annotators.filter((name) => name !== this.second),
        (first) => this.choose({ first }),
      ),
      select(
        say("compare_second"),
        this.second,
        annotators.filter((name) => name !== this.first),
        (second) => this.choose({ second }),
      ),
    );
  }

  async choose({ item = this.item, first = this.first, second = this.second }) {
    const { annotators } = this.items.find((one) => one.item === item);
    const both = annotators.includes(first) && annotators.includes(second);
    [this.item, this.first, this.second] = [item, ...(both ? [first, second] : annotators.slice(0, 2))];
    await this.load();
  }

  async load() {
    const query = new URLSearchParams({ item: this.item, first: this.first, second: this.second });
    const answer = await getJson(`/api/admin/comparison?${query}`).catch(() => null);
    this.drawChoices();
    this.current = null;
    this.body = answer?.status === 200 ? answer.body : null;
    if (this.body) this.draw();
    else this.result.replaceChildren(element("p", { class: "hint" }, answer?.body.message ?? say("no_connection")));
  }

  // The ids of a side's units that are looked at.
  show(first, second) {
    const isSame = this.current && this.current.first === first && this.current.second === second;
    this.current = isSame ? null : { first, second };
    this.draw();
    this.result.querySelector("mark.of-current")?.scrollIntoView({ block: "nearest" });
  }

  draw() {
    const isMaking = this.body.stage === "models";
    this.result.replaceChildren(this.figures(), isMaking ? this.pairs() : this.marks(), this.sides());
  }

  figures() {
    const figure = (name, value) => element("div", {}, element("dt", {}, name), element("dd", {}, value));
    const measures = Object.entries(this.body.measures).map(([name, value]) => {
      return figure(
        say(`compare_measure_${name}`),
        name === "same" && value !== null ? `${number(value * 100, 0)} %` : number(value, 2),
      );
    });
    return element("dl", { class: "figures" }, measures);
  }

  head(label, weight, run, isCurrent) {
    const words = element("span", { class: "unit-label", ...textAttributes("") }, label);
    return button(words, run, {
      kind: "unit-head quiet",
      "aria-pressed": String(isCurrent),
      title: weight === null ? null : `${say("weight")} ${weight}`,
    });
  }

  panel(heading, table) {
    return element(
      "section",
      { class: "panel" },
      element("h2", {}, heading),
      element("div", { class: "text-body", tabindex: "0", role: "group", "aria-label": heading }, table),
    );
  }

  table(columns, rows) {
    const head = element(
      "tr",
      {},
      columns.map((name) => element("th", { scope: "col" }, name)),
    );
    return element("table", { class: "pairs" }, element("thead", {}, head), element("tbody", {}, rows));
  }

  row(isCurrent, ...values) {
    return element(
      "tr",
      { class: isCurrent ? "current" : null },
      values.map((value) => element("td", {}, value)),
    );
  }

  // Units of one annotator with those of the other that share most of their words; then those that no one shares.
  pairs() {
    const { first, second, pairs } = this.body;
    const [one, two] = [first, second].map(({ units }) => new Map(units.map((unit) => [unit.id, unit])));
    const taken = new Set(pairs.filter(({ overlap }) => overlap > 0).map((pair) => pair.second));
    const rest = second.units
      .filter(({ id }) => !taken.has(id))
      .map(({ id }) => ({ first: null, second: id, overlap: 0 }));
    const rows = [...pairs, ...rest].map((pair) => {
      const [a, b] = [one.get(pair.first), pair.overlap || pair.first === null ? two.get(pair.second) : null];
      const isCurrent =
        this.current !== null && this.current.first === (a?.id ?? null) && this.current.second === (b?.id ?? null);
      const cell = (unit, name) =>
        unit
          ? this.head(unit.label, unit.weight, () => this.show(a?.id ?? null, b?.id ?? null), isCurrent)
          : element("span", { class: "missing" }, say("compare_only", { name }));
      return this.row(
        isCurrent,
        String(a?.weight ?? ""),
        cell(a, second.name),
        number(pair.overlap, 2),
        cell(b, first.name),
        String(b?.weight ?? ""),
      );
    });
    const columns = [
      say("weight"),
      say("compare_by", { name: first.name }),
      say("compare_overlap"),
      say("compare_by", { name: second.name }),
      say("weight"),
    ];
    return this.panel(say("content_units"), this.table(columns, rows));
  }

  // Which peers state each unit, by either annotator; where they differ it says who marked it.
  marks() {
    const { first, second, units, texts, scores } = this.body;
    const has = (side, unit, text) => side.marks.some((mark) => mark.unit === unit && mark.text === text);
    const rows = units.map(({ id, label, weight }) => {
      const isCurrent = this.current?.first === id;
      const cells = texts.map(({ name }) => {
        const [a, b] = [has(first, id, name), has(second, id, name)];
        return a === b
          ? a
            ? "✓"
            : ""
          : element("span", { class: "missing" }, say("compare_only", { name: a ? first.name : second.name }));
      });
      return this.row(
        isCurrent,
        String(weight),
        this.head(label, null, () => this.show(id, id), isCurrent),
        ...cells,
      );
    });
    const bins = texts.map(({ name }) =>
      [first, second]
        .map((side) => side.marks.filter((mark) => mark.unit === null && mark.text === name).length)
        .join(" / "),
    );
    const score = scores.map((one) => `${number(one.first, 2)} / ${number(one.second, 2)}`);
    rows.push(
      this.row(false, "", say("not_in_pyramid"), ...bins),
      this.row(false, "", say("compare_scores"), ...score),
    );
    return this.panel(
      say("content_units"),
      this.table([say("weight"), say("content_unit"), ...texts.map(({ name }) => name)], rows),
    );
  }

  // Every text twice: as the first and as the second annotator marked it.
  sides() {
    const { texts, first, second, stage } = this.body;
    const spans = (side, text) =>
      stage === "models"
        ? side.units.flatMap(({ id, contributors }) =>
            contributors.filter((one) => one.text === text).map((one) => ({ id, spans: one.spans })),
          )
        : side.marks.filter((mark) => mark.text === text).map((mark) => ({ id: mark.unit, spans: mark.spans }));
    const panels = texts.flatMap(({ name, text }) =>
      [
        ["first", first],
        ["second", second],
      ].map(([place, side]) => this.textPanel(name, text, place, spans(side, name))),
    );
    return element("div", { class: "sides" }, element("h2", {}, first.name), element("h2", {}, second.name), panels);
  }

  textPanel(name, text, place, marked) {
    const current = this.current?.[place];
    const marks = marked.flatMap(({ id, spans }) =>
      spans.map(([start, end]) => ({
        start,
        end,
        id,
        kind: id !== null && id === current ? "of-current" : id === null ? "in-bin" : "covered",
      })),
    );
    const parts = cutAtMarks(codePoints(text), marks).map(({ text: words, marks: over }) => {
      if (!over.length) return words;
      const kinds = [...new Set(over.map(({ kind }) => kind)), over.length > 1 && "twice"].filter(Boolean);
      return element(
        "mark",
        {
          class: kinds.join(" "),
          onclick: () =>
            this.pick(
              place,
              over.map(({ id }) => id),
            ),
        },
        words,
      );
    });
    const box = element("div", { class: "text marked", ...textAttributes("") }, parts);
    return element(
      "section",
      { class: "panel bench-text" },
      element("h2", {}, name),
      element(
        "div",
        { class: "text-body", tabindex: "0", role: "group", "aria-label": `${name}, ${this.body[place].name}` },
        box,
      ),
    );
  }

  pick(place, ids) {
    const id = ids.find((one) => one !== null && one !== this.current?.[place]) ?? ids[0];
    if (id === null) return;
    if (this.body.stage !== "models") return this.show(id, id);
    const pair = this.body.pairs.find((one) => one[place] === id && one.overlap > 0);
    if (pair) this.show(pair.first, pair.second);
    else this.show(place === "first" ? id : null, place === "second" ? id : null);
  }
}

await useLanguage(document.documentElement.lang);
const answer = await getJson("/api/admin/annotators");
if (answer.status === 200) await new ComparisonPage(answer.body.items).start();
document.documentElement.dataset.admin = "ready";
