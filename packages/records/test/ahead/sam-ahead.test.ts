import { createBamToSam, createSamToBam, FormatError, parseSamHeader, type RecordConverter } from '@htskit/formats';
import { encodeText, toOwned } from '@htskit/io';
import { deferred } from '@htskit/testing';
import { beforeAll, expect, test } from 'vitest';
import { samAhead } from '../../src/ahead/sam-ahead.js';
import { startWorker } from './long-files.js';

const header = parseSamHeader(encodeText('@HD\tVN:1.6\n@SQ\tSN:chr1\tLN:1000\n'));
const { signal } = new AbortController();

/** Returns BAM records of at least a mebibyte. The tag of the last one is malformed on request. */
function createPiece(isMalformed = false): Uint8Array {
  const line = encodeText(`r\t4\t*\t0\t0\t*\t*\t0\t0\t${'A'.repeat(1000)}\t*\tNM:i:1\n`.repeat(1000));
  const [records = new Uint8Array(0)] = createSamToBam(header).push(line).map(toOwned);
  if (isMalformed) records[records.length - 2] = 0;
  return records;
}

async function* toStream(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* pieces;
}

/** Fails if the calling thread converts records. */
const NONE: RecordConverter = {
  ...createBamToSam(header),
  push: () => {
    throw new Error('the calling thread converted records');
  },
};

beforeAll(() => startWorker(convertOnce), 60_000);

async function convertOnce(): Promise<void> {
  const converter = createBamToSam(header);
  for await (const _ of samAhead(toStream([createPiece()]), { header, converter, workers: 1, signal }));
}

test('text before a malformed tag is written, and its place in all records is reported', async () => {
  const pieces = [createPiece(), createPiece(), createPiece(true), createPiece()];
  const expected = createBamToSam(header);
  const [first, second] = pieces.slice(0, 2).flatMap((piece) => expected.push(piece).map(toOwned));
  const failure = caught(() => expected.push(pieces[2] ?? new Uint8Array(0)));
  const lines = samAhead(toStream(pieces), { header, converter: createBamToSam(header), workers: 1, signal });
  expect((await lines.next()).value).toEqual(first);
  expect((await lines.next()).value).toEqual(second);
  await expect(lines.next()).rejects.toThrow(failure);
});

test('a slow reader has a bounded number of pieces converted ahead', async () => {
  let pulled = 0;
  async function* endless(): AsyncGenerator<Uint8Array, void> {
    for (const piece = createPiece(); ; pulled++) yield piece;
  }
  const lines = samAhead(endless(), { header, converter: NONE, workers: 1, signal });
  for (let taken = 0; taken < 5; taken++) {
    await lines.next();
    expect(pulled).toBeLessThanOrEqual(taken + 3);
  }
  await lines.return();
});

test('an abort ends the text with its reason', async () => {
  const abort = new AbortController();
  const [started, end] = [deferred(), deferred()];
  async function* pieces(): AsyncGenerator<Uint8Array, void> {
    yield createPiece();
    started.resolve();
    await end.promise;
  }
  const line = samAhead(pieces(), { header, converter: NONE, workers: 1, signal: abort.signal }).next();
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
