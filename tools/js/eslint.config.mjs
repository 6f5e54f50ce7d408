// Rules for the JavaScript in src. The study client is modules; the scripts of the report stand one after the other in
// one page, and use what the one before defined.
import js from "@eslint/js";
import globals from "globals";

const shared = { varsIgnorePattern: "^(Items|Match)$" };

export default [
  { ignores: ["**/vega/**"] },
  js.configs.recommended,
  { languageOptions: { ecmaVersion: 2023, globals: globals.browser } },
  { files: ["**/study/**"], languageOptions: { sourceType: "module" } },
  {
    files: ["**/templates/**"],
    languageOptions: { sourceType: "script", globals: { vegaEmbed: "readonly" } },
    rules: { "no-unused-vars": ["error", shared] },
  },
  { files: ["**/items.js"], languageOptions: { globals: { Match: "readonly" } } },
  { files: ["**/page.js"], languageOptions: { globals: { Items: "readonly" } } },
];
