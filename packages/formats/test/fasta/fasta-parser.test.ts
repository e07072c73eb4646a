import { isDeepStrictEqual } from 'node:util';
import { peek } from '@htskit/io';
import { bgunzip, expectations, fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FastaParser, FormatError } from '../../src/index.js';

interface Parsed {
  readonly name: string;
  readonly description: string;
  /** Includes the line ends of the text. */
  readonly sequence: string;
}

const ascii = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

/** Parses a text in chunks of the given lengths, which repeat. */
function parse(bytes: Uint8Array, chunkLengths: readonly number[] = [bytes.length || 1]): Parsed[] {
  const records: { name: string; description: string; sequence: string }[] = [];
  const parser = new FastaParser({
    onRecord: (name, description) => records.push({ name, description, sequence: '' }),
    onSequence: (part) => {
      const record = records.at(-1);
      if (record === undefined || part.length === 0) throw new Error('an empty part, or one of no record');
      record.sequence += Buffer.from(peek(part)).toString('latin1');
    },
  });
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const end = at + (chunkLengths[turn % chunkLengths.length] ?? 1);
    parser.push(bytes.slice(at, end));
    at = end;
  }
  parser.finish();
  return records;
}

/** Returns the records, or the code and offset of the FormatError. Other errors are rethrown. */
function outcome(bytes: Uint8Array, chunkLengths?: readonly number[]): Parsed[] | string {
  try {
    return parse(bytes, chunkLengths);
  } catch (thrown) {
    if (thrown instanceof FormatError) return `${thrown.code} ${thrown.offset}`;
    throw thrown;
  }
}

describe('a definition line', () => {
  test.each([
    ['>chr1\n', 'chr1', ''],
    ['>chr1', 'chr1', ''],
    ['>chr1\r\n', 'chr1', ''],
    ['>chr1 a  b \n', 'chr1', 'a  b'],
    ['>chr1\tLN:5\r\n', 'chr1', 'LN:5'],
    ['> chr1 spaced\n', 'chr1', 'spaced'],
    ['>>chr1\n', '>chr1', ''],
    ['>a\u00a0b c\n', 'a\u00a0b', 'c'],
  ])('%j has the name %j', (line, name, description) => {
    const bytes = new TextEncoder().encode(line);
    expect(parse(bytes)).toEqual([{ name, description, sequence: '' }]);
    expect(parse(bytes, [1])).toEqual([{ name, description, sequence: '' }]);
  });

  test.each(['>\nA\n', '> \t\r\nA\n', '>'])('%j has an empty name', (text) => {
    for (const lengths of [[1], [100]]) {
      expect(parse(ascii(`>x\nA\n${text}`), lengths).map(({ name }) => name)).toEqual(['x', '']);
    }
  });

  test.each([
    ['>a\rACGT\r>b\rAC\r', 'INVALID_DATA 0'],
    ['>a\nACGT\r>b\nAC\r', 'INVALID_DATA 7'],
    ['>x\nA\n>a b\rc\n', 'INVALID_DATA 5'],
  ])('%j is rejected because lines end with CR alone', (text, expected) => {
    for (const length of [1, 2, 3, 100]) expect(outcome(ascii(text), [length])).toBe(expected);
    expect(() => parse(ascii(text))).toThrow(`record "a" has lines that end with CR alone; convert them to LF`);
  });

  test('is limited to 1 MiB however the text is cut into chunks', () => {
    const longest = ascii(`>${'n'.repeat(2 ** 20)}\n`);
    expect(parse(longest, [65536]).map(({ name }) => name.length)).toEqual([2 ** 20]);
    const longer = ascii(`>x\n>${'n'.repeat(2 ** 20 + 1)}`);
    expect(outcome(longer)).toBe('LIMIT_EXCEEDED 3');
    expect(outcome(longer, [1000])).toBe('LIMIT_EXCEEDED 3');
  });

  test('of 1 MiB of white space is parsed', () => {
    const blanks = ' '.repeat(2 ** 20 - 4);
    expect(parse(ascii(`>${blanks}`)).map(({ name }) => name)).toEqual(['']);
    expect(parse(ascii(`>a ${blanks}x`)).map(({ description }) => description)).toEqual(['x']);
    expect(parse(ascii(`>a b${blanks}`)).map(({ description }) => description)).toEqual(['b']);
  });
});

describe('a sequence', () => {
  test('has its lines unchanged however the text is cut into chunks', () => {
    const bytes = ascii('\r\n>a\nAC\n\nGT\r\n\r\nN<\n>b\n>c\nT\r');
    for (const length of [1, 2, 3, 4, 5, 6, 7, 40]) {
      expect(parse(bytes, [length]), `chunks of ${length}`).toEqual([
        { name: 'a', description: '', sequence: 'AC\n\nGT\r\n\r\nN<\n' },
        { name: 'b', description: '', sequence: '' },
        { name: 'c', description: '', sequence: 'T\r' },
      ]);
    }
  });

  test('is passed on in one piece per chunk, as a view of it', () => {
    const chunk = ascii('>a\nAC\nGT\nN<N\n>b\nA\nC');
    const pieces: Uint8Array[] = [];
    const parser = new FastaParser({ onRecord: () => undefined, onSequence: (piece) => pieces.push(peek(piece)) });
    parser.push(chunk);
    parser.push(ascii('\nGG\n'));
    parser.finish();
    expect(pieces.map((piece) => Buffer.from(piece).toString())).toEqual(['AC\nGT\nN<N\n', 'A\nC', '\nGG\n']);
    expect(pieces[0]?.buffer).toBe(chunk.buffer);
  });

  test.each([
    ['>a\nAC>b\nGT\n', 'INVALID_DATA 5'],
    ['>x\nT\n>a b>c\nAC\nG>', 'INVALID_DATA 16'],
    ['>a\nAC >b\n', 'INVALID_DATA 6'],
  ])('%j is rejected because a record begins within a line', (text, expected) => {
    for (const length of [1, 2, 3, 100]) expect(outcome(ascii(text), [length])).toBe(expected);
    expect(() => parse(ascii(text))).toThrow('record "a" has ">" within a line of its sequence');
  });

  test('before the first record is rejected unless it is white space', () => {
    expect(outcome(ascii('\nACGT\n>a\n'))).toBe('INVALID_DATA 1');
    expect(outcome(ascii(' \t\n >a\n'))).toBe('INVALID_DATA 4');
    expect(parse(ascii(' \t\n\v\f\r\n>a\n'))).toHaveLength(1);
    expect(outcome(ascii('\ufeff>a\n'))).toBe('INVALID_DATA 0');
  });

  test('follows a byte order mark, which is skipped', () => {
    const bytes = Buffer.from('\ufeff>a\nAC\n>b\nN');
    const expected = [
      { name: 'a', description: '', sequence: 'AC\n' },
      { name: 'b', description: '', sequence: 'N' },
    ];
    for (const length of [1, 2, 3, 4, 5, 20]) expect(parse(bytes, [length])).toEqual(expected);
    for (const length of [1, 2, 3, 4]) {
      expect(outcome(Buffer.from([0xef, 0xbb, 0x3e, 0x61]), [length])).toBe('INVALID_DATA 0');
      expect(outcome(Buffer.from('\n\ufeff>a'), [length])).toBe('INVALID_DATA 1');
    }
  });

  test('is passed on with the offsets of its record and its bytes', () => {
    const offsets: number[] = [];
    const parser = new FastaParser({
      onRecord: (_name, _description, offset) => offsets.push(offset),
      onSequence: (_bytes, offset) => offsets.push(offset),
    });
    for (const text of ['\n>a\nAC\nG', 'T\n>', 'b\nN']) parser.push(ascii(text));
    parser.finish();
    expect(offsets).toEqual([1, 4, 8, 10, 13]);
  });

  test('is absent from an empty text', () => {
    expect(parse(ascii(''))).toEqual([]);
    expect(parse(ascii('\n\r\n'))).toEqual([]);
  });
});

test('any chunking has the same outcome', () => {
  const text = fc.array(fc.constantFrom('>', '\n', '\r', '\r\n', ' ', 'A', 'cg', '\u00ff', '>x y\n'), {
    maxLength: 40,
  });
  const lengths = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(text, lengths, (parts, chunkLengths) => {
      const bytes = ascii(parts.join(''));
      expect(outcome(bytes, chunkLengths)).toEqual(outcome(bytes));
    }),
    { numRuns: volume(2000) },
  );
});

describe.each([...fixtureNames('.fa'), ...fixtureNames('.fa.gz')])('%s', (name) => {
  const bytes = name.endsWith('.gz') ? bgunzip(readFixture(name)) : readFixture(name);
  const { sequences, slices } = expectations(name);

  test.each([[[1_000_000]], [[1]], [[65280]], [[7, 1, 61]]])('has the expected records in chunks of %j', (lengths) => {
    const records = parse(bytes, lengths).map((record) => {
      return { ...record, sequence: record.sequence.replaceAll(/\r?\n/g, '') };
    });
    expect(records.map((record) => [record.name, record.description, record.sequence.length])).toEqual(
      sequences.map(({ name: expected, description, length }) => [expected, description, length]),
    );
    expect(slices.length).toBeGreaterThan(0);
    for (const { name: of, start, end, bases } of slices) {
      expect(records.find((record) => record.name === of)?.sequence.slice(start, end)).toBe(bases);
    }
  });
});

test('a mutated FASTA is parsed or rejected alike in any chunks', () => {
  const bytes = ascii('>chr1 first\r\nACGTN\r\nAC\r\n>chr2\nacgt\n\n>chr3 last one\nTTTT\nA');
  const outcomes = [...mutations(bytes, { seed: 11, count: volume(5000) })].map(
    ({ bytes: mutated, description }, turn) => {
      return { description, whole: outcome(mutated), inChunks: outcome(mutated, [1 + (turn % 20)]) };
    },
  );
  expect(outcomes.filter(({ whole, inChunks }) => !isDeepStrictEqual(whole, inChunks))).toEqual([]);
  expect(outcomes.filter(({ whole }) => typeof whole === 'string').length).toBeGreaterThan(volume(50));
});
