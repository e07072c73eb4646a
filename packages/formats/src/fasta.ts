import { FormatError } from './format-error.js';

/** Told what a FASTA text holds, in order. */
export interface FastaHandler {
  /** A record begins. `name` is the first word behind `>`, never empty; `description` the rest of the line, trimmed. */
  onRecord(name: string, description: string): void;
  /** Bytes of the last record's sequence lines, without line ends, valid during the call. Unchecked: any byte may occur. */
  onSequence(bytes: Uint8Array): void;
}

/** Bytes of the longest description line that is read. */
const MAX_DESCRIPTION_LENGTH = 1 << 20;

const [LINE_FEED, CARRIAGE_RETURN, GREATER_THAN] = [0x0a, 0x0d, 0x3e];

/**
 * Parses FASTA text that comes in chunks cut anywhere; the same text always gives the same records. Lines end with LF or
 * CRLF and may be blank. Throws FormatError INVALID_DATA for sequence before the first `>` and for a record without a
 * name, LIMIT_EXCEEDED for a description line over 1 MiB.
 */
export class FastaParser {
  readonly #handler: FastaHandler;
  /** Bytes before the chunk at hand. */
  #offset = 0;
  #state: 'line-start' | 'sequence' | 'description' = 'line-start';
  /** The description line so far, where it began in an earlier chunk. */
  #description: Uint8Array[] = [];
  #descriptionLength = 0;
  #hasRecord = false;

  constructor(handler: FastaHandler) {
    this.#handler = handler;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#state === 'line-start') {
        this.#state = chunk[at] === GREATER_THAN ? 'description' : 'sequence';
        if (this.#state === 'description') at++;
      }
      const lineFeed = chunk.indexOf(LINE_FEED, at);
      const end = lineFeed === -1 ? chunk.length : lineFeed;
      const part = chunk.subarray(at, end);
      if (this.#state === 'description') this.#addDescription(part, this.#offset + at);
      else this.#addSequence(part, this.#offset + at);
      if (lineFeed !== -1) this.#endLine(this.#offset + lineFeed);
      at = end + 1;
    }
    this.#offset += chunk.length;
  }

  /** Ends the text; a last line needs no line end. */
  finish(): void {
    this.#endLine(this.#offset);
  }

  #addDescription(part: Uint8Array, offset: number): void {
    this.#descriptionLength += part.length;
    if (this.#descriptionLength > MAX_DESCRIPTION_LENGTH) {
      throw new FormatError('LIMIT_EXCEEDED', 'a description line is longer than 1 MiB', { offset });
    }
    this.#description.push(part.slice());
  }

  #addSequence(part: Uint8Array, offset: number): void {
    // The carriage return may be the last byte of a chunk, so it is dropped wherever a part ends with it.
    const sequence = part.at(-1) === CARRIAGE_RETURN ? part.subarray(0, -1) : part;
    if (sequence.length === 0) return;
    if (!this.#hasRecord) {
      throw new FormatError('INVALID_DATA', 'a FASTA file begins with ">"', { offset });
    }
    this.#handler.onSequence(sequence);
  }

  #endLine(offset: number): void {
    if (this.#state === 'description') {
      const line = this.#takeDescription();
      const [, name = '', description = ''] = /^(\S*)\s*(.*)$/s.exec(line) ?? [];
      if (name === '') throw new FormatError('INVALID_DATA', 'a FASTA record has no name', { offset });
      this.#hasRecord = true;
      this.#handler.onRecord(name, description.trimEnd());
    }
    this.#state = 'line-start';
  }

  #takeDescription(): string {
    const decoder = new TextDecoder();
    const text = this.#description.map((part) => decoder.decode(part, { stream: true })).join('');
    this.#description = [];
    this.#descriptionLength = 0;
    return text + decoder.decode();
  }
}
