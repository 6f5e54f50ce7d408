// Error span annotation: errors are marked, each with a severity, then the text gets a score from 0 to 100.

import { say } from "../language.js";
import { ScaleForm } from "./_scales.js";
import { drawMarker } from "./spans.js";

export function draw(context) {
  const { study, restored } = context;
  const form = new ScaleForm(study.dimensions, context);
  if (restored) form.restore(restored);
  const { marker, view, bindings } = drawMarker(context, { heading: say("question_esa"), below: () => form.node });
  const digits = {
    keys: [..."0123456789"],
    shown: ["0", "…", "9"],
    label: say("key_esa"),
    run: (event) => (marker.draft ? marker.choose(Number(event.key) - 1) : form.press(event.key)),
  };
  return {
    view,
    bindings: [...bindings, digits],
    missing: () => (marker.draft ? say("missing_kind") : form.missing()),
    read: () => ({ spans: marker.spans, ...form.read() }),
    focus: () => marker.box.focus(),
  };
}
