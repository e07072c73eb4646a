import { type BorrowedBytes, decodeText, peek } from '@htskit/io';
import { GrowingBytes } from '@htskit/io/internal';
import { IndexError, quoteName } from '../index-error.js';
import type { FaiRecord } from './fai.js';

const LINE_FEED = 0x0a;
const GREATER_THAN = 0x3e;

/** Limit of the length of a definition line in bytes. */
const MAX_DEFINITION_BYTES = 2 ** 20;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Builds the FAI index of a FASTA file from its bytes, in chunks of any length. The result is that of samtools, except that a
 * record without sequence lines is listed with length 0, which samtools omits.
 *
 * @example
 * const builder = new FaiBuilder();
 * for await (const chunk of createReadStream('genome.fa')) builder.push(chunk);
 * const records = builder.finish();
 */
export class FaiBuilder {
  readonly #records = new Map<string, FaiRecord>();
  #record: Writable<FaiRecord> | undefined;
  /** Whether the record has had its last line, which is shorter than the others or blank. */
  #isComplete = false;
  /** Offsets of the current chunk and of the current line. */
  #chunkOffset = 0;
  #lineOffset = 0;
  /** Bytes and bases of the current line so far. */
  #lineBytes = 0;
  #lineBases = 0;
  /** Whether the current line is a definition line, and its bytes so far. */
  #isDefinition = false;
  readonly #definition = new GrowingBytes();
  /** The index in the current chunk of the first `>` that was not passed, or the length of the chunk; −1 before the search. */
  #mark = -1;

  /**
   * Adds the next bytes of the FASTA. Throws `IndexError` INVALID_DATA if the lines of a sequence differ in length, a line has
   * white space between bases or a `>`, a sequence continues after a blank line, text precedes the first `>`, or a name is empty or a
   * duplicate. Throws LIMIT_EXCEEDED for a definition line of more than 1 MiB.
   */
  push(borrowed: BorrowedBytes): void {
    const chunk = peek(borrowed);
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
    let at = 0;
    this.#mark = -1;
    while (at < chunk.length) {
      if (this.#lineBytes === 0 && chunk[at] === LINE_FEED) at = this.#skipBlankLines(chunk, at);
      if (this.#lineBytes === 0 && chunk[at] === GREATER_THAN) this.#isDefinition = true;
      at = this.#isDefinition ? this.#readDefinition(chunk, at) : this.#readSequence(chunk, view, at);
    }
    this.#chunkOffset += chunk.length;
  }

  /** Returns the records in file order. The last line of the FASTA may lack its line feed. */
  finish(): FaiRecord[] {
    if (this.#lineBytes > 0) this.#endLine(this.#chunkOffset);
    this.#closeRecord();
    return [...this.#records.values()];
  }

  /** Skips empty lines at once: a file may consist of nothing else. */
  #skipBlankLines(chunk: Uint8Array, from: number): number {
    let at = from;
    while (chunk[at] === LINE_FEED) at++;
    this.#isComplete = true;
    this.#lineOffset = this.#chunkOffset + at;
    return at;
  }

  #readDefinition(chunk: Uint8Array, from: number): number {
    const newline = chunk.indexOf(LINE_FEED, from);
    const end = newline === -1 ? chunk.length : newline;
    this.#lineBytes += end - from;
    if (this.#lineBytes > MAX_DEFINITION_BYTES) {
      throw new IndexError('LIMIT_EXCEEDED', `a definition line is longer than ${MAX_DEFINITION_BYTES} bytes`, {
        offset: this.#lineOffset,
      });
    }
    this.#definition.append(chunk.subarray(from, end));
    if (newline === -1) return end;
    this.#endLine(this.#chunkOffset + newline + 1);
    return newline + 1;
  }

  #readSequence(chunk: Uint8Array, view: DataView, from: number): number {
    const end = chunk.length;
    let at = from;
    if (this.#lineBases === this.#lineBytes) {
      at = skipGraphic(view, from);
      this.#lineBases += at - from;
    }
    if (this.#mark < from) {
      const mark = chunk.indexOf(GREATER_THAN, from);
      this.#mark = mark === -1 ? end : mark;
    }
    if (this.#mark < at) throw this.#invalid('a line of a sequence has ">": a line end before it is missing');
    for (; at < end && chunk[at] !== LINE_FEED; at++) {
      if (isGraphic(chunk[at] ?? 0)) throw this.#invalid('a line has white space between bases');
    }
    this.#lineBytes += at - from;
    if (at === end) return at;
    this.#endLine(this.#chunkOffset + at + 1);
    return at + 1;
  }

  #endLine(nextLineOffset: number): void {
    if (this.#isDefinition) this.#openRecord(nextLineOffset);
    else this.#takeSequenceLine();
    this.#isDefinition = false;
    this.#definition.clear();
    this.#lineOffset = nextLineOffset;
    this.#lineBytes = 0;
    this.#lineBases = 0;
  }

  #openRecord(offset: number): void {
    this.#closeRecord();
    const name = /^>[ \t\v\f\r]*([^ \t\v\f\r]+)/.exec(decodeText(this.#definition.bytes))?.[1];
    if (name === undefined) throw this.#invalid('a sequence has no name');
    if (this.#records.has(name)) throw this.#invalid(`duplicate sequence name ${quoteName(name)}`);
    this.#record = { name, length: 0, offset, lineBases: 0, lineBytes: 0 };
    this.#isComplete = false;
  }

  #closeRecord(): void {
    if (this.#record !== undefined) this.#records.set(this.#record.name, this.#record);
    this.#record = undefined;
  }

  #takeSequenceLine(): void {
    const record = this.#record;
    const bases = this.#lineBases;
    // Like samtools, counts a line feed even if the last line of the file has none.
    const bytes = this.#lineBytes + 1;
    if (bases === 0) {
      this.#isComplete = true;
      return;
    }
    if (record === undefined) throw this.#invalid('not FASTA: it does not begin with ">"');
    if (record.length === 0) {
      record.lineBases = bases;
      record.lineBytes = bytes;
    }
    if (this.#isComplete || bases > record.lineBases || bytes > record.lineBytes) {
      throw this.#invalid('the lines of a sequence differ in length or are separated by a blank line');
    }
    record.length += bases;
    this.#isComplete = bases < record.lineBases || bytes < record.lineBytes;
  }

  #invalid(message: string): IndexError {
    return new IndexError('INVALID_DATA', message, { offset: this.#lineOffset });
  }
}

/** Returns the offset of the first byte that is not printable. Testing four bytes at once takes half the time. */
function skipGraphic(chunk: DataView, from: number): number {
  let at = from;
  for (; at + 4 <= chunk.byteLength; at += 4) {
    const bytes = chunk.getInt32(at, true);
    // Bit 7 of a byte is set if the byte is above 0x7e or below 0x21.
    if (((bytes | (bytes - 0x21212121) | (bytes + 0x01010101)) & 0x80808080) !== 0) break;
  }
  while (at < chunk.byteLength && isGraphic(chunk.getUint8(at))) at++;
  return at;
}

/** Whether a byte counts as a base: any printable character (isgraph in the C locale). */
function isGraphic(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f;
}
