// Units or marks by id, and every change of them: sent as it is made, taken back and made again step by step.

// An entry with its keys in one order, so that two can be compared.
const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
};

export class EditHistory {
  // send([[ms, id, entry or null], ...]); `name` is that of the steps in this tab's storage, which a reload keeps
  constructor(entries, send, name) {
    this.entries = new Map(entries.map(({ id, ...entry }) => [id, entry]));
    this.send = send;
    this.name = name;
    this.undone = [];
    this.done = this.loadSteps();
    this.start = performance.now();
  }

  // What is there, in a form that is the same for the same units.
  state(entries = this.list()) {
    return JSON.stringify(sorted([...entries].sort((a, b) => (a.id < b.id ? -1 : 1))));
  }

  loadSteps() {
    try {
      const { state, done } = JSON.parse(sessionStorage.getItem(this.name)) ?? {};
      return state === this.state() ? done : [];
    } catch {
      return [];
    }
  }

  saveSteps() {
    try {
      sessionStorage.setItem(this.name, JSON.stringify({ state: this.state(), done: this.done }));
    } catch {
      // A full or forbidden storage: after a reload, earlier steps cannot be taken back.
    }
  }

  // One step of one or more changes: [[id, entry or null], ...]
  change(...changes) {
    const step = changes.map(([id, after]) => ({ id, before: this.entries.get(id) ?? null, after }));
    this.done.push(step);
    this.undone = [];
    this.apply(step.map(({ id, after }) => [id, after]));
  }

  // Return the ids that changed, or null where there is nothing to take back.
  undo() {
    const step = this.done.pop();
    if (!step) return null;
    this.undone.push(step);
    return this.apply(step.map(({ id, before }) => [id, before]).reverse());
  }

  redo() {
    const step = this.undone.pop();
    if (!step) return null;
    this.done.push(step);
    return this.apply(step.map(({ id, after }) => [id, after]));
  }

  apply(changes) {
    for (const [id, entry] of changes) {
      if (entry === null) this.entries.delete(id);
      else this.entries.set(id, entry);
    }
    this.saveSteps();
    const ms = Math.round(performance.now() - this.start);
    this.send(changes.map(([id, entry]) => [ms, id, entry]));
    return changes.map(([id]) => id);
  }

  // An id that was never used here: what was taken back may come again.
  newId() {
    const used = [...this.entries.keys(), ...[...this.done, ...this.undone].flat().map(({ id }) => id)];
    return String(Math.max(0, ...used.map(Number).filter(Number.isSafeInteger)) + 1);
  }

  list() {
    return [...this.entries].map(([id, entry]) => ({ id, ...entry }));
  }
}
