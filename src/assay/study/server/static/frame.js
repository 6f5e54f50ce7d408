// The frame around every screen: progress, what is saved, messages, and the buttons that are always there.

import { button, element, keyCap } from "./dom.js";
import { say } from "./language.js";

export class Frame {
  // actions: {submit, undo, skip, leave, signOut, instructions, keys}
  constructor(study, actions) {
    this.root = document.getElementById("study");
    this.title = study.title;
    this.bar = element("progress", { "aria-label": say("progress"), value: "0", max: "1" });
    this.count = element("span", { class: "count" });
    this.left = element("span", { class: "time-left" });
    this.saved = element("span", { class: "saved", id: "saved" });
    this.live = element("p", { class: "hidden", role: "status", "aria-live": "polite", id: "live" });
    this.trouble = element("p", { class: "trouble", role: "alert", hidden: true });
    this.notice = element("div", { class: "notice", role: "alert", hidden: true });
    this.main = element("main", { id: "screen" });
    this.reason = element("p", { class: "reason", id: "reason" });
    this.submit = button(say("submit"), actions.submit, {
      kind: "primary",
      id: "submit",
      "aria-describedby": "reason",
    });
    this.undo = button(say("undo"), actions.undo, { key: "u", shortcut: "u", id: "undo" });
    this.skip = button(say("skip"), actions.skip, { key: "s", shortcut: "s", id: "skip" });
    this.leave = button(say("leave"), actions.leave, { kind: "quiet", id: "leave" });
    this.footer = element("footer", {}, this.undo, this.skip, this.leave, this.reason, this.submit);
    const help = [
      button(say("instructions"), actions.instructions, { key: "i", shortcut: "i", kind: "quiet" }),
      button(say("keys"), actions.keys, { key: "?", shortcut: "?", kind: "quiet" }),
      button(say("sign_out"), actions.signOut, { kind: "quiet", id: "sign-out" }),
    ];
    this.header = element(
      "header",
      {},
      element("span", { class: "title" }, study.title),
      element("span", { class: "progress" }, this.bar, this.count, this.left),
      this.saved,
      element("span", { class: "help" }, help),
    );
    this.root.replaceChildren(this.header, this.trouble, this.notice, this.main, this.footer, this.live);
  }

  showTask(view, { task, page, canSkip, typing = false, canSubmit = true }) {
    this.main.dataset.task = task;
    this.main.dataset.page = page;
    delete this.main.dataset.stage;
    this.notice.hidden = !this.keepsNotice;
    this.keepsNotice = false;
    this.main.replaceChildren(view);
    this.main.className = "task";
    this.footer.hidden = false;
    this.skip.hidden = !canSkip;
    this.submit.hidden = !canSubmit;
    this.submit.replaceChildren(element("span", {}, say("submit")), keyCap(typing ? "Ctrl ⏎" : "⏎"));
    this.submit.setAttribute("aria-keyshortcuts", typing ? "Control+Enter" : "Enter");
    this.main.scrollTop = 0;
  }

  showPage(view, { stage, canUndo = false }) {
    this.main.dataset.stage = stage;
    delete this.main.dataset.task;
    this.main.replaceChildren(view);
    this.main.className = "page";
    this.footer.hidden = !canUndo;
    this.undo.disabled = !canUndo;
    this.skip.hidden = this.submit.hidden = true;
    this.reason.textContent = "";
    this.main.querySelector("h1")?.focus();
  }

  showProgress({ done, total, practice, canUndo, secondsLeft }) {
    this.undo.disabled = !canUndo;
    this.bar.max = total || 1;
    this.bar.value = done;
    this.count.textContent = total ? say(practice ? "count_practice" : "count", { done, total }) : "";
    const minutes = secondsLeft === null ? 0 : Math.max(1, Math.round(secondsLeft / 60));
    this.left.textContent = minutes && done < total ? say("minutes_left", { count: minutes }) : "";
  }

  // Submit stays a button that can be reached, so that a screen reader hears why it does nothing yet.
  showReason(reason) {
    this.reason.textContent = reason ?? "";
    this.reason.classList.remove("insist");
    this.submit.setAttribute("aria-disabled", reason ? "true" : "false");
  }

  insist(reason) {
    this.reason.classList.add("insist");
    this.announce(reason);
  }

  // The text is replaced even if it is the same, so that it is read again.
  announce(text) {
    this.live.textContent = "";
    requestAnimationFrame(() => (this.live.textContent = text));
  }

  showSaving() {
    this.saved.textContent = say("saving");
    this.saved.className = "saved is-saving";
  }

  showSaved() {
    this.saved.textContent = `✓ ${say("saved")}`;
    this.saved.className = "saved is-saved";
  }

  clearSaved() {
    this.saved.textContent = "";
    this.saved.className = "saved";
  }

  showTrouble(kind, count) {
    this.trouble.hidden = kind === null || kind === "paused";
    if (this.trouble.hidden) return;
    this.trouble.textContent = `${say(`trouble_${kind}`)} ${count ? say("kept", { count }) : ""}`;
    this.saved.textContent = count ? say("not_sent", { count }) : "";
    this.saved.className = "saved is-waiting";
  }

  // A notice stays until the next answer.
  showNotice(text) {
    this.notice.textContent = text;
    this.notice.hidden = false;
    this.keepsNotice = true;
  }
}
