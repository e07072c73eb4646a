import { gunzip } from '@htskit/bgzf';
import { FormatError } from '@htskit/formats';
import { loopTurns } from '@htskit/io/internal';
import { fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { IndexError, indexCram } from '../../src/index.js';
import { readContainers } from '../support/cram-containers.js';

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

function textOf(index: Uint8Array): string {
  return new TextDecoder().decode(gunzip(index));
}

/** Returns the error of an attempt, or undefined if it succeeds. */
async function failure(attempt: Promise<unknown>): Promise<unknown> {
  return attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('indexCram', () => {
  test.each(fixtureNames('.cram'))('indexes %s as samtools does', async (name) => {
    const expected = textOf(readFixture(`${name}.crai`));
    const bytes = readFixture(name);
    for (const length of [bytes.length, 1000, 7]) {
      expect(textOf(await indexCram(inPieces(bytes, length)))).toBe(expected);
    }
  });

  test('indexes CRAM 2.1 whose header is longer than it declares, as old htslib wrote it', async () => {
    const bytes = readFixture('v21.cram');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    view.setInt32(26, view.getInt32(26, true) - 2, true);
    const expected = textOf(readFixture('v21.cram.crai'));
    for (const length of [bytes.length, 1000, 7]) {
      expect(textOf(await indexCram(inPieces(bytes, length)))).toBe(expected);
    }
  });

  test('writes a single gzip member, because htslib reads only the first', async () => {
    const index = await indexCram(inPieces(readFixture('reads.cram'), 1e6));
    expect([...index.subarray(0, 4)]).toEqual([0x1f, 0x8b, 8, 0]);
  });

  test('accepts a file without an EOF container but not one that ends within a container', async () => {
    const bytes = readFixture('multiref.cram');
    const containers = readContainers(bytes);
    const expected = textOf(readFixture('multiref.cram.crai'));
    const last = containers.at(-1)?.start ?? 0;
    expect(textOf(await indexCram(inPieces(bytes.subarray(0, last), 999)))).toBe(expected);
    for (const length of [last - 1, last + 1, last + 30, (containers[0]?.start ?? 0) + 20]) {
      const error = await failure(indexCram(inPieces(bytes.subarray(0, length), 999)));
      expect(error).toMatchObject({ name: 'IndexError', code: 'TRUNCATED' });
    }
  });

  test('rejects other formats and containers that are not sorted', async () => {
    expect(await failure(indexCram(inPieces(readFixture('reads.bam'), 999)))).toMatchObject({ code: 'INVALID_MAGIC' });
    expect(await failure(indexCram(inPieces(new Uint8Array(0), 1)))).toMatchObject({ code: 'TRUNCATED' });
    const bytes = readFixture('reads.cram');
    const [first, second] = readContainers(bytes);
    const swapped = new Uint8Array(bytes);
    swapped.set(bytes.subarray(second?.start, second?.end), first?.start);
    swapped.set(
      bytes.subarray(first?.start, first?.end),
      (first?.start ?? 0) + (second?.end ?? 0) - (second?.start ?? 0),
    );
    expect(await failure(indexCram(inPieces(swapped, 4096)))).toMatchObject({
      name: 'IndexError',
      code: 'INVALID_DATA',
    });
  });

  test('rejects a container over the limit before it is read', async () => {
    const bytes = readFixture('reads.cram');
    const longest = Math.max(...readContainers(bytes).map(({ start, end }) => end - start));
    expect(await failure(indexCram(inPieces(bytes, 999), { maxContainerBytes: longest }))).toBeUndefined();
    const error = await failure(indexCram(inPieces(bytes, 999), { maxContainerBytes: longest - 1 }));
    expect(error).toMatchObject({ name: 'IndexError', code: 'LIMIT_EXCEEDED' });
  });

  test('reports progress and stops when it is aborted', async () => {
    const bytes = readFixture('reads.cram');
    const progress: number[] = [];
    await indexCram(inPieces(bytes, 999), { onProgress: (read) => progress.push(read) });
    expect(progress).toEqual([
      ...readContainers(bytes)
        .slice(0, 1)
        .map(({ start }) => start),
      ...readContainers(bytes).map(({ end }) => end),
    ]);
    let isClosed = false;
    async function* endless(): AsyncGenerator<Uint8Array, void> {
      try {
        yield* inPieces(bytes, 999);
      } finally {
        isClosed = true;
      }
    }
    const controller = new AbortController();
    const reason = new Error('enough');
    const onProgress = (): void => controller.abort(reason);
    expect(await failure(indexCram(endless(), { signal: controller.signal, onProgress }))).toBe(reason);
    expect(isClosed).toBe(true);
  });

  test('asks for a turn of the event loop for each slice', async () => {
    const next = vi.spyOn(loopTurns, 'next').mockClear();
    const index = await indexCram(inPieces(readFixture('reads.cram'), 1e6));
    const slices = textOf(index).trimEnd().split('\n').length;
    expect(slices).toBeGreaterThan(1);
    expect(next.mock.calls.length).toBe(slices);
  });

  test('damaged files return an index or throw an IndexError or a FormatError', async () => {
    for (const [seed, name] of ['multiref.cram', 'v21.cram'].entries()) {
      const bytes = readFixture(name);
      const errors: unknown[] = [];
      for (const mutation of mutations(bytes, { seed, count: volume(1000) })) {
        errors.push(await failure(indexCram(inPieces(mutation.bytes, bytes.length))));
      }
      const found = errors.filter((error) => error !== undefined);
      expect(found.filter((error) => !(error instanceof IndexError || error instanceof FormatError))).toEqual([]);
      expect(found.length).toBeGreaterThan(volume(300));
    }
  });
});
