// The rater's page: shows where the rater stands.
import { getJson } from "./api.js";

const main = document.getElementById("study");
const { body } = await getJson("/api/session");
main.textContent = `stage: ${body.session.stage}`;
