import { type Authority, type RefgetFormat, refgetJsonMediaType, refgetTextMediaType } from '@htskit/protocol';

/** What stands around the bases of an answer. All of it is ASCII: one character is one byte. */
export interface SequenceFrame {
  readonly contentType: string;
  readonly prefix: string;
  readonly suffix: string;
  /** Bases per line, each line with a line feed; undefined where there are no lines. */
  readonly lineBases: number | undefined;
}

export interface SequenceFrameOptions {
  readonly authority: Authority;
  /** What the bases are called in FASTA and JSON: ASCII without quotes. */
  readonly name: string;
}

const FASTA_LINE_BASES = 60;
const LINE_FEED = 0x0a;

const encoder = new TextEncoder();

/** The frame of a sequence in one of the formats it can be asked for in (refget 2.0.0, "GET /sequence/{id}", Accept). */
export function frameOf(format: RefgetFormat, { authority, name }: SequenceFrameOptions): SequenceFrame {
  switch (format) {
    case 'plain':
      return { contentType: refgetTextMediaType(authority), prefix: '', suffix: '', lineBases: undefined };
    case 'json':
      return {
        contentType: refgetJsonMediaType(authority),
        prefix: `{"id":"${name}","sequence":"`,
        suffix: '"}',
        lineBases: undefined,
      };
    case 'fasta':
      return {
        contentType: 'text/x-fasta; charset=us-ascii',
        prefix: `>${name}\n`,
        suffix: '',
        lineBases: FASTA_LINE_BASES,
      };
  }
}

/** Whether nothing but the bases is sent. */
export function isBare({ prefix, suffix, lineBases }: SequenceFrame): boolean {
  return prefix === '' && suffix === '' && lineBases === undefined;
}

/** Bytes of `bases` bases in the frame. */
export function framedLength({ prefix, suffix, lineBases }: SequenceFrame, bases: number): number {
  const lineFeeds = lineBases === undefined ? 0 : Math.ceil(bases / lineBases);
  return prefix.length + bases + lineFeeds + suffix.length;
}

/** Puts the bases of one answer into their frame, chunk by chunk. */
export class SequenceFramer {
  readonly #frame: SequenceFrame;
  #isBegun = false;
  /** Bases on the line that is not full yet. */
  #column = 0;

  constructor(frame: SequenceFrame) {
    this.#frame = frame;
  }

  /** The next bytes of the answer; plain bases are handed through. */
  push(bases: Uint8Array): Uint8Array {
    const { lineBases } = this.#frame;
    const prefix = this.#begin();
    if (lineBases === undefined) return prefix === '' ? bases : joinBytes(encode(prefix), bases);
    const lines = wrapLines(bases, { column: this.#column, lineBases });
    this.#column = (this.#column + bases.length) % lineBases;
    return prefix === '' ? lines : joinBytes(encode(prefix), lines);
  }

  /** The last bytes of the answer. */
  finish(): Uint8Array {
    return encode(this.#begin() + (this.#column > 0 ? '\n' : '') + this.#frame.suffix);
  }

  #begin(): string {
    const prefix = this.#isBegun ? '' : this.#frame.prefix;
    this.#isBegun = true;
    return prefix;
  }
}

/** The bases, the first of which stands in `column`, with a line feed after each one that fills a line. */
function wrapLines(bases: Uint8Array, { column, lineBases }: { column: number; lineBases: number }): Uint8Array {
  const lines = new Uint8Array(bases.length + Math.floor((column + bases.length) / lineBases));
  let written = 0;
  for (let at = 0, lineEnd = lineBases - column; at < bases.length; lineEnd += lineBases) {
    const line = bases.subarray(at, lineEnd);
    lines.set(line, written);
    written += line.length;
    at += line.length;
    if (at === lineEnd) lines[written++] = LINE_FEED;
  }
  return lines;
}

/** The parts, one after the other, in memory of their own. */
export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function encode(text: string): Uint8Array {
  return encoder.encode(text);
}
