import { formatGzi, parseGzi } from '@htskit/bgzf';
import { formatFai, parseFai } from '@htskit/indexes';
import { type KeptCodec, parseKeptDigests, toKeptDigests, toList } from '../digest-cache.js';
import type { DigestedFasta } from './digest-fasta.js';

/** The digests of each record, the FAI as its text, and the columns of the GZI. */
export const KEPT_FASTA: KeptCodec<DigestedFasta> = {
  kind: 'fasta',
  toContent: ({ records, gzi, uncompressedLength }) => ({
    uncompressedLength,
    digests: records.map(({ digests }) => toKeptDigests(digests)),
    fai: formatFai(records.map(({ record }) => record)),
    ...(gzi !== undefined && {
      coffsets: Array.from(gzi.coffsets),
      uncompressedOffsets: Array.from(gzi.uncompressedOffsets),
    }),
  }),
  fromContent({ uncompressedLength, digests, fai, coffsets, uncompressedOffsets }) {
    const kept = toList(digests).map(parseKeptDigests);
    const records = parseFai(new TextEncoder().encode(String(fai))).map((record, index) => {
      const found = kept[index];
      if (found?.length !== record.length) throw new Error('the digests are not those of the records');
      return { record, digests: found };
    });
    if (records.length !== kept.length) throw new Error('there are more digests than records');
    const columns = { coffsets: toOffsets(coffsets), uncompressedOffsets: toOffsets(uncompressedOffsets) };
    // Writing and parsing it again checks that it is one.
    const gzi = coffsets === undefined ? undefined : parseGzi(formatGzi(columns));
    return { records, gzi, uncompressedLength: Number(uncompressedLength) };
  },
};

function toOffsets(value: unknown): Float64Array {
  return Float64Array.from(value === undefined ? [] : toList(value), Number);
}
