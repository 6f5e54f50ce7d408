// Events that the server has not acknowledged yet. They are kept in the browser, so that they survive a reload and an
// ended session, and are sent in order; each has a key of its own, so that sending it twice writes it once.

import { postJson } from "./api.js";

const MOST = 50; // events per request
const WAITS = [1, 2, 4, 8, 15]; // seconds between attempts
const KEEP = new Set(["paused", "earlier_refused"]); // refused for now only

// One entry of localStorage per event: two tabs never overwrite what the other keeps.
class KeptEvents {
  constructor(rater) {
    this.prefix = `assay-event:${rater}:`;
    this.count = 0;
  }

  load() {
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(this.prefix));
      return names.sort().map((name) => ({ name, event: JSON.parse(localStorage.getItem(name)) }));
    } catch {
      return [];
    }
  }

  add(event) {
    this.count += 1;
    const name = `${this.prefix}${String(Date.now()).padStart(15, "0")}.${String(this.count).padStart(8, "0")}`;
    try {
      localStorage.setItem(name, JSON.stringify(event));
    } catch {
      // A full or forbidden storage: the event is kept as long as this page is open.
    }
    return { name, event };
  }

  drop(entry) {
    try {
      localStorage.removeItem(entry.name);
    } catch {
      // as above
    }
  }
}

export class EventQueue {
  // on.saved(body, events), on.refused(body, ack, dropped), on.trouble(kind or null); kinds: offline, not_saved,
  // no_session, paused
  constructor(rater, on) {
    this.kept = new KeptEvents(rater);
    this.entries = this.kept.load();
    this.on = on;
    this.sending = null;
    this.attempt = 0;
    this.timer = null;
    addEventListener("online", () => this.retry());
  }

  get size() {
    return this.entries.length;
  }

  // Answers among what waits: what a rater understands by "not sent yet".
  get answers() {
    return this.entries.filter(({ event }) => event.kind === "answered").length;
  }

  add(...events) {
    for (const event of events) this.entries.push(this.kept.add(event));
    this.send();
  }

  retry() {
    clearTimeout(this.timer);
    this.timer = null;
    this.send();
  }

  // Send what waits, one request at a time; resolves when there is nothing left to send, or it has to wait.
  send() {
    if (this.timer === null) this.sending ??= this.run().finally(() => (this.sending = null));
    return this.sending ?? Promise.resolve();
  }

  async run() {
    await null; // events that are added together leave together
    let most = MOST;
    while (this.entries.length) {
      const batch = this.entries.slice(0, most);
      let answer;
      try {
        answer = await postJson("/api/events", { events: batch.map(({ event }) => event) });
      } catch {
        return this.wait("offline");
      }
      if (answer.status === 400 || answer.status === 413) {
        if (batch.length > 1)
          most = 1; // find the one that is not understood
        else this.refuse(answer.body, { code: "bad_request", message: answer.body.message }, batch);
        continue;
      }
      if (answer.status !== 200 && answer.status !== 409) return this.wait(troubleOf(answer), answer.wait);
      this.attempt = 0;
      if (!Array.isArray(answer.body.acks)) return this.wait("not_saved"); // an answer that is not the study's
      if (!this.settle(answer.body, batch)) return this.wait("paused");
    }
    this.on.trouble(null);
  }

  // Take out what was saved or refused for good; false where the rest has to wait.
  settle(body, batch) {
    const saved = batch.filter((_, place) => body.acks[place]?.saved);
    this.remove(saved);
    const ack = body.acks.find((one) => !one.saved);
    if (!ack)
      this.on.saved(
        body,
        saved.map(({ event }) => event),
      );
    else if (KEEP.has(ack.code)) {
      this.on.saved(
        body,
        saved.map(({ event }) => event),
      );
      return false;
    } else this.refuse(body, ack, this.entries.slice());
    return true;
  }

  // What comes after a refused event rests on it, so it goes too.
  refuse(body, ack, dropped) {
    this.remove(dropped);
    this.on.refused(
      body,
      ack,
      dropped.map(({ event }) => event),
    );
  }

  remove(entries) {
    for (const entry of entries) this.kept.drop(entry);
    this.entries = this.entries.filter((entry) => !entries.includes(entry));
  }

  // Forget what waits.
  clear() {
    this.remove(this.entries);
  }

  wait(trouble, seconds = 0) {
    const pause = Math.max(seconds, WAITS[Math.min(this.attempt, WAITS.length - 1)]);
    this.attempt += 1;
    this.timer = setTimeout(() => this.retry(), pause * 1000);
    this.on.trouble(trouble);
  }
}

function troubleOf({ status }) {
  if (status === 401) return "no_session";
  return status === 429 ? "busy" : "not_saved";
}
