import { peek } from '@htskit/io';
import { excessGrowth, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRecordRewriter, type RewriterRules } from '../../src/records/record-rewriter.js';
import { join } from '../bam/build-bam.js';
import { passPieces } from '../record-pieces.js';

const [COMMA, STAR] = [0x2c, 0x2a];
const VOWELS = new Set('aeiou');

/** Drops the vowels of words that end with a comma. A word of vowels becomes `*`. The last word may end with the data. */
const withoutVowels: RewriterRules<Uint8Array> = {
  isEndedByData: true,
  open: (bytes) => bytes,
  recordEnd(bytes, at) {
    const comma = bytes.indexOf(COMMA, at);
    return comma === -1 ? undefined : comma + 1;
  },
  countMissing(begun, rest) {
    if (begun.at(-1) === COMMA) return 0;
    return rest.includes(COMMA) ? rest.indexOf(COMMA) + 1 : Math.max(1, rest.length);
  },
  edit(bytes, at, end, copy) {
    const start = copy.positionOf(at);
    const wordEnd = bytes[end - 1] === COMMA ? end - 1 : end;
    for (let byte = at; byte < wordEnd; byte++) {
      if (VOWELS.has(String.fromCharCode(bytes[byte] ?? 0))) copy.cut(byte, byte + 1);
    }
    if (copy.positionOf(wordEnd) > start) return;
    const star = copy.replace(wordEnd, wordEnd, 1);
    copy.bytes[star] = STAR;
  },
};

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(runs: readonly Uint8Array[]): string {
  return Buffer.from(join(runs)).toString();
}

describe('createRecordRewriter', () => {
  test('rewrites records alike however the data is cut into pieces', () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom(...Array.from('aeioubcd')), maxLength: 9 }), {
      maxLength: 20,
    });
    const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(words, lengths, fc.boolean(), (given, pieceLengths, isEndedByData) => {
        const end = given.length > 0 && !isEndedByData ? ',' : '';
        const expected = given.map((word) => word.replaceAll(/[aeiou]/g, '') || '*');
        // Data that ends with a comma has no last word.
        if (end === '' && given.at(-1) === '') expected[expected.length - 1] = '';
        const rewritten = passPieces(createRecordRewriter(withoutVowels), encode(given.join(',') + end), pieceLengths);
        expect(Buffer.from(rewritten).toString()).toBe(expected.join(',') + end);
      }),
      { seed: 6, numRuns: volume(1000) },
    );
  });

  test('returns the records that end in a piece at once, in one run', () => {
    const rewriter = createRecordRewriter(withoutVowels);
    expect(rewriter.push(encode('abc,abe,ba')).map((run) => textOf([peek(run)]))).toEqual(['bc,b,']);
    expect(rewriter.push(encode('d'))).toEqual([]);
    expect(rewriter.push(encode('a,e,da')).map((run) => textOf([peek(run)]))).toEqual(['bd,*,']);
    expect(rewriter.finish().map((run) => textOf([peek(run)]))).toEqual(['d']);
    expect(createRecordRewriter(withoutVowels).finish()).toEqual([]);
  });

  test('reuses its memory, and releases that of a long record', () => {
    const rewriter = createRecordRewriter(withoutVowels);
    const memoryOf = (piece: Uint8Array): ArrayBufferLike | undefined => rewriter.push(piece).map(peek)[0]?.buffer;
    const short = encode('abc,');
    const memory = memoryOf(short);
    expect(memoryOf(short)).toBe(memory);
    const long = memoryOf(new Uint8Array(3_000_000).fill(COMMA));
    expect(long?.byteLength).toBeGreaterThan(3_000_000);
    expect(memoryOf(short)?.byteLength).toBeLessThan(100);
  });

  test.each(['bcdfgh,', 'aeiou,', ',', 'bababababa,'])('takes linear time for many words %j', (word) => {
    const growth = excessGrowth(
      (size) => encode(word.repeat(size)),
      (data) => passPieces(createRecordRewriter(withoutVowels), data, [data.length]),
      { size: 7_500 },
    );
    expect(growth).toBeLessThan(8);
  });
});
