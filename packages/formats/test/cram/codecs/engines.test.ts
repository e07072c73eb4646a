import { checkMutations, volume } from '@htskit/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { decompress } from '../../../src/cram/codecs/decompress.js';
import { entropyEngine, jsEntropyEngine } from '../../../src/cram/codecs/engines/choose-engine.js';
import type { EntropyEngine } from '../../../src/cram/codecs/engines/entropy-engine.js';
import { FormatError } from '../../../src/index.js';
import { codecSample } from './codec-sample.js';
import { CODEC_VECTORS } from './codec-vectors.js';

/** The methods that an engine decodes: all from rANS 4x8 on. */
const VECTORS = CODEC_VECTORS.filter(([, method]) => method >= 4);

const NAME_TOKENISER = 8;

interface Coded {
  readonly data: Uint8Array;
  readonly method: number;
  readonly size: number;
}

/** Returns the decompressed bytes as text, or the code and message of the error without its offset. */
function outcome({ data, ...compression }: Coded, engine: EntropyEngine): string {
  try {
    return Buffer.from(decompress(data, { ...compression, offset: 0 }, engine)).toString('latin1');
  } catch (error) {
    if (error instanceof FormatError) return `${error.code}: ${error.message.replace(/ \(at byte \d+\)$/, '')}`;
    throw error;
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('entropy engines', () => {
  test('WebAssembly is chosen', () => {
    expect(entropyEngine.name).toBe('wasm');
  });

  test.each(VECTORS)('JavaScript decompresses %s from method %i, variant %i', (sample, method, _, base64) => {
    const expected = codecSample(sample);
    const data = Buffer.from(base64, 'base64');
    expect([...decompress(data, { method, offset: 0, size: expected.length }, jsEntropyEngine)]).toEqual([...expected]);
  });

  test('both engines decode damaged data to the same bytes or the same error', async () => {
    const outcomes = { accepted: 0, refused: 0 };
    for (const [seed, [sample, method, , base64]] of VECTORS.entries()) {
      const { length: size } = codecSample(sample);
      const { accepted, refused } = await checkMutations(Buffer.from(base64, 'base64'), {
        seed,
        count: volume(60),
        check: (data) => {
          const expected = outcome({ data, method, size }, jsEntropyEngine);
          expect(outcome({ data, method, size }, entropyEngine)).toBe(expected);
          return !/^(?:INVALID_DATA|TRUNCATED): /.test(expected);
        },
      });
      outcomes.accepted += accepted;
      outcomes.refused += refused;
    }
    expect(outcomes.accepted).toBeGreaterThan(volume(500));
    expect(outcomes.refused).toBeGreaterThan(volume(1500));
  });

  test('WebAssembly decodes the names that JavaScript does, and leaves damaged ones to it', async () => {
    const results: (Uint8Array | undefined)[] = [];
    const engine: EntropyEngine = {
      ...entropyEngine,
      decodeNames(streams, counts) {
        const names = entropyEngine.decodeNames?.(streams, counts);
        results.push(names);
        return names;
      },
    };
    const counts = { decoded: 0, damaged: 0, unread: 0 };
    for (const [seed, [sample, method, , base64]] of VECTORS.entries()) {
      if (method !== NAME_TOKENISER) continue;
      const { length: size } = codecSample(sample);
      const check = (data: Uint8Array): boolean => {
        results.length = 0;
        const decoded = outcome({ data, method, size }, engine);
        const isDamaged = /^(?:INVALID_DATA|TRUNCATED): /.test(decoded);
        if (results.length === 0) counts.unread += 1;
        else counts[isDamaged ? 'damaged' : 'decoded'] += 1;
        const expected = results.length === 0 || isDamaged ? undefined : decoded;
        expect(results[0] && Buffer.from(results[0]).toString('latin1')).toBe(expected);
        return !isDamaged;
      };
      expect(check(Buffer.from(base64, 'base64'))).toBe(true);
      await checkMutations(Buffer.from(base64, 'base64'), { seed, count: volume(300), check });
    }
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(volume(30));
  });

  test('names of many tokens are decoded in JavaScript, and take no memory of WebAssembly', () => {
    const streams = Array.from({ length: 16 }, () => new Uint8Array(0));
    const few = { streams, positionCount: 1, tokenCount: 2 ** 4 };
    const many = { streams, positionCount: 1, tokenCount: 2 ** 26 };
    expect(entropyEngine.decodeNames?.(few, { nameCount: 0, size: 0 })).toEqual(new Uint8Array(0));
    expect(entropyEngine.decodeNames?.(many, { nameCount: 0, size: 0 })).toBeUndefined();
  });

  test('decodes with new memory after a large block', () => {
    // rANS of order 0, in which all 2^26 symbols are one: it takes no input beyond the four initial states.
    const size = 2 ** 26;
    const header = [0x00, 0xa0, 0x80, 0x80, 0x00, 0x41, 0x00, 0xa0, 0x00];
    const states = [0, 1, 2, 3].flatMap(() => [0x00, 0x80, 0x00, 0x00]);
    const data = decompress(Uint8Array.from([...header, ...states]), { method: 5, offset: 0, size });
    expect([data.length, data[0], data[size - 1]]).toEqual([size, 0x41, 0x41]);
    const [sample, method, , base64] = VECTORS[0] ?? ['bases', 0, 0, ''];
    const expected = codecSample(sample);
    const small = { data: Buffer.from(base64, 'base64'), method, size: expected.length };
    expect(outcome(small, entropyEngine)).toBe(Buffer.from(expected).toString('latin1'));
  });

  test.each([
    ['is missing', undefined],
    [
      'is forbidden',
      {
        Module: class {
          constructor() {
            throw new EvalError('refused by the Content Security Policy');
          }
        },
      },
    ],
  ])('JavaScript is chosen if WebAssembly %s', async (_, webAssembly) => {
    vi.stubGlobal('WebAssembly', webAssembly);
    vi.resetModules();
    const engines = await import('../../../src/cram/codecs/engines/choose-engine.js');
    expect(engines.entropyEngine.name).toBe('js');
  });
});
