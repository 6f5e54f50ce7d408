// The browser of items. Texts are hostile: they reach the page by textContent and in no other way.
const Items = (() => {
  const PAGE = 25;
  const $ = (id) => document.getElementById(id);
  let data,
    values,
    there,
    stems = null,
    cache = new Map(),
    order = [],
    shown = 0,
    chosen = -1,
    ranks = new Map(),
    query = 0;

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
  }

  const unpackJson = async (text) => JSON.parse(new TextDecoder().decode(await unpack(text)));

  function element(tag, text, attributes) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
    return made;
  }

  const cells = () => data.systems.length * data.items.length;
  const systemOf = (cell) => Math.floor(cell / data.items.length);
  const itemOf = (cell) => cell % data.items.length;
  const valueOf = (score, cell) => values[score * cells() + cell];

  function number(value) {
    if (Number.isNaN(value)) return "–";
    return Math.abs(value) >= 100 ? value.toFixed(1) : value.toFixed(3);
  }

  // Each output's place among all by a score, from 0 to 100; equal scores share a place, lower is better is turned.
  function places(score) {
    if (ranks.has(score)) return ranks.get(score);
    const n = cells(),
      out = new Float32Array(n).fill(NaN),
      sign = data.scores[score].higher ? 1 : -1;
    const key = new Float32Array(n),
      found = [];
    for (let c = 0; c < n; c++) {
      key[c] = sign * valueOf(score, c);
      if (key[c] === key[c]) found.push(c);
    }
    const some = Uint32Array.from(found).sort((a, b) => key[a] - key[b]);
    for (let i = 0; i < some.length; ) {
      let k = i;
      while (k + 1 < some.length && key[some[k + 1]] === key[some[i]]) k++;
      const place = some.length > 1 ? (100 * (i + k)) / 2 / (some.length - 1) : 50;
      for (; i <= k; i++) out[some[i]] = place;
    }
    ranks.set(score, out);
    return out;
  }

  const picked = (id) => ($(id) ? Number($(id).value) : -1);

  function gaps() {
    const a = picked("score"),
      b = picked("beside");
    if (a < 0 || b < 0 || a === b) return null;
    const first = places(a),
      second = places(b);
    return (cell) => first[cell] - second[cell];
  }

  /** @returns {any[]} */
  function sorts() {
    const a = picked("score"),
      b = picked("beside"),
      made = [];
    const name = (s) => data.scores[s].name;
    const by = (of, sign) => (some) => {
      // no score comes last
      const key = new Float64Array(cells());
      for (const c of some) {
        const v = of(c);
        key[c] = v === v ? sign * v : Infinity;
      }
      return some.sort((x, y) => (key[x] === key[y] ? x - y : key[x] - key[y]));
    };
    const gap = gaps();
    if (gap) {
      made.push(["disagreement, largest first", by((c) => Math.abs(gap(c)), -1)]);
      made.push([`${name(a)} kinder than ${name(b)}`, by(gap, -1)]);
      made.push([`${name(a)} harsher than ${name(b)}`, by(gap, 1)]);
    }
    for (const s of gap ? [a, b] : a < 0 ? [] : [a]) {
      made.push([`${name(s)}, highest first`, by((c) => valueOf(s, c), -1)]);
      made.push([`${name(s)}, lowest first`, by((c) => valueOf(s, c), 1)]);
    }
    made.push(["item", by(itemOf, 1)]);
    return made;
  }

  async function block(index) {
    if (!cache.has(index)) cache.set(index, unpackJson(data.blocks[index]));
    return cache.get(index);
  }

  async function item(index) {
    const place = data.place[index];
    if (!place) return null;
    const [texts, rows] = await block(place[0]);
    const [sources, references, outputs] = rows[place[1]];
    return {
      sources: sources.map((t) => texts[t]),
      references: references.map(([id, t]) => ({ id, text: texts[t] })),
      outputs: outputs.map((t) => (t < 0 ? null : texts[t])),
    };
  }

  // Cells with an item or output that holds the words; every block is read, one after the other.
  async function found(text, ticket) {
    const wanted = text.toLowerCase(),
      hits = new Uint8Array(cells()),
      n = data.items.length;
    for (let i = 0; i < n; i++) {
      if (ticket !== query) return null;
      const one = await item(i);
      const whole =
        data.items[i].toLowerCase().includes(wanted) ||
        (one && [...one.sources, ...one.references.map((r) => r.text)].some((t) => t.toLowerCase().includes(wanted)));
      for (let s = 0; s < data.systems.length; s++)
        if (whole || (one && one.outputs[s] !== null && one.outputs[s].toLowerCase().includes(wanted)))
          hits[s * n + i] = 1;
    }
    return hits;
  }

  async function refresh(keep) {
    const ticket = ++query,
      text = $("find").value.trim();
    const hits = text ? await found(text, ticket) : null;
    if (ticket !== query) return;
    const system = picked("system"),
      group = picked("group"),
      n = data.items.length;
    const kept = [];
    for (let c = 0; c < cells(); c++) {
      if (!there[c] || (hits && !hits[c])) continue;
      if (system >= 0 && systemOf(c) !== system) continue;
      if (group >= 0 && data.group[c % n] !== group) continue;
      kept.push(c);
    }
    order = sorts()[Number($("sort").value) || 0][1](Uint32Array.from(kept));
    shown = 0;
    if (!keep || !order.includes(chosen)) chosen = order.length ? order[0] : -1;
    list();
    await detail();
  }

  function fillSorts() {
    const before = $("sort").value;
    $("sort").replaceChildren(...sorts().map(([name], i) => element("option", name, { value: i })));
    if (before && Number(before) < $("sort").options.length) $("sort").value = before;
  }

  function list() {
    const gap = gaps(),
      a = picked("score"),
      b = picked("beside");
    const heads = [["item"], ["system"]];
    if (a >= 0) heads.push([data.scores[a].name, "number"]);
    if (gap) heads.push([data.scores[b].name, "number"], ["gap", "number"]);
    const row = element("tr");
    row.append(
      ...heads.map(([text, kind]) =>
        element("th", text, { scope: "col", title: text, ...(kind ? { class: kind } : {}) }),
      ),
    );
    $("rows").tHead.replaceChildren(row);
    const body = Array.from(order.slice(shown, shown + PAGE), (cell) => {
      const line = element("tr"),
        open = element("button", data.items[itemOf(cell)], {
          type: "button",
          "data-cell": cell,
          title: data.items[itemOf(cell)],
        });
      if (cell === chosen) {
        line.className = "chosen";
        open.setAttribute("aria-current", "true");
      }
      const first = element("td");
      first.append(open);
      line.append(first, element("td", data.systems[systemOf(cell)], { title: data.systems[systemOf(cell)] }));
      if (a >= 0) line.append(element("td", number(valueOf(a, cell)), { class: "number" }));
      if (gap) {
        line.append(element("td", number(valueOf(b, cell)), { class: "number" }));
        const d = gap(cell);
        line.append(
          element("td", Number.isNaN(d) ? "–" : (d > 0 ? "+" : d < 0 ? "−" : "") + Math.abs(d).toFixed(0), {
            class: "number",
          }),
        );
      }
      return line;
    });
    $("rows").tBodies[0].replaceChildren(...body);
    const total = order.length;
    $("count").textContent = `${total.toLocaleString("en")} output${total === 1 ? "" : "s"}`;
    $("where").textContent = total
      ? `${shown + 1}–${Math.min(shown + PAGE, total)} of ${total.toLocaleString("en")}`
      : "none";
    $("before").disabled = shown === 0;
    $("after").disabled = shown + PAGE >= total;
  }

  function marked(text, side) {
    const box = element("p", undefined, { class: "text", dir: "auto" });
    let at = 0;
    for (let i = 0; i < side.words.length; ) {
      if (!side.marks[i]) {
        i++;
        continue;
      }
      let k = i; // neighbours are marked together, with what stands between them
      while (k + 1 < side.words.length && side.marks[k + 1]) k++;
      box.append(text.slice(at, side.words[i].start));
      box.append(element("mark", text.slice(side.words[i].start, side.words[k].end)));
      at = side.words[k].end;
      i = k + 1;
    }
    box.append(text.slice(at));
    return box;
  }

  async function detail() {
    const box = $("texts"),
      cell = chosen;
    if (cell < 0) {
      box.replaceChildren(element("p", "No outputs match. Change the filter."));
      return;
    }
    const one = await item(itemOf(cell));
    if (cell !== chosen) return;
    const made = [heading(cell)];
    if (!one) {
      made.push(element("p", "The texts of this item were left out to limit the size of the page.", { class: "note" }));
    } else {
      const output = one.outputs[systemOf(cell)] ?? "",
        unit = $("unit").value;
      const all = one.references.filter((r) => !(r.id && r.id === data.systems[systemOf(cell)])); // not a person's own
      const both = Match.compare(
        output,
        all.map((r) => r.text),
        unit,
        $("stem") && $("stem").checked ? stems : null,
      );
      made.push(element("h4", "Output"));
      if (all.length && unit !== "none")
        made.push(element("p", `${both.matched} of ${both.total} matched`, { class: "note" }));
      made.push(output.trim() ? marked(output, both.output) : element("p", "(empty)", { class: "note" }));
      all.forEach((r, i) => {
        made.push(element("h4", `Reference ${r.id ?? i + 1}`));
        if (unit !== "none")
          made.push(
            element("p", `${both.references[i].matched} of ${both.references[i].total} matched`, { class: "note" }),
          );
        made.push(marked(r.text, both.references[i]));
      });
      one.sources.forEach((text, i) => {
        made.push(element("h4", one.sources.length > 1 ? `Source ${i + 1}` : "Source"));
        made.push(element("p", text, { class: "text", dir: "auto" }));
      });
      made.push(others(cell));
    }
    box.replaceChildren(...made);
  }

  function heading(cell) {
    const box = element("div", undefined, { class: "heading" });
    const group = data.group[itemOf(cell)];
    box.append(element("h3", `${data.items[itemOf(cell)]}: ${data.systems[systemOf(cell)]}`));
    const scores = element("dl", undefined, { class: "facts" });
    const add = (name, value) => {
      const pair = element("div");
      pair.append(element("dt", name), element("dd", value));
      scores.append(pair);
    };
    if (group >= 0) add("group", data.groups[group]);
    data.scores.forEach((s, i) => add(s.people ? `${s.name} (people)` : s.name, number(valueOf(i, cell))));
    box.append(scores);
    return box;
  }

  // The same item by the other systems.
  function others(cell) {
    const box = element("p", undefined, { class: "others" });
    const label = element("label", "Output of ", { for: "other" }),
      select = element("select", undefined, { id: "other" });
    data.systems.forEach((name, s) => {
      const there_ = s * data.items.length + itemOf(cell);
      if (there[there_]) select.append(element("option", name, { value: there_ }));
    });
    select.value = cell;
    select.addEventListener("change", () => {
      choose(Number(select.value), false);
    });
    box.append(label, select);
    return box;
  }

  async function choose(cell, move) {
    chosen = cell;
    list();
    await detail();
    if (move) {
      const again = document.querySelector(`[data-cell="${cell}"]`);
      if (window.matchMedia("(max-width: 60rem)").matches) {
        $("detail").focus();
        $("detail").scrollIntoView();
      } else if (again) again.focus();
    }
  }

  async function start() {
    const holder = $("item-data");
    if (!holder) return;
    data = JSON.parse(holder.textContent);
    values = data.values ? new Float32Array(await unpack(data.values)) : new Float32Array(0);
    there = new Uint8Array(await unpack(data.there));
    if (data.stems) stems = await unpackJson(data.stems);
    const people = data.scores.findIndex((s) => s.people);
    if ($("beside")) $("beside").value = people > 0 ? people : 1;
    fillSorts();
    for (const id of ["system", "group", "score", "beside", "sort"])
      if ($(id))
        $(id).addEventListener("change", () => {
          if (id === "score" || id === "beside") fillSorts();
          refresh(true);
        });
    let wait;
    $("find").addEventListener("input", () => {
      clearTimeout(wait);
      wait = setTimeout(() => refresh(true), 200);
    });
    $("filters").addEventListener("submit", (event) => {
      event.preventDefault();
      refresh(true);
    });
    $("unit").addEventListener("change", detail);
    if ($("stem")) $("stem").addEventListener("change", detail);
    $("before").addEventListener("click", () => {
      shown = Math.max(0, shown - PAGE);
      list();
    });
    $("after").addEventListener("click", () => {
      shown += PAGE;
      list();
    });
    $("rows").addEventListener("click", (event) => {
      const row = event.target.closest("tr"),
        open = row && row.querySelector("button[data-cell]");
      if (open) choose(Number(open.dataset.cell), true);
    });
    $("filters").hidden = $("browser").hidden = false;
    await refresh(false);
    document.documentElement.dataset.items = "ready";
  }

  return { start };
})();
