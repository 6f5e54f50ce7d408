// The admin page: shows the progress.
import { getJson } from "./api.js";

const main = document.getElementById("admin");
const { body } = await getJson("/api/admin/progress");
const text = document.createElement("pre");
text.textContent = JSON.stringify(body, null, 2);
main.append(text);
