import { checkMutations, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { decompress } from '../../../src/cram/codecs/decompress.js';
import { FormatError } from '../../../src/index.js';
import { codecSample } from './codec-sample.js';
import { CODEC_VECTORS } from './codec-vectors.js';

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** Returns the error that an attempt throws, or undefined if it succeeds. */
function failure(attempt: () => unknown): unknown {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('decompress', () => {
  test.each(CODEC_VECTORS)('decompresses %s from method %i, variant %i', (sample, method, _, base64) => {
    const expected = codecSample(sample);
    const data = decompress(fromBase64(base64), { method, offset: 0, size: expected.length });
    expect([...data]).toEqual([...expected]);
  });

  test.each(CODEC_VECTORS)('rejects another size for %s from method %i, variant %i', (sample, method, _, base64) => {
    const { length } = codecSample(sample);
    for (const size of [length - 1, length + 1, 1]) {
      const error = failure(() => decompress(fromBase64(base64), { method, offset: 40, size }));
      expect(error).toBeInstanceOf(FormatError);
    }
  });

  test('the vectors cover every transform and order', () => {
    const flags = (method: number): number =>
      CODEC_VECTORS.filter((vector) => vector[1] === method).reduce((all, vector) => all | vector[2], 0);
    expect([flags(4), flags(5), flags(6)]).toEqual([1, 1 | 4 | 8 | 32 | 64 | 128, 1 | 4 | 8 | 32 | 64 | 128]);
  });

  test('decompresses damaged data to the declared size or rejects it', async () => {
    const outcomes = { accepted: 0, refused: 0 };
    for (const [seed, [sample, method, , base64]] of CODEC_VECTORS.entries()) {
      const { length: size } = codecSample(sample);
      const { accepted, refused } = await checkMutations(fromBase64(base64), {
        seed,
        count: volume(120),
        check: (bytes) => {
          let length = size;
          const error = failure(() => {
            ({ length } = decompress(bytes, { method, offset: 0, size }));
          });
          if (error !== undefined && !(error instanceof FormatError)) throw error;
          expect(length).toBe(size);
          return error === undefined;
        },
      });
      outcomes.accepted += accepted;
      outcomes.refused += refused;
    }
    expect(outcomes.refused).toBeGreaterThan(volume(2000));
    expect(outcomes.accepted).toBeGreaterThan(volume(500));
  });

  test('bounds the token streams of names by the size of the names', () => {
    // One name of two bytes, and a stream of 2^27 constant bytes at position 0, as rANS with runs writes it.
    const header = [2, 0, 0, 0, 1, 0, 0, 0, 0];
    const stream = [0x80, 6, 0x20, 0xc0, 0x80, 0x80, 0x00, 0x01];
    const error = failure(() => decompress(Uint8Array.from([...header, ...stream]), { method: 8, offset: 0, size: 2 }));
    expect(error).toMatchObject({ code: 'INVALID_DATA' });
    expect(String(error)).toContain('too many times larger than the names');
  });

  test('names an unknown method', () => {
    const error = failure(() => decompress(new Uint8Array(9), { method: 9, offset: 7, size: 9 }));
    expect(error).toMatchObject({ name: 'FormatError', code: 'UNSUPPORTED', offset: 7 });
    expect(error).toMatchObject({ message: 'CRAM compression method 9 is not supported (at byte 7)' });
  });

  test('does not decompress more than the declared size', () => {
    // Five bytes that stand for 2^28: only the declared size bounds them.
    const bomb = Uint8Array.of(5, 0xff, 0xff, 0xff, 0x7f);
    expect(failure(() => decompress(bomb, { method: 5, offset: 0, size: 100 }))).toBeInstanceOf(FormatError);
    const gzip = fromBase64('H4sIAAAAAAAAA0tMTEwEAMzQnOcFAAAA');
    expect(failure(() => decompress(gzip, { method: 1, offset: 9, size: 4 }))).toMatchObject({ name: 'FormatError' });
  });
});
