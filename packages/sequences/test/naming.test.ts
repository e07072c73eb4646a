import { SequenceDigester } from '@htskit/digest';
import { describe, expect, test } from 'vitest';
import { checkNamingAuthority, createDescriber } from '../src/naming.js';

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
