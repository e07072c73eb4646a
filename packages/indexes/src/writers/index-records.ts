import type { VirtualOffset } from '@htskit/bgzf';
import { FormatError } from '@htskit/formats';
import { HeaderBuffer, type HeaderReader, relocateError } from '@htskit/formats/internal';
import type { BinningIndexBuilder, BinningIndexBuilderOptions, IndexedSpan } from './binning-index-builder.js';
import {
  BLOCKS_BYTES,
  BlockWindow,
  type IndexStreamOptions,
  type InflatedBlock,
  inflateBlocks,
  MAX_HEADER_BYTES,
  MAX_RECORD_BYTES,
} from './inflated-blocks.js';

/** A file format that consists of a header and binary records. */
export interface RecordFileFormat {
  readonly createHeaderReader: () => HeaderReader;
  /** Creates the builder of the index from the whole header. */
  readonly createBuilder: (header: Uint8Array, options: BuilderStart) => BinningIndexBuilder;
  /** Whether the header contains a reference. */
  readonly hasReference: (referenceId: number) => boolean;
  readonly openRecords: (data: Uint8Array) => Records;
}

/** Data that consists of records. */
interface Records {
  /** Returns the length of the record at `at`, or undefined if the data ends within its length field. */
  lengthAt(at: number): number | undefined;
  /** Returns the span of the complete record at `at`. */
  spanAt(at: number): IndexedSpan;
}

type BuilderStart = Pick<BinningIndexBuilderOptions, 'start' | 'maxBytes'>;

/** Builds the uncompressed index of a file of records. Memory does not depend on the size of the file. */
export async function indexRecords(
  chunks: AsyncIterable<Uint8Array>,
  format: RecordFileFormat,
  options: IndexStreamOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { maxHeaderBytes: maxBytes = MAX_HEADER_BYTES, memory } = options;
  const header = new HeaderBuffer(format.createHeaderReader(), { maxBytes, memory });
  let indexer: RecordIndexer | undefined;
  for await (const block of inflateBlocks(chunks, options)) {
    if (indexer === undefined) {
      const headerStart = header.bytes.length;
      const length = header.push(block.data);
      if (length === undefined) continue;
      const start = { header: header.bytes.subarray(0, length), block, skipped: length - headerStart };
      indexer = new RecordIndexer(format, start, options);
    } else indexer.add(block);
  }
  if (indexer !== undefined) return indexer.finish();
  throw new FormatError('TRUNCATED', 'the file ends within its header', { offset: header.bytes.length });
}

interface RecordsStart {
  readonly header: Uint8Array;
  /** The block that the header ends in. */
  readonly block: InflatedBlock;
  /** Bytes of the header in the block, at least one. */
  readonly skipped: number;
}

/** Indexes the records of the blocks of a file. */
class RecordIndexer {
  readonly #window: BlockWindow;
  readonly #format: RecordFileFormat;
  readonly #maxRecordBytes: number;
  readonly #builder: BinningIndexBuilder;
  /** Uncompressed bytes before the window. */
  #offset: number;
  #end: VirtualOffset;

  constructor(
    format: RecordFileFormat,
    { header, block, skipped }: RecordsStart,
    { maxRecordBytes = MAX_RECORD_BYTES, maxIndexBytes: maxBytes, memory }: IndexStreamOptions,
  ) {
    this.#format = format;
    this.#maxRecordBytes = maxRecordBytes;
    this.#window = new BlockWindow({ maxBytes: maxRecordBytes + BLOCKS_BYTES, memory });
    this.#offset = header.length - skipped;
    this.#window.add(block);
    this.#end = this.#window.offsetAfter(skipped);
    this.#builder = format.createBuilder(header, { start: this.#end, maxBytes });
    this.#skip(skipped);
    this.#readRecords();
  }

  /** Reads the records that end in a block. */
  add(block: InflatedBlock): void {
    this.#window.add(block);
    this.#readRecords();
  }

  /** Returns the index. Throws `FormatError` TRUNCATED if the file ends within a record. */
  finish(): Uint8Array<ArrayBuffer> {
    const { length } = this.#window.data;
    if (length === 0) return this.#builder.finish({ end: this.#end });
    throw new FormatError('TRUNCATED', 'the file ends within a record', { offset: this.#offset + length });
  }

  #readRecords(): void {
    try {
      this.#readWholeRecords();
    } catch (error) {
      throw error instanceof FormatError ? relocateError(error, this.#offset) : error;
    }
  }

  /** Returns the length of the record at `at`, or undefined. Throws `FormatError` LIMIT_EXCEEDED before it is gathered. */
  #lengthAt(records: Records, at: number): number | undefined {
    const length = records.lengthAt(at);
    if (length === undefined || length <= this.#maxRecordBytes) return length;
    const message = `record of ${length} bytes is over the limit of ${this.#maxRecordBytes}`;
    throw new FormatError('LIMIT_EXCEEDED', message, { offset: at });
  }

  /** Reads the complete records of the window, and leaves an incomplete one in it. */
  #readWholeRecords(): void {
    const builder = this.#builder;
    const { data } = this.#window;
    const records = this.#format.openRecords(data);
    let at = 0;
    for (let length = this.#lengthAt(records, at); length !== undefined && length <= data.length - at; ) {
      const span = records.spanAt(at);
      if (!this.#format.hasReference(span.referenceId)) {
        const message = `a record has reference id ${span.referenceId}, which is not in the header`;
        throw new FormatError('INVALID_DATA', message, { offset: at });
      }
      at += length;
      this.#end = this.#window.offsetAfter(at);
      builder.add(span, this.#end);
      length = this.#lengthAt(records, at);
    }
    this.#skip(at);
  }

  #skip(length: number): void {
    this.#window.skip(length);
    this.#offset += length;
  }
}
