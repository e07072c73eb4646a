import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { createSamToBam } from '@htskit/formats';
import { concatBytes, toOwned } from '@htskit/io';
import { fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandResult, runCommand } from '../../run-command.js';

const HEADER = {
  text: '@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:a\tLN:40\n@SQ\tSN:b\tLN:5\n@SQ\tSN:c\tLN:6\n',
  references: [
    { name: 'a', length: 40 },
    { name: 'b', length: 5 },
    { name: 'c', length: 6 },
  ],
};
const READS = [
  'r1\t0\ta\t5\t60\t3M2D2M1I1M\t*\t0\t0\tACGTACG\t!!5+I!I',
  'r2\t0\ta\t6\t60\t2M2N2M\t*\t0\t0\tACGT\t*',
  'r3\t0\ta\t20\t60\t2S2M3D\t*\t0\t0\tACGT\tIIII',
  'r4\t0\ta\t25\t60\t2D2M\t*\t0\t0\tGT\tII',
  'r5\t1024\ta\t30\t60\t4M\t*\t0\t0\tACGT\tIIII',
  'r6\t0\tc\t2\t3\t2M\t*\t0\t0\tAC\tII',
];

function toBam(lines: readonly string[]): Uint8Array {
  const converter = createSamToBam(HEADER);
  const text = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
  const records = [...converter.push(text), ...converter.finish()].map(toOwned);
  return concatBytes([deflateBlocks(concatBytes([converter.header, ...records])), EOF_MARKER]);
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  writeFileSync(join(folder, 't.bam'), toBam(READS));
  writeFileSync(join(folder, 't.bed'), 'a\t3\t7\na\t5\t9\na\t32\t34\nb\t1\t2\nunknown\t1\t2\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]): Promise<CommandResult> => runCommand(['depth', 't.bam', ...args], folder);
/** Returns what is printed with `:` in place of tabs and spaces in place of line ends. */
const depths = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.trimEnd().replaceAll('\t', ':').replaceAll('\n', ' ');
};
const zeros = (name: string, first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, i) => `${name}:${first + i}:0`).join(' ');

// The depths are those that samtools 1.16 and 1.24 print.
const COVERED =
  'a:5:1 a:6:2 a:7:2 a:8:0 a:9:0 a:10:2 a:11:2 a:12:1 a:20:1 a:21:1 a:22:0 a:23:0 a:24:0 a:25:0 a:26:0 a:27:1 a:28:1';
const COVERED_IN_C = 'c:2:1 c:3:1';

describe('htskit depth', () => {
  test('prints the depth of each base that reads cover, as samtools depth does', async () => {
    expect(await depths()).toBe(`${COVERED} ${COVERED_IN_C}`);
    expect(await depths('a:6-8')).toBe('a:6:2 a:7:2 a:8:0');
    expect(await depths('-Q', '4', 'c')).toBe('');
    expect(await depths('-G', 'REVERSE', 'a:12-20')).toBe('a:12:1 a:20:1');
    expect(await depths('-G', '0x10', 'c:2')).toBe(COVERED_IN_C);
  });

  test('counts deletions with -J, and bases of a quality with -q', async () => {
    expect(await depths('-J', 'a:7-9')).toBe('a:7:2 a:8:1 a:9:1');
    expect(await depths('-q', '1', 'a:5-8')).toBe('a:5:0 a:6:1 a:7:2 a:8:0');
    expect(await depths('-J', '-q', '10', 'a:8-10')).toBe('a:8:1 a:9:1 a:10:2');
    expect(await depths('-J', '-q', '11', 'a:8-10')).toBe('a:8:0 a:9:0 a:10:1');
    expect(await depths('-J', '-q', '41', 'a:20-28')).toBe(
      'a:20:0 a:21:0 a:22:1 a:23:1 a:24:1 a:25:0 a:26:0 a:27:0 a:28:0',
    );
  });

  test('prints bases of depth 0 with -a, and those of references without reads with -aa', async () => {
    const a = `${zeros('a', 1, 4)} ${COVERED.replace('a:20', `${zeros('a', 13, 19)} a:20`)} ${zeros('a', 29, 40)}`;
    const c = `c:1:0 ${COVERED_IN_C} ${zeros('c', 4, 6)}`;
    expect(await depths('-a')).toBe(`${a} ${c}`);
    expect(await depths('-aa')).toBe(`${a} ${zeros('b', 1, 5)} ${c}`);
    expect(await depths('-a', 'b')).toBe(zeros('b', 1, 5));
    expect(await depths('-a', 'a:28-32')).toBe('a:28:1 a:29:0 a:30:0 a:31:0 a:32:0');
  });

  test('prints the bases of a BED file once', async () => {
    const inside = 'a:5:1 a:6:2 a:7:2 a:8:0 a:9:0';
    expect(await depths('-b', 't.bed')).toBe(inside);
    expect(await depths('-L', 't.bed', '-a')).toBe(`a:4:0 ${inside} a:33:0 a:34:0`);
    expect(await depths('-b', 't.bed', '-aa')).toBe(`a:4:0 ${inside} a:33:0 a:34:0 b:2:0`);
  });

  test('prints the mean depth of bins as bedGraph', async () => {
    expect(await depths('--bin', '10')).toBe('a:0:10:0.7 a:10:20:0.4 a:20:30:0.3 c:0:6:0.3333');
    expect(await depths('--bin', '3', 'a:6-13')).toBe('a:5:8:1.3333 a:8:11:1.3333 a:11:13:0.5');
  });

  test('writes a bigWig file, and no other', async () => {
    const { code, stdout, stderr } = await run('-o', 'depth.bw');
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    const bytes = new Uint8Array(readFileSync(join(folder, 'depth.bw')));
    expect(new DataView(bytes.buffer).getUint32(0, true)).toBe(0x888ffc26);
    expect(readdirSync(folder).sort()).toEqual(['depth.bw', 't.bam', 't.bed']);
  });

  test('leaves no file if the depth cannot be computed', async () => {
    writeFileSync(join(folder, 'unsorted.bam'), toBam(READS.slice(0, 3).reverse()));
    const { code, stderr } = await runCommand(['depth', 'unsorted.bam', '-o', 'no.bw'], folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining('unsorted.bam: records are not sorted')]);
    expect(readdirSync(folder).filter((name) => name.startsWith('no') || name.startsWith('.'))).toEqual([]);
  });

  test.each([
    ['variants', [fixturePath('variants.vcf.gz')], 'VCF has no reads; htskit depth needs BAM or CRAM'],
    ['-a with bins', ['t.bam', '-a', '--bin', '5'], '-a cannot be combined with --bin or bigWig'],
    ['regions with a BED file', ['t.bam', 'a', '-b', 't.bed'], '--regions-file cannot be combined with regions'],
    ['an empty bin', ['t.bam', '--bin', '0'], 'expected a number of bases from 1 to 999,999,999'],
  ])('refuses %s', async (_, args, message) => {
    const { code, stderr } = await runCommand(['depth', ...args], folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
