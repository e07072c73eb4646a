import { BgzfError, type BgzfPool } from '@htskit/bgzf';
import { parseBlockHeader } from '@htskit/bgzf/internal';
import {
  type BorrowedBytes,
  type ByteSource,
  concatBytes,
  peek,
  readChunks,
  type SourceStat,
  toOwnedChunks,
} from '@htskit/io';
import { gunzip } from '#gunzip';

/**
 * Decompresses a file that may be bgzipped, gzipped or plain, as its first bytes show. A plain chunk is passed on as it is.
 * `pool` inflates BGZF. Throws DigestError INVALID_DATA for corrupt gzip, BgzfError for corrupt BGZF or a missing EOF marker, and
 * what `chunks` throws.
 */
export async function* decompress(
  chunks: AsyncIterable<BorrowedBytes>,
  pool: Pick<BgzfPool, 'inflate'>,
): AsyncGenerator<BorrowedBytes, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const head = await readHead(iterator);
  const all = resume(head, iterator);
  if (!isGzip(head)) yield* all;
  else if (startsWithBlock(head) === true) yield* pool.inflate(toOwnedChunks(all), { requireEof: true });
  else yield* gunzip(toOwnedChunks(all));
}

export interface StoredRead {
  readonly data: ByteSource;
  readonly stat: SourceStat;
  readonly signal: AbortSignal | undefined;
  /** Called with the length of each chunk once it has been processed. */
  readonly onRead: (byteLength: number) => void;
}

/** Yields the bytes of one version of a file. */
export async function* readStored({ data, stat, signal, onRead }: StoredRead): AsyncGenerator<Uint8Array, void> {
  const { size, version } = stat;
  for await (const chunk of readChunks(data.stream({ start: 0, end: size }, { signal, version }))) {
    yield chunk;
    onRead(chunk.length);
  }
}

/** Passes on chunks and adds up their lengths. */
export async function* countBytes(
  chunks: AsyncIterable<BorrowedBytes>,
  count: { byteLength: number },
): AsyncGenerator<BorrowedBytes, void> {
  for await (const chunk of chunks) {
    count.byteLength += chunk.length;
    yield chunk;
  }
}

/** Reads as many bytes as it takes to recognise the compression. */
async function readHead(iterator: AsyncIterator<BorrowedBytes>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < 2 || (isGzip(head) && startsWithBlock(head) === undefined)) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = concatBytes([head, peek(next.value)]);
  }
  return head;
}

function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Returns whether a BGZF block begins here, or undefined if more bytes are needed to decide; 64 KiB always suffice. */
function startsWithBlock(head: Uint8Array): boolean | undefined {
  try {
    parseBlockHeader(head);
    return true;
  } catch (error) {
    if (error instanceof BgzfError && error.code === 'TRUNCATED') return undefined;
    return false;
  }
}

async function* resume(head: Uint8Array, iterator: AsyncIterator<BorrowedBytes>): AsyncGenerator<BorrowedBytes, void> {
  try {
    if (head.length > 0) yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
