import { describe, expect, test, vi } from 'vitest';
import { iterateRecords, type RecordView } from '../src/record-iterator.js';

/** Records of one byte. A byte of 0xff is malformed. */
const BYTES = [Uint8Array.of(1, 2, 3), new Uint8Array(0), Uint8Array.of(4, 5)];
const MALFORMED = 0xff;

interface Byte extends RecordView {
  readonly value: number;
}

/** Returns an iterator over pieces, and what happened to the pieces. */
function iterate(pieces: readonly Uint8Array[] = BYTES): {
  readonly records: AsyncGenerator<Byte, void>;
  log: string[];
} {
  const log: string[] = [];
  async function* read(): AsyncGenerator<Uint8Array, void> {
    log.push('opened');
    try {
      yield* pieces;
    } finally {
      log.push('closed');
    }
  }
  const records = iterateRecords<Byte>(read(), (bytes) => (offset) => {
    const value = bytes[offset] ?? 0;
    if (value === MALFORMED) throw new RangeError('malformed');
    return { value, byteEnd: offset + 1 };
  });
  return { records, log };
}

const toValue = ({ done, value }: IteratorResult<Byte, void>): number | string =>
  done === true || value === undefined ? 'done' : value.value;

describe('iterateRecords', () => {
  test('yields the records of all pieces, then closes them', async () => {
    const { records, log } = iterate();
    const values: number[] = [];
    for await (const { value } of records) values.push(value);
    expect(values).toEqual([1, 2, 3, 4, 5]);
    expect(log).toEqual(['opened', 'closed']);
    expect(toValue(await records.next())).toBe('done');
  });

  test('reads nothing before it is asked', () => {
    expect(iterate().log).toEqual([]);
  });

  test('serves calls in their order that do not wait for each other', async () => {
    const { records } = iterate();
    const results: (number | string)[] = [];
    const calls = Array.from({ length: 7 }, async () => results.push(toValue(await records.next())));
    await Promise.all(calls);
    expect(results).toEqual([1, 2, 3, 4, 5, 'done', 'done']);
  });

  test('serves a call after the earlier ones that wait', async () => {
    const { records } = iterate();
    const first = records.next();
    const late = first.then(() => records.next());
    const second = records.next();
    expect((await Promise.all([first, second, late])).map(toValue)).toEqual([1, 2, 3]);
  });

  test('closes the pieces if the caller leaves the loop', async () => {
    const { records, log } = iterate();
    for await (const { value } of records) if (value === 2) break;
    expect(log).toEqual(['opened', 'closed']);
    expect(toValue(await records.next())).toBe('done');
  });

  test('yields nothing after return, even if the call does not wait for it', async () => {
    const { records, log } = iterate();
    await records.next();
    const results = await Promise.all([records.return(), records.next()]);
    expect(results.map(toValue)).toEqual(['done', 'done']);
    expect(log).toEqual(['opened', 'closed']);
  });

  test('closes the pieces at the end of an `await using` declaration', async () => {
    const { records, log } = iterate();
    await records.next();
    const dispose: unknown = Reflect.get(records, Symbol.asyncDispose);
    if (typeof dispose !== 'function') throw new TypeError('the iterator cannot be disposed of');
    expect(await dispose.call(records)).toBeUndefined();
    expect(log).toEqual(['opened', 'closed']);
    expect(toValue(await records.next())).toBe('done');
  });

  test('rejects with the error that is thrown into it, and ends', async () => {
    const { records, log } = iterate();
    await records.next();
    await expect(records.throw(new TypeError('stop'))).rejects.toThrow(new TypeError('stop'));
    expect(log).toEqual(['opened', 'closed']);
    expect(toValue(await records.next())).toBe('done');
  });

  test.each([
    ['the first record of a piece', [Uint8Array.of(1), Uint8Array.of(MALFORMED, 2)], [1]],
    ['another record', [Uint8Array.of(1, MALFORMED, 2)], [1]],
  ])('rejects if %s is malformed, closes the pieces, and ends', async (_, pieces, expected) => {
    const { records, log } = iterate(pieces);
    const values: number[] = [];
    await expect(async () => {
      for await (const { value } of records) values.push(value);
    }).rejects.toThrow('malformed');
    expect(values).toEqual(expected);
    expect(log).toEqual(['opened', 'closed']);
    expect(toValue(await records.next())).toBe('done');
  });

  test('lets other events be handled between many records of one piece', async () => {
    let now = 0;
    // Each look at the clock is as late as if the records before had taken the time of a turn.
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    let turns = 0;
    const turn = (): void => {
      turns++;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const { records } = iterate([new Uint8Array(2 ** 20)]);
    let count = 0;
    for await (const _ of records) count++;
    clearImmediate(next);
    expect(count).toBe(2 ** 20);
    expect(turns).toBeGreaterThan(10);
  });
});
