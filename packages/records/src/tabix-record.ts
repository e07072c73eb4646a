import { printAsJson } from '@htskit/formats/internal';
import type { TabixHeader } from '@htskit/indexes';
import { parseTabixLine, type TabixLineSpan } from '@htskit/indexes/internal';
import { decodeText } from '@htskit/io';

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** A line of a tabix file. Throws `FormatError` INVALID_DATA when a malformed column is read. */
export class TabixRecord {
  static {
    printAsJson('TabixRecord', TabixRecord.prototype);
  }

  /** The offset just after the line. */
  readonly byteEnd: number;
  readonly #bytes: Uint8Array;
  readonly #settings: TabixHeader;
  #span: TabixLineSpan | undefined;

  /** `bytes` from `start` to `byteEnd` are the line with its line end, if it has one. */
  constructor(bytes: Uint8Array, { start, byteEnd }: { start: number; byteEnd: number }, settings: TabixHeader) {
    this.#bytes = withoutLineEnd(bytes.subarray(start, byteEnd));
    this.byteEnd = byteEnd;
    this.#settings = settings;
  }

  /** The line without its line end. */
  get line(): string {
    return decodeText(this.#bytes);
  }

  /** The columns, which tabs separate. */
  get columns(): readonly string[] {
    return this.line.split('\t');
  }

  get referenceName(): string {
    const { nameStart, nameEnd } = this.#parse();
    return decodeText(this.#bytes, nameStart, nameEnd);
  }

  /** The first base, 0-based. */
  get start(): number {
    return this.#parse().baseStart;
  }

  /** The end of the bases, exclusive. */
  get end(): number {
    return this.#parse().baseEnd;
  }

  /** Returns the columns and the region as plain values, for `JSON.stringify`. */
  toJSON(): Pick<TabixRecord, 'referenceName' | 'start' | 'end' | 'columns'> {
    const { referenceName, start, end, columns } = this;
    return { referenceName, start, end, columns };
  }

  #parse(): TabixLineSpan {
    this.#span ??= parseTabixLine(this.#bytes, this.#settings);
    return this.#span;
  }
}

/** Returns a line without LF or CRLF. */
export function withoutLineEnd(line: Uint8Array): Uint8Array {
  const end = line.at(-1) === LINE_FEED ? line.length - 1 : line.length;
  return line.subarray(0, line[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
}
