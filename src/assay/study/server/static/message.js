// A page that only says something: in the language of the study, and whether answers wait in this browser.

import { element } from "./dom.js";
import { has, say, useLanguage } from "./language.js";

await useLanguage(document.documentElement.lang);
const message = document.getElementById("message");
if (has(`message_${message.dataset.message}`)) message.textContent = say(`message_${message.dataset.message}`);
const waiting = Object.keys(localStorage).filter((name) => {
  return name.startsWith("assay-event:") && localStorage.getItem(name).includes('"kind":"answered"');
});
if (waiting.length) message.after(element("p", { class: "kept" }, say("kept", { count: waiting.length })));
