import type { ByteRange } from '@htskit/io';
import { readChunks } from '@htskit/io';
import { toEditList } from '../header/edit-list.js';
import { writeHeader } from '../header/write-header.js';
import { generateKeyPair } from '../keys/secret-key.js';
import { randomNonce, SEGMENT_BYTES } from '../segments/segment.js';
import type { EncryptedFile } from './encrypted-file.js';

export interface SelectRangesOptions {
  /** Ranges of the plaintext, in order and without overlaps. */
  readonly ranges: readonly ByteRange[];
  /** The public keys of those who shall be able to read them. */
  readonly recipients: readonly Uint8Array[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields an encrypted file of ranges of the plaintext of another one: its segments as they are, and an edit list that keeps the
 * ranges. Readers can decrypt the rest of the first and the last segment of each range as well.
 */
export async function* selectRanges(
  file: EncryptedFile,
  { ranges, recipients, signal }: SelectRangesOptions,
): AsyncGenerator<Uint8Array, void> {
  const runs = file.layout.runsOf(...ranges);
  let segments = 0;
  const kept = runs.flatMap((run) => {
    const shift = (segments - run.firstSegment) * SEGMENT_BYTES;
    segments += run.endSegment - run.firstSegment;
    return run.ranges.map(({ start, end }) => ({ start: start + shift, end: end + shift }));
  });
  const writer = generateKeyPair().secretKey;
  const { dataKeys } = file.header;
  // Without any range, the list must not be empty, since that keeps everything.
  const editList = kept.length === 0 ? [0, 0] : toEditList(kept);
  yield writeHeader({ recipients, dataKeys, editList, writerSecretKey: writer, nonceOf: randomNonce });
  writer.clear();
  for (const { firstSegment, endSegment } of runs) {
    const range = file.layout.storedRange(firstSegment, endSegment);
    yield* readChunks(file.stored.stream(range, { version: file.version, signal }));
  }
}
