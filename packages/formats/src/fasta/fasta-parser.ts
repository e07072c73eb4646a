import { FormatError, invalidData } from '../format-error.js';

/** Receives the contents of a FASTA text in order. */
export interface FastaHandler {
  /**
   * Called at the start of a record. `name` is the first word after `>` and never empty; `description` is the rest of the
   * line, trimmed.
   */
  onRecord(name: string, description: string): void;
  /**
   * Called with bytes of the current record's sequence as the text has them: line ends and blank lines included, and not
   * limited to bases. The bytes are a view that is valid during the call.
   */
  onSequence(bytes: Uint8Array): void;
}

/** The most bytes that a definition line may have after its `>`. */
const MAX_DEFINITION_BYTES = 2 ** 20;

const LINE_FEED = 0x0a;
const GREATER_THAN = 0x3e;

/** A name and the rest of the line. White space is ASCII white space, as in samtools. */
const DEFINITION = /^[ \t\v\f\r]*([^ \t\v\f\r]+)(.*)$/s;

/**
 * Parses FASTA text that arrives in chunks cut anywhere. The cuts only change how the bytes of a sequence are divided among
 * calls. Lines end with LF or CRLF. A sequence is passed on in runs of lines that are as long as the chunks allow, because
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
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Bytes of all earlier chunks. */
  #chunkOffset = 0;
  #isLineStart = true;
  #hasRecord = false;
  /** The incomplete definition line, if the last chunk ended within one: its text after `>`, its bytes, and its offset. */
  #definition: string | undefined;
  #definitionBytes = 0;
  #definitionOffset = 0;

  constructor(handler: FastaHandler) {
    this.#handler = handler;
  }

  /**
   * Parses the next bytes of the text. Throws `FormatError` `INVALID_DATA` for anything but white space before the first `>`
   * and for a record without a name, `LIMIT_EXCEEDED` for a definition line of more than 1 MiB.
   */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      at = this.#definition === undefined ? this.#readSequence(chunk, at) : this.#readDefinition(chunk, at);
    }
    this.#chunkOffset += chunk.length;
  }

  /** Ends the text, whose last line may lack its line end. Throws `FormatError` `INVALID_DATA` for a record without a name. */
  finish(): void {
    if (this.#definition !== undefined) this.#beginRecord(this.#definition);
  }

  #readSequence(chunk: Uint8Array, from: number): number {
    const end = this.#findDefinition(chunk, from);
    if (from < end) {
      const lines = chunk.subarray(from, end);
      if (this.#hasRecord) this.#handler.onSequence(lines);
      else checkBlank(lines, this.#chunkOffset + from);
      this.#isLineStart = lines.at(-1) === LINE_FEED;
    }
    if (end === chunk.length) return end;
    this.#definition = '';
    this.#definitionBytes = 0;
    this.#definitionOffset = this.#chunkOffset + end;
    return end + 1;
  }

  /** Returns the start of the next definition line, or the end of the chunk if there is none. */
  #findDefinition(chunk: Uint8Array, from: number): number {
    let at = chunk.indexOf(GREATER_THAN, from);
    while (at !== -1 && !(at === from ? this.#isLineStart : chunk[at - 1] === LINE_FEED)) {
      // Continue on the next line: a line may consist of `>` only.
      const lineEnd = chunk.indexOf(LINE_FEED, at);
      at = lineEnd === -1 ? -1 : chunk.indexOf(GREATER_THAN, lineEnd);
    }
    return at === -1 ? chunk.length : at;
  }

  #readDefinition(chunk: Uint8Array, from: number): number {
    const lineFeed = chunk.indexOf(LINE_FEED, from);
    const end = lineFeed === -1 ? chunk.length : lineFeed;
    this.#definitionBytes += end - from;
    if (this.#definitionBytes > MAX_DEFINITION_BYTES) {
      const message = `definition line is over the limit of ${MAX_DEFINITION_BYTES} bytes`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: this.#definitionOffset });
    }
    const definition = this.#definition + this.#decoder.decode(chunk.subarray(from, end), { stream: true });
    this.#definition = definition;
    if (lineFeed === -1) return end;
    this.#beginRecord(definition);
    return lineFeed + 1;
  }

  #beginRecord(definition: string): void {
    const [, name, description = ''] = DEFINITION.exec(definition + this.#decoder.decode()) ?? [];
    if (name === undefined) throw invalidData('FASTA record has no name', this.#definitionOffset);
    this.#definition = undefined;
    this.#isLineStart = true;
    this.#hasRecord = true;
    this.#handler.onRecord(name, description.trim());
  }
}

/** Throws `FormatError` `INVALID_DATA` if the bytes, which precede the first record, are not all white space. */
function checkBlank(bytes: Uint8Array, offset: number): void {
  const at = bytes.findIndex((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d));
  if (at !== -1) throw invalidData('not FASTA data: expected ">" at the start', offset + at);
}
