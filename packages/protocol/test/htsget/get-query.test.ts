import { describe, expect, test } from 'vitest';
import { HtsgetError, type HtsgetErrorCode } from '../../src/htsget/error.js';
import { parseHtsgetGet } from '../../src/htsget/get-query.js';
import { type Datatype, FIELD_NAMES } from '../../src/htsget/query.js';

const MAX_INT64 = '9223372036854775807';

describe('format', () => {
  test.each<[Datatype, string, string]>([
    ['reads', '', 'BAM'],
    ['reads', 'format=BAM', 'BAM'],
    ['reads', 'format=CRAM', 'CRAM'],
    ['reads', 'format=cram', 'CRAM'],
    ['reads', 'format=Bam', 'BAM'],
    ['variants', '', 'VCF'],
    ['variants', 'format=vcf', 'VCF'],
    ['variants', 'format=BCF', 'BCF'],
    ['variants', 'format=vcfText', 'VCFTEXT'],
  ])('of %s in %j is %s', (datatype, query, format) => {
    expect(parseHtsgetGet(datatype, new URLSearchParams(query))).toEqual({ datatype, format });
  });

  test.each<[Datatype, string, string]>([
    ['reads', 'format=SAM', 'SAM'],
    ['reads', 'format=', ''],
    ['reads', 'format=VCF', 'VCF'],
    ['reads', 'format=BAM%20', 'BAM '],
    ['variants', 'format=BAM', 'BAM'],
    ['variants', 'format=VCF.GZ', 'VCF.GZ'],
  ])('of %s in %j is unsupported', (datatype, query, format) => {
    const error = refusalOf(datatype, query);
    expect(error).toMatchObject({ code: 'UnsupportedFormat', status: 400 });
    expect(error.message).toBe(`format "${format}" is not supported for ${datatype}`);
  });
});

describe('regions', () => {
  test.each([
    ['referenceName=chr1', { referenceName: 'chr1' }],
    ['referenceName=*', { referenceName: '*' }],
    ['referenceName=HLA%2BA*01:01', { referenceName: 'HLA+A*01:01' }],
    ['referenceName=chr1&start=10', { referenceName: 'chr1', start: 10 }],
    ['referenceName=chr1&end=10', { referenceName: 'chr1', end: 10 }],
    ['referenceName=chr1&start=0&end=10', { referenceName: 'chr1', start: 0, end: 10 }],
    ['referenceName=chr1&start=010&end=0020', { referenceName: 'chr1', start: 10, end: 20 }],
    // an empty region is valid
    ['referenceName=chr1&start=10&end=10', { referenceName: 'chr1', start: 10, end: 10 }],
    ['referenceName=chr1&end=0', { referenceName: 'chr1', end: 0 }],
    // up to 2^63-1, clamped to 2^53-1
    ['referenceName=chr1&start=4294967296', { referenceName: 'chr1', start: 4_294_967_296 }],
    ['referenceName=chr1&end=9007199254740991', { referenceName: 'chr1', end: Number.MAX_SAFE_INTEGER }],
    ['referenceName=chr1&end=9007199254740993', { referenceName: 'chr1', end: Number.MAX_SAFE_INTEGER }],
    [`referenceName=chr1&start=5&end=${MAX_INT64}`, { referenceName: 'chr1', start: 5, end: Number.MAX_SAFE_INTEGER }],
  ])('%j is one region', (query, region) => {
    expect(parseHtsgetGet('reads', new URLSearchParams(query)).regions).toEqual([region]);
  });

  test('no referenceName selects the whole file', () => {
    expect(parseHtsgetGet('reads', new URLSearchParams('format=BAM')).regions).toBeUndefined();
  });
});

describe('lists', () => {
  test.each([
    ['fields=POS', { fields: ['POS'] }],
    ['fields=SEQ,QUAL,SEQ', { fields: ['SEQ', 'QUAL'] }],
    [`fields=${FIELD_NAMES.join(',')}`, { fields: FIELD_NAMES }],
    ['tags=', { tags: [] }],
    ['tags', { tags: [] }],
    ['tags=NM,MD,NM', { tags: ['NM', 'MD'] }],
    ['notags=', { notags: [] }],
    ['notags=OQ', { notags: ['OQ'] }],
    ['tags=&notags=', { tags: [], notags: [] }],
    ['tags=NM&notags=OQ', { tags: ['NM'], notags: ['OQ'] }],
  ])('parses %j', (query, lists) => {
    const expected = { datatype: 'reads', format: 'BAM', ...lists };
    expect(parseHtsgetGet('reads', new URLSearchParams(query))).toEqual(expected);
  });

  test('ignores fields of variants', () => {
    expect(parseHtsgetGet('variants', new URLSearchParams('fields=XYZ&tags=DP'))).toEqual({
      datatype: 'variants',
      format: 'VCF',
      tags: ['DP'],
    });
  });
});

describe('class=header', () => {
  test.each<[Datatype, string]>([
    ['reads', 'class=header'],
    ['reads', 'class=header&referenceName=na'],
    ['reads', 'class=header&referenceName=chr1&start=1&end=2&fields=POS&tags=NM&notags=MD'],
    ['reads', 'class=header&referenceName=chr1&start=2&end=1'],
    ['variants', 'class=header&referenceName=*'],
  ])('of %s in %j drops the other parameters', (datatype, query) => {
    const format = datatype === 'reads' ? 'BAM' : 'VCF';
    expect(parseHtsgetGet(datatype, new URLSearchParams(query))).toEqual({ datatype, format, class: 'header' });
  });

  test.each<[string, HtsgetErrorCode]>([
    ['class=header&format=XYZ', 'UnsupportedFormat'],
    ['class=header&referenceName=chr1&start=x', 'InvalidInput'],
    ['class=header&start=1', 'InvalidInput'],
    ['class=header&referenceName=*&end=1', 'InvalidInput'],
    ['class=header&fields=XYZ', 'InvalidInput'],
    ['class=header&tags=NM&notags=NM', 'InvalidInput'],
    ['class=header&class=header', 'InvalidInput'],
  ])('rejects %j as %s', (query, code) => {
    expect(refusalOf('reads', query).code).toBe(code);
  });
});

test.each<[Datatype, string, HtsgetErrorCode]>([
  ['reads', 'class=body', 'InvalidInput'],
  ['reads', 'class=', 'InvalidInput'],
  ['reads', 'class=Header', 'InvalidInput'],
  ['reads', 'start=1', 'InvalidInput'],
  ['reads', 'end=1', 'InvalidInput'],
  ['reads', 'start=1&end=2', 'InvalidInput'],
  ['reads', 'referenceName=', 'InvalidInput'],
  ['reads', 'referenceName=*&start=0', 'InvalidInput'],
  ['reads', 'referenceName=*&end=0', 'InvalidInput'],
  ['variants', 'referenceName=*&start=0', 'InvalidInput'],
  ['reads', 'referenceName=chr1&start=-1', 'InvalidInput'],
  ['reads', 'referenceName=chr1&start=-0', 'InvalidInput'],
  ['reads', 'referenceName=chr1&start=1.5', 'InvalidInput'],
  ['reads', 'referenceName=chr1&start=', 'InvalidInput'],
  ['reads', 'referenceName=chr1&start=+1', 'InvalidInput'],
  ['reads', 'referenceName=chr1&start=%2B1', 'InvalidInput'],
  ['reads', 'referenceName=chr1&start=0x10', 'InvalidInput'],
  ['reads', 'referenceName=chr1&start=1e3', 'InvalidInput'],
  ['reads', 'referenceName=chr1&start=1,000', 'InvalidInput'],
  ['reads', 'referenceName=chr1&end=abc', 'InvalidInput'],
  ['reads', 'referenceName=chr1&end=9223372036854775808', 'InvalidInput'],
  ['reads', 'referenceName=chr1&end=-1', 'InvalidInput'],
  ['reads', 'fields=XYZ', 'InvalidInput'],
  ['reads', 'fields=pos', 'InvalidInput'],
  ['reads', 'fields=', 'InvalidInput'],
  ['reads', 'fields=POS,', 'InvalidInput'],
  ['reads', 'tags=NM,,MD', 'InvalidInput'],
  ['reads', 'notags=,', 'InvalidInput'],
  ['reads', 'tags=NM,MD&notags=OQ,MD', 'InvalidInput'],
])('rejects %s?%s as %s', (datatype, query, code) => {
  expect(refusalOf(datatype, query)).toMatchObject({ code, status: 400 });
});

test.each([
  ['start=2&end=1', 'start 2 is greater than end 1'],
  [`start=${MAX_INT64}&end=9223372036854775806`, `start ${MAX_INT64} is greater than end 9223372036854775806`],
])('the query reports the invalid range %s, because an unknown reference takes precedence', (range, fault) => {
  const query = parseHtsgetGet('reads', new URLSearchParams(`referenceName=chr1&${range}`));
  expect(query.invalidRange).toBe(fault);
});

test.each(['format', 'class', 'referenceName', 'start', 'end', 'fields', 'tags', 'notags'])(
  'rejects a repeated %s, even with the same value',
  (name) => {
    expect(refusalOf('reads', `${name}=1&${name}=1`).message).toBe(`${name} is given more than once`);
  },
);

test.each(['encryption=x', 'referenceMD5=0&referenceMD5=1', 'Format=XYZ', 'regions=1', ''])(
  'ignores %j, which the protocol does not define',
  (query) => {
    expect(parseHtsgetGet('reads', new URLSearchParams(query))).toEqual({ datatype: 'reads', format: 'BAM' });
  },
);

test.each<[string, HtsgetErrorCode]>([
  ['format=XYZ&referenceName=chr1&start=x', 'InvalidInput'],
  ['format=XYZ&tags=NM&notags=NM', 'InvalidInput'],
  ['format=XYZ&referenceName=*', 'UnsupportedFormat'],
  ['format=XYZ&referenceName=chr1&start=2&end=1', 'UnsupportedFormat'],
])('of several faults in %j reports %s', (query, code) => {
  expect(refusalOf('variants', query).code).toBe(code);
});

function refusalOf(datatype: Datatype, query: string): HtsgetError {
  try {
    parseHtsgetGet(datatype, new URLSearchParams(query));
  } catch (error) {
    if (error instanceof HtsgetError) return error;
    throw error;
  }
  throw new Error(`${query} is accepted`);
}
