import { gunzip } from '@htskit/bgzf';
import { FormatError } from '@htskit/formats';
import { fixtureNames, mutations, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { IndexError, indexCram } from '../../src/index.js';
import { readContainers } from './cram-containers.js';

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

function textOf(index: Uint8Array): string {
  return new TextDecoder().decode(gunzip(index));
}

/** The error of an attempt; undefined if it succeeded. */
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

  test('the index is one member of gzip: htslib reads no further', async () => {
    const index = await indexCram(inPieces(readFixture('reads.cram'), 1e6));
    expect([...index.subarray(0, 4)]).toEqual([0x1f, 0x8b, 8, 0]);
  });

  test('a file may end without the marker of its end, but not inside a container', async () => {
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

  test('refuses what is no CRAM, and containers that are not sorted', async () => {
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

  test('refuses a container over the limit before it is read', async () => {
    const bytes = readFixture('reads.cram');
    const longest = Math.max(...readContainers(bytes).map(({ start, end }) => end - start));
    expect(await failure(indexCram(inPieces(bytes, 999), { maxContainerBytes: longest }))).toBeUndefined();
    const error = await failure(indexCram(inPieces(bytes, 999), { maxContainerBytes: longest - 1 }));
    expect(error).toMatchObject({ name: 'IndexError', code: 'LIMIT_EXCEEDED' });
  });

  test('tells how far it is, and stops when it is told to', async () => {
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

  test('damaged files give an index, an IndexError or a FormatError', async () => {
    for (const [seed, name] of ['multiref.cram', 'v21.cram'].entries()) {
      const bytes = readFixture(name);
      const errors: unknown[] = [];
      for (const mutation of mutations(bytes, { seed, count: 1000 })) {
        errors.push(await failure(indexCram(inPieces(mutation.bytes, bytes.length))));
      }
      const found = errors.filter((error) => error !== undefined);
      expect(found.filter((error) => !(error instanceof IndexError || error instanceof FormatError))).toEqual([]);
      expect(found.length).toBeGreaterThan(300);
    }
  });
});
