import { FormatError } from './format-error.js';

/** Told what a FASTA text holds, in order. */
export interface FastaHandler {
  /** A record begins. `name` is the first word behind `>` and not empty, `description` the rest of the line, trimmed. */
  onRecord(name: string, description: string): void;
  /**
   * Bytes of the last record's sequence as they stand in the text: with line ends and blank lines, and of any value.
   * They are a view that is valid during the call.
   */
  onSequence(bytes: Uint8Array): void;
}

/** Bytes that a definition line may have behind its `>`. */
const MAX_DEFINITION_BYTES = 2 ** 20;

const LINE_FEED = 0x0a;
const GREATER_THAN = 0x3e;

/** A name and what follows. White space is that of ASCII, as for samtools. */
const DEFINITION = /^[ \t\v\f\r]*([^ \t\v\f\r]+)(.*)$/s;

/**
 * Parses FASTA text that comes in chunks cut anywhere. The cuts change nothing but how the bytes of a sequence are
 * divided among calls. Lines end with LF or CRLF. Sequence is handed on in runs of lines, as long as the chunks allow,
 * because digesting line by line takes 1.6 times as long.
 */
export class FastaParser {
  readonly #handler: FastaHandler;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Bytes in front of the chunk at hand. */
  #chunkOffset = 0;
  #isLineStart = true;
  #hasRecord = false;
  /** The definition line at hand, if it is one: what follows `>`, its bytes, and where it begins. */
  #definition: string | undefined;
  #definitionBytes = 0;
  #definitionOffset = 0;

  constructor(handler: FastaHandler) {
    this.#handler = handler;
  }

  /**
   * Takes the next bytes of the text. Throws `FormatError` INVALID_DATA for anything but white space in front of the
   * first `>` and for a record without a name, LIMIT_EXCEEDED for a definition line of more than 1 MiB.
   */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      at = this.#definition === undefined ? this.#readSequence(chunk, at) : this.#readDefinition(chunk, at);
    }
    this.#chunkOffset += chunk.length;
  }

  /** Ends the text, whose last line may lack its line end. */
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

  /** Where the next definition line begins; the end of the chunk if none does. */
  #findDefinition(chunk: Uint8Array, from: number): number {
    let at = chunk.indexOf(GREATER_THAN, from);
    while (at !== -1 && !(at === from ? this.#isLineStart : chunk[at - 1] === LINE_FEED)) {
      // From the next line on: a line may be all of them.
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
      const message = `a definition line is longer than ${MAX_DEFINITION_BYTES} bytes`;
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
    if (name === undefined) {
      throw new FormatError('INVALID_DATA', 'a record has no name', { offset: this.#definitionOffset });
    }
    this.#definition = undefined;
    this.#isLineStart = true;
    this.#hasRecord = true;
    this.#handler.onRecord(name, description.trim());
  }
}

/** Throws INVALID_DATA unless the bytes, which stand in front of the first record, are all white space. */
function checkBlank(bytes: Uint8Array, offset: number): void {
  const at = bytes.findIndex((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d));
  if (at !== -1) throw new FormatError('INVALID_DATA', 'a FASTA text begins with ">"', { offset: offset + at });
}
