import type { ByteSource } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { describe, expect, test } from 'vitest';
import { ReadAhead } from '../../src/source/read-ahead.js';

const MiB = 2 ** 20;

/** Opens a file of this many bytes, each of which is the number of its MiB, and records its requests. */
function openFile(byteLength: number): {
  readonly file: { readonly source: ByteSource; readonly version: string; readonly isLocal: boolean };
  readonly requests: { readonly start: number; readonly end: number }[];
  readonly signals: (AbortSignal | undefined)[];
} {
  const bytes = new Uint8Array(byteLength);
  for (let at = 0; at < byteLength; at += MiB) bytes.fill(at / MiB, at, at + MiB);
  const source = memorySource(bytes, { version: '1' });
  const requests: { start: number; end: number }[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const read: ByteSource['read'] = (range, options) => {
    requests.push(range);
    signals.push(options?.signal);
    return source.read(range, options);
  };
  return { file: { source: { ...source, read }, version: '1', isLocal: false }, requests, signals };
}

test('requests nothing before it is needed, and no more than the range', async () => {
  const { file, requests } = openFile(MiB);
  const reading = new ReadAhead(file, [{ start: 100, end: 2000 }], undefined);
  expect(requests).toEqual([]);
  expect((await reading.take({ start: 300, end: 400 })).length).toBe(100);
  expect((await reading.take({ start: 400, end: 3000 })).length).toBe(1600);
  expect(requests).toEqual([{ start: 300, end: 2000 }]);
});

test('requests several short ranges at once', async () => {
  const { file, requests } = openFile(MiB);
  const ranges = Array.from({ length: 10 }, (_, i) => ({ start: 10_000 * i, end: 10_000 * i + 100 }));
  const reading = new ReadAhead(file, ranges, undefined);
  await reading.take({ start: 0, end: 50 });
  expect(requests).toEqual(ranges.slice(0, 4));
  for (const range of ranges) expect((await reading.take(range)).length).toBe(100);
  expect(requests).toEqual(ranges);
});

test('requests more ahead the longer it reads, within 16 MiB', async () => {
  const { file, requests } = openFile(40 * MiB);
  const reading = new ReadAhead(file, [{ start: 0, end: 40 * MiB }], undefined);
  const ahead: number[] = [];
  for (let start = 0; start < 40 * MiB; start += MiB / 2) {
    const bytes = await reading.take({ start, end: start + MiB / 2 });
    expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([MiB / 2, Math.floor(start / MiB), Math.floor(start / MiB)]);
    ahead.push(((requests.at(-1)?.end ?? 0) - start) / MiB);
  }
  expect(ahead[0]).toBe(0.5);
  expect(Math.max(...ahead)).toBeGreaterThan(4);
  expect(Math.max(...ahead)).toBeLessThanOrEqual(16);
  expect(requests.length).toBeLessThan(40);
});

test('joins what lies in several requests, and reads again what it went back to', async () => {
  const { file, requests } = openFile(3 * MiB);
  const reading = new ReadAhead(file, [{ start: 0, end: 3 * MiB }], undefined);
  await reading.take({ start: 0, end: 10 });
  const bytes = await reading.take({ start: 5, end: 3 * MiB });
  expect([bytes.length, bytes[0], bytes[MiB], bytes.at(-1)]).toEqual([3 * MiB - 5, 0, 1, 2]);
  expect(requests.length).toBeGreaterThan(1);
  const { length } = requests;
  await reading.take({ start: 2.9 * MiB, end: 3 * MiB });
  expect(requests.length).toBe(length);
  expect((await reading.take({ start: 0, end: 10 })).length).toBe(10);
  expect(requests.length).toBeGreaterThan(length);
});

test('returns fewer bytes at the end of the file and of the range', async () => {
  const { file } = openFile(1000);
  const reading = new ReadAhead(
    file,
    [
      { start: 0, end: 500 },
      { start: 900, end: 70_000 },
    ],
    undefined,
  );
  expect((await reading.take({ start: 400, end: 600 })).length).toBe(100);
  expect((await reading.take({ start: 900, end: 70_000 })).length).toBe(100);
  expect((await reading.take({ start: 60_000, end: 70_000 })).length).toBe(0);
});

describe('a reading whose requests wait', () => {
  const waiting = (): { file: { source: ByteSource; version: string; isLocal: boolean }; signals: AbortSignal[] } => {
    const signals: AbortSignal[] = [];
    const read: ByteSource['read'] = (_range, options) =>
      new Promise((_, reject) => {
        const signal = options?.signal;
        if (signal === undefined) return;
        signals.push(signal);
        signal.addEventListener('abort', () => reject(new Error(`aborted: ${signal.reason}`)));
      });
    return { file: { source: { ...openFile(1).file.source, read }, version: '1', isLocal: false }, signals };
  };

  test('aborts them when it is closed', async () => {
    const { file, signals } = waiting();
    const reading = new ReadAhead(
      file,
      [
        { start: 0, end: 10 },
        { start: 20, end: 30 },
      ],
      undefined,
    );
    const taken = reading.take({ start: 0, end: 10 });
    reading.close();
    await expect(taken).rejects.toThrow('aborted: closed');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test('aborts them with the signal of the caller, and stops to listen to it when it is closed', async () => {
    const { file } = waiting();
    const controller = new AbortController();
    const reading = new ReadAhead(file, [{ start: 0, end: 10 }], controller.signal);
    const taken = reading.take({ start: 0, end: 10 });
    controller.abort('enough');
    await expect(taken).rejects.toThrow('aborted: enough');
    reading.close();
  });
});
