import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectSlowly } from '../streams/kept-chunks.js';
import { backPressureTests, streamTests } from './byte-source-stream-contract.js';
import { type ContractSource, type ContractSubject, failureCode, objectBytes } from './byte-source-subject.js';

type Subject = () => ContractSubject;
type Create = (bytes: Uint8Array) => ContractSubject | Promise<ContractSubject>;

/** Ranges of the object as `[start, end]`: aligned, odd, across page and buffer sizes, and to the end. */
const RANGES: readonly (readonly [number, number])[] = [
  [0, 1],
  [0, 4_096],
  [1, 2],
  [4_095, 4_097],
  [65_535, 131_073],
  [262_143, 262_145],
  [300_001, 700_003],
  [objectBytes.length - 1, objectBytes.length],
  [0, objectBytes.length],
];

const INVALID: readonly (readonly [string, number, number])[] = [
  ['an end before its start', 10, 9],
  ['a negative start', -1, 10],
  ['a fractional end', 0, 1.5],
  ['NaN', Number.NaN, 10],
  ['an infinite end', 0, Number.POSITIVE_INFINITY],
  ['an unsafe integer', 0, 2 ** 53],
];

export interface ByteSourceContractOptions {
  /** The features that the backend does not have or the subject cannot test. All other features must be testable. */
  readonly without?: readonly ('missing' | 'version' | 'replace' | 'bytesRead' | 'abortedStat')[];
}

/**
 * Registers the tests that every ByteSource must pass. `create` creates a source of an object with the given bytes and is
 * called for several objects.
 */
export function byteSourceContract(
  name: string,
  create: Create,
  { without = [] }: ByteSourceContractOptions = {},
): void {
  describe(`${name} keeps the ByteSource contract`, () => {
    let current: ContractSubject | undefined;
    const subject: Subject = () => {
      if (current === undefined) throw new Error('no subject');
      return current;
    };
    beforeAll(async () => {
      current = await create(objectBytes);
    });
    afterAll(() => current?.dispose?.());

    readTests(subject);
    invalidRangeTests(subject);
    abortTests(subject);
    if (!without.includes('abortedStat')) abortedStatTests(subject);
    streamTests(subject);
    if (!without.includes('bytesRead')) backPressureTests(subject);
    lifetimeTests(subject);
    if (!without.includes('missing')) missingTests(subject);
    if (!without.includes('version')) versionTest(subject);
    otherVersionTest(subject);
    objectTests(create);
    if (!without.includes('replace')) replacementTest(create);
  });
}

function readTests(subject: Subject): void {
  const { length } = objectBytes;

  test.each(RANGES)('reads and streams exactly [%i, %i)', async (start, end) => {
    const { source } = subject();
    const expected = Buffer.from(objectBytes.subarray(start, end));
    expect(expected.equals(await source.read({ start, end }))).toBe(true);
    expect(expected.equals(await collect(source, start, end))).toBe(true);
  });

  test.each([
    ['that crosses the end', length - 3, length + 1_000, 3],
    ['that starts at the end', length, length + 10, 0],
    ['that starts beyond the end', length + 5, length + 10, 0],
    ['that ends at 2^53 - 1', length - 1, Number.MAX_SAFE_INTEGER, 1],
    ['that is empty', 7, 7, 0],
    ['that is empty and beyond the end', length + 7, length + 7, 0],
  ])('a range %s is clipped, never padded', async (_, start, end, expected) => {
    const { source } = subject();
    expect(await source.read({ start, end })).toHaveLength(expected);
    expect(await collect(source, start, end)).toHaveLength(expected);
  });

  test('the caller owns the bytes that were read', async () => {
    const { source } = subject();
    (await source.read({ start: 0, end: 100 })).fill(0);
    expect(await source.read({ start: 0, end: 100 })).toEqual(objectBytes.slice(0, 100));
  });

  test.each([5_003, 5_004, 5_002])('reads 5,003 bytes if the memory for them has %i', async (byteLength) => {
    const { source } = subject();
    const into = new Uint8Array(byteLength).fill(7);
    const bytes = await source.read({ start: 20_011, end: 25_014 }, { into });
    expect(bytes).toEqual(objectBytes.slice(20_011, 25_014));
    const isView = bytes.buffer === into.buffer;
    expect(into).toEqual(
      isView ? Uint8Array.of(...bytes, ...into.subarray(5_003)) : new Uint8Array(byteLength).fill(7),
    );
  });

  test('a stream and other reads leave the memory of a read alone', async () => {
    const { source } = subject();
    const into = new Uint8Array(length);
    const bytes = await source.read({ start: 0, end: 9_000 }, { into });
    const streamed = await new Response(source.stream({ start: 9_000, end: length }, { into })).arrayBuffer();
    await source.read({ start: 100_000, end: 109_000 });
    expect(bytes).toEqual(objectBytes.slice(0, 9_000));
    expect(Buffer.from(streamed).equals(objectBytes.subarray(9_000))).toBe(true);
  });

  test('concurrent reads do not affect each other', async () => {
    const starts = Array.from({ length: 40 }, (_, i) => i * 20_011);
    const reads = starts.map((start) => subject().source.read({ start, end: start + 5_003 }));
    const expected = starts.map((start) => objectBytes.slice(start, start + 5_003));
    expect(await Promise.all(reads)).toEqual(expected);
  });
}

function invalidRangeTests(subject: Subject): void {
  test.each(INVALID)('rejects %s with INVALID_RANGE', async (_, start, end) => {
    const { source } = subject();
    expect(await failureCode(() => source.read({ start, end }))).toBe('INVALID_RANGE');
    expect(await failureCode(() => collect(source, start, end))).toBe('INVALID_RANGE');
  });
}

function abortTests(subject: Subject): void {
  const range = { start: 0, end: 10 };

  test('an aborted signal fails with ABORTED', async () => {
    const { source } = subject();
    const signal = AbortSignal.abort();
    expect(await failureCode(() => source.read(range, { signal }))).toBe('ABORTED');
    expect(await failureCode(() => new Response(source.stream(range, { signal })).arrayBuffer())).toBe('ABORTED');
  });

  test('a signal that is aborted afterwards has no effect', async () => {
    const { source } = subject();
    const controller = new AbortController();
    const bytes = await source.read(range, { signal: controller.signal });
    controller.abort();
    expect(bytes).toEqual(objectBytes.slice(0, 10));
    expect(await source.read(range)).toEqual(bytes);
  });
}

/** Omitted for a source that never waits for its size, for which checking the signal would be the larger cost. */
function abortedStatTests(subject: Subject): void {
  test('stat rejects if the signal is aborted', async () => {
    const { source } = subject();
    expect(await failureCode(() => source.stat({ signal: AbortSignal.abort() }))).toBe('ABORTED');
  });
}

function lifetimeTests(subject: Subject): void {
  test('has a constant key', () => {
    const { source } = subject();
    expect(source.key.length).toBeGreaterThan(0);
    expect(source.key).toBe(subject().source.key);
  });

  test('ignores unknown options', async () => {
    const options: { signal?: AbortSignal; unknown: boolean } = { unknown: true };
    expect(await subject().source.read({ start: 5, end: 9 }, options)).toEqual(objectBytes.slice(5, 9));
  });

  test('can be used after close', async () => {
    const { source } = subject();
    await source.close?.();
    await source.close?.();
    expect(await source.read({ start: 5, end: 9 })).toEqual(objectBytes.slice(5, 9));
  });
}

function missingTests(subject: Subject): void {
  test('an object that does not exist is NOT_FOUND', async () => {
    const { missing } = subject();
    if (missing === undefined) throw new Error('the subject has no missing object');
    const codes = [
      await failureCode(() => missing.stat()),
      await failureCode(() => missing.read({ start: 0, end: 10 })),
      await failureCode(() => collect(missing, 0, 10)),
    ];
    expect(codes).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  });
}

function versionTest(subject: Subject): void {
  test('the version that stat returns can be read', async () => {
    const { source } = subject();
    const { version } = await source.stat();
    if (version === undefined) throw new Error('stat returned no version');
    expect((await source.stat()).version).toBe(version);
    expect(await source.read({ start: 0, end: 10 }, { version })).toEqual(objectBytes.slice(0, 10));
    expect(Buffer.from(objectBytes).equals(await collect(source, 0, objectBytes.length, { version }))).toBe(true);
  });
}

function otherVersionTest(subject: Subject): void {
  test('another version is CHANGED', async () => {
    const { source } = subject();
    const version = 'a version that never was';
    expect(await failureCode(() => source.read({ start: 0, end: 10 }, { version }))).toBe('CHANGED');
    expect(await failureCode(() => collect(source, 0, 10, { version }))).toBe('CHANGED');
  });
}

function objectTests(create: Create): void {
  test('an empty object has size 0 and no bytes', async () => {
    const { source, dispose } = await create(new Uint8Array());
    expect((await source.stat()).size).toBe(0);
    expect(await source.read({ start: 0, end: 10 })).toHaveLength(0);
    expect(await collect(source, 0, 10)).toHaveLength(0);
    await dispose?.();
  });

  test('two objects have two keys', async () => {
    const [first, second] = [await create(Uint8Array.of(1)), await create(Uint8Array.of(2))];
    expect(first.source.key).not.toBe(second.source.key);
    await first.dispose?.();
    await second.dispose?.();
  });
}

function replacementTest(create: Create): void {
  test('the old version of a replaced object is CHANGED and never mixed with the new one', async () => {
    const { source, replace, dispose } = await create(objectBytes);
    if (replace === undefined) throw new Error('the subject cannot be replaced');
    const { version } = await source.stat();
    if (version === undefined) throw new Error('an object that can be replaced needs a version');
    const replacement = objectBytes.map((byte) => byte ^ 0xff);
    const begun = source.stream({ start: 0, end: objectBytes.length }, { version }).getReader();
    const first = await begun.read();
    await replace(replacement);

    expect(await failureCode(() => source.read({ start: 0, end: 10 }, { version }))).toBe('CHANGED');
    expect(await failureCode(() => collect(source, 0, 10, { version }))).toBe('CHANGED');
    expect((await source.stat()).version).not.toBe(version);
    expect(await source.read({ start: 0, end: 10 })).toEqual(replacement.slice(0, 10));
    const chunks = [first.value ?? new Uint8Array()];
    const ending = await failureCode(async () => {
      for (let next = await begun.read(); !next.done; next = await begun.read()) chunks.push(next.value);
    });
    const streamed = Buffer.concat(chunks);
    expect(streamed.equals(objectBytes.subarray(0, streamed.length))).toBe(true);
    expect(ending).toBe(streamed.length === objectBytes.length ? undefined : 'CHANGED');
    await dispose?.();
  });
}

/** Reads all bytes of a stream, as a slow consumer that queues its chunks. */
async function collect(
  source: ContractSource,
  start: number,
  end: number,
  options?: { readonly version: string },
): Promise<Uint8Array> {
  return collectSlowly(source.stream({ start, end }, options));
}
