// Units or marks by id, and every change of them: sent as it is made, taken back and made again step by step.

export class EditHistory {
  // send([[ms, id, entry or null], ...])
  constructor(entries, send) {
    this.entries = new Map(entries.map(({ id, ...entry }) => [id, entry]));
    this.send = send;
    this.done = [];
    this.undone = [];
    this.start = performance.now();
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
