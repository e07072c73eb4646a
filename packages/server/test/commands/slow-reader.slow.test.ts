import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateBlocks, EOF_MARKER, inflateBlocks } from '@htskit/bgzf';
import { CHUNK_SIZES, collectSlowly, fixturePath, readFixture } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli } from '../built-command.js';
import { runCommand } from '../run-command.js';

/** Bytes that a pipe of Linux holds. */
const PIPE_BYTES = 65_536;

const genome = fixturePath('genome.fa');
let folder = '';

/** Writes a copy of a fixture whose blocks are much smaller than those that programs write. */
function writeSmallBlocks(name: string): void {
  const data = inflateBlocks(readFixture(name));
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += 3000) blocks.push(deflateBlocks(data.subarray(at, at + 3000)));
  writeFileSync(join(folder, name), Buffer.concat([...blocks, EOF_MARKER]));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  for (const name of ['reads.bam', 'variants.vcf.gz', 'variants.bcf']) writeSmallBlocks(name);
  const bed = Array.from({ length: 2000 }, (_, row) => `chr1\t${70 * row}\t${70 * row + 30}\n`);
  writeFileSync(join(folder, 'regions.bed'), bed.join(''));
  await runCommand(['refget', 'import', genome, '--store', join(folder, 'store')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns what a command writes to a file that is its stdout. */
async function writtenToFile(args: readonly string[]): Promise<Buffer> {
  const path = join(folder, 'stdout');
  const file = openSync(path, 'w');
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: ['ignore', file, 'ignore'] });
  closeSync(file);
  expect(await once(child, 'close')).toEqual([0, null]);
  return readFileSync(path);
}

/** Returns the number of bytes that a process has written so far. One that has ended has written all. */
function bytesWritten(child: ChildProcess): number {
  if (child.exitCode !== null) return Infinity;
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${child.pid}/io`, 'latin1'))?.[1]);
}

/** Returns what a command writes to a pipe, read in pieces of `chunkBytes` after it holds at least `heldBytes`. */
async function writtenToPipe(args: readonly string[], chunkBytes: number, heldBytes: number): Promise<Buffer> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  // Without a listener, Node discards what is unread when the process ends.
  child.stdout.on('readable', () => undefined);
  await expect.poll(() => bytesWritten(child)).toBeGreaterThanOrEqual(heldBytes);
  const bytes = await collectSlowly(pieces(child.stdout, chunkBytes));
  expect(await closed).toEqual([0, null]);
  return bytes;
}

async function* pieces(chunks: AsyncIterable<Buffer>, chunkBytes: number): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += chunkBytes) yield chunk.subarray(at, at + chunkBytes);
  }
}

describe.each([
  ['view', 'reads.bam'],
  ['view', '--with-header', 'reads.bam'],
  ['view', 'reads.bam', '-L', 'regions.bed'],
  ['view', fixturePath('reads.bam'), '-L', 'regions.bed'],
  ['view', 'reads.bam', '-b'],
  ['view', 'reads.bam', '-b', '--threads', '2'],
  ['view', fixturePath('reads.cram'), '-T', genome],
  ['view', fixturePath('reads.cram'), '-T', genome, '-b'],
  ['view', fixturePath('reads.cram'), '-T', genome, '--threads', '2'],
  ['view', 'variants.bcf'],
  ['view', 'variants.bcf', '-L', 'regions.bed'],
  ['view', 'variants.bcf', '-O', 'vcf.gz'],
  ['view', 'variants.bcf', '-O', 'bcf'],
  ['view', 'variants.vcf.gz'],
  ['view', 'variants.vcf.gz', '-O', 'bcf'],
  ['view', '-c', 'reads.bam'],
  ['get', fixturePath('reads.bam'), 'chr1:1-100000', '-o', '-'],
  ['get', fixturePath('reads.cram'), 'chr1:1-100000', '--format', 'BAM', '-o', '-'],
  ['get', fixturePath('variants.vcf.gz'), '-o', '-'],
  ['ticket', fixturePath('reads.bam'), 'chr1:1-100000'],
  ['ticket', '--json', fixturePath('reads.bam'), 'chr1:1-100000'],
  ['digest', genome],
  ['digest', '--json', `${genome}.gz`],
  ['ls', fixturePath('.')],
  ['refget', 'list', 'store'],
  ['refget', 'export', 'store'],
  ['completion', 'bash'],
])('htskit %s %s %s', (...args) => {
  test('writes the same to a slow reader as to a file', async () => {
    const expected = await writtenToFile(args);
    expect(expected.length).toBeGreaterThan(0);
    const isLong = expected.length > 2 * PIPE_BYTES;
    // A byte at a time is slow, and enough of a short output.
    const heldBytes = isLong ? PIPE_BYTES : 0;
    const sizes = isLong ? CHUNK_SIZES.slice(1) : CHUNK_SIZES;
    for (const size of sizes) expect((await writtenToPipe(args, size, heldBytes)).equals(expected)).toBe(true);
  });
});
