import { costRatio, readFixture } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FaiBuilder, type FaiRecord, formatFai, IndexError } from '../../src/index.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Builds the FAI of a FASTA from chunks. */
function build(...pieces: readonly (string | Uint8Array)[]): FaiRecord[] {
  const builder = new FaiBuilder();
  for (const piece of pieces) builder.push(typeof piece === 'string' ? encode(piece) : piece);
  return builder.finish();
}

describe('FaiBuilder', () => {
  test.each(['genome.fa', 'crlf.fa'])('indexes %s as samtools does', (name) => {
    const expected = new TextDecoder().decode(readFixture(`${name}.fai`));
    expect(formatFai(build(readFixture(name)))).toBe(expected);
  });

  test('chunks of any length result in the same index', () => {
    const fasta = readFixture('crlf.fa');
    const whole = build(fasta);
    expect(build(...Array.from(fasta, (_, at) => fasta.subarray(at, at + 1)))).toEqual(whole);
    fc.assert(
      fc.property(fc.array(fc.nat(fasta.length), { maxLength: 9 }), (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), fasta.length];
        expect(build(...edges.map((edge, i) => fasta.subarray(edge, edges[i + 1])))).toEqual(whole);
      }),
    );
  });

  // The expected lines are those of samtools faidx 1.16.
  test.each([
    ['>a\nACGT\nACGT\n', 'a\t8\t3\t4\t5\n'],
    ['>a\nACGT\nACGT', 'a\t8\t3\t4\t5\n'],
    ['>a\nACGT\nAC', 'a\t6\t3\t4\t5\n'],
    ['>a\nACGT', 'a\t4\t3\t4\t5\n'],
    ['> a x\nACGT\nAC', 'a\t6\t6\t4\t5\n'],
    ['>a\tb\nAC\n', 'a\t2\t5\t2\t3\n'],
    ['\n\n>a\nAC\n', 'a\t2\t5\t2\t3\n'],
    ['>a\nACGT\n\n\n>b\nAA\n', 'a\t4\t3\t4\t5\nb\t2\t13\t2\t3\n'],
    ['>a\r\nACGT\r\nAC\r\n\r\n>b\r\nACGT', 'a\t6\t4\t4\t6\nb\t4\t20\t4\t5\n'],
    ['>a\nACGT\r\nACGT\n', 'a\t8\t3\t4\t6\n'],
    ['>a\nACGT  \nAC\n', 'a\t6\t3\t4\t7\n'],
    ['>a\nAC\n \n>b\nAC\n', 'a\t2\t3\t2\t3\nb\t2\t11\t2\t3\n'],
    ['>a > b\nA*-z<\n', 'a\t5\t7\t5\t6\n'],
  ])('indexes %j as samtools does', (fasta, fai) => {
    expect(formatFai(build(fasta))).toBe(fai);
  });

  test('lists records without sequence, which samtools omits', () => {
    const empty = { length: 0, lineBases: 0, lineBytes: 0 };
    expect(build('>a\n>b\n\n>c')).toEqual([
      { name: 'a', offset: 3, ...empty },
      { name: 'b', offset: 6, ...empty },
      { name: 'c', offset: 9, ...empty },
    ]);
    expect(build('')).toEqual([]);
  });

  test.each([
    ['sequence before the first record', 'AC\n>a\n', 0],
    ['a longer line', '>a\nAC\nACG\n', 6],
    ['a line after a shorter one', '>a\nACG\nA\nA\n', 9],
    ['a line after a blank one', '>a\nAC\n\nAC\n', 7],
    ['a blank line before the sequence', '>a\n\nAC\n', 4],
    ['as many bytes but more bases', '>a\nAC \nACG\n', 7],
    ['white space between bases', '>a\nACG\nA C\n', 7],
    ['a record that begins within a line', '>a\nACG\nA>b\nAC\n', 7],
    ['a line that ends with ">"', '>a\nAC>\n', 3],
    ['a record without name', '>a\nACG\n> \nA\n', 7],
    ['a record without name at the end', '>', 0],
    ['a duplicate name', '>a\nACG\n>a b\nA\n', 7],
    ['FASTQ', '@a\nACG\n+\nIII\n', 0],
  ])('rejects %s', (_, fasta, offset) => {
    expect(() => build(fasta)).toThrow(expect.objectContaining({ code: 'INVALID_DATA', offset }) as Error);
    expect(() => build(...fasta.split(''))).toThrow(expect.objectContaining({ code: 'INVALID_DATA', offset }) as Error);
  });

  test('rejects a definition line as soon as it exceeds 1 MiB', () => {
    const builder = new FaiBuilder();
    builder.push(encode('\n>'));
    const piece = new Uint8Array(2 ** 16).fill(0x61);
    for (let pieces = 0; pieces < 15; pieces++) builder.push(piece);
    builder.push(piece.subarray(1));
    expect(() => builder.push(piece.subarray(0, 1))).toThrow(
      new IndexError('LIMIT_EXCEEDED', 'a definition line is longer than 1048576 bytes', { offset: 1 }),
    );
  });

  test('a chunk may end within a character of a name', () => {
    const fasta = encode('>äö x\nAC\n');
    expect(build(...Array.from(fasta, (byte) => Uint8Array.of(byte)))).toEqual(build(fasta));
    expect(build(fasta)[0]?.name).toBe('äö');
  });
});

test('blank lines take less than half of the time of as many bytes in lines of one base', () => {
  const read = (text: Uint8Array): void => {
    const builder = new FaiBuilder();
    builder.push(encode('>a\n'));
    builder.push(text);
    builder.finish();
  };
  const lines = encode('A\n'.repeat(2_000_000));
  const blank = encode('\n'.repeat(4_000_000));
  const ratio = costRatio(
    () => read(blank),
    () => read(lines),
    0.4,
  );
  expect(ratio).toBeLessThan(0.5);
});

test.each([1, 2, 5])('empty lines are the same in chunks of %i bytes', (size) => {
  const text = encode('\n\n>a\nACGT\nAC\n\n\n\n>b\n\n\n>c\nA\n\n');
  const builder = new FaiBuilder();
  for (let at = 0; at < text.length; at += size) builder.push(text.subarray(at, at + size));
  expect(builder.finish()).toEqual([
    { name: 'a', length: 6, offset: 5, lineBases: 4, lineBytes: 5 },
    { name: 'b', length: 0, offset: 19, lineBases: 0, lineBytes: 0 },
    { name: 'c', length: 1, offset: 24, lineBases: 1, lineBytes: 2 },
  ]);
});
