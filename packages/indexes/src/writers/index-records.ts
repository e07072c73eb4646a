import { FormatError } from '@htskit/formats';
import { relocateError } from '@htskit/formats/internal';
import type { BinningIndexBuilder, BinningIndexBuilderOptions, IndexedSpan } from './binning-index-builder.js';
import {
  BLOCKS_BYTES,
  BlockWindow,
  type IndexStreamOptions,
  inflateBlocks,
  MAX_HEADER_BYTES,
  MAX_RECORD_BYTES,
} from './inflated-blocks.js';

/** A file format that consists of a header and binary records. */
export interface RecordFileFormat {
  /** Returns the length of the header at the start of `data`, or undefined if more data is needed to determine it. */
  readonly headerLength: (data: Uint8Array) => number | undefined;
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
  const { maxHeaderBytes = MAX_HEADER_BYTES, maxRecordBytes = MAX_RECORD_BYTES, memory } = options;
  const window = new BlockWindow({ maxBytes: Math.max(maxHeaderBytes, maxRecordBytes) + BLOCKS_BYTES, memory });
  const indexer = new RecordIndexer(window, format, options);
  for await (const block of inflateBlocks(chunks, options)) {
    window.add(block);
    indexer.read();
  }
  return indexer.finish();
}

/** Reads the header and then the records of a window. */
class RecordIndexer {
  readonly #window: BlockWindow;
  readonly #format: RecordFileFormat;
  readonly #options: IndexStreamOptions;
  #builder: BinningIndexBuilder | undefined;
  /** The amount of data at which the header is measured next. Each attempt takes time proportional to the data. */
  #nextMeasure = 0;
  /** Uncompressed bytes before the window. */
  #offset = 0;
  #end = { coffset: 0, uoffset: 0 };

  constructor(window: BlockWindow, format: RecordFileFormat, options: IndexStreamOptions) {
    this.#window = window;
    this.#format = format;
    this.#options = options;
  }

  /** Reads the complete header and records of the window and leaves an incomplete one in it. */
  read(): void {
    const builder = this.#builder ?? this.#readHeader();
    if (builder === undefined) return;
    try {
      this.#readRecords(builder);
    } catch (error) {
      throw error instanceof FormatError ? relocateError(error, this.#offset) : error;
    }
  }

  /** Returns the index. Throws `FormatError` TRUNCATED if the file ends within its header or a record. */
  finish(): Uint8Array<ArrayBuffer> {
    this.#nextMeasure = 0;
    this.read();
    const { length } = this.#window.data;
    if (this.#builder === undefined || length > 0) {
      const part = this.#builder === undefined ? 'its header' : 'a record';
      throw new FormatError('TRUNCATED', `the file ends within ${part}`, { offset: this.#offset + length });
    }
    return this.#builder.finish({ end: this.#end });
  }

  #readHeader(): BinningIndexBuilder | undefined {
    const { data } = this.#window;
    const { maxHeaderBytes = MAX_HEADER_BYTES, maxIndexBytes: maxBytes } = this.#options;
    if (data.length < this.#nextMeasure) return undefined;
    this.#nextMeasure = data.length + data.length / 8;
    const length = this.#format.headerLength(data);
    if ((length ?? data.length) > maxHeaderBytes) {
      throw new FormatError('LIMIT_EXCEEDED', `the header exceeds the limit of ${maxHeaderBytes} bytes`, { offset: 0 });
    }
    if (length === undefined || length > data.length) return undefined;
    this.#end = this.#window.offsetAfter(length);
    this.#builder = this.#format.createBuilder(data.subarray(0, length), { start: this.#end, maxBytes });
    this.#skip(length);
    return this.#builder;
  }

  /** Returns the length of the record at `at`, or undefined. Throws `FormatError` LIMIT_EXCEEDED before it is gathered. */
  #lengthAt(records: Records, at: number): number | undefined {
    const { maxRecordBytes = MAX_RECORD_BYTES } = this.#options;
    const length = records.lengthAt(at);
    if (length === undefined || length <= maxRecordBytes) return length;
    const message = `record of ${length} bytes is over the limit of ${maxRecordBytes}`;
    throw new FormatError('LIMIT_EXCEEDED', message, { offset: at });
  }

  #readRecords(builder: BinningIndexBuilder): void {
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
