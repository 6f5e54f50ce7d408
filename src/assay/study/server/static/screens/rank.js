// Rank: texts that are not ranked yet on the left, groups on the right, best first. A digit or letter on the marked
// text puts it into a group; so does dragging, and the list on each card.

import { element, keyCap, textAttributes, textPanel } from "../dom.js";
import { say } from "../language.js";

const GROUP_KEYS = "123456789abcdefghijk"; // of group 1 to 20

class Ranking {
  constructor(context) {
    const { study, screen, restored } = context;
    this.context = context;
    this.settings = study.settings;
    this.language = study.text_language;
    this.texts = screen.texts;
    this.most = screen.texts.length;
    this.groups = new Map(Object.entries(restored?.groups ?? {}));
    this.cards = new Map(screen.texts.map((one, place) => [one.key, this.card(one, place + 1)]));
    this.waiting = this.zone(null);
    this.ranked = element("div", { class: "ranked" });
    this.node = null;
    this.status = element("p", { class: "rank-status", role: "status" });
    this.draw();
  }

  card({ key, text }, number) {
    const options = [element("option", { value: "" }, "–")];
    for (let group = 1; group <= this.most; group += 1)
      options.push(element("option", { value: group }, String(group)));
    const choose = element("select", { "aria-label": say("group_of", { number }) }, options);
    choose.addEventListener("change", () =>
      this.place(key, choose.value ? Number(choose.value) : null, { stay: true }),
    );
    const card = element(
      "li",
      { class: "card", tabindex: "0", draggable: "true", "data-key": key, "aria-label": `${say("text")} ${number}` },
      element("span", { class: "badge", "aria-hidden": "true" }),
      element("p", { class: "text", ...textAttributes(this.language) }, text),
      choose,
    );
    card.addEventListener("keydown", (event) => event.target === card && this.press(event, key));
    card.addEventListener("dragstart", (event) => {
      event.dataTransfer.setData("text/plain", key);
      event.dataTransfer.effectAllowed = "move";
      card.classList.add("dragged");
      this.node.classList.add("dragging");
    });
    card.addEventListener("dragend", () => {
      card.classList.remove("dragged");
      this.node.classList.remove("dragging");
    });
    return card;
  }

  // Where cards lie: a group, or those not ranked yet (null).
  zone(group) {
    const list = element("ol", { class: "cards", role: "list" });
    const heading = group === null ? say("not_ranked") : say("group", { number: group });
    const caps = group === null ? null : keyCap(GROUP_KEYS[group - 1]);
    const zone = element(
      "section",
      { class: group === null ? "zone waiting" : "zone", "aria-label": heading },
      element("h2", {}, caps, element("span", { class: caps ? "hidden" : null }, heading)),
      list,
    );
    this.takeDrops(zone, (key) => this.place(key, group));
    return zone;
  }

  // The gap before, between or after groups: a card that is dropped there gets a group of its own.
  gap(before) {
    const gap = element("div", { class: "gap", "aria-hidden": "true" });
    this.takeDrops(gap, (key) => this.insert(key, before));
    return gap;
  }

  takeDrops(node, take) {
    node.addEventListener("dragover", (event) => {
      event.preventDefault();
      node.classList.add("over");
    });
    node.addEventListener("dragleave", () => node.classList.remove("over"));
    node.addEventListener("drop", (event) => {
      event.preventDefault();
      event.stopPropagation();
      node.classList.remove("over");
      const key = event.dataTransfer.getData("text/plain");
      if (this.cards.has(key)) take(key);
    });
  }

  press(event, key) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const group = GROUP_KEYS.indexOf(event.key.toLowerCase()) + 1;
    if (event.key.length === 1 && group >= 1 && group <= this.most) this.place(key, group);
    else if (["Delete", "Backspace", "0"].includes(event.key)) this.place(key, null, { stay: true });
    else if (event.key === "ArrowDown" || event.key === "ArrowRight") this.step(key, 1);
    else if (event.key === "ArrowUp" || event.key === "ArrowLeft") this.step(key, -1);
    else return;
    event.preventDefault();
  }

  step(key, by) {
    const cards = [...this.node.querySelectorAll(".card")];
    const place = cards.indexOf(this.cards.get(key)) + by;
    cards[Math.max(0, Math.min(cards.length - 1, place))].focus();
  }

  // Put a text into a group; the next one that is not ranked yet is marked then.
  place(key, group, { stay = false } = {}) {
    if (group === null) this.groups.delete(key);
    else {
      if (!this.settings.ties) this.makeRoom(key, group);
      this.groups.set(key, group);
    }
    this.draw();
    const next = stay ? null : this.nextUnranked(key);
    this.cards.get(next ?? key).focus();
    this.context.announce(this.summary());
    this.context.changed();
  }

  // Without ties, whoever has the place moves down by one.
  makeRoom(key, group) {
    const holder = [...this.groups].find(([other, place]) => place === group && other !== key);
    if (!holder) return;
    const last = group + 1 > this.most;
    if (last) this.groups.delete(holder[0]);
    else {
      this.makeRoom(holder[0], group + 1);
      this.groups.set(holder[0], group + 1);
    }
  }

  nextUnranked(key) {
    const keys = this.texts.map((one) => one.key);
    const order = [...keys.slice(keys.indexOf(key) + 1), ...keys];
    return order.find((one) => !this.groups.has(one)) ?? null;
  }

  // Give a text a group of its own before another group (null: after the last); numbers are made whole again.
  insert(key, before) {
    const rank = before === null ? Infinity : before - 0.5;
    const ranks = new Map([...this.groups, [key, rank]]);
    const order = [...new Set(ranks.values())].sort((a, b) => a - b);
    for (const [one, value] of ranks) this.groups.set(one, order.indexOf(value) + 1);
    this.place(key, this.groups.get(key));
  }

  draw() {
    this.node ??= element("div", { class: "ranking" }, this.waiting, this.ranked);
    const numbers = [...new Set(this.groups.values())].sort((a, b) => a - b);
    const zones = numbers.map((number) => this.zone(number));
    const parts = zones.flatMap((zone, place) => [this.gap(numbers[place]), zone]);
    const empty = element("p", { class: "hint" }, say("rank_hint"));
    this.waiting.querySelector("ol").replaceChildren();
    for (const { key } of this.texts) {
      const group = this.groups.get(key) ?? null;
      const card = this.cards.get(key);
      card.querySelector("select").value = group ?? "";
      card.querySelector(".badge").textContent = group === null ? "–" : GROUP_KEYS[group - 1];
      (group === null ? this.waiting : zones[numbers.indexOf(group)]).querySelector("ol").append(card);
    }
    this.ranked.replaceChildren(...(numbers.length ? [...parts, this.gap(null)] : [empty, this.gap(null)]));
    this.node.classList.toggle("all-ranked", this.groups.size === this.most);
    this.status.textContent = this.summary();
  }

  get unranked() {
    return this.most - this.groups.size;
  }

  summary() {
    const groups = new Set(this.groups.values()).size;
    return `${say("groups", { count: groups })}, ${say("unranked", { count: this.unranked })}`;
  }

  missing() {
    if (this.unranked && !this.settings.partial) return say("missing_ranks", { count: this.unranked });
    return this.groups.size < 2 ? say("missing_two") : null;
  }
}

export function draw(context) {
  const { study, screen } = context;
  const ranking = new Ranking(context);
  const view = element(
    "div",
    { class: "stack" },
    element("h1", { class: "hidden", tabindex: "-1" }, say("question_rank")),
    screen.source?.length ? textPanel(say("source"), screen.source, study.text_language, { kind: "source" }) : null,
    ranking.status,
    ranking.node,
  );
  const last = GROUP_KEYS[ranking.most - 1];
  const nothing = () => false; // handled by the cards
  const list = [
    { keys: [], shown: ["1", "…", last], label: say("key_rank"), run: nothing },
    { keys: [], shown: ["ArrowUp", "ArrowDown"], label: say("key_rank_move"), run: nothing },
    { keys: [], shown: ["0", "Delete"], label: say("key_rank_remove"), run: nothing },
  ];
  return {
    view,
    bindings: list,
    missing: () => ranking.missing(),
    read: () => ({ groups: Object.fromEntries(ranking.groups) }),
    focus: () => view.querySelector(".card").focus(),
  };
}
