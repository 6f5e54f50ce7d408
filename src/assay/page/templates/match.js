"use strict";
// What of an output stands in its references. Repeated units are distinct: the i-th "the" matches an i-th "the".
const Match = (() => {
  const WORD = /[\p{L}\p{M}\p{N}]+/gu;

  function words(text, stems) {
    return Array.from(text.matchAll(WORD), (m) => {
      const lower = m[0].toLowerCase();
      const key = stems && Object.hasOwn(stems, lower) ? stems[lower] : lower;
      return { start: m.index, end: m.index + m[0].length, key };
    });
  }

  function units(list, unit) {
    const made = [];
    if (unit === "skip") {
      for (let i = 0; i < list.length; i++)
        for (let k = i + 1; k < list.length && k <= i + 5; k++)
          made.push({ key: `${list[i].key} ${list[k].key}`, at: [i, k] });
      return made;
    }
    const n = Number(unit);
    for (let i = 0; i + n <= list.length; i++) {
      const at = Array.from({ length: n }, (_, k) => i + k);
      made.push({ key: at.map((k) => list[k].key).join(" "), at });
    }
    return made;
  }

  function counted(made) {
    const counts = new Map();
    for (const { key } of made) counts.set(key, (counts.get(key) || 0) + 1);
    return counts;
  }

  // The words in units that the other side has as often.
  function covered(made, allowed, length) {
    const seen = new Map(),
      marks = new Array(length).fill(false);
    let matched = 0;
    for (const { key, at } of made) {
      const n = (seen.get(key) || 0) + 1;
      seen.set(key, n);
      if (n <= (allowed.get(key) || 0)) {
        matched++;
        for (const k of at) marks[k] = true;
      }
    }
    return { marks, matched };
  }

  function subsequence(a, b) {
    const width = b.length + 1,
      table = new Uint32Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; i--)
      for (let k = b.length - 1; k >= 0; k--)
        table[i * width + k] =
          a[i].key === b[k].key
            ? table[(i + 1) * width + k + 1] + 1
            : Math.max(table[(i + 1) * width + k], table[i * width + k + 1]);
    const left = new Array(a.length).fill(false),
      right = new Array(b.length).fill(false);
    for (let i = 0, k = 0; i < a.length && k < b.length; ) {
      if (a[i].key === b[k].key) left[i++] = right[k++] = true;
      else if (table[(i + 1) * width + k] >= table[i * width + k + 1]) i++;
      else k++;
    }
    return { left, right, matched: table[0] };
  }

  // {output: {words, marks}, references: [{words, marks, matched, total}], total, matched}
  function compare(output, references, unit, stems) {
    const mine = words(output, stems),
      theirs = references.map((text) => words(text, stems));
    const none = (list) => new Array(list.length).fill(false);
    if (unit === "none")
      return {
        output: { words: mine, marks: none(mine) },
        references: theirs.map((w) => ({ words: w, marks: none(w) })),
      };
    if (unit === "lcs") {
      const found = theirs.map((w) => subsequence(mine, w));
      const best = found.reduce((a, b) => (!a || b.matched > a.matched ? b : a), null);
      return {
        output: { words: mine, marks: best ? best.left : none(mine) },
        references: theirs.map((w, i) => ({
          words: w,
          marks: found[i].right,
          matched: found[i].matched,
          total: w.length,
        })),
        total: mine.length,
        matched: best ? best.matched : 0,
      };
    }
    const own = units(mine, unit),
      ownCounts = counted(own);
    const others = theirs.map((w) => units(w, unit));
    const most = new Map();
    for (const made of others) for (const [key, n] of counted(made)) most.set(key, Math.max(most.get(key) || 0, n));
    const here = covered(own, most, mine.length);
    return {
      output: { words: mine, marks: here.marks },
      references: theirs.map((w, i) => {
        const side = covered(others[i], ownCounts, w.length);
        return { words: w, marks: side.marks, matched: side.matched, total: others[i].length };
      }),
      total: own.length,
      matched: here.matched,
    };
  }

  return { compare, words };
})();
