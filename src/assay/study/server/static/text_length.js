// How long a text is, by the rule of the server's text_length.py: code points after NFC, white space collapsed.

// Unicode's White_Space, written out: \s of browsers has U+FEFF too, which is not white space.
export const WHITE_SPACE = "\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const RUN = new RegExp(`[${WHITE_SPACE}]+`, "gu");
const TOKEN = new RegExp(`[${WHITE_SPACE}]*[^${WHITE_SPACE}]+`, "gu");

export function collapse(text) {
  return text.normalize("NFC").replace(RUN, " ").replace(/^ | $/g, "");
}

export function countCharacters(text) {
  return codePoints(collapse(text)).length;
}

export function countWords(text) {
  const words = collapse(text);
  return words ? words.split(" ").length : 0;
}

export function measure(text, unit) {
  return unit === "words" ? countWords(text) : countCharacters(text);
}

export function codePoints(text) {
  return Array.from(text);
}

// Half a surrogate pair is not a character: JSON that holds one is refused by the server.
export function wellFormed(text) {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

// Words, each with the white space before it: joined they are the text, but for white space at its end.
export function splitWords(text) {
  return (text.match(TOKEN) || []).map((token) => {
    const word = token.replace(RUN, "");
    return { space: token.slice(0, token.length - word.length), word };
  });
}

// What changed from one text to another: [start, characters deleted, text inserted], in code points.
export function difference(before, after) {
  const [old, now] = [codePoints(before), codePoints(after)];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  return [start, old.length - start - end, now.slice(start, now.length - end).join("")];
}
