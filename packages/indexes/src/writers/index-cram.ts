import { type CramContainerHeader, parseCramContainerHeader } from '@htskit/formats';
import {
  CramDecodeBudget,
  type CramVersion,
  cramHeaderLength,
  parseCramFileDefinition,
  parseCramSliceSpans,
} from '@htskit/formats/internal';
import { loopTurns } from '@htskit/io/internal';
import { type CraiSlice, formatCrai, gzipCraiText } from '../crai/crai-columns.js';
import { IndexError } from '../index-error.js';
import { ByteWriter } from './byte-writer.js';

/** Options of `indexCram`. */
export interface IndexCramOptions {
  readonly signal?: AbortSignal;
  /** Called after each container with the number of bytes read so far. */
  readonly onProgress?: (bytesRead: number) => void;
  /** Limit of the size of a container in bytes. One at a time is held in memory. Default 256 MiB. */
  readonly maxContainerBytes?: number;
  /** Limit of the uncompressed size of the index in bytes. Default 1 GiB. */
  readonly maxIndexBytes?: number;
}

const DEFAULT_MAX_CONTAINER_BYTES = 2 ** 28;
const DEFAULT_MAX_INDEX_BYTES = 2 ** 30;

const encoder = new TextEncoder();

/** Bytes that are read for a container header at first. Most headers are shorter. */
const HEADER_GUESS = 256;

/**
 * Indexes a coordinate-sorted CRAM file of version 2.0, 2.1, 3.0 or 3.1 and returns the CRAI file. Uncompressed, it is
 * byte-identical to that of HTSlib 1.16. Throws `IndexError` INVALID_DATA for containers that are out of order, TRUNCATED if
 * the file ends within a container, and LIMIT_EXCEEDED. Throws `FormatError` if the file is not CRAM or is corrupt, and if a
 * slice of several references is not sorted, needs an unsupported codec, or expands to far more than its size. Throws the
 * reason of the signal.
 *
 * @example
 * writeFileSync('reads.cram.crai', await indexCram(createReadStream('reads.cram')));
 */
export async function indexCram(
  chunks: AsyncIterable<Uint8Array>,
  options: IndexCramOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { signal, maxIndexBytes = DEFAULT_MAX_INDEX_BYTES } = options;
  const text = new ByteWriter(maxIndexBytes);
  for await (const slice of streamCramSlices(chunks, options)) {
    text.append(encoder.encode(formatCrai([slice])));
    // Slices of several references can keep the thread busy.
    await loopTurns.next(signal);
  }
  return gzipCraiText([text.bytes]);
}

async function* streamCramSlices(
  chunks: AsyncIterable<Uint8Array>,
  { signal, onProgress, maxContainerBytes = DEFAULT_MAX_CONTAINER_BYTES }: IndexCramOptions,
): AsyncGenerator<CraiSlice, void> {
  signal?.throwIfAborted();
  const queue = new ByteQueue(chunks);
  try {
    const version = await skipHeader(queue, maxContainerBytes);
    onProgress?.(queue.offset);
    const limits = { version, maxContainerBytes };
    const budget = new CramDecodeBudget();
    let previous: CramContainerHeader | undefined;
    for (;;) {
      const header = await readContainer(queue, limits);
      if (header === undefined) return;
      signal?.throwIfAborted();
      checkOrder(previous, header, queue.offset);
      yield* containerSlices(queue, header, { version, budget });
      previous = header;
      queue.drop(header.headerLength + header.length);
      onProgress?.(queue.offset);
    }
  } finally {
    await queue.close();
  }
}

interface ContainerLimits {
  readonly version: CramVersion;
  readonly maxContainerBytes: number;
}

/** Drops the file definition and the container of the SAM header. Returns the version of the file. */
async function skipHeader(queue: ByteQueue, maxBytes: number): Promise<CramVersion> {
  const header = await fillPart(queue, maxBytes, (bytes) => {
    const byteLength = cramHeaderLength(bytes);
    return byteLength === undefined ? undefined : { byteLength };
  });
  if (header === undefined) throw truncated(queue.offset);
  const { version } = parseCramFileDefinition(queue.bytes);
  queue.drop(header.byteLength);
  return version;
}

/** Fills the queue with the next container and returns its header, or undefined at the end of the file. */
async function readContainer(
  queue: ByteQueue,
  { version, maxContainerBytes }: ContainerLimits,
): Promise<CramContainerHeader | undefined> {
  const { offset } = queue;
  const container = await fillPart(queue, maxContainerBytes, (bytes) => {
    const header = parseCramContainerHeader(bytes, { version, offset });
    return header === undefined ? undefined : { header, byteLength: header.headerLength + header.length };
  });
  return container?.header;
}

/**
 * Fills the queue with a part of the file, which `measure` returns with its length when enough of its bytes have arrived. Returns it,
 * or undefined at the end of the file.
 */
async function fillPart<Part extends { readonly byteLength: number }>(
  queue: ByteQueue,
  maxBytes: number,
  measure: (bytes: Uint8Array) => Part | undefined,
): Promise<Part | undefined> {
  const { offset } = queue;
  for (let wanted = HEADER_GUESS; ; wanted *= 2) {
    const isWhole = !(await queue.fill(wanted));
    if (queue.bytes.length === 0) return undefined;
    const part = measure(queue.bytes);
    checkLength(part?.byteLength ?? wanted, maxBytes, offset);
    if (part !== undefined && (await queue.fill(part.byteLength))) return part;
    if (part !== undefined || isWhole) throw truncated(offset);
  }
}

function* containerSlices(
  { bytes, offset }: ByteQueue,
  header: CramContainerHeader,
  decoding: { readonly version: CramVersion; readonly budget: CramDecodeBudget },
): Generator<CraiSlice, void> {
  const { headerLength, length } = header;
  const blocks = bytes.subarray(headerLength, headerLength + length);
  for (const span of parseCramSliceSpans(blocks, { ...decoding, header, offset: offset + headerLength })) {
    const { referenceId, alignmentStart, alignmentSpan, landmark, byteLength } = span;
    yield {
      referenceId,
      alignmentStart,
      alignmentSpan,
      containerStart: offset,
      sliceOffset: landmark,
      sliceSize: byteLength,
    };
  }
}

function checkOrder(previous: CramContainerHeader | undefined, header: CramContainerHeader, offset: number): void {
  const { referenceId, alignmentStart } = header;
  if (referenceId < 0 || previous?.referenceId !== referenceId || previous.alignmentStart <= alignmentStart) return;
  throw new IndexError('INVALID_DATA', 'not sorted: a container starts before the previous one', { offset });
}

function checkLength(length: number, maxContainerBytes: number, offset: number): void {
  if (length <= maxContainerBytes) return;
  const message = `a container of ${length} bytes exceeds the limit of ${maxContainerBytes}`;
  throw new IndexError('LIMIT_EXCEEDED', message, { offset });
}

function truncated(offset: number): IndexError {
  return new IndexError('TRUNCATED', 'the file ends within a container', { offset });
}

/** Buffers the bytes of a stream: as many as were requested, and the rest of the last chunk. */
class ByteQueue {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffer: Uint8Array = new Uint8Array(0);
  /** Whether the buffer belongs to the queue. A chunk of the stream must not be changed. */
  #isOwn = false;
  #start = 0;
  #end = 0;
  #offset = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Offset of the buffered bytes in the stream. */
  get offset(): number {
    return this.#offset;
  }

  /** The buffered bytes, as a view that is valid until the next `fill`. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Reads until `length` bytes are buffered. Returns false if the stream ends before. */
  async fill(length: number): Promise<boolean> {
    while (this.#end - this.#start < length) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      this.#append(next.value, length);
    }
    return true;
  }

  /** Drops the first `length` buffered bytes. */
  drop(length: number): void {
    this.#start += length;
    this.#offset += length;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #append(chunk: Uint8Array, wanted: number): void {
    const held = this.#end - this.#start;
    if (held === 0) {
      this.#buffer = chunk;
      this.#start = 0;
      this.#end = chunk.length;
      this.#isOwn = false;
      return;
    }
    if (!this.#isOwn || this.#end + chunk.length > this.#buffer.length) {
      const length = held + chunk.length;
      const grown = new Uint8Array(Math.max(length, Math.min(wanted, 2 * length)));
      grown.set(this.bytes);
      this.#buffer = grown;
      this.#start = 0;
      this.#end = held;
      this.#isOwn = true;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }
}
