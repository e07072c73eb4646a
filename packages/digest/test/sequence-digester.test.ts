import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SequenceDigester, type SequenceDigests } from '../src/sequence-digester.js';

const ascii = (text: string) => new TextEncoder().encode(text);
const digestsOf = (...chunks: Uint8Array[]): SequenceDigests =>
  chunks.reduce((digester, chunk) => digester.update(chunk), new SequenceDigester()).digest();

test('returns the length and all three digests of ACGT', () => {
  expect(digestsOf(ascii('ACGT'))).toEqual({
    length: 4,
    md5: 'f1f8f4bf413b16ad135722aa4591043e',
    sha512t24u: 'SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2',
    trunc512: '68a178f7c740c5c240aa67ba41843b119d3bf9f8b0f0ac36',
  });
});

test('ignores layout and letter case', () => {
  expect(digestsOf(ascii('ac\r\ng t*\n'))).toEqual(digestsOf(ascii('ACGT')));
});

test('no bytes result in the digests of the empty sequence', () => {
  expect(digestsOf()).toEqual({
    length: 0,
    md5: 'd41d8cd98f00b204e9800998ecf8427e',
    sha512t24u: 'SQ.z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXc',
    trunc512: 'cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc',
  });
});

test('any chunking results in the digests of the whole, also across the staging buffer', () => {
  const line = ascii('ACGTNacgtn'.repeat(6).concat('\n'));
  const whole = new Uint8Array(line.length * 900);
  for (let at = 0; at < whole.length; at += line.length) whole.set(line, at);
  const expected = digestsOf(whole);
  expect(expected.length).toBe(54_000);
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length), { maxLength: 20 }), (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const chunks = edges.slice(1).map((edge, index) => whole.subarray(edges[index], edge));
      expect(digestsOf(...chunks)).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});

test('a chunk may be overwritten after it was added', () => {
  const chunk = ascii('ACGT');
  const digester = new SequenceDigester().update(chunk);
  chunk.fill(0x41);
  expect(digester.digest()).toEqual(digestsOf(ascii('ACGT')));
});

test('rejects calls after the digests were returned', () => {
  const digester = new SequenceDigester();
  digester.digest();
  expect(() => digester.update(ascii('A'))).toThrow(expect.objectContaining({ code: 'ALREADY_FINISHED' }));
  expect(() => digester.digest()).toThrow(expect.objectContaining({ code: 'ALREADY_FINISHED' }));
});

test('asterisks count only with characters: sam', () => {
  const protein = ascii('mkv*\nRR*\n');
  expect(digestsOf(protein)).toEqual(digestsOf(ascii('MKVRR')));
  const kept = new SequenceDigester({ characters: 'sam' }).update(protein).digest();
  // printf 'MKV*RR*' | md5sum
  expect(kept).toMatchObject({ length: 7, md5: 'ef0dd89eb6a7c625cea3140e6fa67e6c' });
  expect(kept.sha512t24u).not.toBe(digestsOf(protein).sha512t24u);
});

test('digesters that take turns do not interfere', () => {
  const sequences = Array.from({ length: 20 }, (_, index) => ascii('ACGTN*'.slice(0, (index % 6) + 1).repeat(5_000)));
  const digesters = sequences.map(
    (_, index) => new SequenceDigester({ characters: index % 2 === 1 ? 'sam' : 'letters' }),
  );
  for (let at = 0; at < 30_000; at += 977) {
    for (const [index, digester] of digesters.entries())
      digester.update(sequences[index]?.subarray(at, at + 977) ?? ascii(''));
  }
  for (const [index, digester] of digesters.entries()) {
    const whole = new SequenceDigester({ characters: index % 2 === 1 ? 'sam' : 'letters' }).update(
      sequences[index] ?? ascii(''),
    );
    expect(digester.digest()).toEqual(whole.digest());
  }
});

test('reports the characters that the digests omit, in chunks of any length', () => {
  const sequence = ascii('MK\nV* -\u00e9\n*A');
  for (const length of [1, 2, 3, 20]) {
    const digester = new SequenceDigester();
    for (let at = 0; at < sequence.length; at += length) digester.update(sequence.subarray(at, at + length));
    expect(digester.digest().length).toBe(4);
    expect(digester.omitted).toEqual({
      count: 5,
      firstOffset: 3,
      characters: { '*': 2, '-': 1, '\\xc3': 1, '\\xa9': 1 },
    });
  }
});

test('reports nothing for letters and white space, and only bytes that are not printable with characters: sam', () => {
  const letters = new SequenceDigester().update(ascii('acgt\r\n \tN\v\f'));
  letters.digest();
  expect(letters.omitted).toBeUndefined();
  const sam = new SequenceDigester({ characters: 'sam' }).update(ascii('MK*~!\u0000\n'));
  expect(sam.digest().length).toBe(5);
  expect(sam.omitted).toEqual({ count: 1, firstOffset: 5, characters: { '\\x00': 1 } });
});
