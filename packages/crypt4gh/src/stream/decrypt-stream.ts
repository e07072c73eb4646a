import { openPackets } from '../header/crypt4gh-header.js';
import { checkKeptEnd, toKeptRanges } from '../header/edit-list.js';
import type { SecretKey } from '../keys/secret-key.js';
import { SegmentDecryptor, storedSize } from '../segments/segment.js';
import { decryptSegments } from './decrypt-segments.js';
import { withHeader } from './with-header.js';

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
  yield* withHeader(chunks, async function* decrypt({ bytes, layout, rest }) {
    const header = openPackets(bytes, layout, keys);
    try {
      const ranges = toKeptRanges(header.editList ?? []);
      const end = yield* decryptSegments({
        chunks: rest,
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
  });
}
