import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { framedLength, frameOf, joinBytes, SequenceFramer } from '../src/sequence-frame.js';

const options = { authority: 'ga4gh', name: 'SQ.x' } as const;
const ascii = (text: string) => new TextEncoder().encode(text);

function frame(format: 'plain' | 'json' | 'fasta', ...chunks: string[]): string {
  const framer = new SequenceFramer(frameOf(format, options));
  const parts = chunks.map((chunk) => framer.push(ascii(chunk)));
  return new TextDecoder().decode(joinBytes(...parts, framer.finish()));
}

test('plain text is the bases alone', () => {
  expect(frame('plain', 'ACG', 'T')).toBe('ACGT');
  expect(frame('plain')).toBe('');
});

test('JSON holds the bases as a string', () => {
  expect(JSON.parse(frame('json', 'ACG', 'T'))).toEqual({ id: 'SQ.x', sequence: 'ACGT' });
  expect(JSON.parse(frame('json'))).toEqual({ id: 'SQ.x', sequence: '' });
});

test('FASTA has lines of 60 bases, the last one closed too', () => {
  expect(frame('fasta')).toBe('>SQ.x\n');
  expect(frame('fasta', 'ACGT')).toBe('>SQ.x\nACGT\n');
  expect(frame('fasta', 'A'.repeat(60))).toBe(`>SQ.x\n${'A'.repeat(60)}\n`);
  expect(frame('fasta', 'A'.repeat(61))).toBe(`>SQ.x\n${'A'.repeat(60)}\nA\n`);
});

test.each(['plain', 'json', 'fasta'] as const)(
  '%s of any chunks is that of the whole, and as long as announced',
  (format) => {
    fc.assert(
      fc.property(fc.array(fc.nat(150), { maxLength: 6 }), (lengths) => {
        const chunks = lengths.map((length) => 'ACGTN'.repeat(30).slice(0, length));
        const framed = frame(format, ...chunks);
        expect(framed).toBe(frame(format, chunks.join('')));
        expect(framed).toHaveLength(framedLength(frameOf(format, options), chunks.join('').length));
      }),
    );
  },
);
