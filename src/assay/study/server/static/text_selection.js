// Words and selections of a text, in code points: strings of the browser count an emoji twice, the server once.

import { codePoints, splitWords } from "./text_length.js";

// Where words begin and end.
export function wordBounds(text) {
  let at = 0;
  return splitWords(text).map(({ space, word }) => {
    const start = at + codePoints(space).length;
    at = start + codePoints(word).length;
    return { start, end: at };
  });
}

export const isSpace = (point) => !splitWords(point).length;

// How many code points stand in a box before a place in it.
export function offsetIn(box, node, offset) {
  const before = document.createRange();
  before.selectNodeContents(box);
  before.setEnd(node, offset);
  return codePoints(before.toString()).length;
}

// What the pointer selected in a box, without white space at its ends; null if that is nothing, or reaches outside.
export function takeSelection(box, points) {
  const selection = getSelection();
  if (selection.isCollapsed || !box.contains(selection.anchorNode) || !box.contains(selection.focusNode)) return null;
  const range = selection.getRangeAt(0);
  let start = offsetIn(box, range.startContainer, range.startOffset);
  let end = start + codePoints(range.toString()).length;
  while (start < end && isSpace(points[start])) start += 1;
  while (end > start && isSpace(points[end - 1])) end -= 1;
  selection.removeAllRanges();
  return start < end ? { start, end } : null;
}

// Parts as [start, end] in the order of the text, joined where they overlap or touch.
export function joinSpans(spans) {
  const joined = [];
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

// Cut a text wherever a mark begins or ends: [{text, start, end, marks}], in order. Marks may overlap.
export function cutAtMarks(points, marks) {
  const cuts = [...new Set([0, points.length, ...marks.flatMap(({ start, end }) => [start, end])])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(1).map((end, place) => {
    const start = cuts[place];
    return {
      start,
      end,
      text: points.slice(start, end).join(""),
      marks: marks.filter((mark) => mark.start <= start && mark.end >= end),
    };
  });
}
