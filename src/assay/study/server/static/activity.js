// Active time: counts while the page is visible and somebody moved, typed or scrolled not long ago.

const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel", "scroll", "touchmove"];

export class ActiveClock {
  constructor(idleSeconds, now = () => performance.now()) {
    this.idle = idleSeconds * 1000;
    this.now = now;
    this.reset();
    for (const sign of SIGNS) document.addEventListener(sign, () => this.sign(), { passive: true, capture: true });
    document.addEventListener("visibilitychange", () => this.switch());
  }

  reset() {
    this.total = 0;
    this.since = document.hidden ? null : this.now();
    this.last = this.now();
  }

  // Time after the last sign counts up to the idle limit; a pause longer than that is cut there.
  settle() {
    if (this.since === null) return;
    this.total += Math.max(0, Math.min(this.now(), this.last + this.idle) - this.since);
    this.since = this.now();
  }

  sign() {
    this.settle();
    this.last = this.now();
    if (this.since !== null) this.since = this.last;
  }

  switch() {
    this.settle();
    this.since = document.hidden ? null : this.now();
    this.last = this.now();
  }

  seconds() {
    this.settle();
    return Math.round(this.total) / 1000;
  }
}
