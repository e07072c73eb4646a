import type { IntervalsById } from '../records/record-filter.js';
import { ContainerDecoder, type CramDecodeInput, type CramDecoderOptions } from './container-decoder.js';
import { planRecords } from './cram-decoder.js';
import { BamWriter } from './output/bam-writer.js';
import type { IndexedSlice } from './record/indexed-slice.js';

/** Bytes of memory that the records of a page begin with: typical ones have 12,000. */
const PAGE_BYTES = 2 ** 14;

/** A slice that is kept uncompressed. The records of intervals are decoded alone, and kept, too. */
export class CramSlice {
  readonly #slice: IndexedSlice;
  readonly #pages = new Map<number, Uint8Array>();
  #pageBytes = 0;

  constructor(slice: IndexedSlice) {
    this.#slice = slice;
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#slice.byteLength + this.#pageBytes;
  }

  /**
   * Yields parts of the records, in order, among them all that overlap an interval of their reference: whole, uncompressed BAM
   * records, which must not be modified. Throws `FormatError`.
   */
  *near(intervals: IntervalsById): Generator<Uint8Array, void> {
    for (const page of this.#slice.pagesNear(intervals)) yield this.#pages.get(page) ?? this.#decode(page);
  }

  #decode(page: number): Uint8Array {
    const writer = new BamWriter(this.#slice.stored, PAGE_BYTES);
    this.#slice.decodePage(page, writer);
    const records = writer.take();
    this.#pages.set(page, records);
    this.#pageBytes += records.buffer.byteLength;
    return records;
  }
}

/** Opens the slices of containers. */
export interface CramSliceOpener {
  /** Yields the slices of a container, which do not need its bytes any more. Throws what `CramDecoder.decode` throws. */
  open(blocks: Uint8Array, input: CramDecodeInput): AsyncGenerator<CramSlice, void>;
}

/** Creates an opener of slices whose records are those that `createCramDecoder` decodes with the same options. */
export function createCramSliceOpener(options: Omit<CramDecoderOptions, 'intervals'>): CramSliceOpener {
  const { generateMismatchTags = true } = options;
  const containers = new ContainerDecoder(options);
  return {
    async *open(blocks, input) {
      const slices = containers.index(blocks, input, (compression) => planRecords(compression, generateMismatchTags));
      for await (const slice of slices) yield new CramSlice(slice);
    },
  };
}
