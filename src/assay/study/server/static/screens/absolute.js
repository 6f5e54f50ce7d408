// Absolute: the reference on a page of its own, then the text and the scales; there is no way back.

import { button, element, textPanel } from "../dom.js";
import { say } from "../language.js";
import { draw as drawRating } from "./rate.js";

export function draw(context) {
  return context.screen.page === context.screen.pages ? drawRating(context) : drawReference(context);
}

function drawReference(context) {
  const { study, screen } = context;
  let isGone = false;
  const go = () => {
    if (isGone) return;
    isGone = true;
    context.page(screen.page + 1);
  };
  const panels = [];
  if (screen.source?.length)
    panels.push(textPanel(say("source"), screen.source, study.text_language, { kind: "source" }));
  panels.push(textPanel(say("reference"), screen.references, study.text_language, { kind: "reference" }));
  const view = element(
    "div",
    { class: "single" },
    element("h1", { tabindex: "-1" }, say("question_reference")),
    element("div", { class: "texts" }, panels),
    element(
      "p",
      { class: "actions" },
      button(say("go_on"), go, { kind: "primary", key: say("key_Space"), shortcut: "Space", id: "go-on" }),
      element("span", { class: "hint" }, say("no_way_back")),
    ),
  );
  return {
    view,
    bindings: [
      { keys: [" "], shown: ["Space"], label: say("go_on"), onButton: false, run: go },
      { keys: ["Enter"], onButton: false, run: go },
    ],
    canSubmit: false,
    missing: () => say("missing_page"),
    read: () => null,
    focus: () => view.querySelector("h1").focus(),
  };
}
