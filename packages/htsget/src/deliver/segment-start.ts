import { BgzfError } from '@htskit/bgzf';
import { parseBlockHeader } from '@htskit/bgzf/internal';
import { FormatError, parseCramContainerHeader } from '@htskit/formats';
import type { CramVersion } from '@htskit/formats/internal';
import { type ByteSource, concatBytes, StorageError } from '@htskit/io';
import type { CutSegment, RangeSegment } from '../plan/plan.js';

/** The maximum number of bytes that are gathered to recognise a header. Longer ones are not written. */
const MAX_HEADER_BYTES = 2 ** 20;

/** The file that the chunks are of, and the version that they have: undefined if the store gives none. */
interface Source extends Pick<ByteSource, 'key'> {
  readonly version: string | undefined;
}

/**
 * Yields the same chunks. Throws an error, before the first of them, unless they begin with a container or a block, and at
 * their end if they are shorter than the range. The error is `StorageError` CHANGED for a file without a version, which may
 * have been replaced, and what the decoder throws for any other.
 */
export async function* checkRange(
  chunks: AsyncIterable<Uint8Array>,
  { start, end }: RangeSegment,
  { isContainer, ...source }: Source & { readonly isContainer: boolean },
): AsyncGenerator<Uint8Array, void> {
  let head: Uint8Array = new Uint8Array(0);
  let isRecognised = false;
  let byteLength = 0;
  for await (const chunk of chunks) {
    byteLength += chunk.length;
    if (!isRecognised) {
      head = concatBytes([head, chunk]);
      isRecognised = isStart(head, { isContainer, offset: start, ...source });
      if (isRecognised) yield head;
    } else yield chunk;
  }
  if (!isRecognised || byteLength < end - start) throw toStartError({ offset: start, ...source });
}

interface StartPlace extends Source {
  readonly isContainer: boolean;
  /** Bytes from the start of the file. */
  readonly offset: number;
}

/** Returns whether the bytes begin with a whole header, or false if more bytes are needed. Throws if they cannot. */
function isStart(bytes: Uint8Array, { isContainer, offset, ...source }: StartPlace): boolean {
  try {
    if (isContainer ? startsWithContainer(bytes) : parseBlockHeader(bytes) !== undefined) return true;
  } catch (cause) {
    if (cause instanceof BgzfError && cause.code === 'TRUNCATED') return false;
    if (cause instanceof BgzfError || cause instanceof FormatError) throw toStartError({ offset, cause, ...source });
    throw cause;
  }
  if (bytes.length > MAX_HEADER_BYTES) throw toStartError({ offset, ...source });
  return false;
}

/** Only from version 3 on does a container header have a checksum, so that other data is unlikely to be mistaken for one. */
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

/** Yields the same chunks. Throws the same errors as `checkRange` if no block begins at the start of the cut. */
export async function* checkCut(
  chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  { start: { coffset: offset } }: CutSegment,
  source: Source,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* chunks;
  } catch (cause) {
    const isAtStart = cause instanceof BgzfError && cause.code === 'INVALID_HEADER' && cause.offset === offset;
    throw isAtStart ? toStartError({ offset, cause, ...source }) : cause;
  }
}

interface FaultyStart extends Source {
  readonly offset: number;
  readonly cause?: BgzfError | FormatError;
}

function toStartError({ offset, key, version, cause }: FaultyStart): Error {
  const message = `expected a block or container at byte ${offset}`;
  if (version !== undefined) return cause ?? new FormatError('INVALID_DATA', message, { offset });
  return new StorageError('CHANGED', message, { key });
}
