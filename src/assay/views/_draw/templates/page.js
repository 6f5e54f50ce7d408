// Choices, dress, and charts that are drawn when they come into view.
(() => {
  "use strict";
  const root = document.documentElement;
  const holder = JSON.parse(document.getElementById("chart-data").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const drawn = new Map();

  const colour = (name) =>
    getComputedStyle(root)
      .getPropertyValue(`--${name.slice(1)}`)
      .trim();

  const NAMES = new Set(["data", "datasets", "description", "title", "domain"]);

  // Names of colours in a specification become those of the present dress; data and titles are left alone.
  function coloured(part, colours) {
    if (Array.isArray(part)) return part.map((p) => coloured(p, colours));
    if (part && typeof part === "object")
      return Object.fromEntries(Object.entries(part).map(([k, v]) => [k, NAMES.has(k) ? v : coloured(v, colours)]));
    return typeof part === "string" && Object.hasOwn(colours, part) ? colours[part] : part;
  }

  function config(colours) {
    const text = {
      labelColor: colours.$ink,
      titleColor: colours.$ink,
      labelFontSize: 12,
      titleFontSize: 12,
      titleFontWeight: 500,
    };
    return {
      background: "transparent",
      font: getComputedStyle(document.body).fontFamily,
      view: { stroke: null },
      axis: {
        ...text,
        gridColor: colours.$faint,
        gridOpacity: 0.5,
        domainColor: colours.$faint,
        tickColor: colours.$faint,
      },
      axisQuantitative: { tickCount: 6 },
      legend: text,
      text: { color: colours.$ink },
      range: { category: [colours.$accent, colours.$second, colours.$third, colours.$muted] },
    };
  }

  async function draw(figure) {
    const spec = holder.charts[figure.dataset.chart];
    const colours = Object.fromEntries(holder.colours.map((name) => [name, colour(name)]));
    const plot = figure.querySelector(".plot");
    if (drawn.has(figure)) drawn.get(figure).finalize();
    const made = await vegaEmbed(plot, coloured(spec, colours), {
      mode: "vega-lite",
      renderer: "svg",
      ast: true,
      logLevel: 1,
      config: config(colours),
      tooltip: { theme: "custom" },
      actions: { export: { svg: true, png: true }, source: false, compiled: false, editor: false },
      downloadFileName: figure.querySelector("figcaption").textContent.replace(/[^\p{L}\p{N}]+/gu, "-"),
    });
    drawn.set(figure, made);
    const menu = plot.querySelector("summary");
    if (menu) menu.setAttribute("aria-label", "Save this chart");
    figure.dataset.drawn = "yes";
  }

  const waiting = new Set();
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries)
        if (entry.isIntersecting) {
          near.unobserve(entry.target);
          waiting.delete(entry.target);
          draw(entry.target);
        }
    },
    { rootMargin: "600px" },
  );

  // What is shown but not yet looked at is drawn when there is time, so that it is there for the printer.
  function idle() {
    const later = window.requestIdleCallback || ((f) => setTimeout(f, 50));
    const next = [...waiting].find((figure) => figure.offsetParent !== null);
    if (!next) {
      root.dataset.charts = "ready";
      return;
    }
    later(async () => {
      if (waiting.delete(next)) {
        near.unobserve(next);
        await draw(next);
      }
      idle();
    });
  }

  function choices() {
    for (const choice of document.querySelectorAll(".choice")) {
      const options = [...choice.querySelectorAll(":scope > .option")],
        select = choice.querySelector("select");
      const show = () => {
        for (const option of options) option.hidden = option.dataset.option !== select.value;
        idle();
      };
      choice.classList.add("alive");
      select.addEventListener("change", show);
      show();
    }
  }

  function redraw() {
    for (const figure of drawn.keys()) draw(figure);
  }

  function dress() {
    const button = document.getElementById("theme");
    const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
    const name = () => {
      button.textContent = isDark() ? "Light" : "Dark";
    };
    dark.addEventListener("change", () => {
      if (button) name();
      redraw();
    });
    if (!button) return;
    name();
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      name();
      redraw();
    });
  }

  function printing() {
    const opened = [];
    window.addEventListener("beforeprint", () => {
      for (const box of document.querySelectorAll("main details:not([open])"))
        if (!box.closest(".plot")) {
          box.open = true;
          opened.push(box);
        }
    });
    window.addEventListener("afterprint", () => {
      for (const box of opened.splice(0)) box.open = false;
    });
  }

  // A click on a head sorts by its column: numbers from the highest, names from A; what is empty comes last.
  function sorting() {
    for (const table of document.querySelectorAll("main .scroll > table")) {
      const body = table.tBodies[0];
      if (body.rows.length < 2) continue; // the list of items is still empty, and is sorted by its own field
      const heads = [...table.tHead.rows[0].cells];
      heads.forEach((head, column) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "sort";
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => sortRows(heads, body, column));
      });
    }
  }

  function sortRows(heads, body, column) {
    const head = heads[column],
      number = head.classList.contains("number");
    const before = head.getAttribute("aria-sort");
    const order = before ? (before === "descending" ? "ascending" : "descending") : number ? "descending" : "ascending";
    const keyed = [...body.rows].map((row) => [sortKey(row.cells[column].textContent, number), row]);
    const sign = order === "ascending" ? 1 : -1;
    keyed.sort(([a], [b]) =>
      a === null || b === null
        ? Number(a === null) - Number(b === null)
        : sign * (number ? a - b : a.localeCompare(b, "en", { numeric: true })),
    );
    body.append(...keyed.map(([, row]) => row));
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
  }

  function sortKey(text, number) {
    if (!number) return text;
    const digits = /-?[\d,]*\.?\d+/.exec(text.replace(/\u2212/g, "-"));
    return digits ? parseFloat(digits[0].replace(/,/g, "")) - (text.trim().startsWith("<") ? 1e-9 : 0) : null;
  }

  // A table that is wider than its place says so, and keeps the names in view.
  function hints() {
    const watch = new ResizeObserver((entries) => {
      for (const entry of entries) hint(entry.target.closest(".scroll"));
    });
    for (const box of document.querySelectorAll("main .scroll")) {
      const note = document.createElement("p");
      note.className = "hint";
      note.textContent = "More columns: scroll the table sideways →";
      note.hidden = true;
      box.before(note);
      watch.observe(box);
      watch.observe(box.firstElementChild); // its table, which may get other rows
    }
  }

  function hint(box) {
    const wide = box.scrollWidth > box.clientWidth + 2;
    box.classList.toggle("wide", wide);
    box.previousElementSibling.hidden = !wide;
    for (const cell of box.querySelectorAll("tbody th")) cell.title = wide ? cell.textContent : "";
  }

  document.addEventListener("DOMContentLoaded", async () => {
    sorting();
    hints();
    dress();
    printing();
    for (const figure of document.querySelectorAll("figure[data-chart]")) {
      waiting.add(figure);
      near.observe(figure);
    }
    choices();
    if (typeof Items !== "undefined") await Items.start();
    idle();
  });
})();
