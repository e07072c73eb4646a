import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRandom, installPythonPackages } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import type { BigWigReference } from '../../src/index.js';
import { openBigWig } from '../../src/internal.js';
import { type ExpectedSummary, expectedSummaries, joinSummaries, randomRuns, type TestRun } from './expected-zoom.js';
import { toSource, writeBigWig } from './write-big-wig.js';

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const version = /^pyBigWig==(\S+)$/m.exec(readFileSync(pathOf('pybigwig-requirements.txt'), 'utf8'))?.[1] ?? '';

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one.
const bin = await installPythonPackages(join(scratch, 'python'), pathOf('pybigwig-requirements.txt'));
afterAll(() => rmSync(scratch, { recursive: true }));

type Window = readonly [name: string, start: number, end: number];

interface Found {
  readonly header: { readonly nLevels: number; readonly nBasesCovered: number; readonly sumData: number };
  readonly chromosomes: Readonly<Record<string, number>>;
  readonly intervals: Readonly<Record<string, readonly (readonly [number, number, number])[]>>;
  readonly statistics: readonly Readonly<Record<'mean' | 'min' | 'max' | 'coverage' | 'std' | 'sum', number>>[];
}

function readWithPython(bytes: Uint8Array, windows: readonly Window[]): Found {
  const path = join(scratch, 'file.bw');
  writeFileSync(path, bytes);
  const output = execFileSync(join(bin ?? '', 'python'), [pathOf('read-big-wig.py'), path], {
    input: JSON.stringify(windows),
    maxBuffer: 1 << 28,
  });
  return JSON.parse(output.toString()) as Found;
}

/** Reads all runs with our reader, whatever the ids of the references are. */
async function readIntervals(bytes: Uint8Array, references: readonly BigWigReference[]): Promise<Found['intervals']> {
  const reader = await openBigWig(toSource(bytes));
  const found: Record<string, [number, number, number][]> = {};
  for (const { name, length } of references) {
    const { referenceId = -1 } = (await reader.find(name)) ?? {};
    const options = { referenceId, maxBytes: 2 ** 30 };
    const blocks = await reader.locate(reader.runsIndexOffset, [{ start: 0, end: length }], options);
    const intervals: [number, number, number][] = [];
    await reader.visitRuns(blocks ?? [], referenceId, (start, end, _, value) => intervals.push([start, end, value]));
    found[name] = intervals;
  }
  return found;
}

function intervalsOf(runs: readonly TestRun[], references: readonly BigWigReference[]): Found['intervals'] {
  return Object.fromEntries(
    references.map(({ name }, referenceId) => [
      name,
      runs
        .filter((run) => run.referenceId === referenceId)
        .map(({ start, end, value }) => [start, end, Math.fround(value)] as const),
    ]),
  );
}

/** Returns windows of a few whole summaries, which pyBigWig reads from this zoom level, and the values in them. */
function windowsOf(
  summaries: readonly ExpectedSummary[],
  reduction: number,
): { readonly window: readonly [number, number, number]; readonly values: readonly number[] }[] {
  const windows = [];
  for (let i = 0; i + 4 < summaries.length; i += Math.ceil(summaries.length / 50)) {
    const inside = summaries.slice(i, i + 4);
    const [first, last] = [inside[0], inside.at(-1)];
    if (first === undefined || last === undefined || first.referenceId !== last.referenceId) continue;
    const length = last.end - first.start;
    if (length / 2 <= reduction || length / 2 > 4 * reduction) continue;
    const window = [first.referenceId, first.start, last.end] as const;
    windows.push({ window, values: inside.flatMap(({ values }) => values) });
  }
  return windows;
}

describe.skipIf(bin === undefined)(`pyBigWig ${version}`, () => {
  const references = [
    { name: 'chr1', length: 60_000 },
    { name: 'chr10', length: 17 },
    { name: 'chr2', length: 30_000 },
    { name: 'chrM', length: 16_569 },
  ];

  test.each([
    { maxGap: 3, maxLength: 60 },
    { maxGap: 300, maxLength: 5 },
  ])('reads the same runs, and the expected statistics from every zoom level: %o', async (shape) => {
    const runs = randomRuns({ random: createRandom(3), references, ...shape });
    const bytes = await writeBigWig(references, runs);
    const view = new DataView(bytes.buffer);
    const levels = view.getUint16(6, true);
    let summaries: ExpectedSummary[] = [];
    const expected = Array.from({ length: levels }, (_, level) => {
      const reduction = view.getUint32(64 + 24 * level, true);
      summaries = level === 0 ? expectedSummaries(runs, references, reduction) : joinSummaries(summaries, reduction);
      return windowsOf(summaries, reduction);
    }).flat();
    expect(expected.length).toBeGreaterThan(60);
    const windows = expected.map(({ window: [id, start, end] }) => [references[id]?.name ?? '', start, end] as const);
    const { header, chromosomes, intervals, statistics } = readWithPython(bytes, windows);
    expect(chromosomes).toEqual(Object.fromEntries(references.map(({ name, length }) => [name, length])));
    expect(intervals).toEqual(intervalsOf(runs, references));
    expect(header).toMatchObject({
      nLevels: levels,
      nBasesCovered: runs.reduce((sum, run) => sum + run.end - run.start, 0),
    });
    for (const [i, { window, values }] of expected.entries()) {
      const found = statistics[i];
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      expect(found?.mean).toBeCloseTo(mean, 2);
      expect(found?.std).toBeCloseTo(Math.sqrt(squares / (values.length - 1)), 1);
      expect(found?.min).toBe(values.reduce((a, b) => Math.min(a, b)));
      expect(found?.max).toBe(values.reduce((a, b) => Math.max(a, b)));
      expect(found?.coverage).toBeCloseTo(values.length / (window[2] - window[1]), 5);
    }
  });

  test('writes the same runs with the same totals', async () => {
    // pyBigWig writes the references in the order of their first runs.
    const sorted = references.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const runs = randomRuns({ random: createRandom(5), references: sorted, maxGap: 9, maxLength: 30 });
    const path = join(scratch, 'theirs.bw');
    execFileSync(join(bin ?? '', 'python'), [pathOf('write-big-wig.py'), path], {
      input: JSON.stringify([sorted, runs]),
    });
    const theirs = readWithPython(readFileSync(path), []);
    const ours = readWithPython(await writeBigWig(sorted, runs), []);
    expect(ours.intervals).toEqual(theirs.intervals);
    const { nLevels: _, ...totals } = theirs.header;
    expect(ours.header).toMatchObject(totals);
    expect(await readIntervals(readFileSync(path), sorted)).toEqual(intervalsOf(runs, sorted));
  });

  test('reads names of 1,000 bytes, thousands of references, and a reference of 2^31 − 1 bases', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => ({ name: `${'x'.repeat(990)}${i}`, length: 2 ** 31 - 1 }));
    const runs = many.map((_, referenceId) => ({
      referenceId,
      start: 2 ** 31 - 9,
      end: 2 ** 31 - 1 - (referenceId % 3),
      value: -referenceId,
    }));
    const { chromosomes, intervals } = readWithPython(await writeBigWig(many, runs), []);
    expect(Object.keys(chromosomes)).toHaveLength(3000);
    expect(intervals).toEqual(intervalsOf(runs, many));
  });

  test('opens a file without data', async () => {
    const { header, intervals } = readWithPython(await writeBigWig(references, []), []);
    expect(header).toMatchObject({ nLevels: 0, nBasesCovered: 0 });
    expect(intervals).toEqual({ chr1: [], chr10: [], chr2: [], chrM: [] });
  });
});
