import { SequenceDigester } from '@htskit/digest';
import { describe, expect, test } from 'vitest';
import { type AliasTableOptions, createDescriber, parseAliasTable } from '../src/name-tables.js';

const digests = new SequenceDigester().update(new TextEncoder().encode('ACGT')).digest();

/** Returns the aliases that a table gives to a sequence. */
function aliasesOf(table: string, name: string, options?: AliasTableOptions): string[] {
  const aliases = parseAliasTable(new TextEncoder().encode(table), options);
  const { aliases: found } = createDescriber({ aliases })(name, digests);
  return found.map(({ alias, namingAuthority }) => `${namingAuthority}:${alias}`);
}

describe('a chromAlias.txt with a column for each authority', () => {
  const TABLE = [
    '# ucsc\tassembly\tgenbank\tncbi\trefseq',
    'chr1\t1\tCM000663.2\t1\tNC_000001.11',
    'chrM\tMT\tJ01415.2\tMT\tNC_012920.1\r',
    'chrUn_1\tHSCHRUN_1\tKI270302.1\t\tNT_187396.1',
    'chrEBV',
    '',
  ].join('\n');

  test.each(['chr1', '1', 'CM000663.2', 'NC_000001.11'])('gives all names to a sequence named %s', (name) => {
    expect(aliasesOf(TABLE, name)).toEqual([
      'ucsc:chr1',
      'assembly:1',
      'insdc:CM000663.2',
      'ncbi:1',
      'refseq:NC_000001.11',
    ]);
  });

  test('omits the names that an authority does not have', () => {
    expect(aliasesOf(TABLE, 'chrUn_1')).toEqual([
      'ucsc:chrUn_1',
      'assembly:HSCHRUN_1',
      'insdc:KI270302.1',
      'refseq:NT_187396.1',
    ]);
    expect(aliasesOf(TABLE, 'chrEBV')).toEqual(['ucsc:chrEBV']);
    expect(aliasesOf(TABLE, '')).toEqual([]);
  });

  test('may have its columns in another order', () => {
    expect(aliasesOf('# refseq\tucsc\nNC_1.1\tchr1\n', 'chr1')).toEqual(['refseq:NC_1.1', 'ucsc:chr1']);
  });

  test.each([
    ['# name\tensembl\tauthority\nchr1\t1\tncbi\n', ['ncbi:1']],
    ['# file\tncbi\nchr1\t1\tncbi\n', ['ncbi:1']],
  ])('is not %j, with one of its names in a comment', (table, expected) => {
    expect(aliasesOf(table, 'chr1')).toEqual(expected);
  });

  test('may have one known column if its file name says so', () => {
    expect(aliasesOf('# ucsc\tmine\nchr1\tone\n', 'one', { isChromAlias: true })).toEqual(['ucsc:chr1', 'mine:one']);
  });

  test('is refused with the offset of a line that has more columns', () => {
    expect(() => aliasesOf('# ucsc\trefseq\nchr1\tNC_1.1\tx\n', 'chr1')).toThrow(
      expect.objectContaining({ code: 'INVALID_ALIASES', offset: 14 }),
    );
  });
});

describe('a chromAlias.txt of alias, name at UCSC and source', () => {
  const ROWS = '1\tchr1\tassembly,ensembl\nCM000663.2\tchr1\tgenbank\nNC_1.11\tchr1\trefseq\nMT\tchrM\tensembl\n';

  test.each([
    ['several sources', ROWS, {}],
    ['a header', `#alias\tchrom\tsource\n${ROWS.replace('assembly,', '')}`, {}],
    ['a file name', ROWS.replace('assembly,', ''), { isChromAlias: true }],
  ])('is recognised by %s', (_, table, options) => {
    for (const name of ['chr1', '1', 'CM000663.2']) {
      const aliases = aliasesOf(table, name, options).filter((alias) => alias !== 'assembly:1');
      expect(aliases).toEqual(['ucsc:chr1', 'ensembl:1', 'insdc:CM000663.2', 'refseq:NC_1.11']);
    }
    expect(aliasesOf(table, 'chrM', options)).toEqual(['ucsc:chrM', 'ensembl:MT']);
  });

  test.each(['1\tchr1', '1\tchr1\tensembl\tx', '1\tchr1\tmd5', '1\t\tensembl'])('refuses the line %j', (line) => {
    expect(() => aliasesOf(`2\tchr2\ta,b\n${line}`, 'chr1')).toThrow(
      expect.objectContaining({ code: 'INVALID_ALIASES', offset: 11 }),
    );
  });

  test('has a row for each of many names of one sequence', () => {
    const table = Array.from({ length: 3000 }, (_, index) => `n${index}\tchr1\ta,b\n`).join('');
    expect(parseAliasTable(new TextEncoder().encode(table))).toHaveLength(6001);
    expect(aliasesOf(table, 'n2999')).toHaveLength(6001);
  });

  test('is another table without these marks', () => {
    expect(aliasesOf('chr1\t1\tensembl\n', 'chr1')).toEqual(['ensembl:1']);
    expect(aliasesOf('chr1\t1\tensembl\n', 'chr1', { isChromAlias: true })).toEqual(['ucsc:1', 'ensembl:chr1']);
  });
});
