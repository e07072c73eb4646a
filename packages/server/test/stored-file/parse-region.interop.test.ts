import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UNPLACED } from '@htskit/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseRegion } from '../../src/stored-file/parse-region.js';
import { lines } from '../interop-tools.js';

const NAMES = ['a', 'a:5-9', 'b:c', 'b:c:7'];
/** The positions of reads of one base, from 1. */
const POSITIONS = [1, 4, 5, 7, 9, 10, 1000, 2000];
const RANGES = ['', ':5', ':5-', ':5-9', ':-9', ':1,000', ':1,000-1,500', ':9-9', ':1k', ':1K-1.5k', ':0.001M-2M'];
const WRITTEN = NAMES.flatMap((name) => RANGES.flatMap((range) => [name + range, `{${name}}${range}`]));
/** Each once: `a` with a range is the name `a:5-9`, too. */
const REGIONS = [...new Set([UNPLACED, ...WRITTEN])];

let folder = '';
let bam = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  bam = join(folder, 'a.bam');
  const references = NAMES.map((name) => `@SQ\tSN:${name}\tLN:5000\n`);
  const reads = NAMES.flatMap((name) =>
    POSITIONS.map((position) => `${name}/${position}\t0\t${name}\t${position}\t60\t1M\t*\t0\t0\tA\t*\n`),
  );
  const unplaced = 'unplaced\t4\t*\t0\t0\t*\t*\t0\t0\tA\t*\n';
  const sam = ['@HD\tVN:1.6\tSO:coordinate\n', ...references, ...reads, unplaced].join('');
  const { status } = spawnSync('samtools', ['view', '-b', '--write-index', '-o', `${bam}##idx##${bam}.bai`, '-'], {
    input: sam,
  });
  if (status !== 0) throw new Error('samtools makes no BAM');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the reads of a region according to samtools, or undefined if it warns about the region and skips it. */
function readsOfSamtools(region: string): string[] | undefined {
  const { stdout, stderr } = spawnSync('samtools', ['view', bam, region], { encoding: 'utf8' });
  return stderr === '' ? lines(stdout).map((line) => line.split('\t', 1).join()) : undefined;
}

function readsOfRegion(text: string): string[] | undefined {
  try {
    const { referenceName, start = 0, end = Infinity } = parseRegion(text, (name) => NAMES.includes(name));
    if (referenceName === UNPLACED) return ['unplaced'];
    return POSITIONS.filter((position) => start < position && position <= end).map(
      (position) => `${referenceName}/${position}`,
    );
  } catch {
    return undefined;
  }
}

test('samtools accepts and rejects the same forms', () => {
  const refused = REGIONS.filter((region) => readsOfRegion(region) === undefined);
  expect(refused).toEqual(['a:5-9', 'b:c:7']);
  for (const region of REGIONS) expect(readsOfRegion(region), region).toEqual(readsOfSamtools(region));
});
