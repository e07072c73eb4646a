import type { BaseRange, Sequence } from '../../src/sequence.js';

/** The bases of a range, or of the whole sequence, as text. */
export async function readBases(sequence: Sequence, range?: BaseRange): Promise<string> {
  return new Response(sequence.stream(range ?? { start: 0, end: sequence.metadata.length })).text();
}

/** The sequences of a FASTA text by name, in upper case: letters alone, found without any index. */
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
