import { crc32 } from '@htskit/bgzf/internal';
import { SequenceDigester } from '@htskit/digest';
import { mutations, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { MAX_RUNS } from '../../../src/store/object/exception-runs.js';
import {
  basesOffset,
  formatHead,
  HEADER_BYTES,
  objectSize,
  parseHeader,
  parseHeadRuns,
} from '../../../src/store/object/object-format.js';
import { SequenceStoreError } from '../../../src/store/sequence-store-error.js';
import { toBytes } from '../random-bases.js';

const DIGESTS = new SequenceDigester().update(toBytes('ACGTNNACGTACGTACGTACGTA')).digest();
const RUNS = { starts: Uint32Array.of(4), lengths: Uint32Array.of(2), letters: Uint8Array.of(0x4e) };
const NO_RUNS = { starts: new Uint32Array(0), lengths: new Uint32Array(0), letters: new Uint8Array(0) };
const KEY = 'the key';

function codeOf(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof SequenceStoreError) return error.code;
    throw error;
  }
}

describe('the header of an object', () => {
  test('has its fields at the offsets in the README', () => {
    const head = formatHead(DIGESTS, RUNS);
    const view = new DataView(head.buffer);
    expect(new TextDecoder().decode(head.subarray(0, 8))).toBe('HTSKITSQ');
    expect([8, 12, 16, 20].map((at) => view.getUint32(at, true))).toEqual([1, 2, 23, 1]);
    expect(Buffer.from(head.subarray(24, 48)).toString('base64url')).toBe(DIGESTS.sha512t24u.slice(3));
    expect(Buffer.from(head.subarray(48, 64)).toString('hex')).toBe(DIGESTS.md5);
    expect([...head.subarray(72)]).toEqual([4, 0, 0, 0, 2, 0, 0, 0, 0x4e]);
    expect(head).toHaveLength(HEADER_BYTES + 9);
  });

  test.each([
    ['packed with runs', RUNS, 72 + 9, 72 + 9 + 6],
    ['packed without runs', NO_RUNS, 72, 72 + 6],
    ['as letters', undefined, 72, 72 + 23],
  ])('is parsed from its own bytes for a sequence %s', (_, runs, offset, size) => {
    const head = formatHead(DIGESTS, runs);
    const header = parseHeader(head, KEY);
    expect(header.digests).toEqual(DIGESTS);
    expect(header.bitsPerBase).toBe(runs === undefined ? 8 : 2);
    expect(basesOffset(header)).toBe(offset);
    expect(objectSize(header)).toBe(size);
    expect(parseHeadRuns(head.subarray(HEADER_BYTES), header, KEY)).toEqual(runs ?? NO_RUNS);
  });

  test.each([
    [2 ** 32 - 1, 1],
    [2 ** 32, 2],
    [2 ** 48 - 1, 2],
  ])('holds a length of %d bases in version %d', (length, version) => {
    const head = formatHead({ ...DIGESTS, length }, undefined);
    const header = parseHeader(head, KEY);
    expect([head[8], header.digests.length, objectSize(header)]).toEqual([version, length, length + 72]);
  });

  test('holds runs beyond 2^32 bases', () => {
    const runs = { starts: Float64Array.of(2 ** 33), lengths: Float64Array.of(9), letters: Uint8Array.of(0x4e) };
    const head = formatHead({ ...DIGESTS, length: 2 ** 34 }, runs);
    const header = parseHeader(head, KEY);
    expect([basesOffset(header), objectSize(header)]).toEqual([72 + 17, 72 + 17 + 2 ** 32]);
    expect(parseHeadRuns(head.subarray(HEADER_BYTES), header, KEY)).toEqual(runs);
  });

  test('rejects 2^48 bases', () => {
    expect(codeOf(() => formatHead({ ...DIGESTS, length: 2 ** 48 }, undefined))).toBe('LIMIT_EXCEEDED');
  });

  test.each([
    ['a byte short', (head: Uint8Array) => head.slice(0, 71), 'TRUNCATED'],
    ['empty', () => new Uint8Array(0), 'TRUNCATED'],
    ['with another magic', (head: Uint8Array) => head.with(0, 0), 'CORRUPT'],
    ['with another length', (head: Uint8Array) => head.with(16, 22), 'CORRUPT'],
    ['with another digest', (head: Uint8Array) => head.with(24, 0), 'CORRUPT'],
  ])('that is %s is rejected', (_, damage, code) => {
    const head = damage(formatHead(DIGESTS, RUNS));
    expect(codeOf(() => parseHeader(head, KEY))).toBe(code);
  });

  test.each([
    ['version 3', 8, 3, 'UNSUPPORTED_VERSION'],
    ['the version of long sequences', 8, 2, 'CORRUPT'],
    ['four bits per base', 12, 4, 'CORRUPT'],
    ['letters, and runs all the same', 12, 8, 'CORRUPT'],
    ['more runs than bases', 20, 24, 'CORRUPT'],
  ])('with %s is rejected although its checksum is right', (_, at, value, code) => {
    const head = formatHead(DIGESTS, RUNS);
    const view = new DataView(head.buffer);
    view.setUint32(at, value, true);
    view.setUint32(68, crc32(head.subarray(0, 68)), true);
    expect(codeOf(() => parseHeader(head, KEY))).toBe(code);
  });

  test('with more runs than a writer makes is rejected, however long the sequence', () => {
    const head = formatHead({ ...DIGESTS, length: 2 ** 32 - 1 }, RUNS);
    const view = new DataView(head.buffer);
    const withRuns = (count: number): Uint8Array => {
      view.setUint32(20, count, true);
      view.setUint32(68, crc32(head.subarray(0, 68)), true);
      return head;
    };
    expect(parseHeader(withRuns(MAX_RUNS), KEY).runCount).toBe(MAX_RUNS);
    expect(codeOf(() => parseHeader(withRuns(MAX_RUNS + 1), KEY))).toBe('CORRUPT');
  });

  test.each([
    ['are too few', (runs: Uint8Array) => runs.slice(1), 'TRUNCATED'],
    ['are damaged', (runs: Uint8Array) => runs.with(8, 0x4d), 'CORRUPT'],
  ])('rejects runs that %s', (_, damage, code) => {
    const head = formatHead(DIGESTS, RUNS);
    expect(codeOf(() => parseHeadRuns(damage(head.slice(HEADER_BYTES)), parseHeader(head, KEY), KEY))).toBe(code);
  });

  test('rejects impossible runs although their checksum is right', () => {
    const head = formatHead(DIGESTS, { ...RUNS, starts: Uint32Array.of(22) });
    expect(codeOf(() => parseHeadRuns(head.subarray(HEADER_BYTES), parseHeader(head, KEY), KEY))).toBe('CORRUPT');
  });

  test('that is damaged is rejected or parsed unchanged', () => {
    const head = formatHead(DIGESTS, RUNS);
    const undamaged = parseHeader(head, KEY);
    let rejected = 0;
    for (const { bytes, description } of mutations(head, { seed: 1, count: volume(2000) })) {
      try {
        const header = parseHeader(bytes, KEY);
        expect({ header, description }).toEqual({ header: undamaged, description });
        const runs = parseHeadRuns(bytes.subarray(HEADER_BYTES, basesOffset(header)), header, KEY);
        expect({ runs, description }).toEqual({ runs: RUNS, description });
      } catch (error) {
        if (!(error instanceof SequenceStoreError)) throw error;
        rejected++;
      }
    }
    expect(rejected).toBeGreaterThan(volume(1500));
  });
});
