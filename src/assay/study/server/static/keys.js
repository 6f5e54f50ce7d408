// Keys: one key per judgment. A screen adds its own; those of the page stay.

const TYPING = /^(textarea|select)$/i;
const TEXT_FIELDS = /^(text|number|search|email|url)$/i;

export function isTyping(target) {
  if (target.isContentEditable || TYPING.test(target.tagName)) return true;
  return target.tagName === "INPUT" && TEXT_FIELDS.test(target.type);
}

export class Keys {
  constructor() {
    this.page = [];
    this.screen = [];
    document.addEventListener("keydown", (event) => this.press(event));
  }

  // Bindings: {keys: ["u"], label, run, typing: true if it works in text fields too, held: true if repeats count}
  setPage(bindings) {
    this.page = bindings;
  }

  setScreen(bindings) {
    this.screen = bindings;
  }

  press(event) {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    const control = event.ctrlKey || event.metaKey;
    const name = control ? `Ctrl+${event.key}` : event.key;
    const right = [...this.screen, ...this.page].find(
      (binding) =>
        binding.keys.includes(name) &&
        !event.altKey &&
        (binding.typing || !isTyping(event.target)) &&
        (binding.held || !event.repeat) &&
        !(binding.onButton === false && /^(BUTTON|A|SUMMARY)$/.test(event.target.tagName)),
    );
    if (!right) return;
    if (right.run(event) !== false) event.preventDefault();
  }

  // What the sheet lists: [shown keys, label]
  list() {
    const own = new Set(this.screen.flatMap(({ keys }) => keys));
    const rest = this.page.filter(({ keys }) => !keys.every((key) => own.has(key))); // the others mean something else here
    return [...this.screen, ...rest].filter((binding) => binding.label).map((b) => [b.shown ?? b.keys, b.label]);
  }
}
