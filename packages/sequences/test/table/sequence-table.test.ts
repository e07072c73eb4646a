import { memorySource } from '@htskit/storage/memory';
import { describe, expect, test } from 'vitest';
import { type OpenFastaOptions, readFastaTable, toFastaTable } from '../../src/fasta/open-fasta.js';
import type { NamedSequence } from '../../src/sequence.js';
import type { SequenceTable } from '../../src/table/sequence-table.js';
import { digestsOf } from '../rgstore/build-rgstore.js';

const FASTA = '>chr1\nACGT\n>chr2\nGATTACA\n>chr3\nACGT\n>chr4\n\n>chr5\nTTTTTTTTTT\n';

async function open(options: Partial<OpenFastaOptions> = {}): Promise<SequenceTable> {
  const given = { data: memorySource(new TextEncoder().encode(FASTA)), ...options };
  return toFastaTable(await readFastaTable(given), given);
}

const names = (sequences: readonly NamedSequence[]): string[] => sequences.map(({ name }) => name);
const curie = (namespace: string, name: string) => ({ kind: 'curie', namespace, name }) as const;

test('finds sequences by each digest, also several of equal content', async () => {
  const table = await open();
  const { md5, sha512t24u, trunc512 } = digestsOf('ACGT');
  expect(names(table.find({ kind: 'md5', digest: md5 }))).toEqual(['chr1', 'chr3']);
  expect(names(table.find({ kind: 'sha512t24u', digest: sha512t24u }))).toEqual(['chr1', 'chr3']);
  expect(names(table.find({ kind: 'trunc512', digest: trunc512 }))).toEqual(['chr1', 'chr3']);
  expect(table.find({ kind: 'md5', digest: '0'.repeat(32) })).toEqual([]);
});

test('returns the sequences in order and by index', async () => {
  const table = await open();
  expect(names([...table])).toEqual(['chr1', 'chr2', 'chr3', 'chr4', 'chr5']);
  expect([table.length, table.at(1)?.name, table.at(5), table.at(-1), table.at(0.5)]).toEqual([
    5,
    'chr2',
    undefined,
    undefined,
    undefined,
  ]);
  expect(new TextDecoder().decode(await table.at(1)?.read({ start: 1, end: 4 }))).toBe('ATT');
});

test('returns the longest sequences, the longest first', async () => {
  const table = await open();
  expect(names(table.longest(2))).toEqual(['chr5', 'chr2']);
  expect(names(table.longest(9))).toEqual(['chr5', 'chr2', 'chr1', 'chr3', 'chr4']);
});

describe('by alias', () => {
  test('finds the names of the file only with a naming authority, in any letter case', async () => {
    expect((await open()).find(curie('here', 'chr2'))).toEqual([]);
    const table = await open({ namingAuthority: 'Here' });
    expect(names(table.find(curie('hERE', 'chr2')))).toEqual(['chr2']);
    expect(table.find(curie('here', 'CHR2'))).toEqual([]);
    expect(table.namingAuthorities).toEqual(['Here']);
  });

  test('finds the rows of a table by name and by digest, unless their length differs', async () => {
    const { md5 } = digestsOf('ACGT');
    const table = await open({
      aliases: [
        { sequence: 'chr2', alias: 'NC_2', namingAuthority: 'refseq' },
        { sequence: `md5:${md5.toUpperCase()}`, alias: 'NC_1', namingAuthority: 'refseq' },
        { sequence: 'chr5', alias: 'NC_5', namingAuthority: 'refseq', length: 11 },
        { sequence: 'missing', alias: 'NC_6', namingAuthority: 'insdc' },
      ],
    });
    expect(names(table.find(curie('refseq', 'NC_2')))).toEqual(['chr2']);
    expect(names(table.find(curie('refseq', 'NC_1')))).toEqual(['chr1', 'chr3']);
    expect(table.find(curie('refseq', 'NC_5'))).toEqual([]);
    expect(table.find(curie('insdc', 'NC_6'))).toEqual([]);
    expect(table.at(0)?.metadata.aliases).toEqual([{ alias: 'NC_1', namingAuthority: 'refseq' }]);
  });
});
