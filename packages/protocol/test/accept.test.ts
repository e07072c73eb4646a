import { excessGrowth } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { negotiateMediaType, parseAccept } from '../src/accept.js';

const OFFERED = ['text/plain; charset=us-ascii', 'application/json', 'text/x-fasta'];

describe('parseAccept', () => {
  test('parses types, parameters and quality', () => {
    expect(parseAccept('Text/Plain ; Charset="a,b;\\"c" ; Q=0.25, */*')).toEqual([
      { type: 'text', subtype: 'plain', parameters: new Map([['charset', 'a,b;"c']]), quality: 0.25 },
      { type: '*', subtype: '*', parameters: new Map(), quality: 1 },
    ]);
  });

  test.each([null, '', '  '])('%j accepts anything', (accept) => {
    expect(parseAccept(accept)).toEqual([{ type: '*', subtype: '*', parameters: new Map(), quality: 1 }]);
  });

  test.each([
    'text',
    'text/',
    '/plain',
    'a/b/c',
    ';q=1',
    ',',
    'a b/c',
    'text/plain;q=high',
    'text/plain;q=-1',
    'text/plain;q=.',
  ])('ignores %j, which is not a media range', (accept) => {
    expect(parseAccept(accept)).toEqual([]);
  });

  test.each(['"\\"', '"', ',', ';', '\\', '"a', ', */*;q="'])('parses repeated %j in linear time', (unit) => {
    const toHeader = (size: number): string => `"${unit.repeat(size)}`;
    expect(excessGrowth(toHeader, parseAccept, { size: 5_000 })).toBeLessThan(8);
  });

  test('parses any text without throwing, with qualities from 0 to 1', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '/', '*', ';', ',', '"', '\\', 'q', '=', '.', '1', ' ') });
    fc.assert(
      fc.property(text, (accept) => {
        expect(parseAccept(accept).every(({ quality }) => quality >= 0 && quality <= 1)).toBe(true);
      }),
    );
  });
});

describe('negotiateMediaType', () => {
  test.each([
    [null, 'text/plain; charset=us-ascii'],
    ['*/*', 'text/plain; charset=us-ascii'],
    ['*', 'text/plain; charset=us-ascii'],
    ['text/*', 'text/plain; charset=us-ascii'],
    ['application/*', 'application/json'],
    ['application/json', 'application/json'],
    ['APPLICATION/JSON', 'application/json'],
    // the quality decides, then the order of the offers
    ['text/plain;q=0.5, application/json', 'application/json'],
    ['application/json, text/plain', 'text/plain; charset=us-ascii'],
    ['text/plain;q=0.1, application/json;q=0.2, text/x-fasta;q=0.15', 'application/json'],
    // the most specific range decides, whatever its quality
    ['text/plain;q=0, */*', 'application/json'],
    ['*/*;q=0.9, text/*;q=0.1, text/x-fasta;q=0.5', 'application/json'],
    ['text/*;q=0, */*;q=0.1', 'application/json'],
    ['text/plain;charset=us-ascii;q=0, text/plain, text/x-fasta;q=0.1', 'text/x-fasta'],
    // of equally specific ranges the greater quality counts
    ['application/json;q=0, application/json', 'application/json'],
    // parameters that the offer lacks are tolerated
    ['text/plain; charset=utf-8', 'text/plain; charset=us-ascii'],
    ['application/json;version=2', 'application/json'],
    // Java's HttpURLConnection
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'text/plain; charset=us-ascii'],
    // a malformed element does not spoil the others
    ['text/plain;q=high, application/json;q=0.1', 'application/json'],
    ['text/plain;q=7, application/json', 'text/plain; charset=us-ascii'],
  ])('%j chooses %s', (accept, chosen) => {
    expect(negotiateMediaType(accept, OFFERED)).toBe(chosen);
  });

  test.each([
    'text/html',
    'embl/some_json',
    'text/embl;charset=us-ascii',
    'image/*',
    '*/*;q=0',
    'text/*;q=0.000',
    'nonsense',
  ])('%j accepts none of the offers', (accept) => {
    expect(negotiateMediaType(accept, OFFERED)).toBeUndefined();
  });

  test('chooses nothing if nothing is offered', () => {
    expect(negotiateMediaType('*/*', [])).toBeUndefined();
  });
});
