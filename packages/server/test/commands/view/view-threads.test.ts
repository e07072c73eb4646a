import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createBamToSam,
  createSamToBam,
  FormatError,
  parseCramContainerHeader,
  parseCramHeader,
  parseSamHeader,
  type RecordConverter,
} from '@htskit/formats';
import { encodeText, toOwned } from '@htskit/io';
import { type ContainerWorkers, openOnWorkers } from '@htskit/records/internal';
import { deferred, fixturePath } from '@htskit/testing';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { ViewThreads } from '../../../src/commands/view/view-threads.js';
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

const header = parseSamHeader(encodeText('@HD\tVN:1.6\n@SQ\tSN:chr1\tLN:1000\n'));
const reference = { location: undefined, isLocal: false };

function openThreads(signal = new AbortController().signal): ViewThreads {
  const threads = new ViewThreads({ threads: 1, reference, signal });
  onTestFinished(() => threads.close());
  return threads;
}

/** Returns BAM records of at least a mebibyte. The tag of the last one is malformed on request. */
function createPiece(isMalformed = false): Uint8Array {
  const line = encodeText(`r\t4\t*\t0\t0\t*\t*\t0\t0\t${'A'.repeat(1000)}\t*\tNM:i:1\n`.repeat(1000));
  const [records = new Uint8Array(0)] = createSamToBam(header).push(line).map(toOwned);
  if (isMalformed) records[records.length - 2] = 0;
  return records;
}

test('threads write the text before a malformed tag, and report its place in all records', async () => {
  const pieces = [createPiece(), createPiece(), createPiece(true), createPiece()];
  const expected = createBamToSam(header);
  const [first, second] = pieces.slice(0, 2).flatMap((piece) => expected.push(piece).map(toOwned));
  const failure = caught(() => expected.push(pieces[2] ?? new Uint8Array(0)));
  const lines = openThreads().toSam(toStream(pieces), { header, converter: createBamToSam(header) });
  expect((await lines.next()).value).toEqual(first);
  expect((await lines.next()).value).toEqual(second);
  await expect(lines.next()).rejects.toThrow(failure);
});

/** Fails if the main thread converts records. */
const NONE: RecordConverter = {
  ...createBamToSam(header),
  push: () => {
    throw new Error('the main thread converted records');
  },
};

test('threads decode all containers, with the bases that they look for', async () => {
  const search = { location: genome, isLocal: false };
  const threads = new ViewThreads({ threads: 1, reference: search, signal: new AbortController().signal });
  onTestFinished(() => threads.close());
  const pieces: number[] = [];
  const workers: ContainerWorkers = {
    ahead: threads.ahead,
    decode: async (...container) => {
      const records = await threads.decode(...container);
      pieces.push(records?.length ?? Number.NaN);
      return records;
    },
  };
  const file = await openOnWorkers(fixturePath('referenced/reads.cram'), { workers });
  onTestFinished(() => file.close());
  expect(await file.count()).toBeGreaterThan(100);
  expect(pieces.filter((count) => !(count >= 0))).toEqual([]);
  expect(Math.max(...pieces)).toBeGreaterThan(0);
});

test('threads hold a bounded number of pieces of a slow reader', async () => {
  const threads = openThreads();
  let pulled = 0;
  async function* endless(): AsyncGenerator<Uint8Array, void> {
    for (const piece = createPiece(); ; pulled++) yield piece;
  }
  const lines = threads.toSam(endless(), { header, converter: NONE });
  for (let taken = 0; taken < 5; taken++) {
    await lines.next();
    expect(pulled).toBeLessThanOrEqual(taken + threads.ahead + 1);
  }
  await lines.return();
});

test('an abort stops the threads, and the text ends with its reason', async () => {
  const abort = new AbortController();
  const threads = openThreads(abort.signal);
  const [started, end] = [deferred(), deferred()];
  async function* pieces(): AsyncGenerator<Uint8Array, void> {
    yield createPiece();
    started.resolve();
    await end.promise;
  }
  const line = threads.toSam(pieces(), { header, converter: createBamToSam(header) }).next();
  await started.promise;
  abort.abort(new Error('enough'));
  await expect(line).rejects.toThrow('enough');
  end.resolve();
});

function caught(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    if (error instanceof FormatError) return error;
  }
  throw new Error('expected a FormatError');
}

async function* toStream(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* pieces;
}
