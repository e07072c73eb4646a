import { mutations, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BamSelection, createBamRewriter } from '../../src/index.js';
import { passPieces, piecesOutcome } from '../record-pieces.js';
import { ascii, buildRecord, int32, join, patch } from './build-bam.js';
import { encodeModel, modelRecord } from './model-record.js';

function rewrite(data: Uint8Array, selection: BamSelection, pieceLengths?: readonly number[]): Uint8Array {
  return passPieces(createBamRewriter(selection), data, pieceLengths);
}

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code, offset }) as Error;
}

describe('createBamRewriter with malformed records', () => {
  const record = buildRecord({ tags: ascii('NMC\x01') });

  test.each([
    ['a tag of an unknown type', 'XXq\x01'],
    ['a tag without a value', 'XXC'],
    ['a tag of one byte', 'X'],
    ['a number that extends past the record', 'XXi\x01\x02\x03'],
    ['a text without its NUL', 'XXZabc'],
    ['an array of an unknown type', 'XXBZ\x01\0\0\0a'],
    ['an array without its count', 'XXBc\x01\0\0'],
    ['an array that extends past the record', 'XXBi\x02\0\0\0aaaabbb'],
    ['an array of 2^32 - 1 elements', 'XXBf\xff\xff\xff\xff'],
  ])('rejects %s with any selection', (_, tag) => {
    const bytes = join([record, buildRecord({ tags: ascii(`MDZ\0${tag}`) }), record]);
    const offset = record.length + buildRecord({ tags: ascii('MDZ\0') }).length;
    for (const selection of [{}, { tags: [] }, { notags: ['XX'] }, { fields: [] }]) {
      for (const length of [1, 50, 1000]) {
        expect(() => rewrite(bytes, selection, [length])).toThrow(error('INVALID_DATA', offset));
      }
    }
  });

  test.each([
    ['without a name', { name: '' }],
    ['with a position below -1', { position: -2 }],
    ['with a reference below -1', { referenceId: -2 }],
  ])('rejects a record %s', (_, parts) => {
    expect(() => rewrite(join([record, buildRecord(parts)]), {}, [7])).toThrow(error('INVALID_DATA', record.length));
  });

  test('rejects a record that is too short for its parts, or too long', () => {
    const [unfit, short, huge] = [patch(record, 20, 99), int32(31), int32(2 ** 30)];
    expect(() => rewrite(join([record, unfit]), { tags: [] })).toThrow(error('INVALID_DATA', record.length));
    expect(() => rewrite(join([record, short]), { tags: [] })).toThrow(error('INVALID_DATA', record.length));
    expect(() => rewrite(join([record, huge]), { tags: [] })).toThrow(error('LIMIT_EXCEEDED', record.length));
  });

  test('rejects an incomplete last record as TRUNCATED', () => {
    for (const length of [1, 4, record.length - 1]) {
      const bytes = join([record, record.subarray(0, length)]);
      expect(() => rewrite(bytes, { tags: [] }, [9])).toThrow(error('TRUNCATED', record.length));
    }
  });

  test('treats damaged records alike however the data is cut into pieces', () => {
    const models = fc.sample(modelRecord, { seed: 6, numRuns: 6 });
    const selections: BamSelection[] = [
      { tags: [] },
      { notags: ['NM'] },
      { fields: ['QNAME', 'FLAG', 'CIGAR'] },
      { fields: [] },
    ];
    const damaged = [...mutations(join(models.map(encodeModel)), { seed: 6, count: volume(3000) })];
    const outcomes = damaged.map(({ bytes, description }, index) => {
      const selection = selections[index % selections.length] ?? {};
      const whole = piecesOutcome(createBamRewriter(selection), bytes);
      const inPieces = piecesOutcome(createBamRewriter(selection), bytes, [37, 1, 200]);
      const again = piecesOutcome(createBamRewriter(selection), Buffer.from(whole, 'hex'));
      return { description, whole, inPieces, again, isRefused: whole.includes(' ') };
    });
    expect(outcomes.filter(({ whole, inPieces }) => whole !== inPieces)).toEqual([]);
    // Rewriting a second time changes nothing.
    expect(outcomes.filter(({ whole, again, isRefused }) => !isRefused && again !== whole)).toEqual([]);
    const refused = outcomes.filter(({ isRefused }) => isRefused).length;
    expect(refused).toBeGreaterThan(volume(500));
    expect(outcomes.length - refused).toBeGreaterThan(volume(500));
  });
});
