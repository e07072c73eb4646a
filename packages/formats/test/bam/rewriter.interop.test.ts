import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { bgunzip, createRandom, fixturePath } from '@htskit/testing';
import { afterAll, expect, test } from 'vitest';
import { type BamSelection, createBamRewriter, parseBamHeader } from '../../src/index.js';
import { passPieces } from '../record-pieces.js';
import { buildHeader, buildRecord } from './build-bam.js';
import { FIELDS } from './model-record.js';
import { rewriteSam } from './rewrite-sam.js';

/** Random selections for each file, in addition to those that drop one field or tag. */
const RANDOM_SELECTIONS = 12;

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const external = process.env['HTSKIT_EXTERNAL_DATA'];
const files = [fixturePath('.'), ...(external === undefined ? [] : [external])].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.bam'))
    .map((name) => ({ name, path: join(folder, name) })),
);

/** Writes a BAM file with an EOF marker and without extra gzip subfields. */
function writeBam(name: string, data: Uint8Array): string {
  const path = join(scratch, name);
  writeFileSync(path, Buffer.concat([deflateBlocks(data), EOF_MARKER]));
  return path;
}

function samtools(...args: string[]): Buffer {
  return execFileSync('samtools', args, { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
}

function lines(text: Buffer): string[] {
  return text.toString('latin1').split('\n').slice(0, -1);
}

/** Returns selections that drop one field, all fields, one tag, all tags, or a random subset. */
function selectionsOf(tagNames: readonly string[]): BamSelection[] {
  const random = createRandom(6);
  const someOf = <T>(all: readonly T[]): T[] => all.filter(() => random() < 0.5);
  return [
    ...FIELDS.map((missing) => ({ fields: FIELDS.filter((field) => field !== missing) })),
    { fields: FIELDS.filter((field) => field !== 'SEQ' && field !== 'QUAL') },
    { fields: [] },
    { tags: [] },
    { fields: [], tags: [] },
    ...tagNames.map((name) => ({ notags: [name] })),
    ...Array.from({ length: RANDOM_SELECTIONS }, () => ({
      fields: random() < 0.2 ? undefined : someOf(FIELDS),
      tags: random() < 0.4 ? undefined : someOf(tagNames),
      notags: random() < 0.4 ? undefined : someOf(tagNames),
    })),
  ];
}

let compared = 0;

test('samtools accepts an unmapped record that lost FLAG and whose CIGAR does not match SEQ', () => {
  const header = buildHeader('', [['chr1\0', 1000]]);
  const record = buildRecord({ flag: 77, position: 20, cigar: [[9, 'M']], baseCount: 5 });
  const original = lines(samtools('view', writeBam('unmapped.bam', Buffer.concat([header, record]))));
  const selection = { fields: FIELDS.filter((field) => field !== 'FLAG') };
  const rewritten = passPieces(createBamRewriter(selection), record);
  const file = writeBam('unmapped-rewritten.bam', Buffer.concat([header, rewritten]));
  expect(lines(samtools('view', file))).toEqual(original.map((line) => rewriteSam(line, selection)));
});

test.each(files)('$name: samtools prints the same as an independent rewriting of its text', ({ name, path }) => {
  const data = bgunzip(readFileSync(path));
  const header = data.subarray(0, parseBamHeader(data).byteLength);
  const records = data.subarray(header.length);
  const original = lines(samtools('view', writeBam('original.bam', data)));
  const tagNames = [...new Set(original.flatMap((line) => line.split('\t').slice(11)).map((tag) => tag.slice(0, 2)))];
  for (const selection of selectionsOf(tagNames)) {
    const rewritten = passPieces(createBamRewriter(selection), records, [65_280]);
    const file = writeBam(`rewritten-${name}`, Buffer.concat([header, rewritten]));
    const about = JSON.stringify(selection);
    samtools('quickcheck', '-u', file); // -u: the file may have no references
    expect(lines(samtools('view', file)), about).toEqual(original.map((line) => rewriteSam(line, selection)));
    // samtools recomputes the bin of a record that has a CIGAR.
    const again = bgunzip(samtools('view', '--no-PG', '-u', file));
    expect(Buffer.compare(again.subarray(parseBamHeader(again).byteLength), rewritten), about).toBe(0);
    expect(rewritten.length).toBeLessThanOrEqual(records.length);
    compared += original.length;
  }
});

test('the comparisons covered more than 100,000 records', () => {
  expect(compared).toBeGreaterThan(100_000);
});
