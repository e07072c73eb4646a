import { IndexError } from '../index-error.js';
import type { FaiRecord } from './fai.js';

const LINE_FEED = 0x0a;
const GREATER_THAN = 0x3e;

/** Bytes that a definition line may have. */
const MAX_DEFINITION_BYTES = 2 ** 20;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Builds the FAI index of a FASTA file from its bytes, in pieces of any length. What it accepts is indexed as samtools
 * does, but for a record without sequence, which samtools leaves out and which is listed here with length 0.
 */
export class FaiBuilder {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #records = new Map<string, FaiRecord>();
  #record: Writable<FaiRecord> | undefined;
  /** The record has had its last line: a shorter or a blank one. */
  #isComplete = false;
  /** Bytes in front of the piece at hand, and in front of the line at hand. */
  #pieceOffset = 0;
  #lineOffset = 0;
  /** Of the line at hand, so far. */
  #lineBytes = 0;
  #lineBases = 0;
  /** The definition line at hand, if it is one. */
  #definition: string | undefined;

  /**
   * Takes the next bytes of the FASTA. Throws `IndexError` INVALID_DATA if lines of a sequence differ in length, one has
   * white space between bases, a sequence goes on behind a blank line, there is text in front of the first `>`, or a
   * name is empty or comes twice; LIMIT_EXCEEDED for a definition line of more than 1 MiB.
   */
  push(chunk: Uint8Array): void {
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
    let at = 0;
    while (at < chunk.length) {
      if (this.#lineBytes === 0 && chunk[at] === GREATER_THAN) this.#definition = '';
      at = this.#definition === undefined ? this.#readSequence(view, at) : this.#readDefinition(chunk, at);
    }
    this.#pieceOffset += chunk.length;
  }

  /** Ends the FASTA, whose last line may lack its line feed, and returns the records in file order. */
  finish(): FaiRecord[] {
    if (this.#lineBytes > 0) this.#endLine(this.#pieceOffset);
    this.#closeRecord();
    return [...this.#records.values()];
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
    this.#definition += this.#decoder.decode(chunk.subarray(from, end), { stream: true });
    if (newline === -1) return end;
    this.#endLine(this.#pieceOffset + newline + 1);
    return newline + 1;
  }

  #readSequence(chunk: DataView, from: number): number {
    const end = chunk.byteLength;
    let at = from;
    if (this.#lineBases === this.#lineBytes) {
      at = skipGraphic(chunk, from);
      this.#lineBases += at - from;
    }
    for (; at < end && chunk.getUint8(at) !== LINE_FEED; at++) {
      if (isGraphic(chunk.getUint8(at))) throw this.#invalid('a line has white space between bases');
    }
    this.#lineBytes += at - from;
    if (at === end) return at;
    this.#endLine(this.#pieceOffset + at + 1);
    return at + 1;
  }

  #endLine(nextLineOffset: number): void {
    if (this.#definition === undefined) this.#takeSequenceLine();
    else this.#openRecord(nextLineOffset);
    this.#definition = undefined;
    this.#lineOffset = nextLineOffset;
    this.#lineBytes = 0;
    this.#lineBases = 0;
  }

  #openRecord(offset: number): void {
    this.#closeRecord();
    const definition = `${this.#definition}${this.#decoder.decode()}`;
    const name = /^>[ \t\v\f\r]*([^ \t\v\f\r]+)/.exec(definition)?.[1];
    if (name === undefined) throw this.#invalid('a sequence has no name');
    if (this.#records.has(name)) throw this.#invalid('two sequences have the same name');
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
    // As samtools does, a line feed is counted that the last line of the file may not have
    const bytes = this.#lineBytes + 1;
    if (bases === 0) {
      this.#isComplete = true;
      return;
    }
    if (record === undefined) throw this.#invalid('a FASTA file begins with ">"');
    if (record.length === 0) {
      record.lineBases = bases;
      record.lineBytes = bytes;
    }
    if (this.#isComplete || bases > record.lineBases || bytes > record.lineBytes) {
      throw this.#invalid('the lines of a sequence differ in length, or a blank one divides them');
    }
    record.length += bases;
    this.#isComplete = bases < record.lineBases || bytes < record.lineBytes;
  }

  #invalid(message: string): IndexError {
    return new IndexError('INVALID_DATA', message, { offset: this.#lineOffset });
  }
}

/** The first byte from `from` on that does not print. Four at a time, which takes half as long as one. */
function skipGraphic(chunk: DataView, from: number): number {
  let at = from;
  for (; at + 4 <= chunk.byteLength; at += 4) {
    const bytes = chunk.getInt32(at, true);
    // Bit 7 is set by a byte that has it, by one below 0x21, and by 0x7f
    if (((bytes | (bytes - 0x21212121) | (bytes + 0x01010101)) & 0x80808080) !== 0) break;
  }
  while (at < chunk.byteLength && isGraphic(chunk.getUint8(at))) at++;
  return at;
}

/** Whether a byte is counted as a base: any that prints (isgraph in the C locale). */
function isGraphic(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f;
}
