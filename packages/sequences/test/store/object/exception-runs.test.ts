import { describe, expect, test } from 'vitest';
import {
  applyRuns,
  type ExceptionRuns,
  formatRuns,
  MAX_RUNS,
  parseRuns,
  RunFinder,
  runBytes,
} from '../../../src/store/object/exception-runs.js';
import { randomGenome, toBytes, toText } from '../random-bases.js';

function find(...pieces: readonly string[]): ExceptionRuns | undefined {
  const finder = new RunFinder();
  for (const piece of pieces) finder.push(toBytes(piece));
  return finder.finish();
}

function listOf(runs: ExceptionRuns | undefined): unknown {
  return (
    runs &&
    [...runs.starts].map((start, run) => [start, runs.lengths[run], String.fromCharCode(runs.letters[run] ?? 0)])
  );
}

const PADDING = 'ACGT'.repeat(50);

describe('runs of exceptions', () => {
  test('have 64-bit numbers in a sequence of 2^32 bases or more', () => {
    const baseCount = 2 ** 33;
    const runs = {
      starts: Float64Array.of(7, 2 ** 32 + 3),
      lengths: Float64Array.of(2 ** 32 - 7, 5),
      letters: Uint8Array.of(0x4e, 0x52),
    };
    const bytes = formatRuns(runs, baseCount);
    expect([bytes.length, runBytes(baseCount), runBytes(2 ** 32 - 1)]).toEqual([34, 17, 9]);
    expect(parseRuns(bytes, baseCount)).toEqual(runs);
    expect(parseRuns(bytes, 2 ** 32 + 7)).toBeUndefined();
    const bases = toBytes('A'.repeat(10));
    applyRuns(runs, bases, { start: 2 ** 32 - 2, end: 2 ** 32 + 8 });
    expect(toText(bases)).toBe('NNAAARRRRR');
  });

  test('have one letter each, wherever the pieces are cut', () => {
    const bases = `NNNAC${PADDING}NNRRRACGNNNNNNNNNNA${PADDING}KM`;
    const expected = [
      [0, 3, 'N'],
      [205, 2, 'N'],
      [207, 3, 'R'],
      [213, 10, 'N'],
      [424, 1, 'K'],
      [425, 1, 'M'],
    ];
    for (let cut = 0; cut <= bases.length; cut++) {
      expect(listOf(find(bases.slice(0, cut), bases.slice(cut)))).toEqual(expected);
    }
  });

  test('are empty for bases alone', () => {
    expect(listOf(find(PADDING))).toEqual([]);
  });

  test.each([
    ['nothing', ''],
    ['one base', 'A'],
    ['a protein', 'MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGE'],
    ['a run that takes as much as it spares', 'ACGTACGTACGTN'],
  ])('%s is stored as letters', (_, bases) => {
    expect(find(bases)).toBeUndefined();
  });

  test('packs a sequence as soon as that saves a byte', () => {
    expect(listOf(find('ACGTACGTACGTNA'))).toEqual([[12, 1, 'N']]);
  });

  test('does not pack a sequence with too many runs', () => {
    const most = `N${'A'.repeat(15)}`.repeat(MAX_RUNS);
    expect(find(most)?.starts).toHaveLength(MAX_RUNS);
    expect(find(most, 'N')).toBeUndefined();
    expect(find(most, 'A'.repeat(1000), 'NN', 'A'.repeat(1000))).toBeUndefined();
  });

  test('are parsed from their own bytes', () => {
    const runs = find(randomGenome(5_000, 1));
    if (runs === undefined) throw new Error('not packed');
    expect(runs.starts.length).toBeGreaterThan(50);
    expect(parseRuns(formatRuns(runs, 5_000), 5_000)).toEqual(runs);
  });

  test('are stored as all starts, all lengths and all letters', () => {
    const runs = {
      starts: Uint32Array.of(1, 0x01020304),
      lengths: Uint32Array.of(2, 3),
      letters: Uint8Array.of(0x4e, 0x52),
    };
    // biome-ignore format: a run in each column
    expect(formatRuns(runs, 10)).toEqual(Uint8Array.of(
      1, 0, 0, 0,  4, 3, 2, 1,
      2, 0, 0, 0,  3, 0, 0, 0,
      0x4e, 0x52,
    ));
  });

  test.each([
    ['overlap', [0, 3], [4, 1], 'NN'],
    ['are not in order', [5, 0], [1, 1], 'NN'],
    ['have no length', [0, 1], [0, 1], 'NN'],
    ['reach beyond the sequence', [0, 9], [1, 2], 'NN'],
    ['begin beyond the sequence', [0, 0xffffffff], [1, 1], 'NN'],
    ['are of a base', [0, 3], [1, 1], 'NA'],
    ['are of a lower-case letter', [0, 3], [1, 1], 'Nn'],
    ['are of white space', [0, 3], [1, 1], ' N'],
    ['are of a byte after printable ASCII', [0, 3], [1, 1], '\u007fN'],
  ])('that %s are rejected', (_, starts, lengths, letters) => {
    const runs = { starts: Uint32Array.from(starts), lengths: Uint32Array.from(lengths), letters: toBytes(letters) };
    expect(parseRuns(formatRuns(runs, 10), 10)).toBeUndefined();
    expect(parseRuns(new Uint8Array(runBytes(10)).fill(0), 10)).toBeUndefined();
  });

  test('overwrite every range of bases', () => {
    const genome = randomGenome(300, 2);
    const runs = find(genome);
    if (runs === undefined) throw new Error('not packed');
    const without = genome.replaceAll(/[^ACGT]/g, 'A');
    const differing: string[] = [];
    for (let start = 0; start <= 300; start++) {
      for (let end = start; end <= 300; end++) {
        const bases = toBytes(without.slice(start, end));
        applyRuns(runs, bases, { start, end });
        if (toText(bases) !== genome.slice(start, end)) differing.push(`[${start}, ${end})`);
      }
    }
    expect(differing).toEqual([]);
  });
});
