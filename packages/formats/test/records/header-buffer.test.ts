import { describe, expect, test } from 'vitest';
import { HeaderBuffer, VcfHeaderReader } from '../../src/internal.js';

const HEADER = '##fileformat=VCFv4.3\n#CHROM\tPOS\n';
const data = new TextEncoder().encode(`${HEADER}chr1\t5\n`);

function error(code: string): Error {
  return expect.objectContaining({ name: 'FormatError', code }) as Error;
}

describe('HeaderBuffer', () => {
  test.each([1, 3, 20, 100])('finds the end of a header in parts of %i bytes, which it copies', (partLength) => {
    const header = new HeaderBuffer(new VcfHeaderReader(), { maxBytes: 1000 });
    const part = new Uint8Array(partLength);
    let length: number | undefined;
    for (let at = 0; length === undefined; at += partLength) {
      const bytes = data.subarray(at, at + partLength);
      part.set(bytes);
      length = header.push(part.subarray(0, bytes.length));
    }
    expect(length).toBe(HEADER.length);
    expect(new TextDecoder().decode(header.bytes.subarray(0, length))).toBe(HEADER);
  });

  test('accepts the end of the data if it ends the header, and rejects it otherwise', () => {
    const whole = new HeaderBuffer(new VcfHeaderReader(), { maxBytes: 1000 });
    expect(whole.push(data.subarray(0, 21))).toBeUndefined();
    expect(whole.finish()).toBe(21);
    const cut = new HeaderBuffer({ read: () => undefined }, { maxBytes: 1000 });
    expect(() => cut.finish()).toThrow(error('TRUNCATED'));
    const declared = new HeaderBuffer({ read: () => 50 }, { maxBytes: 1000 });
    expect(declared.push(data.subarray(0, 20))).toBeUndefined();
    expect(() => declared.finish()).toThrow(error('TRUNCATED'));
  });

  test('rejects a header over the limit, whether its length is known or not', () => {
    expect(() => new HeaderBuffer({ read: () => undefined }, { maxBytes: 9 }).push(data)).toThrow(
      error('LIMIT_EXCEEDED'),
    );
    expect(() => new HeaderBuffer({ read: () => 10 }, { maxBytes: 9 }).push(data.subarray(0, 5))).toThrow(
      error('LIMIT_EXCEEDED'),
    );
    expect(new HeaderBuffer({ read: () => 9 }, { maxBytes: 9 }).push(data)).toBe(9);
  });
});
