/** A number of a JSON text, as it is written there: JSON.parse would round it, and hide `1e3` and `-0`. */
export class JsonNumber {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a JSON text with every number as a `JsonNumber`. Throws what JSON.parse throws. */
export function parseJson(text: string): unknown {
  JSON.parse(text);
  // The text is valid, so that every number outside of a string is a number literal, and every string that a colon
  // follows is a key. Values get a mark, which is taken off again: strings "s", numbers (now strings, too) "n".
  const marked = text.replace(STRING_OR_NUMBER, (token, string?: string, colon?: string) => {
    if (string === undefined) return `"n${token}"`;
    return colon === undefined ? `"s${string.slice(1)}` : token;
  });
  return JSON.parse(marked, (_key, value: unknown) => (typeof value === 'string' ? unmark(value) : value));
}

// The string part has no alternation inside its loop, which keeps the regular expression's stack small.
const STRING_OR_NUMBER = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

function unmark(value: string): string | JsonNumber {
  const content = value.slice(1);
  return value.startsWith('n') ? new JsonNumber(content) : content;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}
