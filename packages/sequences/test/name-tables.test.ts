import { SequenceDigester } from '@htskit/digest';
import { describe, expect, test } from 'vitest';
import { checkNamingAuthority } from '../src/alias-row.js';
import { createDescriber, parseAliasTable, parseDictionaryDigests } from '../src/name-tables.js';

const digests = new SequenceDigester().update(new TextEncoder().encode('ACGT')).digest();

describe('metadata', () => {
  test.each([
    'chr1',
    digests.md5,
    digests.md5.toUpperCase(),
    `md5:${digests.md5}`,
    digests.sha512t24u,
    `ga4gh:${digests.sha512t24u}`,
    digests.trunc512,
  ])('has the alias that a table gives to %s', (sequence) => {
    const describeSequence = createDescriber({ aliases: [{ sequence, alias: '1', namingAuthority: 'ncbi' }] });
    expect(describeSequence('chr1', digests)).toEqual({
      ...digests,
      aliases: [{ alias: '1', namingAuthority: 'ncbi' }],
      circular: false,
    });
  });

  test('has the name under its authority, and each alias once', () => {
    const row = { sequence: 'chrM', alias: 'MT', namingAuthority: 'ncbi' };
    const describeSequence = createDescriber({
      namingAuthority: 'ucsc',
      circular: new Set(['chrM']),
      aliases: [row, row, { ...row, sequence: digests.md5 }, { ...row, alias: 'chrM', namingAuthority: 'ucsc' }],
    });
    expect(describeSequence('chrM', digests)).toMatchObject({
      aliases: [
        { alias: 'chrM', namingAuthority: 'ucsc' },
        { alias: 'MT', namingAuthority: 'ncbi' },
      ],
      circular: true,
    });
    expect(describeSequence('HLA-A*01:01', { ...digests, md5: '', sha512t24u: '' })).toMatchObject({ circular: false });
  });

  test('accepts a name with a colon', () => {
    const aliases = [{ sequence: 'HLA-A*01:01', alias: 'A', namingAuthority: 'ipd' }];
    expect(createDescriber({ aliases })('HLA-A*01:01', digests).aliases).toHaveLength(1);
  });
});

test.each(['', 'a:b', 'a b', 'md5', 'TRUNC512', 'ga4gh', 'std', '-a', 'ä'])(
  'rejects the naming authority %j, which no identifier can contain',
  (authority) => {
    expect(() => checkNamingAuthority(authority)).toThrow(RangeError);
    expect(() => createDescriber({ namingAuthority: authority })).toThrow(RangeError);
    const aliases = [{ sequence: 'a', alias: 'b', namingAuthority: authority }];
    expect(() => createDescriber({ aliases })).toThrow(RangeError);
  },
);

test.each(['insdc', 'UCSC', 'my.org_2'])('accepts the naming authority %j', (authority) => {
  expect(() => checkNamingAuthority(authority)).not.toThrow();
});

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a table of aliases', () => {
  test('has three columns, comments and blank lines', () => {
    const table = parseAliasTable(encode('#name\talias\tauthority\n\nchr1\tNC_000001.11\tinsdc\r\n chr1 \t1\tncbi'));
    expect(table).toEqual([
      { sequence: 'chr1', alias: 'NC_000001.11', namingAuthority: 'insdc' },
      { sequence: 'chr1', alias: '1', namingAuthority: 'ncbi' },
    ]);
  });

  test.each([
    'chr1',
    'chr1\tx',
    'chr1\tx\t',
    'chr1\t\tinsdc',
    '\tx\tinsdc',
    'chr1\tx\tinsdc\ty',
    'chr1 x insdc',
    'chr1\tx\tmd5',
  ])('rejects the line %j with its offset', (line) => {
    expect(() => parseAliasTable(encode(`a\tb\tinsdc\n#\n${line}`))).toThrow(
      expect.objectContaining({ code: 'INVALID_ALIASES', offset: 12 }),
    );
  });
});

describe('an assembly report', () => {
  const report = [
    '# Assembly name:  example',
    '#',
    '# Sequence-Name\tSequence-Role\tAssigned-Molecule\tAssigned-Molecule-Location/Type\tGenBank-Accn\tRelationship\tRefSeq-Accn\tAssembly-Unit\tSequence-Length\tUCSC-style-name',
    '1\tassembled-molecule\t1\tChromosome\tCM1.2\t=\tNC_1.11\tPrimary Assembly\t4\tchr1',
    'MT\tassembled-molecule\tMT\tMitochondrion\tJ1.2\t<>\tNC_2.1\tnon-nuclear\t4\tchrM\r',
    'CTG7\tunplaced-scaffold\tna\tna\tKI7.1\t<>\tna\tPrimary Assembly\t4\tna',
  ].join('\n');
  const describeSequence = createDescriber({ aliases: parseAliasTable(encode(report)) });
  const aliasesOf = (name: string, length = 4): string[] =>
    describeSequence(name, { ...digests, length }).aliases.map((alias) => `${alias.namingAuthority}:${alias.alias}`);

  test('lists all names of each sequence', () => {
    const names = new Set(parseAliasTable(encode(report)).map((row) => row.names?.toSorted().join()));
    expect([...names]).toEqual(['1,CM1.2,NC_1.11,chr1', 'J1.2,MT,NC_2.1,chrM', 'CTG7,KI7.1']);
  });

  test.each(['1', 'chr1', 'CM1.2', 'NC_1.11'])('gives all aliases to a sequence named %s', (name) => {
    expect(aliasesOf(name)).toEqual(['insdc:CM1.2', 'refseq:NC_1.11', 'ucsc:chr1']);
  });

  test.each([
    ['J1.2', ['insdc:J1.2']],
    ['NC_2.1', ['refseq:NC_2.1']],
    ['MT', ['ucsc:chrM']],
    ['chrM', ['ucsc:chrM']],
  ])('keeps GenBank and RefSeq apart if their sequences differ: %s is %j', (name, aliases) => {
    expect(aliasesOf(name)).toEqual(aliases);
  });

  test.each(['CTG7', 'KI7.1'])('gives its only accession to a sequence named %s', (name) => {
    expect(aliasesOf(name)).toEqual(['insdc:KI7.1']);
  });

  test.each([
    ['chr1', 5],
    ['chr2', 4],
    ['na', 4],
  ])('gives no alias to %s of %i bases', (name, length) => {
    expect(aliasesOf(name, length)).toEqual([]);
  });
});

test('parses the MD5 of each @SQ line of a SAM header that has one', () => {
  const { md5 } = digests;
  const header = [
    '@HD\tVN:1.6',
    `@SQ\tSN:a\tLN:4\tM5:${md5}`,
    `@SQ\tM5:${md5.toUpperCase()}\tSN:b\tLN:4\r`,
    '@SQ\tSN:c\tLN:4',
    '@SQ\tSN:d\tM5:short',
    `@CO\tSN:e\tM5:${md5}`,
  ].join('\n');
  expect(parseDictionaryDigests(encode(header))).toEqual(
    new Map([
      ['a', md5],
      ['b', md5],
    ]),
  );
});
