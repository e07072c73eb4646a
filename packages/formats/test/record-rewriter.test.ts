import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepsAllKeys } from '../src/index.js';
import type { RecordCopy } from '../src/record-copy.js';
import { type RecordEditing, RecordRewriter } from '../src/record-rewriter.js';
import { join } from './bam/build-bam.js';
import { passPieces } from './record-pieces.js';

const [COMMA, STAR] = [0x2c, 0x2a];
const VOWELS = new Set('aeiou');

/** Words that end with a comma, without their vowels; those of nothing else become `*`. The last one may end with the data. */
const withoutVowels: RecordEditing = {
  isEndedByData: true,
  countMissing(begun, rest) {
    if (begun.at(-1) === COMMA) return 0;
    return rest.includes(COMMA) ? rest.indexOf(COMMA) + 1 : Math.max(1, rest.length);
  },
  read: (bytes) => ({
    recordEnd(at) {
      const comma = bytes.indexOf(COMMA, at);
      return comma === -1 ? undefined : comma + 1;
    },
    edit(at: number, end: number, copy: RecordCopy) {
      const start = copy.positionOf(at);
      const wordEnd = bytes[end - 1] === COMMA ? end - 1 : end;
      for (let byte = at; byte < wordEnd; byte++) {
        if (VOWELS.has(String.fromCharCode(bytes[byte] ?? 0))) copy.cut(byte, byte + 1);
      }
      if (copy.positionOf(wordEnd) > start) return;
      const star = copy.replace(wordEnd, wordEnd, 1);
      copy.bytes[star] = STAR;
    },
  }),
};

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(runs: readonly Uint8Array[]): string {
  return Buffer.from(join(runs)).toString();
}

describe('RecordRewriter', () => {
  test('gives the same for any pieces', () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom(...Array.from('aeioubcd')), maxLength: 9 }), {
      maxLength: 20,
    });
    const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(words, lengths, fc.boolean(), (given, pieceLengths, isEndedByData) => {
        const end = given.length > 0 && !isEndedByData ? ',' : '';
        const expected = given.map((word) => word.replaceAll(/[aeiou]/g, '') || '*');
        // Data that ends behind a comma has no last word
        if (end === '' && given.at(-1) === '') expected[expected.length - 1] = '';
        const rewritten = passPieces(new RecordRewriter(withoutVowels), encode(given.join(',') + end), pieceLengths);
        expect(Buffer.from(rewritten).toString()).toBe(expected.join(',') + end);
      }),
      { seed: 6, numRuns: 1000 },
    );
  });

  test('gives the records that end in a piece at once, in one run', () => {
    const rewriter = new RecordRewriter(withoutVowels);
    expect(rewriter.push(encode('abc,abe,ba')).map((run) => textOf([run]))).toEqual(['bc,b,']);
    expect(rewriter.push(encode('d'))).toEqual([]);
    expect(rewriter.push(encode('a,e,da')).map((run) => textOf([run]))).toEqual(['bd,*,']);
    expect(rewriter.finish().map((run) => textOf([run]))).toEqual(['d']);
    expect(new RecordRewriter(withoutVowels).finish()).toEqual([]);
  });

  test('uses its memory again, and gives back what a long record took', () => {
    const rewriter = new RecordRewriter(withoutVowels);
    const memoryOf = (piece: Uint8Array): ArrayBufferLike | undefined => rewriter.push(piece)[0]?.buffer;
    const short = encode('abc,');
    const memory = memoryOf(short);
    expect(memoryOf(short)).toBe(memory);
    const long = memoryOf(new Uint8Array(3_000_000).fill(COMMA));
    expect(long?.byteLength).toBeGreaterThan(3_000_000);
    expect(memoryOf(short)?.byteLength).toBeLessThan(100);
  });

  test('takes linear time for data of which little, or much, is left out', () => {
    for (const word of ['bcdfgh,', 'aeiou,', ',', 'bababababa,']) {
      const data = encode(word.repeat(4_000_000 / word.length));
      const before = performance.now();
      passPieces(new RecordRewriter(withoutVowels), data, [data.length]);
      expect(performance.now() - before).toBeLessThan(10_000);
    }
  });
});

test('a selection says whether it keeps all keys', () => {
  expect([{}, { notags: [] }, { tags: undefined }].map(keepsAllKeys)).toEqual([true, true, true]);
  expect([{ tags: [] }, { tags: ['A'] }, { notags: ['A'] }].map(keepsAllKeys)).toEqual([false, false, false]);
});
