// The shape of a pyramid: a tier for each weight, the heaviest on top, as wide as it has units.

import { element } from "../dom.js";
import { say } from "../language.js";

export class PyramidShape {
  constructor(most) {
    this.most = most;
    this.node = element("div", { class: "shape", role: "img" });
  }

  draw(weights) {
    const counts = Array.from(
      { length: this.most },
      (_, place) => weights.filter((weight) => weight === this.most - place).length,
    );
    const widest = Math.max(1, ...counts);
    const tiers = counts.map((count, place) => {
      const bar = element("span", { class: "tier-bar" }, String(count || ""));
      bar.style.setProperty("--share", String(count / widest));
      return element(
        "div",
        { class: "tier" },
        element("span", { class: "tier-weight" }, String(this.most - place)),
        bar,
      );
    });
    const words = counts.map((count, place) => say("tier", { weight: this.most - place, count })).join(", ");
    this.node.setAttribute("aria-label", `${say("pyramid_shape")}: ${words}`);
    this.node.replaceChildren(...tiers);
  }
}
