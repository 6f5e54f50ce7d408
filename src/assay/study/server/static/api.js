// Calls of the server: reads JSON, and sends it with the token against forged requests.

// Each study has a cookie of its own, which the page names.
function csrfToken() {
  const start = `${document.documentElement.dataset.csrf}=`;
  const pair = document.cookie.split("; ").find((part) => part.startsWith(start));
  return pair ? decodeURIComponent(pair.slice(start.length)) : "";
}

async function read(response) {
  const body = await response.json().catch(() => ({}));
  return { status: response.status, body, wait: Number(response.headers.get("retry-after")) || 0 };
}

export async function getJson(path) {
  return read(await fetch(path, { headers: { accept: "application/json" } }));
}

async function send(path, body) {
  const headers = { accept: "application/json", "content-type": "application/json", "x-csrf-token": csrfToken() };
  return read(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

// Without a token, or with one that is refused: it is forgotten, reading brings a new one, once.
export async function postJson(path, body) {
  const answer = await send(path, body);
  if (answer.status !== 403) return answer;
  document.cookie = `${document.documentElement.dataset.csrf}=; path=/; max-age=0`;
  await read(await fetch("/health"));
  return send(path, body);
}

// crypto.randomUUID is missing where a study is served without TLS in a local network; getRandomValues is not.
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function makeEvent(kind, task = null, payload = {}) {
  return { key: randomKey(), kind, task, at: new Date().toISOString(), payload };
}
