import type { ObjectStore } from '@htskit/io';
import { failureCode, objectBytes } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { conditionTests, originTest } from './conditional-puts.js';
import { chunksOf, isHeld, keysOf } from './stored-objects.js';

/** The store that the contract suite tests. */
export interface ContractStoreSubject {
  /** An empty store. */
  readonly store: ObjectStore;
  /** Adds entries that other programs may leave: links, and names that are not keys. Returns the keys among them. */
  readonly placeForeign?: () => Promise<readonly string[]>;
  /** Releases the resources of the subject. */
  readonly dispose?: () => Promise<void>;
}

type Subject = () => ObjectStore;

const ONE = Uint8Array.of(1);
/** Keys that no store holds. */
const INVALID_KEYS = [
  '',
  '/a',
  'a/',
  'a//b',
  '.',
  '../a',
  'a/./b',
  'a/../b',
  'a\0',
  '\ud800',
  `${'x'.repeat(200)}/`.repeat(6),
];
/** Keys that buckets hold, and folders do not. */
const FOREIGN_KEYS = [
  'a/.hidden',
  'a b',
  'a\\b',
  'a:b',
  'a+b%2B',
  '"quoted" & <tagged>',
  'query?a=b#c',
  'é 日本語 🧬',
  'e\u0301',
  'line\nreturn\rtab\tescape\u001bdelete\u007f',
  '\u2028\ufffe',
  'x'.repeat(256),
];

export interface ContractOptions {
  /** Whether the store holds every key that a bucket does. Others refuse all but the portable ones. Default false. */
  readonly foreignKeys?: boolean;
  /** Whether the store has metadata. Default true. */
  readonly keepsOrigins?: boolean;
}

/**
 * Registers the tests that every ObjectStore must pass. `create` creates an empty store for each test.
 */
export function objectStoreContract(
  name: string,
  create: () => ContractStoreSubject | Promise<ContractStoreSubject>,
  { foreignKeys = false, keepsOrigins = true }: ContractOptions = {},
): void {
  describe(`${name} keeps the ObjectStore contract`, () => {
    let current: ContractStoreSubject | undefined;
    const subject: Subject = () => {
      if (current === undefined) throw new Error('no subject');
      return current.store;
    };
    beforeEach(async () => {
      current = await create();
    });
    afterEach(() => current?.dispose?.());

    putTests(subject);
    atomicityTests(subject);
    conditionTests(subject);
    originTest(subject, keepsOrigins);
    listTests(subject);
    foreignTests(() => current);
    keyTests(subject, foreignKeys ? INVALID_KEYS : [...INVALID_KEYS, ...FOREIGN_KEYS]);
    if (foreignKeys) foreignKeyTest(subject);
    abortTests(subject);
  });
}

function putTests(subject: Subject): void {
  test('reads an object that was put', async () => {
    await subject().put('folder/object', objectBytes);
    expect(await isHeld(subject(), 'folder/object', objectBytes)).toBe(true);
    expect((await subject().source('folder/object').stat()).size).toBe(objectBytes.length);
  });

  test('puts a stream of any chunks', async () => {
    await subject().put('streamed', { size: objectBytes.length, chunks: chunksOf(objectBytes) });
    expect(await isHeld(subject(), 'streamed', objectBytes)).toBe(true);
    await subject().put('empty', { size: 0, chunks: chunksOf(new Uint8Array(0)) });
    expect((await subject().source('empty').stat()).size).toBe(0);
  });

  test('a second put replaces the object, and a reader of the first version notices', async () => {
    const source = subject().source('a');
    await subject().put('a', objectBytes);
    const { version } = await source.stat();
    if (version === undefined) throw new Error('an object that can be replaced needs a version');
    await subject().put('a', Uint8Array.of(9, 8));
    expect(await source.read({ start: 0, end: 10 })).toEqual(Uint8Array.of(9, 8));
    expect(await failureCode(() => source.read({ start: 0, end: 1 }, { version }))).toBe('CHANGED');
  });

  test('an empty object replaces another one and can be replaced', async () => {
    const sizes: number[] = [];
    for (const bytes of [new Uint8Array(0), new Uint8Array(0), objectBytes, new Uint8Array(0), ONE]) {
      await subject().put('a', bytes);
      sizes.push((await subject().source('a').stat()).size);
    }
    expect(sizes).toEqual([0, 0, objectBytes.length, 0, 1]);
    expect(await keysOf(subject(), '')).toEqual(['a']);
  });

  test('changing the bytes after the put does not change the object', async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    await subject().put('a', bytes);
    bytes.fill(0);
    expect(await subject().source('a').read({ start: 0, end: 3 })).toEqual(Uint8Array.of(1, 2, 3));
  });

  test('a deleted object does not exist and may be deleted again', async () => {
    await subject().put('a/b', ONE);
    await subject().delete('a/b');
    await subject().delete('a/b');
    expect(await failureCode(() => subject().source('a/b').stat())).toBe('NOT_FOUND');
    expect(await keysOf(subject(), '')).toEqual([]);
  });

  test('an object can be read as immutable', async () => {
    const source = subject().source('a', { isImmutable: true });
    expect(await failureCode(() => source.stat())).toBe('NOT_FOUND');
    await subject().put('a', objectBytes);
    for (const start of [0, 70_000]) {
      expect(await source.read({ start, end: start + 9 })).toEqual(objectBytes.slice(start, start + 9));
    }
    await source.close?.();
  });
}

function atomicityTests(subject: Subject): void {
  test('an object does not exist before it is completely written', async () => {
    const seen: unknown[] = [];
    const look = async (): Promise<void> => {
      seen.push(await keysOf(subject(), ''), await failureCode(() => subject().source('a').stat()));
    };
    await subject().put('a', { size: objectBytes.length, chunks: chunksOf(objectBytes, look) });
    expect(new Set(seen.map((state) => JSON.stringify(state)))).toEqual(new Set(['[]', '"NOT_FOUND"']));
    expect(await keysOf(subject(), '')).toEqual(['a']);
  });

  test('an object stays the old one until its replacement is completely written', async () => {
    await subject().put('a', ONE);
    const sizes = new Set<number>();
    const look = async (): Promise<void> => void sizes.add((await subject().source('a').stat()).size);
    await subject().put('a', { size: objectBytes.length, chunks: chunksOf(objectBytes, look) });
    expect([...sizes]).toEqual([1]);
    expect(await isHeld(subject(), 'a', objectBytes)).toBe(true);
  });

  test('chunks that throw leave the old object, and put rejects with their error', async () => {
    await subject().put('a', ONE);
    const failure = new Error('the chunks end here');
    const fail = (): Promise<void> => Promise.reject(failure);
    for (const key of ['a', 'b']) {
      const chunks = chunksOf(objectBytes, fail);
      await expect(subject().put(key, { size: objectBytes.length, chunks })).rejects.toBe(failure);
    }
    expect(await subject().source('a').read({ start: 0, end: 10 })).toEqual(ONE);
    expect(await keysOf(subject(), '')).toEqual(['a']);
  });

  test.each([
    ['fewer', objectBytes.length + 1],
    ['more', objectBytes.length - 1],
  ])('a stream of %s bytes than its size is INVALID_CONTENT and leaves nothing', async (_, size) => {
    const content = { size, chunks: chunksOf(objectBytes) };
    expect(await failureCode(() => subject().put('a', content))).toBe('INVALID_CONTENT');
    expect(await keysOf(subject(), '')).toEqual([]);
  });

  test('of concurrent puts of one key one wins, and its object is complete', async () => {
    const contents = Array.from({ length: 8 }, (_, index) => new Uint8Array(50_000 + index).fill(index));
    await Promise.all(contents.map((content) => subject().put('one/key', content)));
    const { size } = await subject().source('one/key').stat();
    expect(await isHeld(subject(), 'one/key', contents[size - 50_000] ?? ONE)).toBe(true);
    expect(await keysOf(subject(), '')).toEqual(['one/key']);
  });
}

function listTests(subject: Subject): void {
  const keys = ['a', 'a.b', 'ab/c', 'ab/cd', 'ab/d/e!f', 'b/%41_-', 'ba'];

  test.each([
    ['', keys],
    ['a', ['a', 'a.b', 'ab/c', 'ab/cd', 'ab/d/e!f']],
    ['ab/', ['ab/c', 'ab/cd', 'ab/d/e!f']],
    ['ab/c', ['ab/c', 'ab/cd']],
    ['ab/d/e!', ['ab/d/e!f']],
    ['ab/d/e!f', ['ab/d/e!f']],
    ['ab/d/e!f/', []],
    ['c', []],
    ['c/d/e', []],
  ])('lists the keys that begin with "%s"', async (prefix, expected) => {
    for (const key of keys) await subject().put(key, ONE);
    expect((await keysOf(subject(), prefix)).toSorted()).toEqual(expected);
  });

  test('an empty store lists nothing', async () => {
    expect(await keysOf(subject(), '')).toEqual([]);
  });
}

function foreignTests(current: () => ContractStoreSubject | undefined): void {
  test('lists exactly the objects that can be read', async () => {
    const { store, placeForeign } = current() ?? {};
    if (store === undefined) throw new Error('no subject');
    await store.put('folder/own', ONE);
    const keys = ['folder/own', ...((await placeForeign?.()) ?? [])].toSorted();
    expect((await keysOf(store, '')).toSorted()).toEqual(keys);
    expect((await keysOf(store, 'folder/')).toSorted()).toEqual(keys.filter((key) => key.startsWith('folder/')));
    for (const key of keys) expect([key, await isHeld(store, key, ONE)]).toEqual([key, true]);
  });
}

function keyTests(subject: Subject, invalidKeys: readonly string[]): void {
  test.each(invalidKeys)('refuses the key %j with INVALID_KEY', async (key) => {
    expect(await failureCode(() => subject().source(key))).toBe('INVALID_KEY');
    expect(await failureCode(() => subject().put(key, ONE))).toBe('INVALID_KEY');
    expect(await failureCode(() => subject().delete(key))).toBe('INVALID_KEY');
  });

  test('accepts every valid key, and different keys have different sources', async () => {
    const keys = ['x'.repeat(255), 'AZ/az/09', '!%_-.', 'a!%2E.-_', `${'y'.repeat(200)}/`.repeat(5).slice(0, -1)];
    for (const key of keys) await subject().put(key, ONE);
    expect((await keysOf(subject(), '')).toSorted()).toEqual(keys.toSorted());
    expect(new Set(keys.map((key) => subject().source(key).key)).size).toBe(keys.length);
  });
}

function foreignKeyTest(subject: Subject): void {
  test('holds and lists keys with any characters', async () => {
    for (const key of FOREIGN_KEYS) await subject().put(key, ONE);
    expect((await keysOf(subject(), '')).toSorted()).toEqual(FOREIGN_KEYS.toSorted());
    for (const key of FOREIGN_KEYS) {
      expect([key, await isHeld(subject(), key, ONE)]).toEqual([key, true]);
      expect(await keysOf(subject(), key)).toEqual([key]);
    }
    for (const key of FOREIGN_KEYS) await subject().delete(key);
    expect(await keysOf(subject(), '')).toEqual([]);
  });
}

function abortTests(subject: Subject): void {
  test('an aborted signal fails with ABORTED', async () => {
    await subject().put('a', ONE);
    const options = { signal: AbortSignal.abort() };
    expect(await failureCode(() => subject().put('a', Uint8Array.of(2), options))).toBe('ABORTED');
    expect(await failureCode(() => subject().delete('a', options))).toBe('ABORTED');
    expect(await failureCode(() => keysOf(subject(), '', options))).toBe('ABORTED');
    expect(await subject().source('a').read({ start: 0, end: 10 })).toEqual(ONE);
  });

  test('a signal that is aborted during a put leaves nothing', async () => {
    const controller = new AbortController();
    const chunks = chunksOf(objectBytes, async () => controller.abort());
    const put = subject().put('a', { size: objectBytes.length, chunks }, { signal: controller.signal });
    expect(await failureCode(() => put)).toBe('ABORTED');
    expect(await keysOf(subject(), '')).toEqual([]);
  });
}
