import { invalidInput } from './query.js';

/** A JSON object, which may have any members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A parsed body. */
export interface JsonBody {
  readonly members: JsonObject;
  /**
   * The same members, except that integers of 16 or more digits are strings of these digits: JSON.parse rounds those above
   * 2^53.
   */
  readonly exactMembers: JsonObject;
}

/** Most levels of nested arrays and objects. The protocol needs three; V8 takes 0.1 s for a megabyte of brackets. */
const MAX_DEPTH = 100;
/** Every integer of fewer digits is a safe integer. */
const LONG = 16;
const LONG_DIGITS = /\d{16}/;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [ZERO, NINE, MINUS, PLUS, DOT] = [0x30, 0x39, 0x2d, 0x2b, 0x2e];
const [UPPER_E, LOWER_E] = [0x45, 0x65];

/**
 * Parses a body that must be a JSON object. JSON.parse reads it once, and a second time only if it has integers of 16 or more
 * digits. Throws `HtsgetError` InvalidInput for other text, and for arrays and objects nested more than 100 levels deep.
 */
export function parseJsonBody(text: string): JsonBody {
  const longIntegers = findLongIntegers(text);
  const members = parseObject(text);
  return { members, exactMembers: longIntegers.length === 0 ? members : parseObject(quoteAt(text, longIntegers)) };
}

/** Whether a value of JSON is an object, not null and not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalidInput('the body is not valid JSON', cause);
  }
  if (!isJsonObject(value)) throw invalidInput('the body must be a JSON object');
  return value;
}

/** Returns the starts and ends, in turn, of the long integers outside of strings. Checks the depth, but not the syntax. */
function findLongIntegers(text: string): readonly number[] {
  const bounds: number[] = [];
  const hasLongDigits = LONG_DIGITS.test(text);
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = closingQuote(text, at);
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) {
      if (++depth > MAX_DEPTH) throw invalidInput(`the body is nested more than ${MAX_DEPTH} levels deep`);
    } else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) depth--;
    else if (hasLongDigits && isDigit(character)) {
      const digitsEnd = endOf(text, at, isDigit);
      const end = endOf(text, digitsEnd, isNumberPart);
      if (end === digitsEnd && end - at >= LONG) bounds.push(text.charCodeAt(at - 1) === MINUS ? at - 1 : at, end);
      at = end - 1;
    }
  }
  return bounds;
}

/** Returns the index of the quote that ends the string at `start`, or the end of the text. */
function closingQuote(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) break;
    if (character === BACKSLASH) at++;
  }
  return at;
}

/** Returns the end of the characters from `start` on that belong to a set. */
function endOf(text: string, start: number, includes: (character: number) => boolean): number {
  let end = start;
  while (includes(text.charCodeAt(end))) end++;
  return end;
}

function isDigit(character: number): boolean {
  return character >= ZERO && character <= NINE;
}

function isNumberPart(character: number): boolean {
  const isSign = character === PLUS || character === MINUS;
  return isDigit(character) || isSign || character === DOT || character === LOWER_E || character === UPPER_E;
}

/** Returns the text with quotes at these indices. */
function quoteAt(text: string, indices: readonly number[]): string {
  let quoted = '';
  let start = 0;
  for (const end of indices) {
    quoted += `${text.slice(start, end)}"`;
    start = end;
  }
  return quoted + text.slice(start);
}
