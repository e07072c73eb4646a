import type { SequenceDigests } from '@htskit/digest';
import { FormatError, type TwoBitIndexEntry } from '@htskit/formats';
import { sharedDigestPool } from '../digest/shared-pools.js';
import { type DigestCodec, expectList, parseSavedDigests, toSavedDigests } from '../digest-cache.js';
import type { OpenProgress } from '../sequence.js';
import type { TwoBitFile } from './two-bit-file.js';

export interface DigestTwoBitOptions {
  readonly file: TwoBitFile;
  /** Bytes of the file. */
  readonly size: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: OpenProgress) => void) | undefined;
}

/**
 * Digests the sequences of a 2bit file, in the order of its index, on all processors and in constant memory. Throws
 * INVALID_DATA for sequences that overlap.
 */
export async function digestTwoBit(options: DigestTwoBitOptions): Promise<SequenceDigests[]> {
  const digests: SequenceDigests[] = [];
  if (options.file.entries.length === 0) return digests;
  const { signal } = options;
  for await (const { name: _, description: __, ...found } of sharedDigestPool.digestFasta(toFasta(options), {
    signal,
  })) {
    digests.push(found);
  }
  return digests;
}

/** Yields the sequences as FASTA text, the input of the pool. */
async function* toFasta({ file, size, signal, onProgress }: DigestTwoBitOptions): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  let bytesRead = 0;
  const count = (bytes: number, entry: TwoBitIndexEntry): void => {
    bytesRead += bytes;
    // Index entries that share the bytes of one long sequence would make a small file take quadratic time.
    if (bytesRead > size) throw new FormatError('INVALID_DATA', 'sequences overlap', entry);
    onProgress?.({ bytesRead, size });
  };
  for (const [index, entry] of file.entries.entries()) {
    yield encoder.encode(`\n>${index}\n`);
    const record = await file.readRecord(entry, signal);
    count(record.packedOffset - entry.offset, entry);
    for await (const bases of file.streamBases(record, { start: 0, end: record.length }, signal)) {
      yield bases;
      count(Math.ceil(bases.length / 4), entry);
    }
  }
}

/** Saves the digests of the sequences with their names, so that the digests of another index are not used for this one. */
export function twoBitCodec(entries: readonly TwoBitIndexEntry[]): DigestCodec<SequenceDigests[]> {
  return {
    kind: '2bit',
    toContent: (found) => ({
      names: entries.map(({ name }) => name),
      digests: found.map(toSavedDigests),
    }),
    fromContent({ names, digests }) {
      const [listed, found] = [expectList(names), expectList(digests).map(parseSavedDigests)];
      const isSame = listed.length === entries.length && entries.every(({ name }, index) => listed[index] === name);
      if (isSame && found.length === entries.length) return found;
      throw new Error('the digests do not match the sequences');
    },
  };
}
