import { mutations, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { bcfLengthKeys, createBcfFilter, createBcfRewriter, FormatError, parseBcfHeader } from '../../src/index.js';
import { parseBcfRecordSpan } from '../../src/internal.js';
import { ALLELE_LENGTH_CASES, ALLELE_LENGTH_HEADER, type AlleleLengthCase } from '../allele-lengths.js';
import { ascii, join } from '../bam/build-bam.js';
import { passPieces } from '../record-pieces.js';
import { buildBcfHeader, buildBcfRecord } from './build-bcf.js';
import { buildInteger } from './build-typed.js';

const headerOf = (version: string): Parameters<typeof bcfLengthKeys>[0] =>
  parseBcfHeader(buildBcfHeader([`##fileformat=VCFv${version}`, ...ALLELE_LENGTH_HEADER, ''].join('\n')));
const header = headerOf('4.5');
const lengthKeys = bcfLengthKeys(header);

const MISSING = -(2 ** 31);
const numberOf = (name: string): number => [...header.strings].find(([, known]) => known === name)?.[0] ?? -1;

/** A typed string of less than 15 characters. */
const text = (value: string): Uint8Array => join([Uint8Array.of((value.length << 4) | 7), ascii(value)]);
/** Typed 32-bit integers, `rows` of them for FORMAT. */
const integers = (values: readonly number[], rows = 1): Uint8Array =>
  join([
    Uint8Array.of(((values.length / rows) << 4) | 3),
    ...values.map((value) => buildInteger(value, 3).subarray(1)),
  ]);
const toInteger = (value: string | undefined): number => (/^-?\d+$/.test(value ?? '') ? Number(value) : MISSING);

/** Encodes the integers of a case, with the rlen that a program writes that knows neither SVLEN nor LEN. */
function encode({ ref, alt, info, format = '', samples = [], lastBefore }: AlleleLengthCase): Uint8Array {
  const alleles = [ref, ...alt.split(',')];
  const infos = info.split(';').flatMap((entry) => {
    const [key = '', value = ''] = entry.split('=');
    const isInteger = key === 'SVLEN' || key === 'END';
    return isInteger ? [join([buildInteger(numberOf(key)), integers(value.split(',').map(toInteger))])] : [];
  });
  const formats = format.split(':').flatMap((key, index) => {
    if (!key.startsWith('LEN')) return [];
    const lengths = samples.map((sample) => toInteger(sample.split(':')[index]));
    return [join([buildInteger(numberOf(key)), integers(lengths, samples.length)])];
  });
  return buildBcfRecord({
    position: 999,
    rlen: lastBefore - 999,
    alleleCount: alleles.length,
    values: join([text('.'), ...alleles.map(text), Uint8Array.of(0)]),
    infos,
    formats,
    sampleCount: samples.length,
  });
}

test('has keys for VCF 4.4 and later, as far as the header declares them', () => {
  expect(lengthKeys).toEqual({ svlen: numberOf('SVLEN'), len: numberOf('LEN') });
  expect(bcfLengthKeys(headerOf('4.3'))).toBeUndefined();
  const bare = parseBcfHeader(buildBcfHeader('##fileformat=VCFv4.4\n'));
  expect(bcfLengthKeys(bare)).toEqual({ svlen: undefined, len: undefined });
});

describe.each(ALLELE_LENGTH_CASES)('$ref to $alt, $info, $samples', (one) => {
  const record = encode(one);

  test('covers the lengths of its alleles even if rlen does not', () => {
    expect(parseBcfRecordSpan(record, 0, { lengthKeys }).baseEnd).toBe(one.last);
    expect(parseBcfRecordSpan(record, 0).baseEnd).toBe(one.lastBefore);
    expect(parseBcfRecordSpan(record, 0, { lengthKeys: bcfLengthKeys(headerOf('4.3')) }).baseEnd).toBe(one.lastBefore);
  });

  test('is kept for its last base, and dropped after it', () => {
    const isKept = (base: number): boolean =>
      passPieces(createBcfFilter([{ referenceId: 0, start: base - 1, end: base }], { lengthKeys }), record).length > 0;
    expect([isKept(999), isKept(1000), isKept(one.last), isKept(one.last + 1)]).toEqual([false, true, true, false]);
  });
});

test('a record whose INFO loses END keeps its rlen if the lengths of its alleles count', () => {
  const record = encode({ ref: 'A', alt: '<DEL>', info: 'END=1100;SVLEN=100', last: 1100, lastBefore: 1100 });
  const rewrite = (alleleLengths: boolean): number => {
    const rewriter = createBcfRewriter({ notags: ['END'] }, header.strings, { alleleLengths });
    return parseBcfRecordSpan(passPieces(rewriter, record), 0).baseEnd;
  };
  expect(rewrite(true)).toBe(1100);
  expect(rewrite(false)).toBe(1000);
});

test('parses or rejects every damaged record', () => {
  const records = ALLELE_LENGTH_CASES.slice(-2).map(encode);
  const damaged = records.flatMap((record) => [...mutations(record, { seed: 10, count: volume(2000) })]);
  const outcomes = damaged.map(({ bytes }) => {
    try {
      return parseBcfRecordSpan(bytes, 0, { lengthKeys }).byteEnd <= bytes.length ? 'span' : 'too long';
    } catch (cause) {
      return cause instanceof FormatError ? 'FormatError' : cause;
    }
  });
  expect(outcomes.filter((outcome) => outcome !== 'span' && outcome !== 'FormatError')).toEqual([]);
  expect(outcomes).toContain('FormatError');
});
