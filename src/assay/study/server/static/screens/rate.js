// Rate: the source (and references) on the left with the text below, the scales on the right.

import { button, element, textPanel } from "../dom.js";
import { say } from "../language.js";
import { ScaleForm } from "./_scales.js";

export function draw(context) {
  const { study, screen, restored } = context;
  const language = study.text_language;
  const form = new ScaleForm(study.dimensions, { ...context, isOff: screen.hidden });
  if (restored) form.restore(restored);
  const panels = [];
  if (screen.source?.length) panels.push(textPanel(say("source"), screen.source, language, { kind: "source" }));
  if (screen.references?.length)
    panels.push(textPanel(say("reference"), screen.references, language, { kind: "reference" }));
  panels.push(
    screen.hidden
      ? hiddenPanel(context)
      : textPanel(
          say("text"),
          screen.texts.map((one) => one.text),
          language,
          { kind: "output", id: "output" },
        ),
  );
  const view = element(
    "div",
    { class: "split" },
    element("h1", { class: "hidden", tabindex: "-1" }, say("question_rate")),
    element("div", { class: "texts" }, panels),
    element("div", { class: "side" }, form.node),
  );
  const reveal = {
    keys: [" "],
    shown: ["Space"],
    label: say("key_reveal"),
    onButton: false,
    run: () => revealOnce(context),
  };
  return {
    view,
    bindings: screen.hidden ? [reveal] : form.bindings(),
    missing: () => (screen.hidden ? say("missing_reveal") : form.missing()),
    read: () => form.read(),
    focus: () => view.querySelector(screen.hidden ? "#reveal" : "h1").focus(),
  };
}

function hiddenPanel(context) {
  const show = button(say("reveal"), () => revealOnce(context), {
    kind: "primary",
    key: say("key_Space"),
    shortcut: "Space",
    id: "reveal",
  });
  return element(
    "section",
    { class: "panel output is-hidden" },
    element("h2", {}, say("text")),
    element("div", { class: "text-body" }, show),
  );
}

// The text comes from the server once it has written that it was asked for.
function revealOnce(context) {
  if (context.isAsked) return;
  context.isAsked = true;
  document.getElementById("reveal")?.setAttribute("aria-busy", "true");
  context.reveal();
}
