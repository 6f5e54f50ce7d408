// Replays how a text was written: every change at its time, with pauses cut short.

import { getJson } from "./api.js";
import { button, element } from "./dom.js";
import { say } from "./language.js";
import { codePoints } from "./text_length.js";

const LONGEST_PAUSE = 1500; // milliseconds

// Every state of the text: [when it is shown, text, start and end of the insertion].
export function replayStates({ start, deltas }) {
  let text = codePoints(start);
  let at = 0;
  let before = null;
  const states = [{ at, text: start, from: 0, to: 0 }];
  for (const [ms, first, deleted, inserted] of deltas) {
    // The clock of an editor who came back starts again.
    const pause = before === null || ms < before ? 300 : ms - before;
    at += Math.min(LONGEST_PAUSE, pause);
    before = ms;
    const added = codePoints(inserted);
    text = [...text.slice(0, first), ...added, ...text.slice(first + deleted)];
    states.push({ at, text: text.join(""), from: first, to: first + added.length });
  }
  return states;
}

export async function openReplay(rater) {
  const field = element("select", { "aria-label": say("admin_task") });
  for (let task = 1; task <= rater.total; task += 1) field.append(element("option", { value: task }, String(task)));
  const text = element("p", { class: "text replay", dir: "auto" });
  const slider = element("input", {
    type: "range",
    min: "0",
    max: "0",
    value: "0",
    "aria-label": say("admin_position"),
  });
  const count = element("p", { class: "hint", role: "status" });
  let states = [];
  let timer = null;

  const show = (place) => {
    const state = states[place];
    const points = codePoints(state.text);
    const mark = element("mark", { class: "cursor" }, points.slice(state.from, state.to).join(""));
    text.replaceChildren(points.slice(0, state.from).join(""), mark, points.slice(state.to).join(""));
    slider.value = place;
    slider.setAttribute("aria-valuetext", `${place} / ${states.length - 1}`);
    count.textContent = say("admin_edits", { count: place, total: states.length - 1 });
  };
  const stop = () => {
    clearTimeout(timer);
    timer = null;
    play.firstChild.textContent = say("admin_play");
  };
  const step = () => {
    const place = Number(slider.value) + 1;
    if (place >= states.length) return stop();
    timer = setTimeout(
      () => {
        show(place);
        step();
      },
      states[place].at - states[place - 1].at,
    );
  };
  const toggle = () => {
    if (timer !== null) return stop();
    if (Number(slider.value) >= states.length - 1) show(0);
    play.firstChild.textContent = say("admin_stop");
    step();
  };
  const load = async () => {
    stop();
    const { status, body } = await getJson(`/api/admin/edits/${rater.number}/${field.value}`);
    states = status === 200 ? replayStates(body) : [{ at: 0, text: body.message ?? "", from: 0, to: 0 }];
    slider.max = states.length - 1;
    show(states.length - 1);
  };
  const play = button(say("admin_play"), toggle, { kind: "primary", id: "play" });
  const dialog = element(
    "dialog",
    { id: "replay", "aria-label": `${say("admin_replay")}: ${rater.code}` },
    element("h2", {}, `${say("admin_replay")}: ${rater.code}`),
    element("label", { class: "actions" }, say("admin_task"), field),
    text,
    slider,
    count,
    element(
      "p",
      { class: "actions" },
      play,
      button(say("close"), () => dialog.close()),
    ),
  );
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  field.addEventListener("change", load);
  dialog.addEventListener("close", () => {
    stop();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  await load();
}
