import { gzipSync } from 'node:zlib';
import { mutations, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { inflateGzip as portableInflateGzip } from '../src/engines/inflate-gzip.js';
import { inflateGzip as nodeInflateGzip } from '../src/engines/inflate-gzip.node.js';
import { BgzfError, deflateBlocks, EOF_MARKER, gunzip } from '../src/index.js';

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
  ['pako', portableInflateGzip],
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

  test('rejects a bomb using only a few times maxBytes of memory', () => {
    const bomb = gzipSync(new Uint8Array(64_000_000));
    expect(portableInflateGzip(bomb, 1_000_000).length).toBeLessThan(4_000_000);
  });
});
