// The admin page: how far the study is, how far raters agree, and what can be done about it.

import { getJson, postJson } from "./api.js";
import { ask } from "./dialogs.js";
import { button, element } from "./dom.js";
import { say, useLanguage } from "./language.js";
import { openReplay } from "./replay.js";

const PROGRESS_MS = 5000;
const AGREEMENT_MS = 30_000;

const number = (value, digits = 0) =>
  value === null || value === undefined
    ? "–"
    : value.toLocaleString(document.documentElement.lang, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });

function table(heading, columns, rows, { id, empty }) {
  const head = element(
    "tr",
    {},
    columns.map((name) => element("th", { scope: "col" }, name)),
  );
  const body = rows.length
    ? rows
    : [element("tr", {}, element("td", { colspan: columns.length, class: "hint" }, empty))];
  return element(
    "section",
    { class: "panel", id },
    element("h2", {}, heading),
    element(
      "div",
      { class: "text-body", tabindex: "0", role: "group", "aria-label": heading },
      element("table", {}, element("thead", {}, head), element("tbody", {}, body)),
    ),
  );
}

const cells = (...values) =>
  element(
    "tr",
    {},
    values.map((value) => element("td", {}, value)),
  );

class AdminPage {
  constructor() {
    this.root = document.getElementById("admin");
    this.note = element("p", { class: "admin-note", role: "status" });
    this.head = element("div", { class: "admin-head" });
    this.figures = element("dl", { class: "figures" });
    this.agreement = element("div");
    this.raters = element("div");
    this.items = element("div");
    this.root.replaceChildren(
      this.head,
      this.note,
      this.figures,
      this.agreement,
      this.raters,
      this.invitation(),
      this.items,
    );
    this.seen = {}; // what was drawn last: a table that did not change keeps its focus
  }

  async run() {
    await this.refresh();
    await this.refreshSlow();
    setInterval(() => document.hidden || this.refresh(), PROGRESS_MS);
    setInterval(() => document.hidden || this.refreshSlow(), AGREEMENT_MS);
  }

  isNew(name, body) {
    const text = JSON.stringify(body);
    if (this.seen[name] === text) return false;
    this.seen[name] = text;
    return true;
  }

  async refresh() {
    const answer = await getJson("/api/admin/progress").catch(() => null);
    if (answer?.status !== 200) return this.say(say(answer?.status === 401 ? "admin_no_session" : "no_connection"));
    if (!this.isNew("progress", answer.body)) return;
    this.progress = answer.body;
    this.drawHead();
    this.drawFigures();
    this.drawRaters();
  }

  async refreshSlow() {
    const [agreement, items] = await Promise.all(
      ["agreement", "items"].map((name) => getJson(`/api/admin/${name}`).catch(() => null)),
    );
    if (agreement?.status === 200 && this.isNew("agreement", agreement.body))
      this.drawAgreement(agreement.body.dimensions);
    if (items?.status === 200 && this.isNew("items", items.body)) this.drawItems(items.body.items);
  }

  say(text) {
    this.note.textContent = text;
  }

  async post(name, body, done) {
    const answer = await postJson(`/api/admin/${name}`, body).catch(() => null);
    if (answer?.status !== 200) this.say(answer?.body.message ?? say("no_connection"));
    else this.say(done(answer.body));
    await this.refresh();
    return answer;
  }

  setStatus(action, places) {
    return this.post("status", places ? { action, places } : { action }, () => say(`admin_done_${action}`));
  }

  drawHead() {
    const { status, title, places } = this.progress;
    const isOpen = status === "open";
    const actions = [
      isOpen
        ? button(say("admin_pause"), () => this.setStatus("pause"))
        : button(say("admin_reopen"), () => this.setStatus("reopen"), { kind: "primary" }),
      status !== "closed" && button(say("admin_close"), () => this.close()),
      places !== null && button(say("admin_extend"), () => this.extend()),
      this.progress.protocol.startsWith("pyramid") &&
        element("a", { class: "button", href: "/admin/annotators" }, say("admin_annotators")),
      button(say("admin_backup"), () =>
        this.post("backup", {}, (body) => say("admin_done_backup", { name: body.name })),
      ),
      element(
        "a",
        { class: "button primary", href: "/api/admin/export", download: "judged.jsonl" },
        say("admin_export"),
      ),
      element(
        "a",
        { class: "button", href: "/api/admin/export?anonymize=true", download: "judged-anonymous.jsonl" },
        say("admin_export_anonymous"),
      ),
      button(say("admin_renew_admin"), () => this.renew("admin", say("admin_renew_admin")), { kind: "quiet" }),
      button(say("admin_end_sessions"), () => this.endSessions(), { kind: "quiet" }),
      button(say("sign_out"), () => this.signOut(), { kind: "quiet" }),
    ];
    this.head.replaceChildren(
      element("h1", {}, title),
      element("span", { class: `status status-${status}` }, say(`admin_status_${status}`)),
      element("p", { class: "actions" }, actions.filter(Boolean)),
    );
  }

  async close() {
    const text = await ask(say("admin_close"), say("admin_close_text"), { confirm: say("admin_close"), danger: true });
    if (text !== null) await this.setStatus("close");
  }

  async extend() {
    const text = await ask(say("admin_extend"), say("admin_extend_text"), {
      confirm: say("admin_extend"),
      field: say("admin_places"),
    });
    const places = Number(text);
    if (text === null) return;
    if (!Number.isInteger(places) || places < 1) return this.say(say("admin_places_wrong"));
    await this.setStatus("extend", places);
  }

  drawFigures() {
    const { complete, places, rating, left, answers, seconds } = this.progress;
    const figures = [
      [say("admin_complete"), places === null ? number(complete) : `${number(complete)} / ${number(places)}`],
      [say("admin_rating"), number(rating)],
      [say("admin_left"), number(left)],
      [say("admin_answers"), number(answers)],
      [say("admin_seconds"), number(seconds, 1)],
    ];
    this.figures.replaceChildren(
      ...figures.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
    );
  }

  drawAgreement(dimensions) {
    const rows = dimensions.map((one) => {
      const range = one.low === null || one.low === undefined ? "–" : `${number(one.low, 2)} … ${number(one.high, 2)}`;
      return cells(
        one.dimension,
        say(`admin_measure_${one.measure}`),
        number(one.value, 2),
        range,
        number(one.raters),
        number(one.outputs),
      );
    });
    const columns = ["dimension", "measure", "value", "interval", "raters", "outputs"].map((name) =>
      say(`admin_${name}`),
    );
    this.agreement.replaceChildren(
      table(say("admin_agreement"), columns, rows, { id: "agreement", empty: say("admin_no_agreement") }),
    );
  }

  drawRaters() {
    const { raters, join_link: join, protocol } = this.progress;
    const rows = raters.map((rater) => this.raterRow(rater, protocol.startsWith("shorten")));
    const columns = ["rater", "stage", "done", "seconds", "checks", "last", "actions"].map((name) =>
      say(`admin_${name}`),
    );
    const panel = table(say("admin_raters"), columns, rows, { id: "raters", empty: say("admin_no_raters") });
    if (join) {
      const renew = button(say("admin_renew"), () => this.renew("room", say("admin_join")), { kind: "quiet" });
      panel.append(element("p", { class: "join" }, `${say("admin_join")} `, this.link(join), renew));
    }
    this.raters.replaceChildren(panel);
  }

  raterRow(rater, canReplay) {
    const isGone = rater.stage === "erased";
    const failing = rater.checks_failed > 0;
    const checks = rater.checks_answered ? `${rater.checks_failed} / ${rater.checks_answered}` : "–";
    const bar = element("progress", {
      value: rater.answered,
      max: rater.total || 1,
      "aria-label": `${rater.code}: ${say("progress")}`,
    });
    const last = rater.last_at
      ? element(
          "time",
          { datetime: rater.last_at },
          new Date(rater.last_at).toLocaleString(document.documentElement.lang),
        )
      : "–";
    const actions = [
      !isGone && rater.link && this.link(rater.link, say("admin_link")),
      !isGone &&
        button(say("admin_renew"), () => this.renew("rater", `${say("admin_renew")}: ${rater.code}`, rater.number), {
          kind: "quiet",
        }),
      canReplay && rater.answered > 0 && button(say("admin_replay"), () => openReplay(rater), { kind: "quiet" }),
      !isGone &&
        rater.stage !== "withdrawn" &&
        button(say("admin_withdraw"), () => this.takeOut("withdraw", rater), { kind: "quiet" }),
      !isGone && button(say("admin_erase"), () => this.takeOut("erase", rater), { kind: "quiet" }),
    ];
    const row = cells(
      rater.code,
      say(`admin_stage_${rater.stage.replace(" ", "_")}`),
      element("span", { class: "bar" }, bar, ` ${rater.answered} / ${rater.total}`),
      number(rater.seconds, 1),
      element("span", { class: failing ? "failing" : null }, failing ? `⚠ ${checks}` : checks),
      last,
      element("span", { class: "actions" }, actions.filter(Boolean)),
    );
    if (failing) row.classList.add("is-failing");
    return row;
  }

  link(path, label = null) {
    const address = new URL(path, location.href).href;
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(address);
        this.say(say("admin_copied"));
      } catch {
        this.say(address); // without TLS there is no clipboard: show it
      }
    };
    if (label) return button(label, copy, { kind: "quiet" });
    return element(
      "span",
      { class: "copy" },
      element("code", {}, address),
      button(say("admin_copy"), copy, { kind: "quiet" }),
    );
  }

  async renew(link, name, rater = undefined) {
    const text = await ask(name, say("admin_renew_text"), { confirm: say("admin_renew"), danger: true });
    if (text === null) return;
    const address = (path) => new URL(path, location.href).href;
    await this.post("renew", { link, rater }, (body) => say("admin_done_renew", { link: address(body.link) }));
  }

  async endSessions() {
    const options = { confirm: say("admin_end_sessions"), danger: true };
    const text = await ask(say("admin_end_sessions"), say("admin_end_sessions_text"), options);
    if (text !== null) await this.post("end-sessions", {}, () => "");
  }

  async signOut() {
    const answer = await postJson("/api/admin/logout", {}).catch(() => null);
    if (answer?.status === 200) location.assign("/");
  }

  async takeOut(action, rater) {
    const heading = `${say(`admin_${action}`)}: ${rater.code}`;
    const text = await ask(heading, say(`admin_${action}_text`), { confirm: say(`admin_${action}`), danger: true });
    if (text === null) return;
    await this.post(action, { rater: rater.number }, (body) => {
      const names = body.backups?.join(", ");
      return names
        ? say("admin_backups_left", { names })
        : say(`admin_done_${action}`, { seconds: number(body.seconds, 1) });
    });
  }

  invitation() {
    const field = element("input", { type: "text", id: "invite", autocomplete: "off", placeholder: "ann, bob" });
    const invite = async () => {
      const codes = field.value
        .split(",")
        .map((code) => code.trim())
        .filter(Boolean);
      if (!codes.length) return field.focus();
      const answer = await this.post("invite", { codes }, (body) =>
        body.raters.map((one) => `${one.code}: ${new URL(one.link, location.href).href}`).join("\n"),
      );
      if (answer?.status === 200) field.value = "";
    };
    const form = element(
      "form",
      { class: "invite" },
      element("label", { for: "invite" }, say("admin_invite")),
      field,
      button(say("add"), invite),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      invite();
    });
    return form;
  }

  drawItems(items) {
    const rows = items.map((one) =>
      cells(one.item, number(one.answers), number(one.seconds, 1), number(one.longest, 1)),
    );
    const columns = ["item", "answers", "seconds", "longest"].map((name) => say(`admin_${name}`));
    this.items.replaceChildren(
      table(say("admin_items"), columns, rows, { id: "items", empty: say("admin_no_answers") }),
    );
  }
}

await useLanguage(document.documentElement.lang);
await new AdminPage().run();
document.documentElement.dataset.admin = "ready";
