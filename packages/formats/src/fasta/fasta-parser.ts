import { type BorrowedBytes, decodeText, peek } from '@htskit/io';
import { GrowingBytes } from '@htskit/io/internal';
import { findByte } from '#find-byte';
import { FormatError, invalidData } from '../format-error.js';

/** Receives the contents of a FASTA text in order. */
export interface FastaHandler {
  /**
   * Called at the start of a record. `name` is the first word after `>`, and empty if there is none; `description` is the rest
   * of the line, trimmed. `offset` is that of the `>` in the text.
   */
  onRecord(name: string, description: string, offset: number): void;
  /**
   * Called with bytes of the current record's sequence as the text has them: line ends and blank lines included, and not
   * limited to bases. The bytes are a view of the chunk. `offset` is that of the first one in the text.
   */
  readonly onSequence: (bytes: BorrowedBytes, offset: number) => void;
}

/** The maximum number of bytes that a definition line may have after its `>`. */
const MAX_DEFINITION_BYTES = 2 ** 20;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const GREATER_THAN = 0x3e;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/** ASCII white space, as in samtools. */
const LEADING_WHITE_SPACE = /^[ \t\v\f\r]+/;
const WHITE_SPACE = /[ \t\v\f\r]/;

/**
 * Parses FASTA text that arrives in chunks cut anywhere. The cuts only change how the bytes of a sequence are divided among
 * calls. Lines end with LF or CRLF, and a UTF-8 byte order mark is skipped. A sequence is passed on in runs of lines that are as long as the chunks allow, because
 * digesting it line by line takes 1.6 times as long.
 *
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs';
 * import { FastaParser } from '@htskit/formats';
 *
 * const parser = new FastaParser({
 *   onRecord: (name, description) => console.log(name, description),
 *   onSequence: () => {},
 * });
 * for await (const chunk of createReadStream('genome.fa')) parser.push(chunk);
 * parser.finish();
 * ```
 */
export class FastaParser {
  readonly #handler: FastaHandler;
  /** Bytes of all earlier chunks. */
  #chunkOffset = 0;
  /** The last byte of the previous chunk. */
  #lastByte = LINE_FEED;
  /** The name of the current record. */
  #name: string | undefined;
  /** Bytes of the byte order mark so far. */
  #markLength = 0;
  /** Whether the last chunk ended within a definition line; its bytes after `>`, and its offset. */
  #isDefinition = false;
  readonly #definition = new GrowingBytes();
  #definitionOffset = 0;

  constructor(handler: FastaHandler) {
    this.#handler = handler;
  }

  /**
   * Parses the next bytes of the text. Throws `FormatError` `INVALID_DATA` for anything but white space before the first `>`,
   * for a `>` within a line of a sequence, and for lines that end with CR alone, `LIMIT_EXCEEDED` for a definition line of more than 1 MiB.
   */
  push(borrowed: BorrowedBytes): void {
    const chunk = peek(borrowed);
    const start = this.#skipByteOrderMark(chunk);
    for (let at = start; at < chunk.length; ) {
      at = this.#isDefinition ? this.#readDefinition(chunk, at) : this.#readSequence(chunk, at);
    }
    this.#chunkOffset += chunk.length;
    if (start < chunk.length) this.#lastByte = chunk.at(-1) ?? LINE_FEED;
  }

  /** Ends the text, whose last line may lack its line end. Throws `FormatError` `INVALID_DATA` like `push`. */
  finish(): void {
    if (this.#isDefinition) this.#beginRecord();
  }

  /** Returns the number of bytes of the chunk that belong to a byte order mark at the start of the text. */
  #skipByteOrderMark(chunk: Uint8Array): number {
    const skipped = this.#chunkOffset;
    if (skipped > this.#markLength || this.#markLength === BYTE_ORDER_MARK.length) return 0;
    let at = 0;
    while (at < chunk.length && chunk[at] === BYTE_ORDER_MARK[this.#markLength]) {
      at++;
      this.#markLength++;
    }
    const isIncomplete = this.#markLength > 0 && this.#markLength < BYTE_ORDER_MARK.length;
    if (isIncomplete && at < chunk.length) throw notFasta(0);
    return at;
  }

  #readSequence(chunk: Uint8Array, from: number): number {
    const end = this.#findDefinition(chunk, from);
    if (from < end) {
      const lines = chunk.subarray(from, end);
      if (this.#name === undefined) checkBlank(lines, this.#chunkOffset + from);
      else this.#handler.onSequence(lines, this.#chunkOffset + from);
    }
    if (end === chunk.length) return end;
    this.#isDefinition = true;
    this.#definition.clear();
    this.#definitionOffset = this.#chunkOffset + end;
    return end + 1;
  }

  /** Returns the start of the next definition line, or the end of the chunk if there is none. */
  #findDefinition(chunk: Uint8Array, from: number): number {
    const at = findByte(chunk, GREATER_THAN, from);
    if (at === -1) return chunk.length;
    const before = at === 0 ? this.#lastByte : chunk[at - 1];
    if (before === LINE_FEED || this.#chunkOffset + at === this.#markLength) return at;
    if (this.#name === undefined) return chunk.length;
    const offset = this.#chunkOffset + at;
    if (before === CARRIAGE_RETURN) throw loneCarriageReturn(this.#name, offset - 1);
    throw markWithinLine(this.#name, offset);
  }

  #readDefinition(chunk: Uint8Array, from: number): number {
    const lineFeed = chunk.indexOf(LINE_FEED, from);
    const end = lineFeed === -1 ? chunk.length : lineFeed;
    if (this.#definition.byteLength + end - from > MAX_DEFINITION_BYTES) {
      const message = `definition line is over the limit of ${MAX_DEFINITION_BYTES} bytes`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: this.#definitionOffset });
    }
    this.#definition.append(chunk.subarray(from, end));
    if (lineFeed === -1) return end;
    this.#beginRecord();
    return lineFeed + 1;
  }

  #beginRecord(): void {
    const definition = decodeText(this.#definition.bytes);
    const text = definition.replace(LEADING_WHITE_SPACE, '');
    const space = text.search(WHITE_SPACE);
    const name = space === -1 ? text : text.slice(0, space);
    const description = space === -1 ? '' : text.slice(space).trim();
    const carriageReturn = definition.indexOf('\r');
    if (carriageReturn !== -1 && carriageReturn < definition.length - 1) {
      throw loneCarriageReturn(name, this.#definitionOffset);
    }
    this.#isDefinition = false;
    this.#name = name;
    this.#handler.onRecord(name, description, this.#definitionOffset);
  }
}

/** Throws `FormatError` `INVALID_DATA` if the bytes, which precede the first record, are not all white space. */
function checkBlank(bytes: Uint8Array, offset: number): void {
  const at = bytes.findIndex((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d));
  if (at !== -1) throw notFasta(offset + at);
}

function notFasta(offset: number): FormatError {
  return invalidData('not FASTA data: expected ">" at the start', offset);
}

/** Without this check, a file with the line ends of old Macs would be one record without bases. */
function loneCarriageReturn(name: string, offset: number): FormatError {
  const message = `record ${JSON.stringify(name)} has lines that end with CR alone; convert them to LF (tr '\\r' '\\n')`;
  return invalidData(message, offset);
}

/** As when files without a last line end are joined. samtools takes the name for bases. */
function markWithinLine(name: string, offset: number): FormatError {
  const message = `record ${JSON.stringify(name)} has ">" within a line of its sequence: a line end before it is missing`;
  return invalidData(message, offset);
}
