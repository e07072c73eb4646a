import { BgzfError, parseBlockHeader } from '@htskit/bgzf';
import { type CramVersion, FormatError, parseCramContainerHeader } from '@htskit/formats';
import { type ByteSource, concatBytes, StorageError } from '@htskit/io';
import type { CutSegment, RangeSegment } from '../plan/plan.js';

/** Most bytes that are gathered to recognise a header. Longer ones are not written. */
const MAX_HEADER_BYTES = 2 ** 20;

type Source = Pick<ByteSource, 'key'>;

/**
 * Yields the same chunks. Throws `StorageError` CHANGED, before the first of them, unless they begin with a container or a
 * block, and at their end if they are shorter than the range.
 */
export async function* checkRange(
  chunks: AsyncIterable<Uint8Array>,
  { start, end }: RangeSegment,
  { key, isContainer }: Source & { readonly isContainer: boolean },
): AsyncGenerator<Uint8Array, void> {
  let head: Uint8Array = new Uint8Array(0);
  let isRecognised = false;
  let byteLength = 0;
  for await (const chunk of chunks) {
    byteLength += chunk.length;
    if (!isRecognised) {
      head = concatBytes([head, chunk]);
      isRecognised = isStart(head, { isContainer, offset: start, key });
      if (isRecognised) yield head;
    } else yield chunk;
  }
  if (!isRecognised || byteLength < end - start) throw toChanged({ offset: start, key });
}

interface StartPlace extends Source {
  readonly isContainer: boolean;
  /** Bytes from the start of the file. */
  readonly offset: number;
}

/** Returns whether the bytes begin with a whole header, or false if more bytes are needed. Throws CHANGED if they cannot. */
function isStart(bytes: Uint8Array, { isContainer, offset, key }: StartPlace): boolean {
  try {
    if (isContainer ? startsWithContainer(bytes) : parseBlockHeader(bytes) !== undefined) return true;
  } catch (cause) {
    if (cause instanceof BgzfError && cause.code === 'TRUNCATED') return false;
    if (cause instanceof BgzfError || cause instanceof FormatError) throw toChanged({ offset, key, cause });
    throw cause;
  }
  if (bytes.length > MAX_HEADER_BYTES) throw toChanged({ offset, key });
  return false;
}

/** Only from version 3 on does a container header have a checksum, so other data is hardly taken for one. */
const CRAM_3: CramVersion = { major: 3, minor: 0 };
const CRAM_2: CramVersion = { major: 2, minor: 1 };

function startsWithContainer(bytes: Uint8Array): boolean {
  try {
    if (parseCramContainerHeader(bytes, { version: CRAM_3 }) !== undefined) return true;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
  return parseCramContainerHeader(bytes, { version: CRAM_2 }) !== undefined;
}

/** Yields the same chunks. Throws `StorageError` CHANGED if no block begins at the start of the cut. */
export async function* checkCut(
  chunks: AsyncIterable<Uint8Array>,
  { start }: CutSegment,
  { key }: Source,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* chunks;
  } catch (cause) {
    const isAtStart = cause instanceof BgzfError && cause.code === 'INVALID_HEADER' && cause.offset === start.coffset;
    throw isAtStart ? toChanged({ offset: start.coffset, key, cause }) : cause;
  }
}

interface ChangedPlace extends Source {
  readonly offset: number;
  readonly cause?: BgzfError | FormatError;
}

function toChanged({ offset, key, cause }: ChangedPlace): StorageError {
  const message = `expected a block or container at byte ${offset}`;
  return new StorageError('CHANGED', message, { key, ...(cause !== undefined && { cause }) });
}
