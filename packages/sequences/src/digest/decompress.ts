import { BgzfError, type BgzfPool, parseBlockHeader } from '@htskit/bgzf';
import { concatBytes } from '@htskit/io';
import { gunzip } from '#gunzip';

/**
 * Decompresses a file that may be bgzipped, gzipped or plain, as its first bytes show. A chunk may be overwritten when the next
 * one is requested; a plain one is passed on as it is. `pool` inflates BGZF. Throws DigestError INVALID_DATA for corrupt gzip,
 * BgzfError for corrupt BGZF or a missing EOF marker, and whatever `chunks` throws.
 */
export async function* decompress(
  chunks: AsyncIterable<Uint8Array>,
  pool: Pick<BgzfPool, 'inflate'>,
): AsyncGenerator<Uint8Array, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const head = await readHead(iterator);
  const all = resume(head, iterator);
  if (!isGzip(head)) yield* all;
  else if (startsWithBlock(head) === true) yield* pool.inflate(copyEach(all), { requireEof: true });
  else yield* gunzip(copyEach(all));
}

/** Copies chunks for decompressors, which read ahead. */
async function* copyEach(chunks: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) yield new Uint8Array(chunk);
}

/** Reads as many bytes as it takes to recognise the compression. */
async function readHead(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < 2 || (isGzip(head) && startsWithBlock(head) === undefined)) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = concatBytes([head, next.value]);
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

async function* resume(head: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    if (head.length > 0) yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
