import { BgzfError, type BgzfPool, parseBlockHeader } from '@htskit/bgzf';
import { gunzip } from '#gunzip';

/** The text of a file that may be compressed by bgzip or gzip, as its first bytes tell. `inflate` is for BGZF. */
export async function* decompress(
  chunks: AsyncIterable<Uint8Array>,
  pool: Pick<BgzfPool, 'inflate'>,
): AsyncGenerator<Uint8Array, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const head = await readHead(iterator);
  const all = resume(head, iterator);
  if (!isGzip(head)) yield* all;
  else if (findsBlock(head) === true) yield* pool.inflate(all);
  else yield* gunzip(all);
}

/** As many bytes as it takes to tell what they are. */
async function readHead(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < 2 || (isGzip(head) && findsBlock(head) === undefined)) {
    const next = await iterator.next();
    if (next.done === true) break;
    const longer = new Uint8Array(head.length + next.value.length);
    longer.set(head);
    longer.set(next.value, head.length);
    head = longer;
  }
  return head;
}

function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Whether a BGZF block begins here; undefined if it takes more bytes to tell, of which 64 KiB are enough. */
function findsBlock(head: Uint8Array): boolean | undefined {
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
