import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCramContainerHeader, parseCramHeader } from '@htskit/formats';
import { fixturePath } from '@htskit/testing';
import { afterAll, expect, test } from 'vitest';
import { type CommandResult, runBinaryCommand } from '../../run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const genome = fixturePath('genome.fa');
const view = (...args: string[]): Promise<CommandResult<Buffer>> => runBinaryCommand(['view', ...args]);

/** Fails unless two threads write the same and fail in the same way as the main thread. Returns the result. */
async function expectSame(...args: string[]): Promise<CommandResult<Buffer>> {
  const [one, two] = [await view(...args), await view(...args, '-@', '2')];
  expect([two.code, two.stderr]).toEqual([one.code, one.stderr]);
  expect(two.stdout.equals(one.stdout)).toBe(true);
  return two;
}

const files = readdirSync(fixturePath('.')).filter((name) => name.endsWith('.cram'));
const writers = readdirSync(fixturePath('cram')).filter((name) => name.endsWith('.cram'));

test.each([
  ...files.map((name) => [name, genome]),
  ...writers.map((name) => [`cram/${name}`, fixturePath('cram/records.fa')]),
  ['referenced/reads.cram', genome],
])('threads write the reads of %s as the main thread does', async (name, reference) => {
  expect((await expectSame(fixturePath(name), '-T', reference, '-h')).code).toBe(0);
});

test.each([
  [['chr1:1-20000', 'chr2']],
  [['-c']],
  [['-b']],
  [['-O', 'sam.gz']],
  [['-q', '30', '-F', 'UNMAP']],
  [['-H']],
])('threads do the same of CRAM with %j', async (args) => {
  expect((await expectSame(fixturePath('reads.cram'), '-T', genome, ...args)).stdout.length).toBeGreaterThan(0);
});

test.each([[['chr1:1-20000']], [['-h']], [['-O', 'sam.gz']], [['-b']]])(
  'threads do the same of BAM with %j',
  async (args) => {
    expect((await expectSame(fixturePath('reads.bam'), ...args)).stdout.length).toBeGreaterThan(0);
  },
);

test('threads report a reference that is not available', async () => {
  expect((await expectSame(fixturePath('referenced/reads.cram'))).code).toBe(1);
});

/** Returns reads.cram with a fault in the blocks of its third container. */
function damaged(): string {
  const bytes = readFileSync(fixturePath('reads.cram'));
  const { byteLength, version } = parseCramHeader(bytes);
  let offset = byteLength;
  for (let container = 0; container < 3; container++) {
    const header = parseCramContainerHeader(bytes.subarray(offset), { version, offset });
    if (header === undefined) throw new Error('reads.cram has fewer than three containers');
    offset += header.headerLength + header.length;
  }
  const at = offset - 100;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  const path = join(folder, 'damaged.cram');
  writeFileSync(path, bytes);
  return path;
}

test('threads report a fault after the reads before it', async () => {
  const { code, stdout, stderr } = await expectSame(damaged(), '-T', genome);
  expect(code).toBe(1);
  expect(stderr).toMatch(/at byte \d+/);
  expect(stdout.length).toBeGreaterThan(10_000);
});
