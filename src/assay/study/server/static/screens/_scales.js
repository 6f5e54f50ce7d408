// Scales: points that are chosen by one key, and sliders that start unset.

import { element, keyCap } from "../dom.js";
import { say } from "../language.js";

const KEYS = "1234567890x";

// The key of each point: its own digit where all have one (0 to 10: x is ten), else their order.
export function keysOf(points) {
  const isOwn = points.every((point) => Number.isInteger(point) && point >= 0 && point <= 10);
  if (!isOwn) return points.map((_, place) => KEYS[place]);
  const hasZero = points.includes(0);
  return points.map((point) => (point === 10 ? (hasZero ? "x" : "0") : String(point)));
}

class PointScale {
  constructor(scale, number, changed) {
    this.scale = scale;
    this.value = null;
    this.keys = keysOf(scale.points);
    const choices = scale.points.map((point, place) => this.choice(point, this.keys[place], `scale${number}`, changed));
    this.inputs = choices.map((choice) => choice.querySelector("input"));
    const kind = scale.points.some((point) => scale.labels[point]) && scale.points.length <= 5 ? "labelled" : "plain";
    const width = scale.points.length <= 5 ? " few" : "";
    this.node = element(
      "fieldset",
      { class: `scale ${kind}${width}`, tabindex: "-1" },
      element("legend", {}, scale.name),
      hint(scale),
      choices,
    );
  }

  choice(point, key, name, changed) {
    const input = element("input", { type: "radio", name, value: point, "aria-keyshortcuts": key });
    input.addEventListener("change", () => (this.value = point));
    // Arrow keys walk through points (a click without a pointer): that must not lead on to the next task.
    input.addEventListener("click", (event) => changed(this, event.detail > 0));
    const label = this.scale.labels[point];
    const number = label || String(point) !== key ? String(point) : null;
    return element(
      "label",
      { class: "choice" },
      input,
      keyCap(key),
      element("span", { class: "choice-text" }, label ?? number ?? element("span", { class: "hidden" }, String(point))),
    );
  }

  press(key) {
    const place = this.keys.indexOf(key);
    if (place < 0) return false;
    this.set(this.scale.points[place]);
    return true;
  }

  set(value) {
    this.value = value;
    this.inputs.forEach((input, place) => (input.checked = this.scale.points[place] === value));
  }

  // Not a radio button: the ring around it would look like a choice.
  focus() {
    this.node.focus();
  }
}

class SliderScale {
  constructor(scale, number, changed) {
    this.scale = scale;
    this.value = null;
    const range = { min: scale.low, max: scale.high, step: scale.step };
    const name = `${scale.name} (${scale.low}–${scale.high})`;
    this.slider = element("input", {
      type: "range",
      class: "unset",
      "aria-label": name,
      "aria-valuetext": say("unset"),
      ...range,
    });
    this.field = element("input", {
      type: "number",
      inputmode: "decimal",
      "aria-label": `${name}: ${say("number")}`,
      placeholder: "–",
      ...range,
    });
    const take = (value) => {
      this.set(value);
      changed(this, false);
    };
    this.slider.addEventListener("input", () => take(Number(this.slider.value)));
    // A click in the middle of an unset slider changes nothing, and is an answer all the same.
    this.slider.addEventListener("pointerup", () => take(Number(this.slider.value)));
    this.field.addEventListener("input", () => take(this.field.value === "" ? null : Number(this.field.value)));
    this.field.addEventListener("keydown", (event) => event.key === "Enter" && changed(this, "enter"));
    const ends = [scale.low, scale.high].map((end) =>
      element("span", {}, scale.labels[end] ? `${end} ${scale.labels[end]}` : String(end)),
    );
    this.node = element(
      "fieldset",
      { class: "scale slider" },
      element("legend", {}, scale.name),
      hint(scale),
      element("div", { class: "slider-row" }, this.slider, this.field),
      element("div", { class: "slider-ends", "aria-hidden": "true" }, ends),
    );
  }

  // A digit goes into the field for numbers, which takes the rest.
  press(key) {
    if (!/^[\d-]$/.test(key)) return false;
    this.field.value = "";
    this.field.focus();
    return "typed";
  }

  set(value) {
    const isOn = value !== null && this.accepts(value);
    this.value = isOn ? value : null;
    this.slider.classList.toggle("unset", !isOn);
    if (isOn) this.slider.value = value;
    this.slider.setAttribute("aria-valuetext", isOn ? String(value) : say("unset"));
    if (document.activeElement !== this.field) this.field.value = value ?? "";
    this.field.setAttribute("aria-invalid", this.field.value !== "" && !isOn ? "true" : "false");
  }

  accepts(value) {
    const steps = (value - this.scale.low) / this.scale.step;
    return value >= this.scale.low && value <= this.scale.high && Math.abs(steps - Math.round(steps)) < 1e-9;
  }

  focus() {
    this.field.focus();
  }
}

// Which end is best, where no label of the ends says it.
function hint(scale) {
  const isSaid = scale.labels[scale.low] && scale.labels[scale.high];
  const best = scale.best === "high" ? scale.high : scale.low;
  return isSaid
    ? null
    : element("p", { class: "hint" }, say(scale.best === "high" ? "high_is_best" : "low_is_best", { best }));
}

// All scales of a screen. `changed(auto)` is called after each rating.
export class ScaleForm {
  constructor(scales, { changed, submit, isOff = false }) {
    this.changed = changed;
    // Enter in a field for numbers goes on to the scale that is not set yet, and saves when there is none.
    const take = (scale, how) => {
      const next = this.scales.find((one) => one.value === null);
      if (how !== "enter") this.take(scale, how);
      else if (next && next !== scale) next.focus();
      else submit();
    };
    this.scales = scales.map((scale, number) => new (scale.slider ? SliderScale : PointScale)(scale, number, take));
    this.node = element(
      "form",
      { class: "scales-form", novalidate: true },
      this.scales.map((scale) => scale.node),
    );
    this.node.addEventListener("submit", (event) => event.preventDefault());
    this.node.addEventListener("focusin", (event) =>
      this.activate(this.scales.find((s) => s.node.contains(event.target))),
    );
    for (const scale of this.scales) scale.node.disabled = isOff;
    this.isOff = isOff;
    this.activate(isOff ? null : this.scales[0]);
  }

  activate(scale) {
    this.active = scale;
    for (const one of this.scales) one.node.classList.toggle("active", one === scale);
  }

  // After a rating the next unset scale is active; a rating by key or pointer of the last one may lead on.
  take(scale, auto) {
    const next = this.scales.find((one) => one.value === null);
    if (auto && next) {
      this.activate(next);
      next.focus();
    }
    this.changed(auto && this.scales.every((one) => !one.scale.slider));
  }

  press(key) {
    if (this.isOff || !this.active) return false;
    const { active } = this;
    const taken = active.press(key);
    if (taken === "typed") return false; // the key itself goes into the field
    if (!taken) return false;
    this.take(active, true);
    return true;
  }

  bindings() {
    const keys = [...new Set(this.scales.flatMap((scale) => scale.keys ?? [..."0123456789"]))];
    const first = this.scales.find((scale) => scale.keys);
    const shown = first ? [first.keys[0], "…", first.keys.at(-1)] : ["0", "…", "9"];
    return [{ keys, shown, label: say("key_rate"), run: (event) => this.press(event.key) }];
  }

  missing() {
    const unset = this.scales.filter((scale) => scale.value === null);
    return unset.length ? say("missing_ratings", { names: unset.map((one) => one.scale.name).join(", ") }) : null;
  }

  read() {
    return { ratings: Object.fromEntries(this.scales.map((one) => [one.scale.name, one.value])) };
  }

  restore({ ratings }) {
    for (const one of this.scales) if (one.scale.name in ratings) one.set(ratings[one.scale.name]);
  }
}
