import { TimeSlice } from '@htskit/io/internal';
import { memorySource } from '@htskit/storage/memory';
import { describe, expect, test } from 'vitest';
import { readFastaTable, toFastaTable } from '../../src/fasta/open-fasta.js';
import type { NamingOptions } from '../../src/name-tables.js';
import type { NamedSequence } from '../../src/sequence.js';
import { SequenceTable } from '../../src/table/sequence-table.js';
import { SequenceColumnsBuilder, toTableData } from '../../src/table/table-data.js';
import { readBases } from '../fasta/read-bases.js';
import { digestsOf } from '../rgstore/build-rgstore.js';

const FASTA = '>chr1\nACGT\n>chr2\nGATTACA\n>chr3\nACGT\n>chr4\n\n>chr5\nTTTTTTTTTT\n';

async function open(options: Partial<Parameters<typeof readFastaTable>[0]> = {}): Promise<SequenceTable> {
  const given = { data: memorySource(new TextEncoder().encode(FASTA)), ...options };
  return toFastaTable(await readFastaTable(given), given);
}

interface TableOfOptions {
  readonly naming?: NamingOptions;
  readonly onOpen?: (row: number) => void;
  readonly toDigests?: typeof digestsOf;
}

/** Creates a table of unreadable sequences from their bases. */
async function tableOf(
  sequences: readonly string[],
  { naming = {}, onOpen, toDigests = digestsOf }: TableOfOptions,
): Promise<SequenceTable> {
  const builder = new SequenceColumnsBuilder();
  const digests = new Map([...new Set(sequences)].map((bases) => [bases, toDigests(bases)]));
  for (const [index, bases] of sequences.entries()) {
    builder.addName(`contig${index}`);
    builder.addDigests(digests.get(bases) ?? toDigests(bases));
  }
  return new SequenceTable({
    data: await toTableData(builder.finish(), { places: {}, slice: new TimeSlice(undefined) }),
    naming,
    open(row, sequence) {
      onOpen?.(row);
      return { ...sequence, read: unread, stream: unread };
    },
  });
}

function unread(): never {
  throw new Error('no bases are read');
}

const names = (sequences: readonly NamedSequence[]): string[] => sequences.map(({ name }) => name);
const curie = (namespace: string, name: string) => ({ kind: 'curie', namespace, name }) as const;

test.each([[['contig1', 'contig0']], [['contig0', 'contig1']]])(
  'finds all sequences of an ambiguous alias, whose rows are %j',
  async (listed) => {
    const aliases = listed.map((sequence) => ({ sequence, alias: 'x', namingAuthority: 'own' }));
    const table = await tableOf(['A', 'C', 'G', 'G'], { naming: { aliases } });
    expect(names(table.find(curie('own', 'x')))).toEqual(['contig0', 'contig1']);
  },
);

test('finds sequences by each digest, those of equal content as one', async () => {
  const table = await open();
  const { md5, sha512t24u, trunc512 } = digestsOf('ACGT');
  expect(names(table.find({ kind: 'md5', digest: md5 }))).toEqual(['chr1']);
  expect(names(table.find({ kind: 'sha512t24u', digest: sha512t24u }))).toEqual(['chr1']);
  expect(names(table.find({ kind: 'trunc512', digest: trunc512 }))).toEqual(['chr1']);
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

describe('rows of equal content', () => {
  test('are merged into the first one, with the aliases of all, circular if any is', async () => {
    const table = await open({
      namingAuthority: 'here',
      circular: new Set(['chr3', 'chr5']),
      aliases: [
        { sequence: 'chr3', alias: 'NC_3', namingAuthority: 'refseq' },
        { sequence: 'chr3', alias: 'chr1', namingAuthority: 'HERE' },
      ],
    });
    const [merged] = table.find(curie('refseq', 'NC_3'));
    expect(merged?.name).toBe('chr1');
    expect(merged?.metadata).toEqual({
      ...digestsOf('ACGT'),
      circular: true,
      aliases: [
        { alias: 'chr1', namingAuthority: 'here' },
        { alias: 'chr3', namingAuthority: 'here' },
        { alias: 'NC_3', namingAuthority: 'refseq' },
      ],
    });
    expect(table.at(0)?.metadata.circular).toBe(false);
    expect(table.find({ kind: 'md5', digest: digestsOf('GATTACA').md5 })[0]?.metadata.circular).toBe(false);
    expect(merged && (await readBases(merged))).toBe('ACGT');
  });

  test('are opened once, as one sequence, and leave the others open', async () => {
    const opened: number[] = [];
    const table = await tableOf(
      Array.from({ length: 5000 }, (_, row) => (row === 0 ? 'GATTACA' : 'ACGT')),
      { naming: { namingAuthority: 'here' }, onOpen: (row) => opened.push(row) },
    );
    const other = table.at(0);
    const { md5, sha512t24u, trunc512 } = digestsOf('ACGT');
    for (const identifier of [
      { kind: 'sha512t24u', digest: sha512t24u },
      { kind: 'trunc512', digest: trunc512 },
      { kind: 'md5', digest: md5 },
      curie('here', 'contig4999'),
    ] as const) {
      const [merged, ...others] = table.find(identifier);
      expect([merged?.name, others]).toEqual(['contig1', []]);
      expect(merged?.metadata.aliases).toHaveLength(4096);
    }
    expect(opened).toEqual([0, 1]);
    expect(table.at(0)).toBe(other);
  });

  test('are two sequences if only their MD5s are equal', async () => {
    const collision = { ...digestsOf('ACGT'), md5: digestsOf('GATTACA').md5 };
    const table = await tableOf(['GATTACA', 'ACGT', 'GATTACA', 'ACGT'], {
      toDigests: (bases) => (bases === 'ACGT' ? collision : digestsOf(bases)),
    });
    expect(names(table.find({ kind: 'md5', digest: collision.md5 }))).toEqual(['contig0', 'contig1']);
  });
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
    expect(names(table.find(curie('refseq', 'NC_1')))).toEqual(['chr1']);
    expect(table.find(curie('refseq', 'NC_5'))).toEqual([]);
    expect(table.find(curie('insdc', 'NC_6'))).toEqual([]);
    expect(table.at(0)?.metadata.aliases).toEqual([{ alias: 'NC_1', namingAuthority: 'refseq' }]);
  });
});
