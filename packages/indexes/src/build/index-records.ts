import { FormatError } from '@htskit/formats';
import { relocateError } from '@htskit/formats/internal';
import type { BinningIndexBuilder, BinningIndexBuilderOptions, IndexedSpan } from './binning-index-builder.js';
import { BlockWindow } from './block-window.js';
import { type IndexStreamOptions, inflateBlocks, MAX_HEADER_BYTES } from './inflated-blocks.js';

/** A format of binary records behind a header. */
export interface RecordFormat {
  /** Bytes of the header that the data begins with; undefined while more are needed to tell. */
  readonly headerLength: (data: Uint8Array) => number | undefined;
  /** A builder of the index, given the whole header. */
  readonly createBuilder: (header: Uint8Array, options: BuilderStart) => BinningIndexBuilder;
  /** Whether the header has a reference. */
  readonly hasReference: (referenceId: number) => boolean;
  readonly openRecords: (data: Uint8Array) => Records;
}

/** Data in which records stand. */
interface Records {
  /** Bytes of the record at `at`; undefined where the data ends inside its length. */
  lengthAt(at: number): number | undefined;
  /** The span of the whole record at `at`. */
  spanAt(at: number): IndexedSpan;
}

type BuilderStart = Pick<BinningIndexBuilderOptions, 'start' | 'maxBytes'>;

/** Bytes that wait for the end of a record: the longest, and a block. */
const MAX_WINDOW_BYTES = 2 ** 28 + 2 ** 17;

/** Builds the index of a file of records, in constant memory, uncompressed. */
export async function indexRecords(
  chunks: AsyncIterable<Uint8Array>,
  format: RecordFormat,
  options: IndexStreamOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const window = new BlockWindow(MAX_WINDOW_BYTES);
  const indexer = new RecordIndexer(window, format, options);
  for await (const block of inflateBlocks(chunks, options)) {
    window.add(block);
    indexer.read();
  }
  return indexer.finish();
}

/** Reads what is in a window: the header, then records. */
class RecordIndexer {
  readonly #window: BlockWindow;
  readonly #format: RecordFormat;
  readonly #options: IndexStreamOptions;
  #builder: BinningIndexBuilder | undefined;
  /** The next length at which it is worth looking for the end of the header, which takes time as it grows. */
  #nextMeasure = 0;
  /** Uncompressed bytes in front of the window. */
  #offset = 0;
  #end = { coffset: 0, uoffset: 0 };

  constructor(window: BlockWindow, format: RecordFormat, options: IndexStreamOptions) {
    this.#window = window;
    this.#format = format;
    this.#options = options;
  }

  /** Reads what has come, and leaves the beginning of what has not ended. */
  read(): void {
    const builder = this.#builder ?? this.#readHeader();
    if (builder === undefined) return;
    try {
      this.#readRecords(builder);
    } catch (error) {
      throw error instanceof FormatError ? relocateError(error, this.#offset) : error;
    }
  }

  /** The index. Throws `FormatError` TRUNCATED if the file ends inside of its header or a record. */
  finish(): Uint8Array<ArrayBuffer> {
    this.#nextMeasure = 0;
    this.read();
    const { length } = this.#window.data;
    if (this.#builder === undefined || length > 0) {
      const part = this.#builder === undefined ? 'its header' : 'a record';
      throw new FormatError('TRUNCATED', `the file ends inside ${part}`, { offset: this.#offset + length });
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
      throw new FormatError('LIMIT_EXCEEDED', `the header is longer than ${maxHeaderBytes} bytes`, { offset: 0 });
    }
    if (length === undefined || length > data.length) return undefined;
    this.#end = this.#window.offsetAfter(length);
    this.#builder = this.#format.createBuilder(data.subarray(0, length), { start: this.#end, maxBytes });
    this.#skip(length);
    return this.#builder;
  }

  #readRecords(builder: BinningIndexBuilder): void {
    const { data } = this.#window;
    const records = this.#format.openRecords(data);
    let at = 0;
    for (let length = records.lengthAt(at); length !== undefined && length <= data.length - at; ) {
      const span = records.spanAt(at);
      if (!this.#format.hasReference(span.referenceId)) {
        const message = `a record names reference ${span.referenceId}, which the header does not have`;
        throw new FormatError('INVALID_DATA', message, { offset: at });
      }
      at += length;
      this.#end = this.#window.offsetAfter(at);
      builder.add(span, this.#end);
      length = records.lengthAt(at);
    }
    this.#skip(at);
  }

  #skip(length: number): void {
    this.#window.skip(length);
    this.#offset += length;
  }
}
