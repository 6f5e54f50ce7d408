// What a rater sees between tasks: consent, instructions, the end, and why there is nothing to do.

import { htmlBlock } from "./dialogs.js";
import { button, element } from "./dom.js";
import { say } from "./language.js";

// The study's own instructions, else those of the protocol in the language of the interface.
export function instructionsOf(study) {
  if (study.instructions) return study.instructions;
  const text = element(
    "div",
    {},
    say(`intro_${study.protocol}`)
      .split("\n")
      .map((line) => element("p", {}, line)),
  );
  return text.innerHTML;
}

function page(heading, ...parts) {
  return element("article", { class: "stage" }, element("h1", { tabindex: "-1" }, heading), parts);
}

// One thing to do: a button, and Enter unless it is not given by a key.
function withAction(node, label, run, { hasKey = true } = {}) {
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    run();
  };
  node.append(
    element(
      "p",
      { class: "actions" },
      button(label, once, { kind: "primary", ...(hasKey ? { key: "⏎", shortcut: "Enter" } : {}) }),
    ),
  );
  return { node, bindings: hasKey ? [{ keys: ["Enter"], onButton: false, run: once }] : [] };
}

// Crowd platforms take people back by a code: one for whoever finished, others for who failed or found no place.
function withCode(node, session) {
  const { code, url } = session.completion ?? {};
  if (code) {
    const copy = () => navigator.clipboard?.writeText(code).then(() => (told.textContent = say("copied")));
    const told = element("span", { role: "status" });
    node.append(
      element("p", {}, say("completion")),
      element("p", { class: "code" }, element("output", { id: "code" }, code)),
    );
    node.append(element("p", { class: "actions" }, button(say("copy"), copy), told));
  }
  if (url && /^https?:/.test(url)) {
    const link = element("a", { href: url, class: "button primary", id: "return", rel: "noreferrer" }, say("return"));
    node.append(element("p", {}, link));
  }
  return node;
}

// What was answered otherwise than known in the practice, and why, as the lead says it.
function feedbackOf(session) {
  if (!session.feedback?.length) return [];
  const entries = session.feedback.map(({ texts, misses, reason }) =>
    element(
      "li",
      {},
      texts.map((text) => element("p", { class: "quote", dir: "auto" }, text)),
      misses.map((miss) =>
        element("p", {}, say(miss.text ? "practice_expected_of" : "practice_expected", { ...miss, text: miss.text })),
      ),
      reason && element("p", { class: "lead-reason" }, reason),
    ),
  );
  return [element("h2", {}, say("practice_missed")), element("ol", { class: "feedback" }, entries)];
}

const STAGES = {
  consent({ study, send }) {
    const node = page(study.title, htmlBlock(study.consent));
    // Nobody agrees by a key that they press to get on.
    const view = withAction(node, say("agree"), () => send("consented"), { hasKey: false });
    const decline = () =>
      node.replaceChildren(element("h1", { tabindex: "-1" }, study.title), element("p", {}, say("declined")));
    node.querySelector(".actions").append(button(say("disagree"), decline));
    return view;
  },

  instructions({ study, send }) {
    const node = page(study.title, htmlBlock(instructionsOf(study)));
    if (study.dimensions.length && ["rate", "absolute"].includes(study.protocol)) node.append(scaleTable(study));
    if (study.loud_checks) node.append(element("p", { class: "checks" }, say("checks_text")));
    return withAction(node, say("start"), () => send("started"));
  },

  finish({ send }) {
    return withAction(page(say("finish"), element("p", {}, say("finish_text"))), say("finish_submit"), () =>
      send("submitted"),
    );
  },

  done({ session }) {
    return { node: withCode(page(say("done"), element("p", {}, say("done_text"))), session), bindings: [] };
  },

  stuck({ reason }) {
    const node = page(say("stage_stuck"), element("p", {}, say("stage_stuck_text", { reason })));
    return withAction(node, say("load_again"), () => location.reload());
  },

  practice_passed({ session, go }) {
    const node = page(say("practice_passed"), element("p", {}, say("practice_passed_text")), ...feedbackOf(session));
    return withAction(node, say("start"), go);
  },

  practice_again({ study, session, go }) {
    const text = element("p", {}, say("practice_again_text", { count: session.tries_left }));
    const node = page(say("practice_again"), text, ...feedbackOf(session), htmlBlock(instructionsOf(study)));
    return withAction(node, say("start"), go);
  },

  waiting({ queue }) {
    const isLate = queue.timer !== null;
    const text = isLate ? say("waiting_text") : "";
    return { node: page(say(isLate ? "waiting" : "loading"), element("p", {}, text)), bindings: [] };
  },
};

function scaleTable(study) {
  const rows = study.dimensions.map((scale) => {
    const ends = scale.points.map((point) => (scale.labels[point] ? `${point} = ${scale.labels[point]}` : null));
    const labels = ends.filter(Boolean).join(", ");
    const best = say(scale.best === "high" ? "high_is_best" : "low_is_best", {
      best: scale.best === "high" ? scale.high : scale.low,
    });
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, scale.name),
      element("td", {}, `${scale.low}–${scale.high}`),
      element("td", {}, labels || best),
    );
  });
  return element("table", { class: "scales" }, element("tbody", {}, rows));
}

export function drawStage(stage, context) {
  if (stage in STAGES) return STAGES[stage](context);
  const feedback = stage === "failed" ? feedbackOf(context.session) : [];
  const node = page(say(`stage_${stage}`), element("p", {}, say(`stage_${stage}_text`)), ...feedback);
  return { node: withCode(node, context.session), bindings: [] };
}
