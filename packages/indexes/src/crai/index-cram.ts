import {
  CRAM_FILE_DEFINITION_LENGTH,
  type CramContainerHeader,
  type CramVersion,
  parseCramContainerHeader,
  parseCramFileDefinition,
  parseCramSliceSpans,
} from '@htskit/formats';
import { CramDecodeBudget } from '@htskit/formats/internal';
import { ByteWriter } from '../build/byte-writer.js';
import { IndexError } from '../index-error.js';
import { ByteQueue } from './byte-queue.js';
import { type CraiSlice, formatCrai, gzipCraiText } from './crai-slice.js';

export interface IndexCramOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told how many bytes of the file were read: after each container. */
  readonly onProgress?: ((bytesRead: number) => void) | undefined;
  /** Refuse a container of more bytes; one at a time is held in memory. Default 256 MiB. */
  readonly maxContainerBytes?: number | undefined;
  /** Refuse an index of more bytes, uncompressed. Default 1 GiB. */
  readonly maxIndexBytes?: number | undefined;
}

const DEFAULT_MAX_CONTAINER_BYTES = 2 ** 28;
const DEFAULT_MAX_INDEX_BYTES = 2 ** 30;

/** After so long others get their turn: slices of several references may keep the thread busy. */
const TURN_MILLISECONDS = 100;

const encoder = new TextEncoder();

/** Bytes that a container header is looked for in at first: those of most files are shorter. */
const HEADER_GUESS = 256;

/**
 * The index of a CRAM file of version 2.0, 2.1, 3.0 or 3.1 that is sorted by position: a CRAI file, uncompressed the same
 * bytes as HTSlib 1.16 writes. Throws `IndexError` INVALID_DATA for containers out of order, TRUNCATED for a file that ends
 * in a container, LIMIT_EXCEEDED for a container over `maxContainerBytes` and an index over `maxIndexBytes`, `FormatError` for
 * a file that is no CRAM, is corrupt, or has slices of several references that are not sorted, compressed in a way that is
 * not read, or stand for far more than their size, and what the signal was aborted with.
 */
export async function indexCram(
  chunks: AsyncIterable<Uint8Array>,
  options: IndexCramOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { signal, maxIndexBytes = DEFAULT_MAX_INDEX_BYTES } = options;
  const text = new ByteWriter(maxIndexBytes);
  let turnStart = performance.now();
  for await (const slice of streamCramSlices(chunks, options)) {
    text.append(encoder.encode(formatCrai([slice])));
    if (performance.now() - turnStart < TURN_MILLISECONDS) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
    turnStart = performance.now();
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
    await queue.fill(CRAM_FILE_DEFINITION_LENGTH);
    const { version } = parseCramFileDefinition(queue.bytes);
    queue.drop(CRAM_FILE_DEFINITION_LENGTH);
    const limits = { version, maxContainerBytes };
    const budget = new CramDecodeBudget();
    let isSamHeader = true;
    let previous: CramContainerHeader | undefined;
    for (;;) {
      const header = await readContainer(queue, limits);
      if (header === undefined) return;
      signal?.throwIfAborted();
      // That of the SAM header may have landmarks, but no slices
      if (!isSamHeader) {
        checkOrder(previous, header, queue.offset);
        yield* containerSlices(queue, header, { version, budget });
        previous = header;
      }
      isSamHeader = false;
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

/** Has the next container in the queue and gives its header; undefined at the end of the file. */
async function readContainer(
  queue: ByteQueue,
  { version, maxContainerBytes }: ContainerLimits,
): Promise<CramContainerHeader | undefined> {
  const { offset } = queue;
  let header: CramContainerHeader | undefined;
  for (let wanted = HEADER_GUESS; header === undefined; wanted *= 2) {
    const isWhole = !(await queue.fill(wanted));
    if (queue.bytes.length === 0) return undefined;
    header = parseCramContainerHeader(queue.bytes, { version, offset });
    if (header === undefined && isWhole) throw truncated(offset);
    if (header === undefined) checkLength(wanted, maxContainerBytes, offset);
  }
  const length = header.headerLength + header.length;
  checkLength(length, maxContainerBytes, offset);
  if (!(await queue.fill(length))) throw truncated(offset);
  return header;
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
  throw new IndexError('INVALID_DATA', 'the containers are not sorted by position', { offset });
}

function checkLength(length: number, maxContainerBytes: number, offset: number): void {
  if (length <= maxContainerBytes) return;
  const message = `a container has ${length} bytes, more than ${maxContainerBytes}`;
  throw new IndexError('LIMIT_EXCEEDED', message, { offset });
}

function truncated(offset: number): IndexError {
  return new IndexError('TRUNCATED', 'the file ends inside a container', { offset });
}
