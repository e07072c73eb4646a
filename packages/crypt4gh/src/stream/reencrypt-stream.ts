import { type ReencryptHeaderOptions, reencryptHeader } from '../header/reencrypt-header.js';
import { withHeader } from './with-header.js';

/**
 * Encrypts the header of a file for other readers, and yields it and the segments of the file as they are. Throws what
 * `reencryptHeader` throws, before the first segment is read.
 *
 * @example
 * const file = reencryptStream(createReadStream('a.bam.c4gh'), { keys: [secretKey], recipients: [bob] });
 * await pipeline(file, createWriteStream('for-bob.bam.c4gh'));
 */
export async function* reencryptStream(
  chunks: AsyncIterable<Uint8Array>,
  options: ReencryptHeaderOptions,
): AsyncGenerator<Uint8Array, void> {
  yield* withHeader(chunks, async function* reencrypt({ bytes, rest }) {
    yield reencryptHeader(bytes, options);
    yield* rest;
  });
}
