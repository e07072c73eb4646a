/**
 * A JSON number as its literal text. JSON.parse would round numbers above 2^53 and would not distinguish `1e3` from `1000`
 * or `-0` from `0`.
 */
export class JsonNumber {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }
}

/** A JSON object that `parseJson` returned. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a JSON text and returns each number in it as a `JsonNumber`. Throws the errors of JSON.parse. */
export function parseJson(text: string): unknown {
  JSON.parse(text);
  // In valid JSON each number outside of a string is a number literal, and a string followed by a colon is a key. Numbers
  // are turned into strings; a first letter that is removed again distinguishes them ("n") from strings ("s").
  const marked = text.replace(STRING_OR_NUMBER, (token, string?: string, colon?: string) => {
    if (string === undefined) return `"n${token}"`;
    return colon === undefined ? `"s${string.slice(1)}` : token;
  });
  return JSON.parse(marked, (_key, value: unknown) => (typeof value === 'string' ? unmark(value) : value));
}

// The part that matches strings has no alternation inside its loop, so backtracking needs little stack.
const STRING_OR_NUMBER = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

function unmark(value: string): string | JsonNumber {
  const content = value.slice(1);
  return value.startsWith('n') ? new JsonNumber(content) : content;
}

/** Whether a value that `parseJson` returned is an object, not null, an array, a number or a string. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}
