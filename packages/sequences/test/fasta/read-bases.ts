import { collectSlowly } from '@htskit/testing';
import type { BaseRange, Sequence } from '../../src/sequence.js';

/** Reads the bases of a range, by default of the whole sequence, as text, with a slow consumer. */
export async function readBases(sequence: Sequence, range?: BaseRange): Promise<string> {
  const bases = await collectSlowly(sequence.stream(range ?? { start: 0, end: sequence.metadata.length }));
  return bases.toString('latin1');
}

/** Returns the sequences of a FASTA text by name, as upper-case letters and without using an index. */
export function sequencesOf(fasta: Uint8Array): Map<string, string> {
  const records = new TextDecoder().decode(fasta).split(/^>/m).slice(1);
  return new Map(
    records.map((record) => {
      const [definition = '', ...lines] = record.split('\n');
      return [
        definition.trim().split(/\s/)[0] ?? '',
        lines
          .join('')
          .replace(/[^A-Za-z]/g, '')
          .toUpperCase(),
      ];
    }),
  );
}
