// Words of the interface: one file per language in languages/; what a file lacks is shown in English.

let words = {};
let plural = new Intl.PluralRules("en");

async function load(code) {
  const response = await fetch(`/static/languages/${code}.json`);
  if (!response.ok) throw new Error(code);
  return response.json();
}

export async function useLanguage(code) {
  const safe = /^[A-Za-z-]{2,12}$/.test(code) ? code : "en";
  const english = await load("en");
  const own = safe === "en" ? english : await load(safe).catch(() => load(safe.split("-")[0]).catch(() => english));
  words = { ...english, ...own };
  document.documentElement.lang = own === english ? "en" : safe;
  document.documentElement.dir = words.direction;
  plural = new Intl.PluralRules(document.documentElement.lang);
}

export function has(name) {
  return name in words;
}

// say("kept", { count: 3 }): a value may be an object of plural forms, chosen by `count`; {count} is replaced.
export function say(name, values = {}) {
  let text = words[name] ?? name;
  if (typeof text === "object") text = text[plural.select(values.count)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}
