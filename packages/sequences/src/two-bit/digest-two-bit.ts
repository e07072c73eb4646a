import type { SequenceDigests } from '@htskit/digest';
import { FormatError, type TwoBitIndexEntry } from '@htskit/formats';
import { type KeptCodec, parseKeptDigests, toKeptDigests, toList } from '../digest-cache.js';
import { digestPool } from '../digest-pool.js';
import type { DigestProgress } from '../digest-progress.js';
import type { TwoBitFile } from './two-bit-file.js';

export interface DigestTwoBitOptions {
  readonly file: TwoBitFile;
  /** Bytes of the file. */
  readonly size: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: DigestProgress) => void) | undefined;
}

/**
 * Digests the sequences of a 2bit file, in the order of its index, on all processors and in constant memory. Throws
 * INVALID_DATA for sequences that overlap.
 */
export async function digestTwoBit(options: DigestTwoBitOptions): Promise<SequenceDigests[]> {
  const digests: SequenceDigests[] = [];
  if (options.file.entries.length === 0) return digests;
  const { signal } = options;
  for await (const { name: _, description: __, ...found } of digestPool.digestFasta(toFasta(options), { signal })) {
    digests.push(found);
  }
  return digests;
}

/** The file as FASTA, which the pool divides among the processors. */
async function* toFasta({ file, size, signal, onProgress }: DigestTwoBitOptions): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  let bytesRead = 0;
  const count = (bytes: number, entry: TwoBitIndexEntry): void => {
    bytesRead += bytes;
    // A small file must not take as long as its sequences times their number.
    if (bytesRead > size) throw new FormatError('INVALID_DATA', 'sequences share their bytes', entry);
    onProgress?.({ bytesRead, size });
  };
  for (const [rank, entry] of file.entries.entries()) {
    yield encoder.encode(`\n>${rank}\n`);
    const record = await file.readRecord(entry, signal);
    count(record.packedOffset - entry.offset, entry);
    for await (const bases of file.streamBases(record, { start: 0, end: record.length }, signal)) {
      yield bases;
      count(Math.ceil(bases.length / 4), entry);
    }
  }
}

/** The digests of the sequences, each with its name, so that those of another index are none of this one. */
export function keptTwoBit(entries: readonly TwoBitIndexEntry[]): KeptCodec<SequenceDigests[]> {
  return {
    kind: '2bit',
    toContent: (found) => ({
      names: entries.map(({ name }) => name),
      digests: found.map(toKeptDigests),
    }),
    fromContent({ names, digests }) {
      const [listed, found] = [toList(names), toList(digests).map(parseKeptDigests)];
      const isSame = listed.length === entries.length && entries.every(({ name }, rank) => listed[rank] === name);
      if (isSame && found.length === entries.length) return found;
      throw new Error('the digests are not those of the sequences');
    },
  };
}
