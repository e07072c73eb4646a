import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bgunzip, fixturePath } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { AlignmentRecord, createBamToSam, createSamToBam, parseBamHeader, parseSamHeader } from '../../../src/index.js';
import { passPieces } from '../../record-pieces.js';

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const external = process.env['HTSKIT_EXTERNAL_DATA'];

function filesOf(folder: string, suffix: string): { readonly name: string; readonly path: string }[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(suffix));
  return names.map((name) => ({ name, path: join(folder, name) }));
}

const bamFiles = [fixturePath('.'), ...(external === undefined ? [] : [external])].flatMap((folder) =>
  filesOf(folder, '.bam'),
);
const samFolders = external === undefined ? [] : ['3.0', '3.1'].map((version) => join(external, 'cram-spec', version));
// samtools refuses an empty file.
const samFiles = samFolders.flatMap((folder) => filesOf(folder, '.sam')).filter(({ path }) => statSync(path).size > 0);

function samtools(...args: string[]): Buffer {
  return execFileSync('samtools', args, { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 30 });
}

function linesOf(text: Uint8Array): string[] {
  return Buffer.from(text).toString('latin1').split('\n');
}

let compared = 0;

describe.each(bamFiles)('$name', ({ path }) => {
  const data = bgunzip(readFileSync(path));
  const header = parseBamHeader(data);
  const records = data.subarray(header.byteLength);
  const expected = samtools('view', path);

  test('createBamToSam and toSam print what samtools view prints', () => {
    expect(linesOf(passPieces(createBamToSam(header), records, [65_280]))).toEqual(linesOf(expected));
    const lines: string[] = [];
    const record = new AlignmentRecord();
    for (let at = 0; at < records.length; at = record.byteEnd) lines.push(record.at(records, at).toSam(header));
    expect([...lines, '']).toEqual(linesOf(expected));
    compared += lines.length;
  });

  test('createSamToBam writes the bytes that samtools writes', () => {
    const sam = samtools('view', '-h', '--no-PG', path);
    const file = join(scratch, 'text.sam');
    writeFileSync(file, sam);
    expect(compareBam(sam, file)).toBeGreaterThan(0);
  });
});

test.each(samFiles)('createSamToBam writes the bytes that samtools writes of $name', ({ path }) => {
  expect(compareBam(readFileSync(path), path)).toBeGreaterThan(0);
});

/** Expects the BAM of a SAM file to equal that of samtools, and returns the lines that were compared. */
function compareBam(sam: Uint8Array, file: string): number {
  const expected = bgunzip(samtools('view', '--no-PG', '-u', file));
  const header = parseSamHeader(sam);
  const converter = createSamToBam(header);
  const converted = passPieces(converter, sam.subarray(header.byteLength), [65_280]);
  expect(parseBamHeader(converter.header)).toEqual(parseBamHeader(expected));
  expect(Buffer.compare(converted, expected.subarray(parseBamHeader(expected).byteLength))).toBe(0);
  const lines = linesOf(sam).length;
  compared += lines;
  return lines;
}

test('the comparisons covered more than 10,000 records', () => {
  expect(compared).toBeGreaterThan(10_000);
});
