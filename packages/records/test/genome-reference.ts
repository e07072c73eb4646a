import { bgunzip, expectations, readFixture } from '@htskit/testing';

type Request = { readonly name: string; readonly start: number; readonly end: number };

const { sequences } = expectations('genome.fa');
const bases = new Map<string, Uint8Array>();

/** Returns bases of the sequences of genome.fa, which the reads of the fixtures are aligned to. */
export async function genomeReference({ name, start, end }: Request): Promise<Uint8Array | undefined> {
  if (bases.size === 0) {
    const text = new TextDecoder().decode(bgunzip(readFixture('genome.fa.gz')));
    const records = text.split('>').slice(1);
    for (const [index, record] of records.entries()) {
      const sequence = record.slice(record.indexOf('\n')).replaceAll(/\s/g, '');
      bases.set(sequences[index]?.name ?? '', new TextEncoder().encode(sequence));
    }
  }
  return bases.get(name)?.subarray(start, end);
}
