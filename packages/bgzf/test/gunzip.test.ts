import { gzipSync } from 'node:zlib';
import { MemoryBudget } from '@htskit/io';
import { mutations, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { inflateGzip as portableInflateGzip } from '../src/engines/inflate-gzip.js';
import { inflateGzip as nodeInflateGzip } from '../src/engines/inflate-gzip.node.js';
import { inflate, TOO_LONG } from '../src/engines/js/js-inflate.js';
import { BgzfError, deflateBlocks, EOF_MARKER, gunzip } from '../src/index.js';
import { noise } from './noise.js';

const text = new TextEncoder().encode('chr1\t0\t150000\t26\t15\n'.repeat(20_000));
const [head, rest] = [text.subarray(0, 7), text.subarray(7)];

function failure(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe.each([
  ['node:zlib', nodeInflateGzip],
  ['plain JavaScript', portableInflateGzip],
])('gzip read by %s', (_, inflateGzip) => {
  test.each([
    ['one member', gzipSync(text)],
    ['several members', Buffer.concat([gzipSync(head), gzipSync(new Uint8Array(0)), gzipSync(rest)])],
    ['zeros after the last member', Buffer.concat([gzipSync(text), new Uint8Array(512)])],
  ])('%s', (_name, bytes) => {
    expect(Buffer.compare(inflateGzip(bytes, text.length), text)).toBe(0);
  });

  test('no data', () => {
    expect(inflateGzip(gzipSync(''), 0)).toHaveLength(0);
  });

  test.each([
    ['no bytes', new Uint8Array(0)],
    ['a member that ends early', gzipSync(text).subarray(0, -1)],
    ['a member that breaks off in the middle', gzipSync(text).subarray(0, 300)],
    ['a wrong CRC32', new Uint8Array(gzipSync(text)).fill(0, -8, -4)],
    ['other bytes after the member', Buffer.concat([gzipSync(text), Buffer.from('BAI')])],
  ])('rejects %s', (_name, bytes) => {
    const error = failure(() => inflateGzip(bytes, 1e7));
    expect(error).toBeInstanceOf(BgzfError);
    expect(error).toMatchObject({ code: 'INVALID_DATA' });
  });

  test('damaged bytes result in data or a BgzfError', () => {
    const bytes = gzipSync(text.subarray(0, 400));
    const errors = [...mutations(bytes, { seed: 4, count: volume(1000) })].map((mutation) =>
      failure(() => inflateGzip(mutation.bytes, 1e6)),
    );
    expect(errors.filter((error) => error !== undefined && !(error instanceof BgzfError))).toEqual([]);
    expect(errors.filter((error) => error instanceof BgzfError).length).toBeGreaterThan(volume(500));
  });
});

describe('gunzip', () => {
  test('reads BGZF as well as other gzip', () => {
    expect(Buffer.compare(gunzip(Buffer.concat([deflateBlocks(text), EOF_MARKER])), text)).toBe(0);
    expect(Buffer.compare(gunzip(gzipSync(text)), text)).toBe(0);
  });

  test.each([
    ['BGZF', deflateBlocks(text)],
    ['other gzip', new Uint8Array(gzipSync(text))],
  ])('rejects %s of more than maxBytes', (_, bytes) => {
    expect(Buffer.compare(gunzip(bytes, { maxBytes: text.length }), text)).toBe(0);
    const error = failure(() => gunzip(bytes, { maxBytes: text.length - 1 }));
    expect(error).toMatchObject({ name: 'BgzfError', code: 'LIMIT_EXCEEDED' });
  });

  test('rejects a bomb in memory of its limit', () => {
    const bomb = gzipSync(new Uint8Array(64_000_000));
    const error = failure(() => portableInflateGzip(bomb, 1_000_000));
    expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    const output = { bytes: new Uint8Array(0), length: 0, limit: 1_000_000 };
    expect(inflate(bomb.subarray(10), output)).toBe(TOO_LONG);
    expect(output).toMatchObject({ length: 1_000_000, bytes: { byteLength: 1_000_000 } });
  });

  test('says of other data that it is not gzip, and why it may not be', () => {
    expect(failure(() => gunzip(new TextEncoder().encode('##fileformat')))).toMatchObject({
      code: 'INVALID_DATA',
      message: expect.stringContaining(
        'not gzip data (starts with 23 23 66 69); was it sent with Content-Encoding: gzip, and decompressed on arrival?',
      ) as string,
    });
  });
});

describe('gzip read by plain JavaScript', () => {
  test('BGZF', () => {
    const bytes = Buffer.concat([deflateBlocks(text), EOF_MARKER]);
    expect(Buffer.compare(portableInflateGzip(bytes, text.length), text)).toBe(0);
    expect(failure(() => portableInflateGzip(bytes.subarray(0, 1000), 1e7))).toMatchObject({ code: 'TRUNCATED' });
    expect(failure(() => portableInflateGzip(deflateBlocks(text).fill(0, 100, 200), 1e7))).toMatchObject({
      code: 'INVALID_DATA',
    });
  });

  test.each([1, 6, 9])('members of level %i, each with a dictionary of its own', (level) => {
    const data = noise(200_000).map((byte) => byte & 15);
    const bytes = Buffer.concat([gzipSync(data, { level }), gzipSync(data, { level })]);
    expect(Buffer.compare(portableInflateGzip(bytes, 400_000), Buffer.concat([data, data]))).toBe(0);
  });

  test('a header with every optional field', () => {
    const plain = gzipSync(head);
    const fields = [0x1f, 0x8b, 8, 0x1e, ...plain.subarray(4, 10), 2, 0, 7, 7, 0x61, 0, 0x62, 0x63, 0, 1, 2];
    const bytes = Buffer.concat([Uint8Array.from(fields), plain.subarray(10)]);
    expect(Buffer.compare(portableInflateGzip(bytes, 100), head)).toBe(0);
    for (let length = 1; length < bytes.length; length += 1) {
      expect(failure(() => portableInflateGzip(bytes.subarray(0, length), 100))).toBeInstanceOf(BgzfError);
    }
  });
});

describe('gunzip with a memory budget', () => {
  const long = new Uint8Array(6 * 2 ** 20);
  const bytes = { BGZF: deflateBlocks(long), gzip: new Uint8Array(gzipSync(long)) };

  test.each(Object.entries(bytes))('reserves memory for the data of %s', (_, stored) => {
    const budget = new MemoryBudget(16 * 2 ** 20);
    const memory = budget.open();
    expect(gunzip(stored, { memory })).toHaveLength(long.length);
    expect(budget.usedBytes).toBe(long.length);
    memory.close();
    expect(budget.usedBytes).toBe(0);
  });

  test.each(Object.entries(bytes))('refuses %s that is longer than the budget or the limit', (_, stored) => {
    const budget = new MemoryBudget(4 * 2 ** 20);
    expect(failure(() => gunzip(stored, { memory: budget.open() }))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    const roomy = new MemoryBudget(64 * 2 ** 20);
    const error = failure(() => gunzip(stored, { memory: roomy.open(), maxBytes: long.length - 1 }));
    expect(error).toMatchObject({ name: 'BgzfError', code: 'LIMIT_EXCEEDED' });
    expect([budget.usedBytes, roomy.usedBytes]).toEqual([0, 0]);
  });
});
