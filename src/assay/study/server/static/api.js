// Calls of the server: reads JSON, and sends events with the token against forged requests.

function csrfToken() {
  const pair = document.cookie.split("; ").find((part) => part.startsWith("csrf="));
  return pair ? decodeURIComponent(pair.slice("csrf=".length)) : "";
}

export async function getJson(path) {
  const response = await fetch(path, { headers: { accept: "application/json" } });
  return { status: response.status, body: await response.json() };
}

export async function postJson(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": csrfToken() },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

export function makeEvent(kind, task = null, payload = {}) {
  return { key: crypto.randomUUID(), kind, task, at: new Date().toISOString(), payload };
}
