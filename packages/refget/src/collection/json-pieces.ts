import { RefgetError } from '@htskit/protocol';

/** Some elements of a member that is an array, or the value of one that is not. */
export type JsonPiece = PieceOfMember &
  ({ readonly elements: readonly unknown[] } | { readonly elements?: undefined; readonly value: unknown });

interface PieceOfMember {
  readonly name: string;
  /** Whether the member begins. */
  readonly isStart: boolean;
}

/** Characters of the elements that are parsed at once: up to 5 ms, if each character is a value. */
const PIECE_CHARACTERS = 32_768;
/** The maximum number of characters of a name, of an element of an array, and of a value that is not an array. */
const MAX_CHARACTERS = 65_536;
/** The maximum number of levels of nested arrays and objects; the schema of collections has three. */
const MAX_DEPTH = 64;

/**
 * Yields the members of a JSON object in short pieces, so that the caller can let other work run in between: JSON.parse takes up
 * to 0.3 s for 3 MB of short values. Accepts what JSON.parse accepts, within the limits. A name that is repeated starts again.
 *
 * Throws RefgetError Bad Request, with what is expected in place of another value.
 */
export function* splitJsonObject(text: string, expected: string): Generator<JsonPiece, void> {
  const scanner = new StructureScanner(text);
  scanner.open('{', expected);
  let isFirst = true;
  do {
    const start = scanner.at + 1;
    const mark = scanner.next();
    if (isFirst && mark === '}' && scanner.isBlankSince(start)) break;
    isFirst = false;
    const name: unknown = mark === ':' ? scanner.parse(start) : undefined;
    if (typeof name !== 'string') throw invalidJson();
    yield* splitMember(name, scanner);
  } while (scanner.mark === ',');
  scanner.close('}');
}

/** Yields the elements of a JSON array, some at a time, as `splitJsonObject` yields members. */
export function* splitJsonArray(text: string, expected: string): Generator<readonly unknown[], void> {
  const scanner = new StructureScanner(text);
  scanner.open('[', expected);
  yield* splitElements(scanner, 1);
  scanner.close(']');
}

/** Yields the value after a colon, and leaves the scanner at the comma or brace that follows. */
function* splitMember(name: string, scanner: StructureScanner): Generator<JsonPiece, void> {
  const start = scanner.at + 1;
  if (scanner.next() !== '[' || !scanner.isBlankSince(start)) {
    scanner.skipElement(start, 1);
    yield { name, isStart: true, value: scanner.parse(start) };
    return;
  }
  let isStart = true;
  for (const elements of splitElements(scanner, 2)) {
    yield { name, isStart, elements };
    isStart = false;
  }
  const end = scanner.at + 1;
  scanner.next();
  if (!scanner.isBlankSince(end)) throw invalidJson();
}

/** Yields the elements after the bracket of an array, whose level is 1 at the root, and leaves the scanner at its other bracket. */
function* splitElements(scanner: StructureScanner, level: number): Generator<readonly unknown[], void> {
  const start = scanner.at + 1;
  let pieceStart = start;
  do {
    const elementStart = scanner.at + 1;
    scanner.next();
    scanner.skipElement(elementStart, level);
    if (scanner.mark !== ',' && scanner.mark !== ']') throw invalidJson();
    if (scanner.mark === ',' && scanner.at - pieceStart < PIECE_CHARACTERS) continue;
    const isEmpty = pieceStart === start && scanner.mark === ']' && scanner.isBlankSince(start);
    yield isEmpty ? [] : scanner.parseElements(pieceStart);
    pieceStart = scanner.at + 1;
  } while (scanner.mark === ',');
}

/** Walks over the structural characters (RFC 8259 §2) of a JSON text that are outside of strings. */
class StructureScanner {
  readonly #text: string;
  /** The offset of the current structural character. */
  at = -1;
  /** The current structural character, or undefined at the end. */
  mark: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Goes to the character that begins the value. Throws Bad Request if it is another one. */
  open(mark: string, expected: string): void {
    if (this.next() !== mark || !this.isBlankSince(0)) throw badRequest(`the body must be ${expected}`);
  }

  /** Goes from the character that ends the value to the end of the text. Throws Bad Request for another one, or further text. */
  close(mark: string): void {
    const end = this.at + 1;
    if (this.mark !== mark || this.next() !== undefined || !this.isBlankSince(end)) throw invalidJson();
  }

  /** Goes to the next structural character and returns it. */
  next(): string | undefined {
    const text = this.#text;
    for (this.at++; this.at < text.length; this.at++) {
      switch (text.charCodeAt(this.at)) {
        case 0x22:
          this.at = closingQuote(text, this.at);
          continue;
        case 0x2c:
        case 0x3a:
        case 0x5b:
        case 0x5d:
        case 0x7b:
        case 0x7d:
          this.mark = text.charAt(this.at);
          return this.mark;
      }
    }
    this.mark = undefined;
    return undefined;
  }

  /**
   * Goes on to the comma or bracket after an element from its first structural character, which may be that one. The level is that
   * of the array or object around it: 1 for the root.
   */
  skipElement(start: number, level: number): void {
    for (let depth = level; ; this.next()) {
      if (this.at - start > MAX_CHARACTERS) throw tooLong();
      if (this.mark === '[' || this.mark === '{') depth++;
      else if (this.mark === ']' || this.mark === '}') depth--;
      if (depth > MAX_DEPTH) throw badRequest(`the body is JSON nested deeper than ${MAX_DEPTH}`);
      const isEnd = depth < level || (depth === level && this.mark === ',');
      if (isEnd || this.mark === undefined) return;
    }
  }

  isBlankSince(start: number): boolean {
    return !/[^ \t\n\r]/.test(this.#text.slice(start, this.at));
  }

  /** Parses the text from an offset to the current structural character. */
  parse(start: number): unknown {
    if (this.at - start > MAX_CHARACTERS) throw tooLong();
    return parseJson(this.#text.slice(start, this.at));
  }

  parseElements(start: number): readonly unknown[] {
    if (this.isBlankSince(start)) throw invalidJson();
    return parseJson(`[${this.#text.slice(start, this.at)}]`) as unknown[];
  }
}

/** Returns the offset of the quote that ends the string at `start`, or the end of the text. */
function closingQuote(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return quote;
  }
  return text.length;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidJson(cause);
  }
}

function invalidJson(cause?: unknown): RefgetError {
  return new RefgetError('Bad Request', 'the body is not valid JSON', { cause });
}

function tooLong(): RefgetError {
  return badRequest(`a name or value other than an array has more than ${MAX_CHARACTERS} characters`);
}

export function badRequest(message: string): RefgetError {
  return new RefgetError('Bad Request', message);
}
