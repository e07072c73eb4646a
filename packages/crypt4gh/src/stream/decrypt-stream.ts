import { openPackets } from '../header/crypt4gh-header.js';
import { checkKeptEnd, toKeptRanges } from '../header/edit-list.js';
import { collectHeader } from '../header/open-header.js';
import type { SecretKey } from '../keys/secret-key.js';
import { SegmentDecryptor, storedSize } from '../segments/segment.js';
import { decryptSegments } from './decrypt-segments.js';

export interface DecryptStreamOptions {
  /** The secret keys of the reader, which are tried in turn. */
  readonly keys: readonly SecretKey[];
}

/**
 * Decrypts a file from its start to its end, and applies its edit list. Every chunk that is yielded has been authenticated. Chunks
 * must not be modified before the next one is requested. Throws `Crypt4ghError` TRUNCATED, AUTHENTICATION_FAILED and what `openHeader`
 * throws.
 *
 * @example
 * await pipeline(decryptStream(createReadStream('a.bam.c4gh'), { keys: [secretKey] }), createWriteStream('a.bam'));
 */
export async function* decryptStream(
  chunks: AsyncIterable<Uint8Array>,
  { keys }: DecryptStreamOptions,
): AsyncGenerator<Uint8Array, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  // Has no `return`, so that the end of one loop over it does not end the stream.
  const shared: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
  try {
    const { bytes, layout } = await collectHeader(shared);
    const header = openPackets(bytes, layout, keys);
    try {
      const ranges = toKeptRanges(header.editList ?? []);
      const end = yield* decryptSegments({
        chunks: follow(bytes.subarray(header.byteLength), shared),
        firstSegment: 0,
        headerBytes: header.byteLength,
        ranges,
        decryptor: new SegmentDecryptor(header.dataKeys),
      });
      const last = ranges.at(-1);
      const keptEnd = last === undefined || last.end === Number.POSITIVE_INFINITY ? (last?.start ?? 0) : last.end;
      checkKeptEnd(keptEnd, end, header.byteLength + storedSize(end));
    } finally {
      for (const dataKey of header.dataKeys) dataKey.clear();
    }
  } finally {
    await iterator.return?.();
  }
}

/** Yields the bytes that were read with the header, and then the chunks after them. */
async function* follow(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  if (first.length > 0) yield first;
  yield* rest;
}
